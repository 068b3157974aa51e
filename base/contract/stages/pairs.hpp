// The spec of the stage `pairs` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::contract {

/// A task of which no pair may hold an answer, and by what pairs are compared with it.
struct ExcludedTask {
  std::string name;
  std::vector<std::string> operators;  ///< those that it applies, in their order; empty: not compared
  std::string sketch;  ///< of its text (verifier/kernelbench/describe.py); empty: not compared
  static ExcludedTask read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// Pairs of module and answer from the rows of a data set, by verifier/kernelbench/make_pairs.py.
struct PairsSpec {
  static constexpr const char* kind = "pairs";
  std::optional<std::vector<std::string>> licenses;  ///< those that are allowed; none: any
  double near = 0.8;                                 ///< similarity from which two modules are one
  std::string malformed = "skip";                    ///< or "refuse"
  std::optional<std::uint64_t> seed;                 ///< of their order; none: the rows'
  std::vector<ExcludedTask> excluded;
  static PairsSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
