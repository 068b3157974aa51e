// The size of one axis of a tensor: a number, a named dimension, or an expression of both
// (docs/interfaces.md, 1).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::tasks {

/// The sizes of a task's dimensions, by name: {"M": 64}.
using Sizes = std::map<std::string, std::int64_t>;

/// The size of one axis. If `name` is empty, the size is the number `size`. Otherwise `name` is a dimension's
/// name or an expression such as "(H + 1) // 2" in the language's normal form: equal sizes have equal texts.
struct Extent {
  std::string name;
  std::int64_t size = 0;
  bool operator==(const Extent&) const = default;
  bool is_one() const { return name.empty() && size == 1; }
  /// Returns the number for given sizes of the dimensions. Throws UserError if the text can't be read or a
  /// dimension has no size.
  std::int64_t at(const Sizes& sizes) const;
};
using Shape = std::vector<Extent>;

Extent parse_extent(const nlohmann::json& extent);
nlohmann::json extent_json(const Extent& extent);
Shape parse_shape(const nlohmann::json& shape);
nlohmann::json shape_json(const Shape& shape);

/// Returns the names of dimensions in an extent, in the order of the text.
std::vector<std::string> names_in(const Extent& extent);

/// Returns an extent's text in which every name n is replaced by rename(n).
template <typename Rename>
std::string renamed(const std::string& text, Rename rename) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (letter(text[end]) || (end > i && digit(text[end])))) ++end;
    out += end > i ? rename(text.substr(i, end - i)) : std::string(1, text[i]);
    i = end > i ? end : i + 1;
  }
  return out;
}

}  // namespace trl::tasks
