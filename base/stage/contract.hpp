// Reads types of the contract (base/contract) from a stage's JSON. JSON that violates the contract is a
// UserError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/contract/error.hpp"
#include "base/stage/spec.hpp"
#include "base/support/json_text.hpp"

namespace trl::runtime {

/// Returns a stage's spec as T. Throws UserError naming the field that is missing or wrong.
template <typename T>
T spec_as(const nlohmann::json& spec) {
  try {
    return T::read(spec);
  } catch (const contract::ContractError& error) {
    throw UserError(error.missing() ? fmt::format("the stage's spec has no field `{}`", error.field)
                                    : fmt::format("in the stage's spec, {}", error.what()),
                    "see docs/interfaces.md, section 3");
  }
}

/// Calls `row` for each line of a JSON-lines file, read as T. Throws UserError, which names the file and the
/// faulty row.
template <typename T>
void for_each_as(const std::filesystem::path& file, const std::function<void(const T&)>& row) {
  std::int64_t number = 0;
  for_each_row(file, [&](const nlohmann::json& line) {
    ++number;
    try {
      row(T::read(line));
    } catch (const contract::ContractError& error) {
      throw UserError(fmt::format("{}: row {}: {}", file.string(), number, error.what()),
                      "the file is damaged: remove the result and run again");
    }
  });
}

}  // namespace trl::runtime
