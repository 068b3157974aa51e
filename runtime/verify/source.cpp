#include "runtime/verify/source.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace trl::runtime {
namespace {

struct Block {
  std::size_t begin, end;
};

// Fenced blocks: from the line after a line that starts with ``` to the next such line, or to the end of an
// answer that was cut off.
std::vector<Block> find_blocks(const std::string& answer) {
  std::vector<Block> blocks;
  bool open = false;
  for (std::size_t at = 0; at < answer.size();) {
    std::size_t next = answer.find('\n', at);
    next = next == std::string::npos ? answer.size() : next + 1;
    const std::size_t text = answer.find_first_not_of(" \t", at);
    if (text != std::string::npos && answer.compare(text, 3, "```") == 0) {
      if (open)
        blocks.back().end = at;
      else
        blocks.push_back({next, answer.size()});
      open = !open;
    }
    at = next;
  }
  return blocks;
}

}  // namespace

std::string extract_source(const std::string& answer) {
  const std::vector<Block> blocks = find_blocks(answer);
  if (blocks.empty()) return answer;
  Block chosen = blocks.back();
  for (const Block& block : blocks)
    if (std::string_view(answer).substr(block.begin, block.end - block.begin).find("ModelNew") !=
        std::string_view::npos)
      chosen = block;
  const auto lines =
      std::count(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(chosen.begin), '\n');
  return std::string(static_cast<std::size_t>(lines), '\n') +
         answer.substr(chosen.begin, chosen.end - chosen.begin);
}

}  // namespace trl::runtime
