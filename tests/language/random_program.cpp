#include "tests/language/random_program.hpp"

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

namespace trl::language::test {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <std::size_t N>
  std::string_view one(const std::string_view (&of)[N]) {
    return of[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : draw_(seed), neat_(draw_.chance(40)), crlf_(draw_.chance(5)) {}

  std::string file() {
    if (draw_.chance(5)) out_ += "\xEF\xBB\xBF";
    free_lines();
    for (std::size_t i = draw_.below(3); i > 0; --i) {
      out_ += "import ";
      path();
      if (draw_.chance(30)) out_ += " as ", name();
      line_end();
    }
    for (std::size_t i = draw_.below(6); i > 0; --i) {
      indent();
      if (draw_.chance(10)) allow(), free_lines(), indent();
      declaration(0);
      line_end();
    }
    return crlf_ ? with_crlf(out_) : out_;
  }

 private:
  static std::string with_crlf(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '\n') out += '\r';
      out += c;
    }
    return out;
  }

  // Layout.
  void blanks() {
    if (neat_)
      out_ += ' ';
    else
      for (std::size_t i = draw_.below(4); i > 0; --i) out_ += draw_.chance(8) ? '\t' : ' ';
  }
  void some_blanks() { out_ += ' ', blanks(); }
  void comment() {
    static constexpr std::string_view comments[] = {"# why", "#", "# λ = ½, \"quoted\" { [ (", "#tight ",
                                                    "### x"};
    out_ += draw_.one(comments);
  }
  void trailing_blanks() {
    if (!neat_ && draw_.chance(15)) blanks();
  }
  void newline() { out_ += '\n'; }
  /// Emits a newline where one is allowed.
  void gap() {
    if (!draw_.chance(12)) {
      if (draw_.chance(70)) blanks();
      return;
    }
    trailing_blanks();
    if (draw_.chance(25)) some_blanks(), comment();
    newline();
    if (draw_.chance(15)) newline();
    for (std::size_t i = draw_.below(12); i > 0; --i) out_ += ' ';
    if (draw_.chance(10)) comment(), newline();
  }
  void spaced_gap() { out_ += ' ', gap(), out_ += ' '; }
  void indent() {
    const std::size_t wanted = neat_ ? 2 * depth_ : draw_.below(7);
    out_.append(wanted, ' ');
  }
  /// Emits comments, documentation and empty lines between items.
  void free_lines() {
    for (std::size_t i = draw_.below(4); i > 1; --i) {
      switch (draw_.below(3)) {
        case 0:
          indent(), out_ += draw_.chance(50) ? "## says " : "##", out_ += draw_.chance(50) ? "why" : "";
          break;
        case 1:
          indent(), comment();
          break;
        default:
          trailing_blanks();
      }
      newline();
    }
  }
  void line_end() {
    trailing_blanks();
    if (draw_.chance(20)) blanks(), blanks(), comment();
    newline();
    free_lines();
  }

  // Names and literals.
  void name() {
    static constexpr std::string_view names[] = {"a",      "b",   "rank", "alpha",         "base", "held_out",
                                                 "level1", "min", "s",    "averylongname", "x_1",  "as"};
    out_ += draw_.one(names);
  }
  void path() {
    name();
    while (draw_.chance(20)) out_ += '.', name();
  }
  void text() {
    static constexpr std::string_view texts[] = {R"("")", R"("why")", R"("a # b")", R"("\"\\\n\u{3bb}")",
                                                 "\"λ { \""};
    out_ += draw_.one(texts);
  }
  void number() {
    static constexpr std::string_view numbers[] = {"0", "1", "16", "0.5", "2e-4", "1.25E+3", "100000"};
    static constexpr std::string_view units[] = {"%",   "us",  "ms",  "s",   "min",   "h",
                                                 "KiB", "MiB", "GiB", "usd", "tokens"};
    out_ += draw_.one(numbers);
    if (!draw_.chance(25)) return;
    if (draw_.chance(60)) blanks();
    out_ += draw_.one(units);
  }

  // Expressions: one function for each level of the grammar.
  template <typename Element>
  void bracketed(char open, char close, Element element) {
    out_ += open;
    gap();
    const std::size_t elements = draw_.below(4);
    for (std::size_t i = 0; i < elements; ++i) {
      if (i > 0) gap(), out_ += ',', gap();
      element();
    }
    if (elements > 0 && draw_.chance(10)) gap(), out_ += ',';
    gap();
    out_ += close;
  }
  void operand() {
    ++depth_of_expression_;
    const bool deep = depth_of_expression_ > 4;
    switch (draw_.below(deep ? 3 : 6)) {
      case 0:
        number();
        break;
      case 1:
        text();
        break;
      case 2:
        name();
        break;
      case 3:
        out_ += '(', gap(), expression(), gap(), out_ += ')';
        suffixes();
        break;
      case 4:
        bracketed('[', ']', [this] { expression(); });
        suffixes();
        break;
      default:
        name();
        suffixes();
    }
    --depth_of_expression_;
  }
  void suffixes() {
    while (draw_.chance(35)) {
      switch (draw_.below(3)) {
        case 0:
          bracketed('(', ')', [this] {
            if (draw_.chance(40)) path(), blanks(), out_ += '=', gap();
            expression();
          });
          break;
        case 1:
          bracketed('[', ']', [this] { expression(); });
          break;
        default:
          out_ += '.', name();
      }
    }
  }
  void sign() {
    if (draw_.chance(8)) {
      out_ += '-', blanks(), sign();
      return;
    }
    operand();
    if (draw_.chance(6)) blanks(), out_ += '^', gap(), sign();
  }
  void product() {
    static constexpr std::string_view operators[] = {"*", "/", "@"};
    sign();
    while (draw_.chance(12)) some_blanks(), out_ += draw_.one(operators), gap(), sign();
  }
  void sum() {
    static constexpr std::string_view operators[] = {"+", "-"};
    product();
    while (draw_.chance(12)) some_blanks(), out_ += draw_.one(operators), out_ += ' ', gap(), product();
  }
  void range() {
    sum();
    if (draw_.chance(8)) blanks(), out_ += "..", gap(), sum();
  }
  void comparison() {
    static constexpr std::string_view operators[] = {"==", "!=", "<", "<=", ">", ">="};
    range();
    if (draw_.chance(10)) blanks(), out_ += draw_.one(operators), gap(), range();
  }
  void negation() {
    if (draw_.chance(5))
      out_ += "not", spaced_gap(), negation();
    else
      comparison();
  }
  void disjunction() {
    static constexpr std::string_view operators[] = {"and", "or"};
    negation();
    while (draw_.chance(5)) some_blanks(), out_ += draw_.one(operators), spaced_gap(), negation();
  }
  void choice() {
    if (!draw_.chance(6)) {
      disjunction();
      return;
    }
    out_ += "if", spaced_gap(), expression(), spaced_gap();
    out_ += "then", spaced_gap(), expression(), spaced_gap();
    out_ += "else", spaced_gap(), choice();
  }
  void expression() {
    ++depth_of_expression_;
    if (depth_of_expression_ > 6) {
      name();
    } else {
      choice();
      while (draw_.chance(6)) some_blanks(), out_ += "->", gap(), choice();
    }
    --depth_of_expression_;
  }

