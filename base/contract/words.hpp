// The texts by which JSON represents the values of enumerations.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/contract/error.hpp"

namespace trl::contract {

/// The texts by which JSON represents the values of an enumeration. Each enumeration has a specialisation
/// whose `list` holds pairs of value and text.
template <class Enumeration>
struct Words;

/// Returns the text that represents a value in JSON.
template <class Enumeration>
std::string word(Enumeration value) {
  for (const auto& [one, text] : Words<Enumeration>::list)
    if (one == value) return text;
  return {};
}

/// Returns the value that a text represents. Throws ContractError if no value has this text.
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
