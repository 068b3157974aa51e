#include "runtime/verify/answer/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

namespace trl::runtime {
namespace {

using Language = Source::Language;

struct Block {
  std::size_t begin, end;
  std::string_view tag;  // the text after ```
};

// Finds fenced blocks: from the line after a line that starts with ``` to the next such line, or to the end
// of an answer that was cut off.
std::vector<Block> find_blocks(std::string_view answer) {
  std::vector<Block> blocks;
  bool open = false;
  for (std::size_t at = 0; at < answer.size();) {
    const std::size_t end = std::min(answer.find('\n', at), answer.size());
    const std::size_t next = std::min(end + 1, answer.size());
    const std::size_t text = answer.find_first_not_of(" \t", at);
    if (text != std::string_view::npos && answer.compare(text, 3, "```") == 0) {
      if (open)
        blocks.back().end = at;
      else
        blocks.push_back({next, answer.size(), answer.substr(text + 3, end - text - 3)});
      open = !open;
    }
    at = next;
  }
  return blocks;
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

}  // namespace

Source extract_source(const std::string& answer) {
  const std::vector<Block> blocks = find_blocks(answer);
  if (blocks.empty()) return {answer, language_of(answer, "")};
  const auto text_of = [&](const Block& block) {
    return std::string_view(answer).substr(block.begin, block.end - block.begin);
  };
  const auto is_cuda = [&](const Block& block) {
    return language_of(text_of(block), block.tag) == Language::cuda;
  };
  const auto last = [&](const auto& wanted) { return std::find_if(blocks.rbegin(), blocks.rend(), wanted); };
  auto chosen =
      last([&](const Block& block) { return !is_cuda(block) && contains(text_of(block), "ModelNew"); });
  if (chosen == blocks.rend())
    chosen =
        last([&](const Block& block) { return is_cuda(block) && contains(text_of(block), "__global__"); });
  if (chosen == blocks.rend()) chosen = blocks.rbegin();
  const auto lines =
      std::count(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(chosen->begin), '\n');
  return {std::string(static_cast<std::size_t>(lines), '\n').append(text_of(*chosen)),
          is_cuda(*chosen) ? Language::cuda : Language::python};
}

}  // namespace trl::runtime
