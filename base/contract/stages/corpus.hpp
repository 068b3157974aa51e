// The specs of the stage `corpus`, one for each source of answers (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/kernel_language.hpp"
#include "base/contract/task.hpp"

namespace trl::contract {

/// The spec of a corpus of generated answers to the tasks of suites.
struct SuitesCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "suites";
  std::vector<Task> tasks;
  /// The number of answers for each group of tasks: {"level1": 150}.
  std::map<std::string, std::int64_t> samples;
  double flawed = 0;  ///< the share of answers that are wrong on purpose, 0 to 1
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static SuitesCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The spec of a corpus of generated answers to random chains of operators.
struct ChainsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "chains";
  std::int64_t samples = 0;
  std::optional<int> longest;             ///< the largest number of operators in a chain
  std::vector<std::string> exclude_keys;  ///< keys of tasks that may not occur
  /// Whether tasks equivalent to these are excluded, too (base/operators/overlap.hpp).
  bool exclude_spellings = false;
  /// Pairs of operators whose second operator never follows the first in a chain.
  std::optional<std::vector<std::pair<std::string, std::string>>> unseen_pairs;
  double flawed = 0;
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static ChainsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The spec of a corpus of the first pairs, of a stage `pairs`, that aren't longer than `longest`.
struct PairsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "pairs";
  /// The number of pairs of each level, "level1" or "level2"; "any": further pairs of either level.
  std::map<std::string, std::int64_t> samples;
  /// The most tokens of prompt and answer together; none: the model's context.
  std::optional<std::int64_t> longest;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static PairsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
