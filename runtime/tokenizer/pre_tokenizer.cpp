#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/tokenizer/pre_tokenizer.hpp"

#include <fmt/format.h>
#include <pcre2.h>

#include "ground/error.hpp"

namespace trl::runtime {

const char* const kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

// Unicode's White_Space. PCRE2's own \s differs from it in U+180E.
const char* const kSpace =
    R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

std::string with_unicode_spaces(const std::string& pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char escaped = pattern[++i];
      if (escaped == 's') {
        out += in_class ? kSpace : fmt::format("[{}]", kSpace);
      } else if (escaped == 'S' && !in_class) {
        out += fmt::format("[^{}]", kSpace);
      } else {
        out += c;
        out += escaped;
      }
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    out += c;
  }
  return out;
}

}  // namespace

struct PreTokenizer::Code {
  pcre2_code* code;
  explicit Code(pcre2_code* compiled) : code(compiled) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() { pcre2_code_free(code); }
};

PreTokenizer::PreTokenizer(const std::string& pattern) {
  const std::string translated = with_unicode_spaces(pattern);
  int error = 0;
  PCRE2_SIZE offset = 0;
  auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                             PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF, &error, &offset, nullptr);
  if (!code) {
    unsigned char message[256] = {};
    pcre2_get_error_message(error, message, sizeof message);
    throw UserError(fmt::format("the tokenizer's split pattern does not compile: {} (pattern: {})",
                                reinterpret_cast<char*>(message), pattern),
                    "use a tokenizer.json with a pattern in PCRE2's or Oniguruma's syntax");
  }
  code_ = std::make_shared<Code>(code);
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where the machine has no JIT, PCRE2 interprets the pattern
}

void PreTokenizer::split(std::string_view text, const std::function<void(std::string_view)>& piece) const {
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
      pcre2_match_data_create_from_pattern(code_->code, nullptr), &pcre2_match_data_free);
  std::size_t begin = 0;  // of the text that hasn't been passed on yet
  std::size_t from = 0;
  while (from < text.size()) {
    const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                                  0, match.get(), nullptr);
    if (found < 0) break;
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(match.get());
    if (range[1] == range[0]) {
      from = range[1] + 1;
      continue;
    }
    if (range[0] > begin) piece(text.substr(begin, range[0] - begin));
    piece(text.substr(range[0], range[1] - range[0]));
    begin = from = range[1];
  }
  if (begin < text.size()) piece(text.substr(begin));
}

}  // namespace trl::runtime
