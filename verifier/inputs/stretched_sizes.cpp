#include "verifier/inputs/stretched_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/plan/commitment.hpp"
#include "verifier/tasks/costs.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t most_elements = 1 << 16;

std::int64_t elements(const Task& task, const Variation& variation) {
  std::int64_t in = 0;
  for (const TensorShape& shape : input_shapes(task, variation)) in += shape.elements();
  return std::max(in, output_elements(task, variation));
}

double work(const Task& task, const Variation& variation) {
  double sum = 0;
  for (const OperatorCost& cost : operator_costs(task, variation)) sum += cost.flops;
  return sum;
}

class Stretching {
 public:
  Stretching(const Task& task, RandomStream& draw)
      : task_(task), draw_(draw), most_work_(std::clamp(work(task, {}) / 2, least_work, largest_work)) {}

  /// Returns the variation in which dimension `at` is as long as `length` or a little longer, or nothing.
  std::optional<Variation> stretch(std::size_t at, std::int64_t length) {
    // The sizes of the other dimensions. Windows need long ones, and groups need multiples of their number.
    // Images of several channels are only small enough if some of these are 1.
    for (const std::int64_t others : {3, 9, 17, 33, 65, 1, 1, 1}) {
      Variation variation;
      variation.kind = Variation::Kind::Stretched;
      for (std::size_t i = 0; i < task_.dims.size(); ++i)
        variation.dims.push_back(others + 2 * static_cast<std::int64_t>(draw_.below(2)));
      for (const std::int64_t multiple : {1, 3, 16, 24, 64}) {
        variation.dims[at] = (length + multiple - 1) / multiple * multiple;
        if (allows(variation)) return variation;
      }
    }
    return std::nullopt;
  }

 private:
  // Bounds on the reference's multiplications and additions. Large constant channels make small tensors much
  // work.
  static constexpr double least_work = 1 << 23, largest_work = 1 << 27;

  bool allows(const Variation& variation) const {
    try {
      return elements(task_, variation) <= most_elements && work(task_, variation) <= most_work_ &&
             has_value(task_, variation);
    } catch (const UserError&) {
      return false;
    }
  }

  const Task& task_;
  RandomStream& draw_;
  double most_work_;
};

std::vector<StretchedDim> drawn(const Task& task, std::string_view secret) {
  RandomStream draw(input_key(secret, task.key, "stretched sizes"));
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(limit)));
  };
  Stretching stretching(task, draw);
  const bool small = elements(task, Variation{}) <= most_elements;
  std::vector<StretchedDim> all;
  for (std::size_t at = 0; at < task.dims.size(); ++at) {
    StretchedDim dim{task.dims[at].first, {}};
    const std::int64_t own = small ? task.dims[at].second : 0;
    constexpr std::int64_t longest = 4 * 1024, shortest = 128;
    for (std::int64_t least = longest; least >= shortest && dim.variations.empty(); least /= 2) {
      // Lengths just below a multiple of usual blocks, so that overlapping blocks don't reach the end. If the
      // longer of the two lengths is too much, the shorter one is taken.
      for (std::int64_t quarters = 5 + below(2); quarters >= 5 && dim.variations.empty(); --quarters) {
        const std::int64_t length = least / 4 * quarters - 1 - 2 * below(2);
        if (length <= own) continue;
        if (auto found = stretching.stretch(at, length)) dim.variations.push_back(*std::move(found));
      }
      if (dim.variations.empty()) continue;
      const std::int64_t shorter = least / 4 - 1 - 2 * below(least / 64);
      if (shorter <= own) continue;
      if (auto found = stretching.stretch(at, shorter)) dim.variations.push_back(*std::move(found));
    }
    if (!dim.variations.empty()) all.push_back(std::move(dim));
  }
  return all;
}

}  // namespace

std::vector<StretchedDim> draw_stretched_sizes(const Task& task, std::string_view secret) {
  // A stage asks for the same sizes for each candidate, so the sizes are cached.
  static std::mutex mutex;
  static std::map<std::string, std::vector<StretchedDim>> known;
  constexpr std::size_t most_known = 4096;
  std::string key = std::string(secret) + " " + task.key;
  for (const auto& [name, size] : task.dims) key += fmt::format(" {}", size);
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= most_known) known.clear();
  return known[key] = drawn(task, secret);
}

}  // namespace trl::runtime
