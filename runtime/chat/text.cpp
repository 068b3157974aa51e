#include "runtime/chat/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/chat/value.hpp"

namespace trl::runtime::chat {
namespace {

/// Characters of which str.isspace() is true, in UTF-8.
bool is_space(std::string_view one) {
  if (one.size() == 1) return (one[0] >= 9 && one[0] <= 13) || (one[0] >= 0x1C && one[0] <= 0x20);
  static constexpr std::string_view kOthers[] = {
      "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
      "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
      "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
      "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
  return std::find(std::begin(kOthers), std::end(kOthers), one) != std::end(kOthers);
}

std::string_view first_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  return text.substr(0, first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4);
}

std::string_view last_of(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && text.size() - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
    --begin;
  return text.substr(begin);
}

template <typename Test>
std::string_view stripped_by(std::string_view text, bool left, bool right, const Test& test) {
  while (left && !text.empty() && test(first_of(text))) text.remove_prefix(first_of(text).size());
  while (right && !text.empty() && test(last_of(text))) text.remove_suffix(last_of(text).size());
  return text;
}

void need_ascii(std::string_view text, const char* what) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    throw ValueError(fmt::format("{} of text beyond ASCII is not supported", what));
}

}  // namespace

std::string encoded(char32_t c) {
  std::string out;
  const auto more = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    more(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    more(6);
    more(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    more(12);
    more(6);
    more(0);
  }
  return out;
}

std::string_view stripped(std::string_view text, bool left, bool right) {
  return stripped_by(text, left, right, is_space);
}

std::string_view stripped(std::string_view text, bool left, bool right, std::string_view set) {
  const auto members = characters(set);
  return stripped_by(text, left, right, [&](std::string_view one) {
    return std::find(members.begin(), members.end(), one) != members.end();
  });
}

std::vector<std::string> split(std::string_view text, const std::optional<std::string>& separator,
                               std::int64_t most, bool from_right) {
  std::vector<std::string> out;
  if (separator) {
    if (separator->empty()) throw ValueError("a text is split at an empty separator");
    while (most != 0) {
      const auto found = from_right ? text.rfind(*separator) : text.find(*separator);
      if (found == text.npos) break;
      if (from_right) {
        out.emplace_back(text.substr(found + separator->size()));
        text = text.substr(0, found);
      } else {
        out.emplace_back(text.substr(0, found));
        text = text.substr(found + separator->size());
      }
      --most;
    }
    out.emplace_back(text);
  } else {
    text = stripped(text, !from_right, from_right);
    while (!text.empty()) {
      if (most == 0) {
        out.emplace_back(text);  // what is left keeps the white space at its other end
        break;
      }
      std::string_view rest = text;
      while (!rest.empty() && !is_space(from_right ? last_of(rest) : first_of(rest))) {
        if (from_right)
          rest.remove_suffix(last_of(rest).size());
        else
          rest.remove_prefix(first_of(rest).size());
      }
      out.emplace_back(from_right ? text.substr(rest.size()) : text.substr(0, text.size() - rest.size()));
      text = stripped(rest, !from_right, from_right);
      --most;
    }
  }
  if (from_right) std::reverse(out.begin(), out.end());
  return out;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> out;
  std::string line;
  const auto all = characters(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& one = all[i];
    const bool ends = one == "\n" || one == "\r" || one == "\v" || one == "\f" || one == "\x1c" ||
                      one == "\x1d" || one == "\x1e" || one == "\xC2\x85" || one == "\xE2\x80\xA8" ||
                      one == "\xE2\x80\xA9";
    if (!ends) {
      line += one;
      continue;
    }
    if (one == "\r" && i + 1 < all.size() && all[i + 1] == "\n") ++i;
    out.push_back(std::exchange(line, ""));
  }
  if (!line.empty()) out.push_back(line);
  return out;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to, std::int64_t count) {
  std::string out;
  if (from.empty()) {
    // Between all characters, and around them.
    const auto all = characters(text);
    for (std::size_t i = 0; i <= all.size(); ++i) {
      if (count != 0) {
        out += to;
        check_length(out.size());
        --count;
      }
      if (i < all.size()) out += all[i];
    }
    return out;
  }
  while (count != 0) {
    const auto found = text.find(from);
    if (found == text.npos) break;
    out += text.substr(0, found);
    out += to;
    check_length(out.size());
    text = text.substr(found + from.size());
    --count;
  }
  return out += text;
}

std::string upper(std::string_view text, const char* what) {
  need_ascii(text, what);
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string lower(std::string_view text, const char* what) {
  need_ascii(text, what);
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string title(std::string_view text) {
  std::string out = lower(text, "title");
  bool inside = false;
  for (char& c : out) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c));
    if (letter && !inside) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    inside = letter;
  }
  return out;
}

}  // namespace trl::runtime::chat
