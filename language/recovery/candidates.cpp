#include "language/recovery/candidates.hpp"

#include <algorithm>

#include "language/diagnostics/suggest.hpp"
#include "language/syntax/scan.hpp"

namespace trl::language {
namespace {

class Search {
 public:
  Search(std::string_view text, std::size_t at, std::span<const std::string> kinds)
      : text_(text), at_(at), kinds_(kinds), line_(line_begin(text, at)) {
    before_ = std::min(at, end_of_code_before(text, at));
    line_end_ = std::max(at, end_of_code(text, line_));
  }

  std::vector<Candidate> run() {
    other_spellings();
    for (Candidate& candidate : out_) candidate.other_spelling = true;
    if (on_line()) names_run_together();
    insertions();
    closers();
    if (on_line()) openers();
    deletion();
    return std::move(out_);
  }

 private:
  bool on_line() const { return before_ >= line_; }
  std::string_view rest() const { return text_.substr(at_); }
  Candidate& add(std::size_t at, std::size_t length, std::string text, std::string title) {
    return out_.emplace_back(Candidate{{at, length, std::move(text)}, std::move(title)});
  }
  Candidate& surely(Candidate& candidate, bool certain = true) {
    candidate.certain = certain;
    return candidate;
  }

  /// Proposes edits for spellings of other languages.
  void other_spellings() {
    if (rest().starts_with("==")) surely(add(at_, 2, "=", "write `=`"));
    if (rest().starts_with("&&")) surely(replace_by_word(2, "and"));
    if (rest().starts_with("||")) surely(replace_by_word(2, "or"));
    if (rest().starts_with("&")) replace_by_word(1, "and");
    if (rest().starts_with("|")) replace_by_word(1, "or");
    if (rest().starts_with("!") && (at_ == 0 || !word_character(text_[at_ - 1])))
      surely(add(at_, 1, "not ", "write `not`"), at_ + 1 < line_end_ && letter(text_[at_ + 1]));
    if (rest().starts_with(":=")) surely(add(at_, 2, "=", "write `=`"));
    if (rest().starts_with(";")) {
      if (at_ + 1 >= line_end_) surely(add(at_, 1, "", "remove `;`"));
      surely(add(at_, 1, ",", "write `,`"));
    }
    if (rest().starts_with("'")) quotes();
    if (before_ > 0 && text_[before_ - 1] == ':' && at_ < line_end_) {
      std::size_t begin = before_ - 1, end = at_ + (rest().starts_with("=") ? 1 : 0);
      while (begin > 0 && blank(text_[begin - 1])) --begin;
      while (end > at_ && end < text_.size() && blank(text_[end])) ++end;
      surely(add(begin, end - begin, " = ", "write `=`"), ends_path(begin));
    }
    if (before_ > 0 && text_[before_ - 1] == '=' && rest().starts_with("="))
      surely(add(at_, 1, "", "remove `=`"));
  }
  /// Whether a field's path, and nothing before it, ends at `end`.
  bool ends_path(std::size_t end) const {
    std::size_t begin = end;
    while (begin > line_ && (word_character(text_[begin - 1]) || text_[begin - 1] == '.')) --begin;
    if (begin == end || !letter(text_[begin])) return false;
    while (begin > line_ && blank(text_[begin - 1])) --begin;
    return begin == line_ || text_[begin - 1] == '{' || text_[begin - 1] == ',';
  }
  /// Whether `NAME =` stands at `begin`.
  bool begins_field(std::size_t begin) const {
    std::size_t end = begin;
    if (end >= text_.size() || !letter(text_[end])) return false;
    while (end < text_.size() && (word_character(text_[end]) || text_[end] == '.')) ++end;
    while (end < text_.size() && blank(text_[end])) ++end;
    return end < text_.size() && text_[end] == '=' && text_.substr(end, 2) != "==";
  }
  /// Whether the word that ends at `end` begins with a digit.
  bool ends_number(std::size_t end) const {
    std::size_t begin = end;
    while (begin > line_ && (word_character(text_[begin - 1]) || text_[begin - 1] == '.')) --begin;
    return begin < end && !letter(text_[begin]);
  }
  /// Whether the bracket can only be closed here: it is the only open one at `before_`, it was opened on this
  /// line, it contains only operands, and only the end of the line or of a block follows.
  bool closes_operands(char open) const {
    if (at_ < line_end_ && text_[at_] != '}' && text_[at_] != '\n') return false;
    std::vector<std::size_t> opened;
    const std::size_t begin = line_begin(text_, before_);
    for (std::size_t i = begin; i < before_;) {
      const char c = text_[i];
      if (c == '"') {
        i = skip_opaque(text_.data(), i, before_);
        continue;
      }
      if (c == '(' || c == '[') opened.push_back(i);
      if ((c == ')' || c == ']') && !opened.empty()) opened.pop_back();
      ++i;
    }
    if (opened.size() != 1 || text_[opened[0]] != open) return false;
    std::size_t depth = 0;
    for (std::size_t i = opened[0] + 1; i < before_; ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (depth == 0 && std::string_view("+-*/^@<>=!:?{}").find(c) != std::string_view::npos) return false;
    }
    return true;
  }
  Candidate& replace_by_word(std::size_t length, const std::string& word) {
    const bool left = at_ > 0 && !blank(text_[at_ - 1]);
    const bool right = at_ + length < text_.size() && !blank(text_[at_ + length]);
    return add(at_, length, (left ? " " : "") + word + (right ? " " : ""), "write `" + word + "`");
  }
  void quotes() {
    const std::size_t close = text_.find_first_of("'\n\"", at_ + 1);
    if (close == std::string_view::npos || text_[close] != '\'') return;
    const std::string inner(text_.substr(at_ + 1, close - at_ - 1));
    surely(add(at_, close - at_ + 1, "\"" + inner + "\"", "write `\"" + inner + "\"`"),
           inner.find('\\') == std::string::npos &&
               (close + 1 >= text_.size() || !word_character(text_[close + 1])));
  }

