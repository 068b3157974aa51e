#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trl::language {

/// Index of a file within `Sources`.
using FileId = std::uint32_t;

/// Half-open range of byte offsets in one file.
struct Range {
  FileId file = 0;
  std::size_t begin = 0, end = 0;
  bool operator==(const Range&) const = default;
};

/// Line and column, both counted from 1. Columns count UTF-8 code points; a byte order mark isn't counted.
struct Position {
  std::size_t line = 1, column = 1;
  bool operator==(const Position&) const = default;
};

/// One file: its path as the user wrote it, and its text.
class Source {
 public:
  Source(std::string path, std::string text);
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  Position position(std::size_t offset) const;
  /// The byte offset of a position. A column behind the line's end means the line's end.
  std::size_t offset(Position position) const;
  std::size_t lines() const { return starts_.size(); }
  /// Text of a line (counted from 1) without its line ending and without a byte order mark.
  std::string_view line(std::size_t number) const;

 private:
  std::string path_, text_;
  std::vector<std::size_t> starts_;
};

/// The files of one program in the order in which they were loaded. The first file is the program itself.
class Sources {
 public:
  FileId add(std::string path, std::string text);
  const Source& operator[](FileId file) const { return files_.at(file); }
  std::size_t size() const { return files_.size(); }
  Position position(const Range& range) const { return files_.at(range.file).position(range.begin); }
  std::string_view text(const Range& range) const;
  /// The beginning of a range as `path:line:column`.
  std::string where(const Range& range) const;

 private:
  std::vector<Source> files_;
};

}  // namespace trl::language
