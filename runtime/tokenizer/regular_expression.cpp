#define PCRE2_CODE_UNIT_WIDTH 8
#include "runtime/tokenizer/regular_expression.hpp"

#include <fmt/format.h>
#include <pcre2.h>

#include <cstring>
#include <optional>

#include "base/support/error.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {
namespace {

// Unicode's White_Space. PCRE2's own \s differs from it in U+180E.
const char* const kSpace =
    R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

struct Added {
  const char* property;
  const char* ranges;
};

/// General categories, and the code points that belong to them in Unicode 16.0, but not yet in 14.0, which
/// PCRE2 10.40 to 10.42 have. No code point has left one of these categories. Derived from `tokenizers`, with
/// which tests/parity/tokenizer.py compares every code point. Categories that lost one (Mn, C, Cn) or differ
/// in the libraries' own tables (Cf, Mc) are refused.
const Added kAdded[] = {
    {"L", R"(\x{1c89}-\x{1c8a}\x{a7cb}-\x{a7cd}\x{a7da}-\x{a7dc}\x{105c0}-\x{105f3})"
          R"(\x{10d4a}-\x{10d65}\x{10d6f}-\x{10d85}\x{10ec2}-\x{10ec4}\x{1123f}-\x{11240})"
          R"(\x{11380}-\x{11389}\x{1138b}\x{1138e}\x{11390}-\x{113b5}\x{113b7}\x{113d1}\x{113d3})"
          R"(\x{11bc0}-\x{11be0}\x{11f02}\x{11f04}-\x{11f10}\x{11f12}-\x{11f33}\x{1342f})"
          R"(\x{13441}-\x{13446}\x{13460}-\x{143fa}\x{16100}-\x{1611d}\x{16d40}-\x{16d6c}\x{18cff})"
          R"(\x{1b132}\x{1b155}\x{1df25}-\x{1df2a}\x{1e030}-\x{1e06d}\x{1e4d0}-\x{1e4eb})"
          R"(\x{1e5d0}-\x{1e5ed}\x{1e5f0}\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})"},
    {"Lu", R"(\x{1c89}\x{a7cb}-\x{a7cc}\x{a7da}\x{a7dc}\x{10d50}-\x{10d65})"},
    {"Ll", R"(\x{1c8a}\x{a7cd}\x{a7db}\x{10d70}-\x{10d85}\x{1df25}-\x{1df2a})"},
    {"Lt", ""},
    {"Lm", R"(\x{10d4e}\x{10d6f}\x{16d40}-\x{16d42}\x{16d6b}-\x{16d6c}\x{1e030}-\x{1e06d}\x{1e4eb})"},
    {"Lo", R"(\x{105c0}-\x{105f3}\x{10d4a}-\x{10d4d}\x{10d4f}\x{10ec2}-\x{10ec4}\x{1123f}-\x{11240})"
           R"(\x{11380}-\x{11389}\x{1138b}\x{1138e}\x{11390}-\x{113b5}\x{113b7}\x{113d1}\x{113d3})"
           R"(\x{11bc0}-\x{11be0}\x{11f02}\x{11f04}-\x{11f10}\x{11f12}-\x{11f33}\x{1342f})"
           R"(\x{13441}-\x{13446}\x{13460}-\x{143fa}\x{16100}-\x{1611d}\x{16d43}-\x{16d6a}\x{18cff})"
           R"(\x{1b132}\x{1b155}\x{1e4d0}-\x{1e4ea}\x{1e5d0}-\x{1e5ed}\x{1e5f0}\x{2b739})"
           R"(\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})"},
    {"M", R"(\x{897}\x{cf3}\x{ece}\x{10d69}-\x{10d6d}\x{10efc}-\x{10eff}\x{11241})"
          R"(\x{113b8}-\x{113c0}\x{113c2}\x{113c5}\x{113c7}-\x{113ca}\x{113cc}-\x{113d0}\x{113d2})"
          R"(\x{113e1}-\x{113e2}\x{11f00}-\x{11f01}\x{11f03}\x{11f34}-\x{11f3a}\x{11f3e}-\x{11f42})"
          R"(\x{11f5a}\x{13440}\x{13447}-\x{13455}\x{1611e}-\x{1612f}\x{1e08f}\x{1e4ec}-\x{1e4ef})"
          R"(\x{1e5ee}-\x{1e5ef})"},
    {"Me", ""},
    {"N", R"(\x{10d40}-\x{10d49}\x{116d0}-\x{116e3}\x{11bf0}-\x{11bf9}\x{11f50}-\x{11f59})"
          R"(\x{16130}-\x{16139}\x{16d70}-\x{16d79}\x{1ccf0}-\x{1ccf9}\x{1d2c0}-\x{1d2d3})"
          R"(\x{1e4f0}-\x{1e4f9}\x{1e5f1}-\x{1e5fa})"},
    {"Nd", R"(\x{10d40}-\x{10d49}\x{116d0}-\x{116e3}\x{11bf0}-\x{11bf9}\x{11f50}-\x{11f59})"
           R"(\x{16130}-\x{16139}\x{16d70}-\x{16d79}\x{1ccf0}-\x{1ccf9}\x{1e4f0}-\x{1e4f9})"
           R"(\x{1e5f1}-\x{1e5fa})"},
    {"Nl", ""},
    {"No", R"(\x{1d2c0}-\x{1d2d3})"},
    {"P", R"(\x{1b4e}-\x{1b4f}\x{1b7f}\x{10d6e}\x{113d4}-\x{113d5}\x{113d7}-\x{113d8})"
          R"(\x{11b00}-\x{11b09}\x{11be1}\x{11f43}-\x{11f4f}\x{16d6d}-\x{16d6f}\x{1e5ff})"},
    {"S", R"(\x{2427}-\x{2429}\x{2ffc}-\x{2fff}\x{31e4}-\x{31e5}\x{31ef}\x{10d8e}-\x{10d8f})"
          R"(\x{1cc00}-\x{1ccef}\x{1cd00}-\x{1ceb3}\x{1f6dc}\x{1f774}-\x{1f776}\x{1f77b}-\x{1f77f})"
          R"(\x{1f7d9}\x{1f8b2}-\x{1f8bb}\x{1f8c0}-\x{1f8c1}\x{1fa75}-\x{1fa77}\x{1fa87}-\x{1fa89})"
          R"(\x{1fa8f}\x{1faad}-\x{1faaf}\x{1fabb}-\x{1fabf}\x{1fac6}\x{1face}-\x{1facf})"
          R"(\x{1fada}-\x{1fadc}\x{1fadf}\x{1fae8}-\x{1fae9}\x{1faf7}-\x{1faf8}\x{1fbcb}-\x{1fbef})"},
    {"Sm", R"(\x{10d8e}-\x{10d8f})"},
    {"Sc", ""},
    {"Sk", ""},
    {"So", R"(\x{2427}-\x{2429}\x{2ffc}-\x{2fff}\x{31e4}-\x{31e5}\x{31ef}\x{1cc00}-\x{1ccef})"
           R"(\x{1cd00}-\x{1ceb3}\x{1f6dc}\x{1f774}-\x{1f776}\x{1f77b}-\x{1f77f}\x{1f7d9})"
           R"(\x{1f8b2}-\x{1f8bb}\x{1f8c0}-\x{1f8c1}\x{1fa75}-\x{1fa77}\x{1fa87}-\x{1fa89}\x{1fa8f})"
           R"(\x{1faad}-\x{1faaf}\x{1fabb}-\x{1fabf}\x{1fac6}\x{1face}-\x{1facf}\x{1fada}-\x{1fadc})"
           R"(\x{1fadf}\x{1fae8}-\x{1fae9}\x{1faf7}-\x{1faf8}\x{1fbcb}-\x{1fbef})"},
    {"Z", ""},
    {"Zs", ""},
    {"Zl", ""},
    {"Zp", ""},
    {"Cc", ""},
    {"Co", ""},
    {"word", R"(\x{897}\x{cf3}\x{ece}\x{1c89}-\x{1c8a}\x{a7cb}-\x{a7cd}\x{a7da}-\x{a7dc})"
             R"(\x{105c0}-\x{105f3}\x{10d40}-\x{10d65}\x{10d69}-\x{10d6d}\x{10d6f}-\x{10d85})"
             R"(\x{10ec2}-\x{10ec4}\x{10efc}-\x{10eff}\x{1123f}-\x{11241}\x{11380}-\x{11389}\x{1138b})"
             R"(\x{1138e}\x{11390}-\x{113b5}\x{113b7}-\x{113c0}\x{113c2}\x{113c5}\x{113c7}-\x{113ca})"
             R"(\x{113cc}-\x{113d3}\x{113e1}-\x{113e2}\x{116d0}-\x{116e3}\x{11bc0}-\x{11be0})"
             R"(\x{11bf0}-\x{11bf9}\x{11f00}-\x{11f10}\x{11f12}-\x{11f3a}\x{11f3e}-\x{11f42})"
             R"(\x{11f50}-\x{11f5a}\x{1342f}\x{13440}-\x{13455}\x{13460}-\x{143fa}\x{16100}-\x{16139})"
             R"(\x{16d40}-\x{16d6c}\x{16d70}-\x{16d79}\x{18cff}\x{1b132}\x{1b155}\x{1ccf0}-\x{1ccf9})"
             R"(\x{1df25}-\x{1df2a}\x{1e030}-\x{1e06d}\x{1e08f}\x{1e4d0}-\x{1e4f9}\x{1e5d0}-\x{1e5fa})"
             R"(\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})"},
};

/// The characters that Unicode 17.0 adds to N.
const char* const kDigitsAdded = R"(\x{11de0}-\x{11de9}\x{16ff4}-\x{16ff6})";

const char* added(std::string_view property) {
  for (const Added& one : kAdded)
    if (property == one.property) return one.ranges;
  return nullptr;
}

[[noreturn]] void refuse(const std::string& pattern, const std::string& what) {
  throw UserError(fmt::format("the pattern {} isn't supported: {}", pattern, what),
                  "tokenizers reads patterns as Oniguruma does; what PCRE2 would read otherwise is refused");
}

/// Translates Oniguruma's pattern to PCRE2's, one item after another. An item passes only if it is known to
/// mean the same in PCRE2, or is translated to something that does.
class Translator {
 public:
  explicit Translator(const std::string& pattern) : pattern_(pattern) {
    if (valid_prefix(pattern) != pattern.size()) refuse(pattern, "it is no UTF-8");
    if (pattern.find('\0') != std::string::npos) refuse(pattern, "it contains U+0000");
  }

