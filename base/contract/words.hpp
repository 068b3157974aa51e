// The words that stand for the values of enumerations in JSON.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/contract/error.hpp"

namespace trl::contract {

/// The words that stand for the values of an enumeration: a specialisation has them as `list`.
template <class Enumeration>
struct Words;

/// What stands for a value of an enumeration.
template <class Enumeration>
std::string word(Enumeration value) {
  for (const auto& [one, text] : Words<Enumeration>::list)
    if (one == value) return text;
  return {};
}

/// The value that a word stands for. Throws ContractError.
template <class Enumeration>
Enumeration value_of_word(const nlohmann::json& input) {
  std::string known;
  for (const auto& [one, text] : Words<Enumeration>::list) {
    if (input == text) return one;
    known += (known.empty() ? "`" : " or `") + std::string(text) + "`";
  }
  throw unexpected(input, known);
}

}  // namespace trl::contract
