#include "verifier/inputs/task_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/support/random.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

// Returns the number of the dimension whose size is an axis's extent; -1 if there is none.
std::ptrdiff_t dim_of(const Task& task, const Extent& extent) {
  for (std::size_t i = 0; i < task.dims.size(); ++i)
    if (extent.name == task.dims[i].first) return static_cast<std::ptrdiff_t>(i);
  return -1;
}

bool mentions(const Extent& extent, const std::string& dim) {
  const std::vector<std::string> names = names_in(extent);
  return std::find(names.begin(), names.end(), dim) != names.end();
}

// Returns how many axes of a shape have a dimension's size; nothing if another extent depends on that
// dimension.
std::optional<int> axes_of(const Task& task, const Shape& shape, std::size_t dim) {
  int axes = 0;
  for (const Extent& extent : shape) {
    if (dim_of(task, extent) == static_cast<std::ptrdiff_t>(dim))
      ++axes;
    else if (mentions(extent, task.dims[dim].first))
      return std::nullopt;
  }
  return axes;
}

// Whether the shapes allow a dimension to be cut: it must be one axis of each result, and at most one axis of
// each input.
bool may_be_cut(const Task& task, std::size_t dim) {
  const std::string& name = task.dims[dim].first;
  for (const TaskInput& input : task.inputs) {
    if (axes_of(task, input.shape, dim).value_or(2) > 1) return false;
    if (input.below && mentions(*input.below, name)) return false;
    if (input.values.of && mentions(*input.values.of, name)) return false;
  }
  const std::vector<TaskResult> results = task.outputs();
  return std::all_of(results.begin(), results.end(), [&](const TaskResult& result) {
    return axes_of(task, result.shape, dim).value_or(0) == 1;
  });
}

std::int64_t product(const std::vector<std::int64_t>& extents) {
  std::int64_t all = 1;
  for (const std::int64_t extent : extents) all *= extent;
  return all;
}

}  // namespace

TaskPart::TaskPart(const Task& task, Sizes own, std::vector<std::vector<std::int64_t>> kept)
    : task_(task), own_(std::move(own)), kept_(std::move(kept)) {
  variation_.kind = Variation::Kind::Tiny;
  for (std::size_t i = 0; i < task.dims.size(); ++i)
    variation_.dims.push_back(kept_[i].empty() ? own_.at(task.dims[i].first) : std::ssize(kept_[i]));
}

TaskPart::TaskPart(const Task& task, std::vector<std::vector<std::int64_t>> kept)
    : TaskPart(task, sizes(task, Variation{}), std::move(kept)) {}

namespace {

// For each dimension that can be cut, returns the indices along it at which these elements of the results
// lie.
std::vector<std::vector<std::int64_t>> indices_of(const Task& task,
                                                  const std::vector<std::size_t>& elements) {
  const Sizes own = sizes(task, Variation{});
  const std::vector<bool> cuttable = cuttable_dims(task);
  std::vector<std::set<std::int64_t>> kept(task.dims.size());
  const std::vector<TaskResult> results = task.outputs();
  for (std::size_t element : elements) {
    for (const TaskResult& result : results) {
      const std::vector<std::int64_t> shape = extents(result.shape, own);
      if (const auto count = static_cast<std::size_t>(product(shape)); element >= count) {
        element -= count;
        continue;
      }
      auto left = static_cast<std::int64_t>(element);
      for (std::size_t d = shape.size(); d-- > 0; left /= shape[d])
        if (const auto dim = dim_of(task, result.shape[d]);
            dim >= 0 && cuttable[static_cast<std::size_t>(dim)])
          kept[static_cast<std::size_t>(dim)].insert(left % shape[d]);
      break;
    }
  }
  std::vector<std::vector<std::int64_t>> out;
  for (const std::set<std::int64_t>& one : kept) out.emplace_back(one.begin(), one.end());
  return out;
}

}  // namespace

TaskPart::TaskPart(const Task& task, const std::vector<std::size_t>& elements)
    : TaskPart(task, indices_of(task, elements)) {}

double TaskPart::elements() const {
  double all = static_cast<double>(output_elements(task_, variation_));
  for (const TensorShape& shape : input_shapes(task_, variation_))
    all += static_cast<double>(shape.elements());
  return all;
}

std::size_t TaskPart::number_of(std::size_t element) const {
  std::size_t before = 0;
  for (const TaskResult& result : task_.outputs()) {
    const std::vector<std::int64_t> whole = extents(result.shape, own_),
                                    part = extents(result.shape, sizes(task_, variation_));
    const auto count = static_cast<std::size_t>(product(whole));
    if (element >= count) {
      element -= count;
      before += static_cast<std::size_t>(product(part));
      continue;
    }
    auto left = static_cast<std::int64_t>(element);
    std::int64_t number = 0, step = 1;
    for (std::size_t d = whole.size(); d-- > 0; left /= whole[d]) {
      std::int64_t index = left % whole[d];
      if (const auto dim = dim_of(task_, result.shape[d]);
          dim >= 0 && !kept_[static_cast<std::size_t>(dim)].empty()) {
        const std::vector<std::int64_t>& kept = kept_[static_cast<std::size_t>(dim)];
        index = std::lower_bound(kept.begin(), kept.end(), index) - kept.begin();
      }
      number += index * step;
      step *= part[d];
    }
    return before + static_cast<std::size_t>(number);
  }
  return before;
}

