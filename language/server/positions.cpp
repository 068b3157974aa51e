#include "language/server/positions.hpp"

#include <algorithm>

#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

struct Character {
  std::size_t bytes, units;
};

/// The character that begins at `text[0]`. A byte that begins no character counts as a character of one byte.
Character character(std::string_view text, Encoding encoding) {
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  bytes = std::min(bytes, text.size());
  if (encoding == Encoding::utf8) return {bytes, bytes};
  return {bytes, encoding == Encoding::utf16 && bytes == 4 ? std::size_t{2} : std::size_t{1}};
}

std::size_t natural(const nlohmann::json& position, const char* key) {
  const auto at = position.find(key);
  if (at == position.end() || !at->is_number_integer() || at->get<std::int64_t>() < 0)
    throw InvalidParams(std::string("`") + key + "` of a position is a number from 0");
  return at->get<std::size_t>();
}

}  // namespace

std::string_view to_string(Encoding encoding) {
  return encoding == Encoding::utf8 ? "utf-8" : encoding == Encoding::utf16 ? "utf-16" : "utf-32";
}

std::optional<Encoding> encoding_of(std::string_view name) {
  for (const Encoding one : {Encoding::utf8, Encoding::utf16, Encoding::utf32})
    if (to_string(one) == name) return one;
  return std::nullopt;
}

Lines::Lines(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\n' || text[i] == '\r') starts_.push_back(i + 1);
  }
}

std::size_t Lines::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                  starts_.begin()) -
         1;
}

std::size_t Lines::end(std::string_view text, std::size_t line) const {
  if (line + 1 >= starts_.size()) return text.size();
  std::size_t end = starts_[line + 1] - 1;
  if (end > starts_[line] && text[end] == '\n' && text[end - 1] == '\r') --end;
  return end;
}

nlohmann::json Lines::position(std::string_view text, std::size_t offset, Encoding encoding) const {
  const std::size_t line = line_of(std::min(offset, text.size()));
  const std::size_t until = std::min(std::min(offset, text.size()), end(text, line));
  return {{"line", line}, {"character", units(text.substr(starts_[line], until - starts_[line]), encoding)}};
}

nlohmann::json Lines::range(std::string_view text, std::size_t begin, std::size_t end,
                            Encoding encoding) const {
  return {{"start", position(text, begin, encoding)},
          {"end", position(text, std::max(begin, end), encoding)}};
}

std::size_t Lines::offset(std::string_view text, const nlohmann::json& position, Encoding encoding) const {
  if (!position.is_object()) throw InvalidParams("a position is an object with `line` and `character`");
  const std::size_t line = natural(position, "line");
  const std::size_t wanted = natural(position, "character");
  if (line >= starts_.size()) return text.size();
  const std::size_t last = end(text, line);
  std::size_t at = starts_[line];
  for (std::size_t count = 0; at < last;) {
    const Character one = character(text.substr(at, last - at), encoding);
    count += one.units;
    if (count > wanted) break;
    at += one.bytes;
  }
  return at;
}

std::pair<std::size_t, std::size_t> Lines::offsets(std::string_view text, const nlohmann::json& range,
                                                   Encoding encoding) const {
  if (!range.is_object() || !range.contains("start") || !range.contains("end"))
    throw InvalidParams("a range has `start` and `end`");
  return {offset(text, range["start"], encoding), offset(text, range["end"], encoding)};
}

std::size_t units(std::string_view text, Encoding encoding) {
  std::size_t count = 0;
  while (!text.empty()) {
    const Character one = character(text, encoding);
    count += one.units;
    text.remove_prefix(one.bytes);
  }
  return count;
}

}  // namespace trl::language_server
