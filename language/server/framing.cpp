#include "language/server/framing.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace trl::language_server {
namespace {

constexpr std::size_t longest_headers = 4096;

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The number of `Content-Length`; nothing if a header is wrong.
std::optional<std::size_t> length_in(std::string_view headers) {
  std::optional<std::size_t> length;
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find("\r\n"), headers.size());
    const std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + 2, headers.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    if (!same_word(line.substr(0, colon), "Content-Length")) continue;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
    std::size_t number = 0;
    const auto [after, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || after != value.data() + value.size() || length) return std::nullopt;
    length = number;
  }
  return length;
}

}  // namespace

std::optional<Frames::Frame> Frames::next() {
  const std::size_t skipped = std::min(skip_, pending_.size());
  pending_.erase(0, skipped);
  skip_ -= skipped;
  if (skip_ > 0 || pending_.empty()) return std::nullopt;

  const std::size_t end = pending_.find("\r\n\r\n");
  if (end == std::string::npos || end > longest_headers) {
    if (pending_.size() <= longest_headers && end == std::string::npos) return std::nullopt;
    // Reading continues at the next text that looks like a header.
    const std::size_t next = pending_.find("Content-Length:", 1);
    pending_.erase(0, next == std::string::npos ? pending_.size() : next);
    return Frame{"", "a message has no header `Content-Length`"};
  }
  const auto length = length_in(std::string_view(pending_).substr(0, end));
  if (!length) {
    // Lines that are no headers may come before a header. Reading continues at that header; without one,
    // after the empty line.
    const std::size_t next = pending_.starts_with("Content-Length:") ? end : pending_.find("Content-Length:");
    pending_.erase(0, next < end ? next : end + 4);
    return Frame{"", "the headers of a message are wrong"};
  }
  if (*length > longest) {
    pending_.erase(0, end + 4);
    skip_ = *length;
    return Frame{"", fmt::format("a message of {} bytes is longer than {}", *length, longest)};
  }
  if (pending_.size() - end - 4 < *length) return std::nullopt;
  Frame frame{pending_.substr(end + 4, *length), ""};
  pending_.erase(0, end + 4 + *length);
  return frame;
}

std::string framed(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace trl::language_server
