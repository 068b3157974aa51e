// Positions in a text as the Language Server Protocol counts them: lines from 0, and within a line the code
// units of an encoding.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::language_server {

/// The encoding whose code units client and server count within a line (`PositionEncodingKind`).
enum class Encoding { utf8, utf16, utf32 };

std::string_view to_string(Encoding encoding);
/// Converts the protocol's name of an encoding, such as "utf-16"; nothing for an unknown name.
std::optional<Encoding> encoding_of(std::string_view name);

/// The offsets at which the lines of a text begin. The object doesn't keep the text, so each call takes the
/// text from which the object was made.
class Lines {
 public:
  explicit Lines(std::string_view text);
  /// Converts a byte offset to `{"line", "character"}`. An offset behind the text means the text's end.
  nlohmann::json position(std::string_view text, std::size_t offset, Encoding encoding) const;
  nlohmann::json range(std::string_view text, std::size_t begin, std::size_t end, Encoding encoding) const;
  /// Converts a position to a byte offset. A position behind the end of its line means the line's end, as the
  /// protocol says. A position within a character means the character's beginning. Throws InvalidParams if
  /// `position` has the wrong form.
  std::size_t offset(std::string_view text, const nlohmann::json& position, Encoding encoding) const;
  /// Converts a range to the byte offsets of its `start` and `end`. Throws InvalidParams if `range` has the
  /// wrong form.
  std::pair<std::size_t, std::size_t> offsets(std::string_view text, const nlohmann::json& range,
                                              Encoding encoding) const;
  std::size_t count() const { return starts_.size(); }
  /// The byte offset at which a line begins; lines count from 0.
  std::size_t start(std::size_t line) const { return starts_.at(line); }
  /// The line that contains a byte offset, counted from 0.
  std::size_t line_of(std::size_t offset) const;
  /// The byte offset at which the text of a line ends, before its line ending.
  std::size_t end(std::string_view text, std::size_t line) const;

 private:
  std::vector<std::size_t> starts_;
};

/// The number of code units in a part of a line.
std::size_t units(std::string_view text, Encoding encoding);

}  // namespace trl::language_server