Expected TaskPart::expect(const Variation& whole, const std::vector<InputData>& inputs,
                          Precision precision) const {
  const std::vector<TensorShape> parts = input_shapes(task_, variation_), wholes = input_shapes(task_, whole);
  std::vector<InputData> taken;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& shape = task_.inputs[i].shape;
    const auto width = static_cast<std::size_t>(bytes_of(element_type(wholes[i].dtype).value()));
    InputData& to = taken.emplace_back(InputData{inputs[i].name, {}});
    to.bytes.resize(static_cast<std::size_t>(parts[i].elements()) * width);
    for (std::int64_t number = 0; number < parts[i].elements(); ++number) {
      std::int64_t left = number, from = 0, step = 1;
      for (std::size_t d = shape.size(); d-- > 0; left /= parts[i].extents[d]) {
        const std::int64_t index = left % parts[i].extents[d];
        const auto dim = dim_of(task_, shape[d]);
        const bool cut = dim >= 0 && !kept_[static_cast<std::size_t>(dim)].empty();
        from += step * (cut ? kept_[static_cast<std::size_t>(dim)][static_cast<std::size_t>(index)] : index);
        step *= wholes[i].extents[d];
      }
      std::byte* const element = to.bytes.data() + static_cast<std::size_t>(number) * width;
      if (inputs[i].drawn) {
        std::memcpy(element, inputs[i].drawn->element(from).data(), width);
      } else {
        std::memcpy(element, inputs[i].bytes.data() + static_cast<std::size_t>(from) * width, width);
      }
    }
  }
  return runtime::expect(task_, variation_, taken, precision);
}

namespace {

bool alike(double part, double whole, double typical) {
  constexpr double rounding = 1e-10;  // the rounding of f64, in another order of summation
  if (std::isnan(whole) || std::isinf(whole)) return part == whole || (std::isnan(part) && std::isnan(whole));
  return std::abs(part - whole) <= rounding * (std::abs(whole) + typical);
}

std::optional<Variation> small_sizes(const Task& task) {
  if (auto drawn = draw_other_sizes(task, "task parts", Parity::mixed)) return drawn;
  return smallest_sizes(task);
}

}  // namespace

std::vector<bool> cuttable_dims(const Task& task) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<bool>> known;
  constexpr std::size_t most_known = 4096;
  const std::string key = task.to_json().dump();
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= most_known) known.clear();
  std::vector<bool>& cuttable = known[key];
  cuttable.assign(task.dims.size(), false);
  const std::optional<Variation> small = small_sizes(task);
  if (!small) return cuttable;
  const Sizes at = sizes(task, *small);
  RandomStream draw(input_key("task parts", task.key, "indices"));
  // Whether parts that are cut along these dimensions have the values of the whole task, for two draws of the
  // inputs.
  const auto holds = [&](const std::vector<bool>& cut) {
    constexpr int trials = 2;
    for (int trial = 0; trial < trials; ++trial) {
      const std::vector<InputData> inputs = draw_inputs(task, *small, "task parts", task.key, trial);
      const Expected whole = expect(task, *small, inputs, Precision::task);
      const double typical = whole.typical();
      std::vector<std::vector<std::int64_t>> kept(task.dims.size());
      for (std::size_t i = 0; i < cut.size(); ++i) {
        if (!cut[i]) continue;
        const std::int64_t size = at.at(task.dims[i].first);
        std::set<std::int64_t> some;
        while (std::ssize(some) < std::max<std::int64_t>(1, std::min<std::int64_t>(3, size - 1)))
          some.insert(static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(size))));
        kept[i].assign(some.begin(), some.end());
      }
      const TaskPart part(task, at, kept);
      const Expected values = part.expect(*small, inputs, Precision::task);
      std::size_t compared = 0;
      for (std::size_t i = 0; i < whole.size(); ++i) {
        // An element belongs to the part if the part's number leads back to it.
        std::size_t element = i, result = 0;
        const std::vector<TaskResult> results = task.outputs();
        std::vector<std::int64_t> shape = extents(results[result].shape, at);
        while (element >= static_cast<std::size_t>(product(shape))) {
          element -= static_cast<std::size_t>(product(shape));
          shape = extents(results[++result].shape, at);
        }
        auto left = static_cast<std::int64_t>(element);
        bool inside = true;
        for (std::size_t d = shape.size(); d-- > 0; left /= shape[d]) {
          const auto dim = dim_of(task, results[result].shape[d]);
          if (dim < 0 || kept[static_cast<std::size_t>(dim)].empty()) continue;
          const std::vector<std::int64_t>& one = kept[static_cast<std::size_t>(dim)];
          inside = inside && std::binary_search(one.begin(), one.end(), left % shape[d]);
        }
        if (!inside) continue;
        ++compared;
        if (!alike(values.values.at(part.number_of(i)), whole.values[i], typical)) return false;
      }
      if (compared != values.size()) return false;
    }
    return true;
  };
  const auto can_cut = [&](const std::vector<bool>& cut) {
    try {
      return holds(cut);
    } catch (const std::exception&) {  // the task has no value at these sizes
      return false;
    }
  };
  for (std::size_t i = 0; i < task.dims.size(); ++i) {
    if (!may_be_cut(task, i)) continue;
    std::vector<bool> with = cuttable;
    with[i] = true;
    if (can_cut(with)) cuttable = with;
  }
  return cuttable;
}

}  // namespace trl::runtime
