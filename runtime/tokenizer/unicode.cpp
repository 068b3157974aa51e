#include "runtime/tokenizer/unicode.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace trl::runtime {
namespace {

struct CodeRange {
  char32_t first, last;
};

/// Code points of Unicode 9.1 to 16 that have a combining class or a decomposition, or take part in a
/// composition. `tokenizers` normalises by Unicode 9.0, to which they are unassigned.
/// tests/parity/tokenizer.py compares every code point.
constexpr CodeRange kAssignedLater[] = {
    {0x7FD, 0x7FD},     {0x897, 0x897},     {0x898, 0x89F},     {0x8CA, 0x8D3},     {0x9FE, 0x9FE},
    {0xC3C, 0xC3C},     {0xD3B, 0xD3C},     {0xEBA, 0xEBA},     {0x1715, 0x1715},   {0x1ABF, 0x1ACE},
    {0x1DF6, 0x1DFA},   {0x32FF, 0x32FF},   {0xA7F1, 0xA7F4},   {0xA82C, 0xA82C},   {0xAB69, 0xAB69},
    {0x105C9, 0x105C9}, {0x105D2, 0x105D2}, {0x105DA, 0x105DA}, {0x105E4, 0x105E4}, {0x10781, 0x107BA},
    {0x10D24, 0x10D27}, {0x10D69, 0x10D6D}, {0x10EAB, 0x10EAC}, {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50},
    {0x10F82, 0x10F85}, {0x11070, 0x11070}, {0x1133B, 0x1133B}, {0x11382, 0x11391}, {0x113B8, 0x113C9},
    {0x113CE, 0x113D0}, {0x1145E, 0x1145E}, {0x11839, 0x1183A}, {0x11930, 0x11930}, {0x11935, 0x11935},
    {0x11938, 0x11938}, {0x1193D, 0x1193E}, {0x11943, 0x11943}, {0x119E0, 0x119E0}, {0x11A34, 0x11A34},
    {0x11A47, 0x11A47}, {0x11A99, 0x11A99}, {0x11D42, 0x11D42}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97},
    {0x11F41, 0x11F42}, {0x1611E, 0x1612F}, {0x16D63, 0x16D6A}, {0x16FF0, 0x16FF1}, {0x1CCD6, 0x1CCF9},
    {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF},
    {0x1E4EC, 0x1E4EF}, {0x1E5EE, 0x1E5EF}, {0x1F16C, 0x1F16C}, {0x1FBF0, 0x1FBF9}};

bool assigned_later(char32_t code) {
  const auto after = std::upper_bound(std::begin(kAssignedLater), std::end(kAssignedLater), code,
                                      [](char32_t c, const CodeRange& range) { return c < range.first; });
  return after != std::begin(kAssignedLater) && code <= std::prev(after)->last;
}

/// Whether composition stops at a code point. It does if Unicode 9.0 doesn't know the code point, or if this
/// is U+11A7, the number before the first trailing consonant of Hangul, which utf8proc 2.8 takes for a
/// consonant and swallows.
bool parts_compositions(char32_t code) { return code == 0x11A7 || assigned_later(code); }

int combining_class(char32_t code) {
  if (code < 0x300 || assigned_later(code)) return 0;
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
}

/// Appends the full decomposition of one code point.
void decompose(char32_t code, utf8proc_option_t options, std::vector<utf8proc_int32_t>& out) {
  if (code < 0xA0 || assigned_later(code)) {
    out.push_back(static_cast<utf8proc_int32_t>(code));
    return;
  }
  std::array<utf8proc_int32_t, 32> parts;  // the longest decomposition has 18
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(), parts.size(),
                                             options, &boundary);
  if (count < 1 || count > static_cast<utf8proc_ssize_t>(parts.size())) {
    out.push_back(static_cast<utf8proc_int32_t>(code));
  } else {
    out.insert(out.end(), parts.begin(), parts.begin() + count);
  }
}

/// Puts each run of combining characters into the order of their classes (canonical ordering).
void reorder(std::vector<utf8proc_int32_t>& codes) {
  std::vector<std::pair<int, utf8proc_int32_t>> run;
  for (std::size_t i = 0; i < codes.size();) {
    run.clear();
    std::size_t end = i;
    for (; end < codes.size(); ++end) {
      const int order = combining_class(static_cast<char32_t>(codes[end]));
      if (order == 0) break;
      run.emplace_back(order, codes[end]);
    }
    if (run.size() > 1) {
      std::stable_sort(run.begin(), run.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t j = 0; j < run.size(); ++j) codes[i + j] = run[j].second;
    }
    i = end + 1;
  }
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1, true};
  if (first >= 0xC2 && first < 0xE0 && follows(1)) return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2, true};
  if (first >= 0xE0 && first < 0xF0 && follows(1) && follows(2)) {
    const char32_t code = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (code >= 0x800 && (code < 0xD800 || code >= 0xE000)) return {code, 3, true};
  }
  if (first >= 0xF0 && first < 0xF5 && follows(1) && follows(2) && follows(3)) {
    const char32_t code =
        (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    if (code >= 0x10000 && code < 0x110000) return {code, 4, true};
  }
  return {first, 1, false};
}

std::string utf8(char32_t character) {
  std::string out;
  append_utf8(out, character);
  return out;
}

std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Character character = character_at(text, at);
    if (!character.valid) break;
    at += character.length;
  }
  return at;
}

bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

std::string normal_form(std::string_view text, NormalForm form) {
  // No character below U+00A0 has a decomposition, and text below U+0300 is in NFC.
  const unsigned char changing = form == NormalForm::NFC ? 0xCC : 0xC2;
  if (std::all_of(text.begin(), text.end(),
                  [&](char c) { return static_cast<unsigned char>(c) < changing; })) {
    return std::string(text);
  }
  const bool compatible = form == NormalForm::NFKC || form == NormalForm::NFKD;
  const bool composed = form == NormalForm::NFC || form == NormalForm::NFKC;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                                      (compatible ? UTF8PROC_COMPAT : 0));
  std::vector<utf8proc_int32_t> codes;
  codes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    decompose(character.code, options, codes);
    at += character.length;
  }
  reorder(codes);
  std::string out;
  out.reserve(text.size());
  const auto append = [&](const utf8proc_int32_t* begin, const utf8proc_int32_t* end) {
    for (; begin != end; ++begin) append_utf8(out, static_cast<char32_t>(*begin));
  };
  if (!composed) {
    append(codes.data(), codes.data() + codes.size());
    return out;
  }
  const auto compose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  for (std::size_t begin = 0; begin < codes.size();) {
    std::size_t end = begin;
    while (end < codes.size() && !parts_compositions(static_cast<char32_t>(codes[end]))) ++end;
    if (end > begin) {
      const auto length =
          utf8proc_normalize_utf32(codes.data() + begin, static_cast<utf8proc_ssize_t>(end - begin), compose);
      append(codes.data() + begin, codes.data() + begin + length);
    }
    if (end < codes.size()) append_utf8(out, static_cast<char32_t>(codes[end++]));
    begin = end;
  }
  return out;
}

}  // namespace trl::runtime
