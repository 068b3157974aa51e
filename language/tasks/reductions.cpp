// Values along axes become one.
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

Type reduction(Call& call) {
  const std::string dtype = call.floats();
  const auto axes = call.axes();
  return {dtype, reduced(call.shape(), axes, call.flag("keepdim"))};
}

/// Along one axis, or over all.
Type along_one(Call& call) {
  if (!call.has("axis") && call.flag("keepdim"))
    call.fail("keepdim", "keepdim goes with an axis",
              {fmt::format("{}(x, axis = 0, keepdim = true)", call.op.name)});
  if (call.has("axis") && call.integer_list("axis").size() != 1)
    call.fail("axis", "it takes one axis, or none for all", {});
  return reduction(call);
}

Type place(Call& call) {
  Type out = along_one(call);
  out.dtype = "i64";
  return out;
}

Type test(Call& call) {
  if (call.tensor().constant || call.tensor().type.dtype != "bool")
    call.fail("x", fmt::format("{} is no condition", call.named("x")),
              {"a comparison makes one: any(x > 0)"});
  const auto axes = call.axes();
  return {"bool", reduced(call.shape(), axes, call.flag("keepdim"))};
}

}  // namespace trl::language::tasks::rules