  /// Proposes edits for keywords that are joined with a name, or misspelt: `trainimitate : sft {`, `mport
  /// example`.
  void names_run_together() {
    std::size_t first = line_;
    while (first < at_ && blank(text_[first])) ++first;
    std::size_t end = first;
    while (end < text_.size() && word_character(text_[end])) ++end;
    const std::string word(text_.substr(first, end - first));
    const auto split = [&](std::string_view kind) {
      if (word.size() > kind.size() && word.starts_with(kind) && letter(word[kind.size()]))
        add(first + kind.size(), 0, " ",
            "write `" + std::string(kind) + " " + word.substr(kind.size()) + "`");
    };
    split("import");
    for (const std::string& kind : kinds_) split(kind);
    if (word == "import") {
      if (rest().starts_with("as")) add(at_ + 2, 0, " ", "write `as`");
      if (text_.substr(0, before_).ends_with("as")) add(before_ - 2, 0, " ", "write `as`");
    }
    if (word != "import" && closest(word, {"import"}))
      surely(add(first, word.size(), "import", "write `import` for `" + word + "`"),
             language::surely(word, "import", {"import"}, false));
  }

  void insertions() {
    const std::size_t gap = at_ - before_;
    const bool value =
        at_ < line_end_ &&
        (word_character(text_[at_]) || std::string_view("\"[(-").find(text_[at_]) != std::string_view::npos);
    surely(add(before_, on_line() ? gap : 0, gap > 0 || on_line() ? " = " : " =", "insert `=`"),
           on_line() && gap > 0 && value && ends_path(before_));
    if (text_.substr(before_).starts_with("  "))
      add(before_ + 1, 0, "{", "insert `{`");
    else
      add(before_, 0, " {", "insert `{`");
    // For `override a.b = 1 }`: two words were parsed as the head of a declaration.
    std::size_t word = before_;
    while (word > line_ && word_character(text_[word - 1])) --word;
    if (word < before_ && on_line()) {
      const bool apart = word > line_ + 1 && blank(text_[word - 1]) && blank(text_[word - 2]);
      add(word - (apart ? 1 : 0), 0, apart ? "{" : "{ ", "insert `{`");
    }
    const bool in_block = text_.substr(line_, at_ - line_).find('{') != std::string_view::npos;
    if (!in_block) surely(add(at_, 0, "\n", "begin a new line"), begins_declaration());
    const bool names = at_ < text_.size() && letter(text_[at_]) && !ends_number(before_);
    surely(add(before_, 0, ",", "insert `,`"), gap > 0 && (begins_field(at_) || names));
  }
  /// Whether a declaration's kind and name, or an import, stand at the error.
  bool begins_declaration() const {
    return rest().starts_with("import ") ||
           std::any_of(kinds_.begin(), kinds_.end(), [&](const std::string& kind) {
             return rest().starts_with(kind + " ") && at_ + kind.size() + 1 < text_.size() &&
                    letter(text_[at_ + kind.size() + 1]);
           });
  }
  void closers() {
    surely(add(before_, 0, ")", "insert `)`"), closes_operands('('));
    surely(add(before_, 0, "]", "insert `]`"), closes_operands('['));
    // Inserts a missing quote where the text may begin or end.
    std::size_t end = line_end_;
    add(end, 0, "\"", "insert `\"`");
    while (end > line_ && (blank(text_[end - 1]) ||
                           std::string_view(")]},").find(text_[end - 1]) != std::string_view::npos)) {
      --end;
      add(end, 0, "\"", "insert `\"`");
    }
    std::size_t word = at_;
    while (word > line_ && word_character(text_[word - 1])) --word;
    add(word, 0, "\"", "insert `\"`");
  }
  /// Inserts brackets after the last `=` before the error, and before the last word.
  void openers() {
    // These edits are only shown if the rest of the line closes more brackets than it opens.
    const std::string_view behind = text_.substr(at_, line_end_ - std::min(at_, line_end_));
    const auto count = [&](char c) { return std::count(behind.begin(), behind.end(), c); };
    const bool meant = count(')') > count('(') || count(']') > count('[');
    const std::size_t first = out_.size();
    open_brackets();
    for (std::size_t i = first; i < out_.size(); ++i) out_[i].shown = meant;
  }
  void open_brackets() {
    const std::size_t equals = text_.substr(0, at_).rfind('=');
    if (equals != std::string_view::npos && equals >= line_) {
      std::size_t value = equals + 1;
      while (value < at_ && blank(text_[value])) ++value;
      add(value, 0, "[", "insert `[`");
      add(value, 0, "(", "insert `(`");
    }
    add(before_, 0, "(", "insert `(`");
    std::size_t word = before_;
    while (word > line_ && word_character(text_[word - 1])) --word;
    if (word < before_) add(word, 0, "(", "insert `(`");
    add(before_, 0, "[", "insert `[`");
  }
  void deletion() {
    if (at_ >= text_.size() || text_[at_] == '\n') return;
    std::size_t end = at_ + 1;
    if (word_character(text_[at_]))
      while (end < text_.size() && word_character(text_[end])) ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    Candidate& removal =
        add(at_, end - at_, "", "remove `" + std::string(text_.substr(at_, end - at_)) + "`");
    removal.shown = !word_character(text_[at_]) && text_[at_] != '.';
  }

  std::string_view text_;
  std::size_t at_;
  std::span<const std::string> kinds_;
  std::size_t line_, before_ = 0, line_end_ = 0;
  std::vector<Candidate> out_;
};

}  // namespace

std::vector<Candidate> candidates(std::string_view text, std::size_t at, std::span<const std::string> kinds) {
  return Search(text, at, kinds).run();
}

}  // namespace trl::language
