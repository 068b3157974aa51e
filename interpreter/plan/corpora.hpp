// Makes the spec of a corpus stage from the call that names the data.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/contract/document.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/stages/corpus.hpp"
#include "base/contract/stages/pairs.hpp"

namespace trl::interpreter {

struct CorpusContext {
  const nlohmann::json& all_tasks;  ///< all tasks of the document, by ID
  std::function<std::vector<contract::Task>(const contract::TaskSet&)> tasks_of;
  std::uint64_t seed = 0;
  contract::KernelLanguage language = contract::KernelLanguage::triton;
  std::string prompt = {};  ///< the prompt template
};

struct PlannedCorpus {
  nlohmann::json spec;
  bool carried_out = true;  ///< whether this version can run the stage
};

/// The specs of the two stages that make the corpus of a call kernelbook(…).
struct PairsPlanned {
  contract::PairsSpec pairs;
  contract::PairsCorpusSpec corpus;
  /// The sources, such as "KernelBench/level1", of excluded tasks whose code isn't available.
  std::vector<std::string> unknown;
};
/// Makes the specs for a call kernelbook(…). `all_tasks` are the document's tasks, by ID. Throws UserError if
/// the call requests no pairs.
PairsPlanned pairs_of(const contract::Call& data, const nlohmann::json& all_tasks);

/// The spec of windtunnel.corpus(…) or windtunnel.chains(…). Any other call also gets a spec, which this
/// version can plan but not run. Throws UserError if all tasks of a group in the corpus are excluded.
PlannedCorpus corpus_spec(const contract::Call& data, const CorpusContext& context);

}  // namespace trl::interpreter
