// The spec of the stage `pairs` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::contract {

/// A task that may not occur among the pairs, and the features by which pairs are compared with it.
struct ExcludedTask {
  std::string name;
  /// The operators that the task applies, in order; empty: operators aren't compared.
  std::vector<std::string> operators;
  std::string sketch;  ///< a sketch of the task's text (verifier/kernelbench/describe.py); empty: texts
                       ///< aren't compared
  static ExcludedTask read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The spec of a stage `pairs`, which turns the rows of a data set into pairs of a PyTorch module and an
/// answer (verifier/kernelbench/make_pairs.py).
struct PairsSpec {
  static constexpr const char* kind = "pairs";
  std::optional<std::vector<std::string>> licenses;  ///< the licenses that are allowed; none: any
  double near = 0.8;  ///< rows whose similarity to an earlier row is at least this are left out, 0 to 1
  std::string malformed = "skip";  ///< the treatment of a malformed row: "skip" leaves it out, "refuse" fails
  std::optional<std::uint64_t> seed;  ///< the seed of the pairs' random order; none: the order of the rows
  std::vector<ExcludedTask> excluded;
  static PairsSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
