#include "verifier/inputs/other_sizes.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <exception>

#include "base/support/random.hpp"
#include "verifier/plan/commitment.hpp"
#include "verifier/tasks/costs.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

std::int64_t elements(const std::vector<TensorShape>& shapes) {
  std::int64_t sum = 0;
  for (const TensorShape& shape : shapes) sum += shape.elements();
  return sum;
}

// Whether the task's value for inputs of these shapes exists and has the task's result shape. PyTorch's meta
// device is tried first, since it finds shapes without computing.
bool has_value(const Task& task, const std::vector<TensorShape>& shapes, const TensorShape& output) {
  constexpr std::int64_t most_on_cpu = 1 << 22;
  for (const at::DeviceType device : {at::kMeta, at::kCPU}) {
    if (device == at::kCPU && elements(shapes) > most_on_cpu) continue;
    try {
      std::vector<at::Tensor> inputs;
      for (const TensorShape& shape : shapes)
        inputs.push_back(at::zeros(shape.extents, at::TensorOptions(at::kDouble).device(device)));
      return reference(task, inputs).sizes() == at::IntArrayRef(output.extents);
    } catch (const std::exception&) {
    }
  }
  return false;
}

// Whether the task allows these sizes, and the inputs are neither large nor much smaller than at its own
// sizes.
bool allows(const Task& task, const Variation& variation) {
  constexpr std::int64_t most = 1 << 16, enough = 1 << 13;
  try {
    const std::vector<TensorShape> shapes = input_shapes(task, variation);
    for (const TensorShape& shape : shapes)
      if (std::any_of(shape.extents.begin(), shape.extents.end(), [](auto extent) { return extent <= 0; }))
        return false;
    const std::int64_t all = elements(shapes);
    if (all > most || all < std::min(enough, elements(input_shapes(task, Variation{})) / 2)) return false;
    const TensorShape output = output_shape(task, variation);
    return output.elements() > 0 && output.elements() <= most && has_value(task, shapes, output);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool has_value(const Task& task, const Variation& variation) {
  try {
    const std::vector<TensorShape> shapes = input_shapes(task, variation);
    for (const TensorShape& shape : shapes)
      if (std::any_of(shape.extents.begin(), shape.extents.end(), [](auto extent) { return extent <= 0; }))
        return false;
    const TensorShape output = output_shape(task, variation);
    return output.elements() > 0 && has_value(task, shapes, output);
  } catch (const std::exception&) {
    return false;
  }
}

std::optional<Variation> smallest_sizes(const Task& task) {
  Variation tiny;
  tiny.kind = Variation::Kind::Tiny;
  if (!task.module) return tiny;
  constexpr std::int64_t most = 1 << 16;
  for (const std::int64_t least : {4, 6, 8, 12, 16, 24, 32, 48, 64}) {
    tiny.dims.clear();
    for (const auto& [name, own] : task.dims) tiny.dims.push_back(std::min(own, least));
    if (has_value(task, tiny) && elements(input_shapes(task, tiny)) <= most) return tiny;
  }
  return std::nullopt;
}

std::optional<Variation> draw_other_sizes(const Task& task, std::string_view secret, Parity parity) {
  if (task.dims.empty()) return std::nullopt;
  RandomStream draw(input_key(secret, task.key, "other sizes"));
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  constexpr int turns = 128;
  Variation variation;
  variation.kind = Variation::Kind::Tiny;
  variation.dims.resize(task.dims.size());
  std::vector<bool> even(variation.dims.size(), false);
  if (parity == Parity::mixed) {
    for (std::size_t i = 0; i < even.size(); ++i) even[i] = draw.below(2) == 1;
    even[draw.below(even.size())] = true;
  }
  const auto draw_dims = [&](int turn) {
    for (std::size_t i = 0; i < variation.dims.size(); ++i) {
      const std::int64_t own = task.dims[i].second;
      const std::int64_t low = std::clamp<std::int64_t>(own / 2, 3, 64),
                         high = std::clamp<std::int64_t>(own * 3 / 2, 7, 191);
      const std::int64_t size = between(low, high);
      // The first turns take the wanted parity, later turns any size, and the last turns multiples of 4, for
      // tasks that need a divisor of 4.
      variation.dims[i] = turn < turns / 2       ? size - ((size % 2 == 0) != even[i] ? 1 : 0)
                          : turn < turns / 4 * 3 ? size
                                                 : (size + 4) / 4 * 4;
    }
  };
  // Sizes are special if a candidate may treat them differently: equal sizes of two dimensions, 4, and the
  // task's own sizes. In the first quarter of the turns no dimension may have a special size. Then equal
  // sizes are allowed, and in the second half of the turns it is enough that one dimension is neither 4 nor
  // its own size.
  const auto special = [&](int turn) {
    std::size_t known = 0;
    bool square = false;
    for (std::size_t i = 0; i < variation.dims.size(); ++i) {
      const std::int64_t size = variation.dims[i];
      known += size == 4 || size == task.dims[i].second;
      square = square || std::count(variation.dims.begin(), variation.dims.end(), size) > 1;
    }
    if (turn < turns / 4 && square) return true;
    return turn < turns / 2 ? known > 0 : known == variation.dims.size();
  };
  for (int turn = 0; turn < turns; ++turn) {
    draw_dims(turn);
    if (!special(turn) && allows(task, variation)) return variation;
  }
  return std::nullopt;
}

std::optional<Variation> at_smaller_sizes(const Task& task, const Variation& variation,
                                          std::int64_t most_elements) {
  constexpr double most_work = 1 << 27;
  // A window may not fit into small sizes, and a number of groups may not divide them.
  constexpr std::int64_t largest_least = 256;
  const auto small = [&](const Variation& one) {
    std::int64_t largest = output_elements(task, one);
    for (const TensorShape& shape : input_shapes(task, one)) largest = std::max(largest, shape.elements());
    double work = 0;
    for (const OperatorCost& cost : operator_costs(task, one)) work += cost.flops;
    return largest <= most_elements && work <= most_work;
  };
  for (const bool apart : {true, false})
    for (std::int64_t least = 1; least <= largest_least; least *= 2) try {
        Variation smaller;  // the kind stays original, since a resize would multiply the sizes
        for (const auto& [name, own] : task.dims) smaller.dims.push_back(own);
        std::vector<std::int64_t>& dims = smaller.dims;
        while (!small(smaller)) {
          const auto largest = std::max_element(dims.begin(), dims.end());
          if (largest == dims.end() || *largest / 2 < least) break;
          *largest /= 2;
        }
        for (std::size_t i = 0; apart && i < dims.size(); ++i)
          for (std::size_t j = 0; j < i; ++j)
            if (task.dims[i].second != task.dims[j].second && dims[i] == dims[j] &&
                dims[i] < task.dims[i].second)
              ++dims[i], j = std::size_t(-1);
        if (!has_value(task, smaller)) continue;
        Variation out = variation;
        out.dims = dims;
        if (has_value(task, out)) return out;
      } catch (const std::exception&) {  // a size is negative there
      }
  return std::nullopt;
}

}  // namespace trl::runtime