  // Items.
  void value() { out_ += '=', gap(), expression(); }
  void type() {
    path();
    if (draw_.chance(30)) bracketed('(', ')', [this] { expression(); });
    if (draw_.chance(30)) bracketed('[', ']', [this] { expression(); });
  }
  void parameters() {
    bracketed('(', ')', [this] {
      name();
      if (draw_.chance(50)) blanks(), out_ += ':', blanks(), type();
    });
  }
  void allow() { out_ += "allow(", gap(), path(), gap(), out_ += ',', gap(), text(), gap(), out_ += ')'; }
  void declaration(std::size_t column) {
    const std::size_t begin = out_.size();
    name(), some_blanks(), name();
    if (draw_.chance(15)) bracketed('[', ']', [this] { name(), blanks(), value(); });
    if (draw_.chance(15)) parameters();
    if (draw_.chance(40)) some_blanks(), out_ += ':', blanks(), path();
    align(begin, column);
    if (draw_.chance(70))
      block();
    else
      value();
  }
  void field(std::size_t column) {
    const std::size_t begin = out_.size();
    path();
    if (draw_.chance(15)) parameters();
    if (draw_.chance(15)) {
      blanks(), out_ += ':', blanks(), type();
      if (draw_.chance(40)) some_blanks(), out_ += "in ", blanks(), range();
      if (draw_.chance(50)) some_blanks(), value();
      return;
    }
    align(begin, column);
    value();
  }
  /// Emits the blanks before `=` or `{`, up to the neighbours' column if they are aligned.
  void align(std::size_t begin, std::size_t column) {
    some_blanks();
    if (column > 0 && out_.size() - begin < column) out_.append(column - (out_.size() - begin), ' ');
  }
  void block() {
    ++depth_;
    out_ += '{';
    const bool one_line = draw_.chance(40);
    const std::size_t column = draw_.chance(40) ? 6 + draw_.below(12) : 0;
    if (one_line)
      blanks();
    else
      line_end();
    for (std::size_t i = draw_.below(5); i > 0; --i) {
      if (!one_line) indent();
      if (draw_.chance(5)) allow(), blanks();
      switch (draw_.below(depth_ > 3 ? 2 : 4)) {
        case 0:
        case 1:
          field(column);
          break;
        case 2:
          path(), blanks(), block();
          break;
        default:
          declaration(column);
      }
      if (one_line && i > 1)
        blanks(), out_ += ',', blanks();
      else if (!one_line)
        line_end();
    }
    --depth_;
    if (!one_line)
      indent();
    else
      blanks();
    out_ += '}';
  }

  Draw draw_;
  bool neat_, crlf_;
  std::string out_;
  std::size_t depth_ = 0, depth_of_expression_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Writer(seed).file(); }

std::string mutated(std::string text, std::uint64_t seed) {
  Draw draw(seed);
  static constexpr std::string_view marks = "{}()[]\",.=:#%-+*/^<>\n\r\t \\@;!&|'abz019\xCE\xBB\xFF\x01";
  const auto line = [&] {
    const std::size_t at = draw.below(text.size());
    const std::size_t newline = text.rfind('\n', at);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    return std::pair(begin, std::min(text.find('\n', begin), text.size() - 1) + 1);
  };
  for (std::size_t i = 1 + draw.below(3); i > 0; --i) {
    if (text.empty()) text = "a";
    const std::size_t at = draw.below(text.size());
    const auto [begin, end] = line();
    const std::string of_line = begin < end ? text.substr(begin, end - begin) : "";
    switch (draw.below(10)) {
      case 0:
      case 1:
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.erase(at, 1 + draw.below(30));
        break;
      case 4:
      case 5:
        text.insert(at, 1, marks[draw.below(marks.size())]);
        break;
      case 6:
        text[at] = marks[draw.below(marks.size())];
        break;
      case 7:
        text.insert(begin, of_line);
        break;
      case 8:
        text.erase(begin, of_line.size());
        text.insert(draw.below(text.size() + 1), of_line);
        break;
      default:
        if (draw.chance(30)) text.resize(at);
    }
  }
  return text;
}

}  // namespace trl::language::test
