#include "base/operators/einsum.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trl::operators {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string twice(const std::string& letters) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters.find(letters[i], i + 1) != std::string::npos) return {letters[i]};
  return "";
}

/// Returns the reason why an equation, whose parts consist of letters, is wrong; empty if it is right.
std::string wrong_with(const Einsum& own) {
  for (const auto& [letters, whose] :
       {std::pair{&own.x, "the first tensor"}, {&own.y, "the second tensor"}, {&own.out, "the result"}})
    if (const std::string letter = twice(*letters); !letter.empty())
      return fmt::format("{} has the letter {} twice; diagonals aren't taken", whose, letter);
  for (const char letter : own.out)
    if (own.x.find(letter) == std::string::npos && own.y.find(letter) == std::string::npos)
      return fmt::format("the result has an axis {} that neither tensor has", letter);
  return "";
}

}  // namespace

std::string Einsum::summed() const {
  std::string letters;
  for (const char letter : x + y)
    if (out.find(letter) == std::string::npos && letters.find(letter) == std::string::npos) letters += letter;
  return letters;
}

std::optional<Einsum> parse_einsum(std::string_view equation, std::string* problem) {
  const auto fail = [&](std::string what) -> std::optional<Einsum> {
    if (problem != nullptr) *problem = std::move(what);
    return std::nullopt;
  };
  std::string text(equation);
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->"), comma = text.find(',');
  if (arrow == std::string::npos) return fail("it has no `->` before the result's axes");
  if (comma == std::string::npos || comma > arrow || text.find(',', comma + 1) != std::string::npos)
    return fail("it joins two tensors, with a comma between their axes");
  Einsum own{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
  for (const std::string* letters : {&own.x, &own.y, &own.out})
    if (!std::all_of(letters->begin(), letters->end(), is_letter))
      return fail("an axis is one letter, and nothing else stands there");
  if (own.x.empty() || own.y.empty()) return fail("each tensor has at least one axis");
  if (std::string what = wrong_with(own); !what.empty()) return fail(std::move(what));
  return own;
}

}  // namespace trl::operators
