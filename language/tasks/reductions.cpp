// Values along axes become one.
#include <fmt/format.h>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {
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

Result reduction(Call& call) {
  const std::string dtype = call.floats();
  const auto axes = call.axes();
  return {{dtype, reduced(call.shape(), axes, call.flag("keepdim"))}, ""};
}

/// PyTorch's max and min of one tensor, without the places: amax and amin.
Result extremum(Call& call) {
  Result out = reduction(call);
  out.lowered = call.op.name == "max" ? "amax" : "amin";
  return out;
}

/// Along one axis, or over all.
Result along_one(Call& call) {
  if (!call.has("axis") && call.flag("keepdim"))
    call.fail("keepdim", "keepdim goes with an axis",
              {fmt::format("{}(x, axis = 0, keepdim = true)", call.op.name)});
  if (call.has("axis") && call.wholes("axis").size() != 1)
    call.fail("axis", "it takes one axis, or none for all", {});
  return reduction(call);
}

Result place(Call& call) {
  Result out = along_one(call);
  out.type.dtype = "i64";
  return out;
}

Result test(Call& call) {
  if (call.tensor().constant || call.tensor().type.dtype != "bool")
    call.fail("x", fmt::format("{} is no condition", call.named("x")),
              {"a comparison makes one: any(x > 0)"});
  const auto axes = call.axes();
  return {{"bool", reduced(call.shape(), axes, call.flag("keepdim"))}, ""};
}

}  // namespace

std::vector<Operator> reduction_operators() {
  const auto over = [](Parameter which) {
    return std::vector<Parameter>{tensor(), std::move(which), flag("keepdim", false)};
  };
  return {
      {"amax", over(optional_axes()), reduction, "The largest element along axes.", false},
      {"amin", over(optional_axes()), reduction, "The smallest element along axes.", false},
      {"logsumexp", over(axes()), reduction, "log(sum(exp(x))) along axes.", false},
      {"mean", over(optional_axes()), reduction, "The mean along axes.", false},
      {"std", over(optional_axes()), reduction, "The standard deviation along axes, over n - 1.", false},
      {"sum", over(optional_axes()), reduction, "The sum along axes.", false},
      {"var", over(optional_axes()), reduction, "The variance along axes, over n - 1.", false},
      {"vector_norm", over(optional_axes()), reduction, "The Euclidean length along axes.", false},
      {"max", over(optional_axes()), extremum, "The largest element along axes: amax."},
      {"min", over(optional_axes()), extremum, "The smallest element along axes: amin."},
      {"prod", over(optional_axes()), along_one, "The product along an axis, or of all."},
      {"argmax", over(optional_axes()), place, "Where the largest element along an axis is."},
      {"argmin", over(optional_axes()), place, "Where the smallest element along an axis is."},
      {"all", over(optional_axes()), test, "Whether a condition holds everywhere along axes."},
      {"any", over(optional_axes()), test, "Whether a condition holds anywhere along axes."},
  };
}

}  // namespace trl::language::tasks
