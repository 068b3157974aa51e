// The spec of a corpus stage from the call that names the data.
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
  const nlohmann::json& all_tasks;  ///< the document's, by id
  std::function<std::vector<contract::Task>(const contract::TaskSet&)> tasks_of;
  std::uint64_t seed = 0;
  contract::KernelLanguage language = contract::KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts
};

struct PlannedCorpus {
  nlohmann::json spec;
  bool carried_out = true;  ///< by this version
};

/// The corpus that kernelbook(…) asks for.
struct PairsPlanned {
  contract::PairsSpec pairs;
  contract::PairsCorpusSpec corpus;
  /// The sources of excluded tasks of which nothing is known: "KernelBench/level1".
  std::vector<std::string> unknown;
};
/// `all_tasks` are the document's, by id. Throws UserError where no pairs are asked for.
PairsPlanned pairs_of(const contract::Call& data, const nlohmann::json& all_tasks);

/// The spec of windtunnel.corpus(…) or windtunnel.chains(…); any other call is planned by its own name.
/// Throws UserError for a corpus of a group all of whose tasks are excluded.
PlannedCorpus corpus_spec(const contract::Call& data, const CorpusContext& context);

}  // namespace trl::interpreter
