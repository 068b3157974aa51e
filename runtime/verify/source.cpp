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

std::string normalised_source(const std::string& source) {
  for (const char* kept : {"\"\"\"", "'''", "\\\n", "\r", "\f"})
    if (source.find(kept) != std::string::npos) return source;
  std::string out;
  std::size_t number = 0;
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = source.find('\n', at);
    if (end == std::string::npos) end = source.size();
    std::string_view line = std::string_view(source).substr(at, end - at);
    if (++number > 2 && line.find_first_of("\"'") == std::string_view::npos)
      line = line.substr(0, line.find('#'));
    const std::size_t last = line.find_last_not_of(" \t");
    out.append(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
    out += '\n';
    at = end + 1;
  }
  out.erase(out.find_last_not_of('\n') + 1);
  return out;
}

}  // namespace trl::runtime
