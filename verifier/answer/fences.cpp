#include "verifier/answer/fences.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

namespace trl::runtime::answers {
namespace {

using Language = Source::Language;

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(std::string_view text) { return text.find_first_not_of(blanks) == std::string_view::npos; }

// Returns "cuda" for "CUDA title=relu.cu" and for "{.cuda}".
std::string first_word(std::string_view tag) {
  std::string word;
  for (const char c : tag) {
    const bool in_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+';
    if (!in_word && !word.empty()) break;
    if (in_word) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word;
}

bool names_cpp(const std::string& word) {
  static const std::set<std::string> names = {"cuda", "cu",  "cuh", "cpp", "c++",
                                              "cc",   "cxx", "c",   "h",   "hpp"};
  return names.contains(word);
}

bool names_program(const std::string& word) {
  return word.starts_with("py") || word == "triton" || names_cpp(word);
}

bool names_language(const std::string& word) {
  static const std::set<std::string> others = {
      "text", "txt",  "plaintext", "none", "output", "console", "bash", "sh",  "shell", "markdown",
      "md",   "diff", "json",      "yaml", "toml",   "mlir",    "ptx",  "asm", "latex", "math"};
  return names_program(word) || others.contains(word);
}

// Returns the length of the Markdown marks of quotations, "> ", at the beginning of a line.
std::size_t quoting(std::string_view line) {
  const std::size_t last = line.substr(0, line.find_first_not_of("> \t")).rfind('>');
  if (last == std::string_view::npos) return 0;
  return last + 1 < line.size() && line[last + 1] == ' ' ? last + 2 : last + 1;
}

// Whether a text is nothing but the mark of a list's item, such as "- " or "2. ", and blanks.
bool is_item(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 9 || digits == text.size()) return false;
  const bool marked = digits == 0 ? text[0] == '-' || text[0] == '*' || text[0] == '+'
                                  : text[digits] == '.' || text[digits] == ')';
  return marked && text.size() > digits + 1 && is_blank(text.substr(digits + 1));
}

bool is_word(std::string_view tag) {
  const std::size_t first = tag.find_first_not_of(blanks);
  if (first == std::string_view::npos) return true;
  tag = tag.substr(first, tag.find_last_not_of(blanks) + 1 - first);
  return tag.find_first_of(blanks) == std::string_view::npos;
}

// Returns the fence on the line between `begin` and `end`; nothing if the line has none.
std::optional<Fence> fence_of(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view line = text.substr(begin, end - begin);
  std::size_t at = std::min(line.find("```"), line.find("~~~"));
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(0, at);
  const std::string_view inner = before.substr(quoting(before));
  const bool behind_words = !is_blank(inner) && !is_item(inner);
  const char mark = line[at];
  const std::size_t after = std::min(line.find_first_not_of(mark, at), line.size());
  const std::string_view tag = line.substr(after);
  // "```x = 1```" is code within a line.
  if (mark == '`' && tag.find('`') != std::string_view::npos) return std::nullopt;
  if (behind_words && (mark == '~' || !is_word(tag))) return std::nullopt;
  return Fence{begin, begin + at,  std::min(end + 1, text.size()), before, line.substr(at, after - at),
               tag,   behind_words};
}

// Whether a text begins as C++ files do and no Python file does.
bool begins_as_cpp(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  static constexpr std::array beginnings = {
      "#include",   "#define",    "#pragma",      "#ifndef", "#ifdef",   "//",      "/*",
      "extern ",    "template",   "namespace ",   "using ",  "typedef ", "static ", "constexpr ",
      "__global__", "__device__", "__constant__", "const ",  "struct ",  "enum "};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const char* one) { return text.starts_with(one); });
}

}  // namespace

std::string Fence::indentation() const {
  const std::size_t quoted = quoting(before);
  std::string made(before.substr(0, quoted));
  if (behind_words) return made;
  for (const char c : before.substr(quoted)) made += c == '\t' ? '\t' : ' ';
  return made;
}

bool Fence::bare() const {
  const std::size_t first = tag.find_first_not_of(blanks);
  return first == std::string_view::npos || tag[first] == '<' ||
         (is_word(tag) && !names_language(first_word(tag)));
}

bool Fence::opens() const {
  if (!behind_words || names_program(first_word(tag))) return true;
  const std::size_t last = before.find_last_not_of(blanks);
  return is_blank(tag) && (before[last] == ':' || before[last] == '>');
}

bool Fence::closes(const Fence& opening) const {
  return marks.front() == opening.marks.front() && marks.size() >= opening.marks.size();
}

std::vector<Fence> find_fences(std::string_view text) {
  std::vector<Fence> fences;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto fence = fence_of(text, at, end)) fences.push_back(*fence);
    at = end + 1;
  }
  return fences;
}

Language language_of(std::string_view text, std::string_view tag) {
  const std::string word = first_word(tag);
  if (names_cpp(word)) return Language::cuda;
  if (word.starts_with("py")) return Language::python;
  return begins_as_cpp(text) ? Language::cuda : Language::python;
}

std::vector<Quotation> find_quotations(std::string_view text, std::size_t at, Language language) {
  using Kind = Quotation::Kind;
  std::vector<Quotation> found;
  const bool python = language == Language::python;
  std::set<char> unclosed;
  while (at < text.size()) {
    const char c = text[at];
    const bool quotation = python && (c == '"' || c == '\'') && !unclosed.contains(c) &&
                           text.compare(at, 3, std::string(3, c)) == 0;
    if (quotation) {
      std::size_t end = at + 3;
      while (end < text.size() && text.compare(end, 3, text.substr(at, 3)) != 0)
        end += text[end] == '\\' ? 2 : 1;
      if (end < text.size())
        found.push_back({at, end, Kind::long_text});
      else
        unclosed.insert(c);
      at = end < text.size() ? end + 3 : at + 3;
    } else if (!python && text.compare(at, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      found.push_back({at, end, Kind::long_text});
      at = end + 2;
    } else if (python ? c == '#' : text.compare(at, 2, "//") == 0) {
      found.push_back({at, std::min(text.find('\n', at), text.size()), Kind::comment});
      at = found.back().end;
    } else if (c == '"' || c == '\'') {  // in prose, perhaps an apostrophe
      const std::size_t begin = at;
      for (++at; at < text.size() && text[at] != c && text[at] != '\n';) at += text[at] == '\\' ? 2 : 1;
      found.push_back({begin, std::min(at, text.size()), Kind::literal});
      if (at < text.size()) ++at;
    } else {
      ++at;
    }
  }
  return found;
}

const Quotation* quotation_at(const std::vector<Quotation>& quotations, std::size_t place) {
  const auto behind = std::partition_point(quotations.begin(), quotations.end(),
                                           [&](const Quotation& one) { return one.begin < place; });
  if (behind == quotations.begin() || (behind - 1)->end <= place) return nullptr;
  return &*(behind - 1);
}

}  // namespace trl::runtime::answers