  std::string translate() {
    while (at_ < pattern_.size()) item();
    if (!groups_.empty()) refuse(pattern_, "a group isn't closed");
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  bool ignores_case() const { return !groups_.empty() && groups_.back(); }

  void item() {
    const char c = peek();
    switch (c) {
      case '\\':
        escape();
        return;
      case '[':
        character_class();
        return;
      case '(':
        open();
        return;
      case ')':
        if (groups_.empty()) refuse(pattern_, "a bracket ) has no opening one");
        groups_.pop_back();
        out_ += c;
        ++at_;
        quantifier();
        return;
      case '|':
        previous_ = 0;
        out_ += c;
        ++at_;
        return;
      case '.':
        out_ += "[^\\n]";
        ++at_;
        quantifier();
        return;
      case '^':
      case '$':
        refuse(pattern_, fmt::format("the anchor {} (a line's border in Oniguruma)", c));
      case '*':
      case '+':
      case '?':
      case '{':
        refuse(pattern_, fmt::format("{} repeats nothing", c));
      default:
        literal();
    }
  }

  void literal() {
    const Character character = character_at(pattern_, at_);
    if (ignores_case()) check_folding(character.code);
    out_.append(pattern_, at_, character.length);
    at_ += character.length;
    quantifier();
  }

  /// Oniguruma folds some characters to several characters: (?i:ss) matches U+00DF. PCRE2 never does this.
  void check_folding(char32_t code) {
    if (code >= 0x80) refuse(pattern_, "a character that isn't ASCII, where case is ignored");
    const char now = static_cast<char>(code | 0x20);
    if ((previous_ == 's' && (now == 's' || now == 't')) ||
        (previous_ == 'f' && (now == 'f' || now == 'i' || now == 'l')))
      refuse(pattern_,
             fmt::format("\"{}{}\", where case is ignored and ligatures would match", previous_, now));
    previous_ = now;
  }

  void escape() {
    const auto [text, in_class] = escaped(false);
    out_ += in_class ? fmt::format("[{}]", text) : text;
    quantifier();
  }

  struct Escaped {
    std::string text;
    bool set;  // whether this is a set of characters, as it is written in a class
  };

  /// Reads an escape.
  Escaped escaped(bool in_class) {
    ++at_;
    const char c = peek();
    ++at_;
    if (ignores_case()) refuse(pattern_, "an escape, where case is ignored");
    switch (c) {
      case 's':
        return {kSpace, true};
      case 'S':
        if (in_class) refuse(pattern_, "\\S in a class");
        return {std::string("^") + kSpace, true};
      case 'd':
        return {property("Nd"), true};
      case 'p':
      case 'P':
        return properties(c == 'P', in_class);
      case 'r':
      case 'n':
      case 't':
      case 'f':
        return {std::string("\\") + c, false};
      case '\0':
        refuse(pattern_, "it ends with \\");
      default:
        if (std::strchr("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~\\ ", c)) return {std::string("\\") + c, false};
        refuse(pattern_, fmt::format("the escape \\{}", c));
    }
  }

  std::string property(const std::string& name) {
    const char* const more = name == "word" ? nullptr : added(name);
    if (!more) refuse(pattern_, fmt::format("the property \\p{{{}}}", name));
    return fmt::format("\\p{{{}}}{}", name, more);
  }

  Escaped properties(bool negative, bool in_class) {
    std::string name;
    if (peek() != '{') refuse(pattern_, "\\p without {…}");
    ++at_;
    while (peek() != '}') {
      if (at_ >= pattern_.size()) refuse(pattern_, "\\p{ isn't closed");
      name += peek();
      ++at_;
    }
    ++at_;
    if (name.starts_with('^')) {
      negative = !negative;
      name.erase(0, 1);
    }
    if (negative && in_class) refuse(pattern_, "a negated property in a class");
    return {(negative ? "^" : "") + property(name), true};
  }

  void character_class() {
    if (ignores_case()) refuse(pattern_, "a class, where case is ignored");
    out_ += '[';
    ++at_;
    if (peek() == '^') {
      out_ += '^';
      ++at_;
    }
    bool first = true;
    bool range_possible = false;  // whether the last item was one character
    while (peek() != ']' || first) {
      if (at_ >= pattern_.size()) refuse(pattern_, "a class isn't closed");
      const char c = peek();
      if (c == ']') refuse(pattern_, "an empty class");
      if (c == '[') refuse(pattern_, "[ inside a class (write \\[)");
      if (c == '&' && peek(1) == '&') refuse(pattern_, "&& in a class");
      if (c == '-' && !first && peek(1) != ']') {
        if (!range_possible) refuse(pattern_, "a range that begins with a set");
        out_ += '-';
        ++at_;
        if (!class_item()) refuse(pattern_, "a range that ends with a set");
        range_possible = false;
        if (peek() == '-' && peek(1) != ']') refuse(pattern_, "- after a range");
      } else {
        range_possible = class_item();
      }
      first = false;
    }
    out_ += ']';
    ++at_;
    quantifier();
  }

  /// Translates one item of a class. Returns whether the item is a single character.
  bool class_item() {
    if (at_ >= pattern_.size() || peek() == ']' || peek() == '[') refuse(pattern_, "a range isn't ended");
    if (peek() == '\\') {
      const auto [text, set] = escaped(true);
      out_ += text;
      return !set;
    }
    const Character character = character_at(pattern_, at_);
    if (character.length == 1 && std::strchr("-^", peek())) out_ += '\\';
    out_.append(pattern_, at_, character.length);
    at_ += character.length;
    return true;
  }

  void open() {
    if (groups_.size() >= 100) refuse(pattern_, "more than 100 groups in each other");
    bool fold = ignores_case();
    if (fold) refuse(pattern_, "a group, where case is ignored");
    ++at_;
    if (peek() != '?') {
      out_ += "(?:";  // captured text is never referred to
    } else {
      static const struct {
        const char* text;
        bool fold;
      } kinds[] = {{"?:", false}, {"?=", false}, {"?!", false}, {"?>", false}, {"?i:", true}};
      bool known = false;
      for (const auto& kind : kinds) {
        if (pattern_.compare(at_, std::strlen(kind.text), kind.text) != 0) continue;
        out_ += '(';
        out_ += kind.text;
        at_ += std::strlen(kind.text);
        fold = kind.fold;
        known = true;
        break;
      }
      if (!known) refuse(pattern_, fmt::format("the group ({}", pattern_.substr(at_, 3)));
    }
    previous_ = 0;
    groups_.push_back(fold);
  }

  void quantifier() {
    char c = peek();
    if (c == '{') {
      const std::size_t end = pattern_.find('}', at_);
      const std::string inside = end == std::string::npos ? "" : pattern_.substr(at_ + 1, end - at_ - 1);
      const std::size_t comma = inside.find(',');
      const auto number = [](std::string_view text) {
        return text.size() <= 4 && text.find_first_not_of("0123456789") == text.npos;
      };
      if (inside.empty() || comma == 0 || !number(inside.substr(0, comma)) ||
          (comma != std::string::npos && !number(inside.substr(comma + 1))))
        refuse(pattern_, "{ that is no count");
      out_.append(pattern_, at_, end + 1 - at_);
      at_ = end + 1;
      c = peek();
      if (c == '+') refuse(pattern_, "+ after a count (a repetition in Oniguruma, possessive in PCRE2)");
      if (c == '?') {
        if (comma == std::string::npos) refuse(pattern_, "? after one count");
        out_ += c;
        ++at_;
      }
    } else if (c == '*' || c == '+' || c == '?') {
      out_ += c;
      ++at_;
      if (peek() == '?' || peek() == '+') {
        out_ += peek();
        ++at_;
      }
    } else {
      return;
    }
    if (ignores_case()) refuse(pattern_, "a repetition, where case is ignored");
    c = peek();
    if (c != '\0' && std::strchr("*+?{", c)) refuse(pattern_, "a repetition of a repetition");
  }

  const std::string& pattern_;
  std::string out_;
  std::size_t at_ = 0;
  std::vector<bool> groups_;  // for each open group, whether it ignores case
  char previous_ = 0;         // the literal before, in a group that ignores case
};

/// The memory that a match writes to: one per thread for all expressions, since none has capturing groups.
pcre2_match_data* match_data() {
  struct Free {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  thread_local const std::unique_ptr<pcre2_match_data, Free> data(pcre2_match_data_create(1, nullptr));
  return data.get();
}

}  // namespace

struct RegularExpression::Code {
  pcre2_code* code;
  bool compiled = false;  // to machine code
  std::string shown;
  Code(pcre2_code* made, std::string pattern) : code(made), shown(std::move(pattern)) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() { pcre2_code_free(code); }

