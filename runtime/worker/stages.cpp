#include "runtime/worker/stages.hpp"

#include "base/contract/stages/corpus.hpp"

namespace trl::runtime {

/// Makes a corpus: of written answers to tasks, or of pairs from a data set, which are chosen with the
/// model's tokenizer.
nlohmann::json run_any_corpus(Stage& stage) {
  return stage.spec.value("source", "") == contract::PairsCorpusSpec::source ? run_pairs_corpus(stage)
                                                                             : run_corpus(stage);
}

nlohmann::json run_any_generate(Stage& stage) {
  return stage.endpoint ? run_asked_generate(stage) : run_generate(stage);
}

StageFunction find_stage(const std::string& name) {
#define TRL_STAGE(stage, function) \
  if (name == #stage) return function;
#include "runtime/worker/stages.def"
#undef TRL_STAGE
  return nullptr;
}

}  // namespace trl::runtime
