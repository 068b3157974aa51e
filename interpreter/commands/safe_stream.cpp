#include "interpreter/commands/safe_stream.hpp"

#include <algorithm>

#include "interpreter/report/json_safe.hpp"

namespace trl::interpreter {
namespace {

/// Returns the size of a text without an incomplete character or sequence at its end.
std::size_t finished_size(std::string_view text) {
  constexpr std::size_t longest = 16;  // of trl's own sequences
  const auto from = text.size() - std::min(text.size(), longest);
  if (const auto escape = text.rfind('\x1b');
      escape != std::string_view::npos && escape >= from &&
      text.find_first_not_of("[;0123456789", escape + 1) == std::string_view::npos)
    return escape;
  for (std::size_t back = 1; back <= std::min<std::size_t>(text.size(), 3); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::size_t SafeStream::Buffer::own_sequence(std::string_view text) const {
  if (text.starts_with('\r')) return own_.cursor ? 1 : 0;
  if (!text.starts_with("\x1b[")) return 0;
  const auto end = text.find_first_not_of(";0123456789", 2);
  if (end == std::string_view::npos) return 0;
  const bool own = text[end] == 'm'
                       ? own_.colours
                       : own_.cursor && std::string_view("HJK").find(text[end]) != std::string_view::npos;
  return own ? end + 1 : 0;
}

bool SafeStream::Buffer::pass_on(std::size_t size) {
  const std::string_view text = std::string_view(pending_).substr(0, size);
  std::size_t begun = 0;
  for (std::size_t at = text.find_first_of("\r\x1b"); at != std::string_view::npos;
       at = text.find_first_of("\r\x1b", at)) {
    const auto length = own_sequence(text.substr(at));
    if (length == 0) {
      ++at;
      continue;
    }
    out_ << json_safe(text.substr(begun, at - begun)) << text.substr(at, length);
    at += length;
    begun = at;
  }
  out_ << json_safe(text.substr(begun));
  pending_.erase(0, size);
  return out_.good();
}

int SafeStream::Buffer::overflow(int letter) {
  if (letter == traits_type::eof()) return 0;
  const char byte = traits_type::to_char_type(letter);
  return xsputn(&byte, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize SafeStream::Buffer::xsputn(const char* text, std::streamsize size) {
  pending_.append(text, static_cast<std::size_t>(size));
  return pass_on(finished_size(pending_)) ? size : 0;
}

int SafeStream::Buffer::sync() {
  // Text that begins an incomplete character is kept, since the rest may still come. An incomplete control
  // sequence is passed on and escaped, since trl writes its own sequences only as a whole.
  const bool passed = pass_on(pending_.starts_with('\x1b') ? pending_.size() : 0);
  return passed && out_.flush() ? 0 : -1;
}

}  // namespace trl::interpreter