  /// The first match at or after `from` in a valid text.
  std::optional<Span> next(std::string_view text, std::size_t from) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    pcre2_match_data* const data = match_data();
    int found = PCRE2_ERROR_JIT_STACKLIMIT;
    if (compiled) found = pcre2_jit_match(code, subject, text.size(), from, 0, data, nullptr);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)  // the interpreter takes as much of the heap as it needs
      found = pcre2_match(code, subject, text.size(), from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data, nullptr);
    if (found == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (found < 0)
      throw UserError(
          fmt::format("a text of {} bytes is too hard for the tokenizer's pattern {}", text.size(), shown),
          "split the text into shorter ones");
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data);
    return Span{range[0], range[1], true};
  }
};

RegularExpression::RegularExpression(const std::string& pattern)
    : RegularExpression(Translated{Translator(pattern).translate(), pattern}) {}

RegularExpression RegularExpression::literal(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80)
      pattern += c < ' ' ? fmt::format("\\x{:02x}", c) : std::string("\\") + c;
    else
      pattern += c;
  }
  return RegularExpression(Translated{pattern, text});
}

RegularExpression RegularExpression::digit() {
  return RegularExpression(Translated{fmt::format("[\\p{{N}}{}{}]", added("N"), kDigitsAdded), "\\p{N}"});
}

