// Reductions: the values along axes are combined to one.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

namespace {

Shape reduced(const Shape& shape, const std::vector<std::size_t>& axes, bool keepdim) {
  Shape out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool gone = next < axes.size() && axes[next] == i;
    next += gone;
    if (!gone) out.push_back(shape[i]);
    if (gone && keepdim) out.push_back(1);
  }
  return out;
}

}  // namespace

namespace {

Type over_axes(Call& call, const std::string& dtype) {
  const auto axes = call.axes();
  return {dtype, reduced(call.shape(), axes, call.flag("keepdim"))};
}

/// Sums and products of integers are i64, as in PyTorch.
std::string widened(const std::string& dtype) { return operators::is_integer(dtype) ? "i64" : dtype; }

void one_axis_or_all(const Call& call) {
  if (!call.has("axis") && call.flag("keepdim"))
    call.fail("keepdim", "keepdim goes with an axis",
              {fmt::format("{}(x, axis = 0, keepdim = true)", call.op.name)});
  if (call.has("axis") && call.integer_list("axis").size() != 1)
    call.fail("axis", "it takes one axis, or none for all", {});
}

}  // namespace

Type reduction(Call& call) {
  const std::string dtype = call.floats();
  return over_axes(call, dtype);
}

Type extremum(Call& call) {
  const std::string dtype = call.numbers();
  call.below = call.tensor().below;
  return over_axes(call, dtype);
}

Type total(Call& call) { return over_axes(call, widened(call.numbers())); }

/// Reduces along one axis, or over all elements.
Type along_one(Call& call) {
  one_axis_or_all(call);
  return total(call);
}

Type place(Call& call) {
  one_axis_or_all(call);
  call.numbers();
  Type out = over_axes(call, "i64");
  const std::vector<std::int64_t>& axes = call.integer_list("axis");
  call.below = axes.size() == 1 ? call.shape()[static_cast<std::size_t>(axes[0])] : elements(call.shape());
  return out;
}

Type test(Call& call) {
  call.a_condition("x", "a comparison makes one: any(x > 0)");
  const auto axes = call.axes();
  return {"bool", reduced(call.shape(), axes, call.flag("keepdim"))};
}

}  // namespace trl::language::tasks::rules
