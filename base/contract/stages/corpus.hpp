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

/// Answers written to tasks of suites.
struct SuitesCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "suites";
  std::vector<Task> tasks;
  std::map<std::string, std::int64_t> samples;  ///< by group
  double flawed = 0;                            ///< share that is wrong on purpose
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static SuitesCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Answers written to chains of operators that are drawn.
struct ChainsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "chains";
  std::int64_t samples = 0;
  std::optional<int> longest;             ///< operators
  std::vector<std::string> exclude_keys;  ///< of tasks
  bool exclude_spellings = false;         ///< and every other spelling of those tasks
  std::optional<std::vector<std::pair<std::string, std::string>>>
      unseen_pairs;  ///< operators that never follow each other
  double flawed = 0;
  std::uint64_t seed = 0;
  KernelLanguage language = KernelLanguage::triton;
  std::string prompt = {};  ///< the template of prompts (base/support/asking.hpp)
  static ChainsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The first of those pairs that are short enough.
struct PairsCorpusSpec {
  static constexpr const char *kind = "corpus", *source = "pairs";
  std::map<std::string, std::int64_t> samples;  ///< "level1", "level2", and of the rest "any"
  std::optional<std::int64_t> longest;          ///< tokens of prompt and answer; none: the model's context
  std::string prompt = {};                      ///< the template of prompts (base/support/asking.hpp)
  static PairsCorpusSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
