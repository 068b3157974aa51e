// Places in a text as the Language Server Protocol counts them: lines from 0, and units of an encoding within
// a line.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::language_server {

/// The unit in which client and server count within a line (`PositionEncodingKind`).
enum class Encoding { utf8, utf16, utf32 };

std::string_view to_string(Encoding encoding);
/// The encoding of the protocol's name for it, "utf-16"; nothing for an unknown one.
std::optional<Encoding> encoding_of(std::string_view name);

/// Where the lines of a text begin. It keeps no text: each call is given the text that it was made of.
class Lines {
 public:
  explicit Lines(std::string_view text);
  /// `{"line", "character"}` of a byte offset, which is clamped to the text.
  nlohmann::json position(std::string_view text, std::size_t offset, Encoding encoding) const;
  nlohmann::json range(std::string_view text, std::size_t begin, std::size_t end, Encoding encoding) const;
  /// The byte offset of a position. One behind the end of its line means the line's end, as the protocol
  /// says, and one within a character means the character's beginning. Throws InvalidParams if it isn't a
  /// position.
  std::size_t offset(std::string_view text, const nlohmann::json& position, Encoding encoding) const;
  /// The byte offsets of a range's `start` and `end`. Throws InvalidParams if it isn't a range.
  std::pair<std::size_t, std::size_t> offsets(std::string_view text, const nlohmann::json& range,
                                              Encoding encoding) const;
  std::size_t count() const { return starts_.size(); }
  /// The byte offset at which a line begins; lines count from 0.
  std::size_t start(std::size_t line) const { return starts_.at(line); }
  /// The line, counted from 0, of a byte offset.
  std::size_t line_of(std::size_t offset) const;
  /// Where the text of a line ends: before its line ending.
  std::size_t end(std::string_view text, std::size_t line) const;

 private:
  std::vector<std::size_t> starts_;
};

/// How many units a part of a line has.
std::size_t units(std::string_view text, Encoding encoding);

}  // namespace trl::language_server
