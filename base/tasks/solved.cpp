#include "base/tasks/solved.hpp"

#include <set>

namespace trl::tasks {

std::optional<std::int64_t> times_in(const std::string& dimension, const Extent& extent) {
  std::optional<std::int64_t> times;
  Sizes sizes;
  for (const std::int64_t others : {1, 3, 10}) {
    for (const std::string& name : names_in(extent)) sizes[name] = others;
    std::int64_t before = 0;
    for (std::int64_t own = 0; own <= 4; ++own) {
      sizes[dimension] = own;
      const std::int64_t size = extent.at(sizes);
      if (own > 0 && times && size - before != *times) return std::nullopt;
      if (own > 0) times = size - before;
      before = size;
    }
  }
  return times && *times > 0 ? times : std::nullopt;
}

std::vector<SolvedDim> solved_dims(const std::vector<TaskInput>& inputs) {
  std::vector<SolvedDim> out;
  std::set<std::string> known;
  // Extents of one dimension (N, 4 * N) are the plainest and are solved first; sums come after these.
  for (const bool sums : {false, true})
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t k = 0; k < inputs[i].shape.size(); ++k) {
          const Extent& extent = inputs[i].shape[k];
          const std::vector<std::string> names = names_in(extent);
          std::set<std::string> open(names.begin(), names.end());
          std::erase_if(open, [&](const std::string& name) { return known.contains(name); });
          if (open.size() != 1 || (!sums && (names.size() != 1 || extent.at({{names[0], 0}}) != 0))) continue;
          const auto times = times_in(*open.begin(), extent);
          if (!times) continue;
          out.push_back({*open.begin(), i, k, *times});
          known.insert(*open.begin());
          more = true;
        }
    }
  return out;
}

}  // namespace trl::tasks
