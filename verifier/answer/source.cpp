#include "verifier/answer/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace trl::runtime {
namespace {

using Language = Source::Language;

struct Block {
  std::size_t fence, begin, end;  // where the line of its opening fence begins; its text
  std::string_view tag;           // the text after ```
  std::string_view indentation;   // of its opening fence
  bool complete;                  // whether a fence closes it
};

// A line that starts with at least three ` or ~.
struct Fence {
  std::size_t begin, next;  // of its line, and of the line after it
  std::string_view tag, indentation, marks;
};

// Whether a fence can close the block that another opens: it has the same mark, at least as often.
bool can_close(const Fence& closing, const Fence& opening) {
  return closing.marks.front() == opening.marks.front() && closing.marks.size() >= opening.marks.size();
}

std::vector<Fence> find_fences(std::string_view text) {
  std::vector<Fence> fences;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t next = std::min(end + 1, text.size());
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first < end && (text[first] == '`' || text[first] == '~')) {
      const std::size_t after = std::min(text.find_first_not_of(text[first], first), end);
      if (after - first >= 3)
        fences.push_back({at, next, text.substr(after, end - after), text.substr(at, first - at),
                          text.substr(first, after - first)});
    }
    at = next;
  }
  return fences;
}

struct Span {
  std::size_t begin, end;
};

// In an answer with more fences than people write none is taken as quoted, so that every answer is read in
// moderate time.
constexpr std::size_t most_quoting_fences = 100;

// Finds a program's texts of several lines: string literals between three quotation marks in Python, comments
// between /* and */ in C++. One that is never closed is none, and neither are those of its kind after it.
std::vector<Span> find_long_texts(std::string_view text, std::size_t at, Language language) {
  std::vector<Span> found;
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
        found.push_back({at, end});
      else
        unclosed.insert(c);
      at = end < text.size() ? end + 3 : at + 3;
    } else if (!python && text.compare(at, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      found.push_back({at, end});
      at = end + 2;
    } else if (python ? c == '#' : text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {  // a literal of one line; in prose, perhaps an apostrophe
      for (++at; at < text.size() && text[at] != c && text[at] != '\n';) at += text[at] == '\\' ? 2 : 1;
      if (at < text.size()) ++at;
    } else {
      ++at;
    }
  }
  return found;
}

// Whether a fence stands in one of the texts, where every fence that is opened is closed again by a bare one.
// Otherwise the text's beginning and end belong to different programs, of which one was cut off.
bool is_quoted(const Fence& fence, const std::vector<Fence>& fences, const std::vector<Span>& texts) {
  if (fences.size() > most_quoting_fences) return false;
  const auto around = std::find_if(texts.begin(), texts.end(), [&](const Span& one) {
    return one.begin < fence.begin && fence.begin < one.end;
  });
  if (around == texts.end()) return false;
  bool open = false;
  for (const Fence& one : fences) {
    if (one.begin <= around->begin || one.begin >= around->end) continue;
    const bool bare = one.tag.find_first_not_of(" \t\r") == std::string_view::npos || one.next > around->end;
    if (open && !bare) return false;
    open = !open;
  }
  return !open;
}

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

// Whether a text begins as C++ files do and no Python file does.
bool begins_as_cpp(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  static constexpr std::array beginnings = {
      "#include",   "#define",    "#pragma",      "#ifndef", "#ifdef",   "//",      "/*",
      "extern ",    "template",   "namespace ",   "using ",  "typedef ", "static ", "constexpr ",
      "__global__", "__device__", "__constant__", "const ",  "struct ",  "enum "};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const char* one) { return text.starts_with(one); });
}

Language language_of(std::string_view text, std::string_view tag) {
  static const std::set<std::string> cpp = {"cuda", "cu", "cuh", "cpp", "c++", "cc", "cxx", "c", "h", "hpp"};
  const std::string word = first_word(tag);
  if (cpp.contains(word)) return Language::cuda;
  if (word.starts_with("py")) return Language::python;
  return begins_as_cpp(text) ? Language::cuda : Language::python;
}

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

// Finds fenced blocks: from the line after a fence to the next fence that the block's program doesn't quote,
// or to the end of an answer that was cut off.
std::vector<Block> find_blocks(std::string_view answer, const std::vector<Fence>& fences) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    const Fence& opening = fences[i];
    std::vector<Span> texts;
    if (fences.size() <= most_quoting_fences)
      texts = find_long_texts(answer, opening.next, language_of(answer.substr(opening.next), opening.tag));
    while (++i < fences.size() && (!can_close(fences[i], opening) || is_quoted(fences[i], fences, texts))) {
    }
    const bool complete = i < fences.size();
    const std::size_t end = complete ? fences[i].begin : answer.size();
    blocks.push_back({opening.begin, opening.next, end, opening.tag, opening.indentation, complete});
  }
  return blocks;
}

