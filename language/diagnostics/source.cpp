#include "language/diagnostics/source.hpp"

#include <algorithm>

#include "base/support/code_points.hpp"

namespace trl::language {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Source::Source(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  starts_.push_back(text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
}

Position Source::position(std::size_t offset) const {
  offset = std::clamp(offset, starts_.front(), std::max(starts_.front(), text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin());
  std::size_t column = 1;
  for (std::size_t i = starts_[line - 1]; i < offset; ++i) column += !continues_code_point(text_[i]);
  // An offset inside a code point belongs to that code point.
  if (offset < text_.size() && continues_code_point(text_[offset]) && column > 1) --column;
  return {line, column};
}

std::size_t Source::offset(Position position) const {
  const std::size_t number = std::clamp<std::size_t>(position.line, 1, starts_.size());
  const std::string_view text = line(number);
  std::size_t i = 0;
  for (std::size_t column = 1; i < text.size() && column < position.column; ++column) {
    ++i;
    while (i < text.size() && continues_code_point(text[i])) ++i;
  }
  return starts_[number - 1] + i;
}

std::string_view Source::line(std::size_t number) const {
  const std::size_t begin = starts_.at(number - 1);
  std::size_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

FileId Sources::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return static_cast<FileId>(files_.size() - 1);
}

std::string_view Sources::text(const Range& range) const {
  return std::string_view(files_.at(range.file).text()).substr(range.begin, range.end - range.begin);
}

std::string Sources::where(const Range& range) const {
  const Position at = position(range);
  return files_.at(range.file).path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace trl::language
