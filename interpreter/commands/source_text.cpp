#include "interpreter/commands/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

void print(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

}  // namespace

void write_source(const std::string& path, std::string_view text) {
  try {
    replace_text(std::filesystem::canonical(path), text);
  } catch (const DiskError& error) {
    throw UserError(error.what(), "Make the file and its folder writable; nothing was changed.");
  }
}

std::string first_hunk(const std::string& path, std::string_view before, std::string_view after) {
  constexpr std::size_t context = 3;
  const auto a = lines_of(before), b = lines_of(after);
  std::size_t first = 0;
  while (first < a.size() && first < b.size() && a[first] == b[first]) ++first;
  if (first == a.size() && first == b.size()) return "";
  // The changed lines end where the two texts agree again, with the fewest lines between.
  std::size_t removed = a.size() - first, added = b.size() - first;
  bool met = false;
  for (std::size_t sum = 1; sum < removed + added && !met; ++sum)
    for (std::size_t i = 0; i <= sum && !met; ++i) {
      const std::size_t j = sum - i;
      met = first + i < a.size() && first + j < b.size() && a[first + i] == b[first + j];
      if (met) removed = i, added = j;
    }
  const std::size_t begin = first - std::min(first, context);
  const std::size_t tail = std::min({context, a.size() - first - removed, b.size() - first - added});
  std::string out = fmt::format("--- {}\n+++ {}\n@@ -{},{} +{},{} @@\n", path, path, begin + 1,
                                first - begin + removed + tail, begin + 1, first - begin + added + tail);
  for (std::size_t i = begin; i < first; ++i) print(out, ' ', a[i]);
  for (std::size_t i = 0; i < removed; ++i) print(out, '-', a[first + i]);
  for (std::size_t i = 0; i < added; ++i) print(out, '+', b[first + i]);
  for (std::size_t i = 0; i < tail; ++i) print(out, ' ', a[first + removed + i]);
  return out;
}

}  // namespace trl::interpreter