// Whether a line of a text, outside of these parts of it, begins as what defines a candidate.
bool defines_candidate(std::string_view text, const std::vector<Span>& without, Language language) {
  auto part = without.begin();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    while (part != without.end() && part->end <= at) ++part;
    const bool quoted = part != without.end() && part->begin < at;
    if (!quoted &&
        (language == Language::cuda ? contains(line, "__global__")
                                    : line.starts_with("class ModelNew") ||
                                          line.starts_with("def ModelNew") || line.starts_with("ModelNew =")))
      return true;
    at = end + 1;
  }
  return false;
}

// Whether an answer is a program as a whole, which quotes every fence in it.
bool is_bare(std::string_view answer, const std::vector<Fence>& fences) {
  const Language language = language_of(answer, "");
  const auto texts = find_long_texts(answer, 0, language);
  return std::all_of(fences.begin(), fences.end(),
                     [&](const Fence& one) { return is_quoted(one, fences, texts); }) &&
         defines_candidate(answer, texts, language);
}

// The block with the answer's program; none where the answer is one as a whole.
std::optional<Block> program_block(std::string_view answer) {
  const std::vector<Fence> fences = find_fences(answer);
  if (fences.empty() || is_bare(answer, fences)) return std::nullopt;
  const std::vector<Block> blocks = find_blocks(answer, fences);
  const auto last = [&](const auto& wanted) { return std::find_if(blocks.rbegin(), blocks.rend(), wanted); };
  const auto text_of = [&](const Block& block) {
    return answer.substr(block.begin, block.end - block.begin);
  };
  const auto is = [&](const Block& block, Language language) {
    return language_of(text_of(block), block.tag) == language;
  };
  const auto defines = [&](const Block& block, Language language) {
    return is(block, language) &&
           defines_candidate(text_of(block), find_long_texts(text_of(block), 0, language), language);
  };
  auto chosen = blocks.rend();
  for (const Language language : {Language::python, Language::cuda}) {
    if (chosen == blocks.rend())
      chosen = last([&](const Block& block) { return block.complete && defines(block, language); });
    if (chosen == blocks.rend()) chosen = last([&](const Block& block) { return defines(block, language); });
    if (chosen == blocks.rend() && language == Language::python)
      chosen = last(
          [&](const Block& block) { return is(block, language) && contains(text_of(block), "ModelNew"); });
  }
  if (chosen == blocks.rend()) chosen = blocks.rbegin();
  return *chosen;
}

// Where the answer begins behind a model's reasoning: after the last </think>; at the end of a text that
// opens <think> at its beginning and never closes it. Some chat templates write <think> themselves, so that
// it needn't be there; since a program may mention </think>, the tag then has to stand outside of blocks,
// with something that looks like code behind it.
std::size_t end_of_reasoning(std::string_view text) {
  constexpr std::string_view opening = "<think>", closing = "</think>";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool opened = first != std::string_view::npos && text.substr(first).starts_with(opening);
  const std::size_t closed = text.rfind(closing);
  if (closed == std::string_view::npos) return opened ? text.size() : 0;
  const std::size_t end = closed + closing.size();
  const std::string_view rest = text.substr(end);
  const bool within_block = find_fences(text.substr(0, closed)).size() % 2 != 0;
  const bool has_code =
      contains(rest, "class ModelNew") || contains(rest, "__global__") || !find_fences(rest).empty();
  return opened || (has_code && !within_block) ? end : 0;
}

// A text without the indentation of its fence, if every line that isn't blank has it.
std::string without_indentation(std::string_view text, std::string_view indentation) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, next - at);
    const bool indented = line.starts_with(indentation);
    if (!indented && line.find_first_not_of(" \t\r\n") != std::string_view::npos) return std::string(text);
    result += indented ? line.substr(indentation.size()) : line;
    at = next;
  }
  return result;
}

}  // namespace

Source extract_source(const std::string& whole) {
  const std::size_t begin = end_of_reasoning(whole);
  const std::string_view answer = std::string_view(whole).substr(begin);
  const auto block = program_block(answer);
  if (!block && begin == 0) return {whole, language_of(whole, "")};
  const std::size_t code = begin + (block ? block->begin : 0);
  const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(code), '\n');
  std::string text(static_cast<std::size_t>(lines), '\n');
  if (!block) return {text.append(answer), language_of(answer, "")};
  const auto program = answer.substr(block->begin, block->end - block->begin);
  return {text.append(without_indentation(program, block->indentation)), language_of(program, block->tag)};
}

std::size_t bytes_of_plan(std::string_view answer) {
  const std::size_t begin = end_of_reasoning(answer);
  if (const auto block = program_block(answer.substr(begin))) return begin + block->fence;
  return begin;
}

}  // namespace trl::runtime