RegularExpression RegularExpression::word_character() {
  return RegularExpression(Translated{
      fmt::format("[\\p{{Alphabetic}}\\p{{M}}\\p{{Nd}}\\p{{Pc}}\\p{{Join_Control}}{}]", added("word")),
      "\\w"});
}

RegularExpression::RegularExpression(const Translated& translated) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* const made =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.pattern.data()), translated.pattern.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &offset, nullptr);
  if (!made) {
    unsigned char message[256] = {};
    pcre2_get_error_message(error, message, sizeof message);
    refuse(translated.shown, reinterpret_cast<char*>(message));
  }
  auto code = std::make_shared<Code>(made, translated.shown);
  std::uint32_t matches_nothing = 0;
  pcre2_pattern_info(made, PCRE2_INFO_MATCHEMPTY, &matches_nothing);
  if (matches_nothing) refuse(translated.shown, "it matches the empty text");
  // On a machine without JIT, PCRE2 interprets the pattern.
  code->compiled = pcre2_jit_compile(made, PCRE2_JIT_COMPLETE) == 0;
  code_ = std::move(code);
}

void RegularExpression::find(std::string_view text, std::vector<Span>& spans) const {
  spans.clear();
  std::size_t begin = 0;  // the beginning of the text that isn't in a span yet
  for (std::size_t section = 0; section < text.size();) {
    const std::string_view valid = text.substr(section, valid_prefix(text.substr(section)));
    std::size_t from = 0;
    while (from < valid.size()) {
      auto match = code_->next(valid, from);
      if (!match) break;
      if (match->end <= match->begin) {  // a look-ahead can make a match empty
        from = match->begin + character_at(valid, match->begin).length;
        continue;
      }
      from = match->end;
      match->begin += section;
      match->end += section;
      if (match->begin > begin) spans.push_back({begin, match->begin, false});
      spans.push_back(*match);
      begin = match->end;
    }
    section += valid.size();
    if (section < text.size()) ++section;  // a byte that is no UTF-8
  }
  if (begin < text.size()) spans.push_back({begin, text.size(), false});
}

bool RegularExpression::found_in(std::string_view text) const {
  std::vector<Span> spans;
  find(text, spans);
  return spans.size() > 1 || (!spans.empty() && spans.front().match);
}

}  // namespace trl::runtime
