// The stages of the worker. A new stage is one function and one line here.
#include "contract/stages.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {

namespace {

/// Written answers are made of tasks, pairs are taken from a data set by the model's tokenizer.
nlohmann::json run_any_corpus(Stage& stage) {
  return stage.spec.value("source", "") == contract::PairsCorpusSpec::source ? run_pairs_corpus(stage)
                                                                             : run_corpus(stage);
}

}  // namespace

StageFunction find_stage(const std::string& name) {
  struct Named {
    const char* name;
    StageFunction function;
  };
  static constexpr Named kStages[] = {
      {"corpus", run_any_corpus}, {"tokenizer", run_tokenizer}, {"pretrain", run_pretrain},
      {"finetune", run_finetune}, {"sample", run_sample},       {"verify", run_verify},
      {"generate", run_generate}, {"merge", run_merge},         {"ask", run_ask}};
  for (const auto& stage : kStages) {
    if (name == stage.name) return stage.function;
  }
  return nullptr;
}

}  // namespace trl::runtime
