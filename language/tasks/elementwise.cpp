// Operators that take one tensor and return a tensor of the same shape.
#include <fmt/format.h>

#include <cmath>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type same(Call& call) {
  call.floats();
  return call.tensor().type;
}

Type same_number(Call& call) {
  call.numbers();
  return call.tensor().type;
}

Type finiteness(Call& call) {
  call.floats();
  return {"bool", call.shape()};
}

/// Converts a tensor of any dtype to any dtype.
Type converted(Call& call) {
  call.a_tensor("x");
  const Tensor& x = call.tensor();
  const std::string dtype = call.choice("dtype");
  if (x.type.dtype == dtype)
    call.fail(fmt::format("{} is {} already", x.source, dtype), {"leave the conversion out"});
  if (x.type.storage() && operators::is_storage(dtype))
    call.fail(fmt::format("{} doesn't become {} directly", call.named("x"), dtype),
              {"convert it to f16 or f32 first"});
  if (x.type.integer() && operators::is_integer(dtype)) call.below = x.below;
  if (x.type.boolean() && operators::is_integer(dtype)) call.below = 2;
  return {dtype, call.shape()};
}

Type clamp(Call& call) {
  const std::string dtype = call.numbers();
  if (!call.has("min") && !call.has("max"))
    call.fail("it needs min, max or both",
              {fmt::format("clamp({}, min = 0, max = 1)", call.tensor().source)});
  if (call.has("min") && call.has("max") && call.real("min") > call.real("max"))
    call.fail(fmt::format("min {} is above max {}", call.real("min"), call.real("max")));
  if (operators::is_integer(dtype)) {
    for (const char* name : {"min", "max"})
      if (call.has(name) && call.real(name) != std::floor(call.real(name)))
        call.fail(name, fmt::format("{} is {}, and {} has integers", name, call.real(name), call.named("x")),
                  {});
    if (call.has("min") && call.has("max") && call.real("min") >= 0)
      call.below = static_cast<std::int64_t>(call.real("max")) + 1;
  }
  return call.tensor().type;
}

Type hardtanh(Call& call) {
  if (call.real("min_val") >= call.real("max_val"))
    call.fail(fmt::format("min_val {} isn't below max_val {}", call.real("min_val"), call.real("max_val")));
  return same(call);
}

Type shrink(Call& call) {
  if (call.real("lambd") < 0) call.fail("lambd", fmt::format("lambd {} is negative", call.real("lambd")), {});
  return same(call);
}

Type celu(Call& call) {
  if (call.real("alpha") == 0) call.fail("alpha", "alpha 0 divides by 0", {});
  return same(call);
}

Type negated(Call& call) {
  call.a_condition("x", "a comparison makes one: not (x > 0)");
  return call.tensor().type;
}

/// The weight has one slope for each channel, or a single one.
Type prelu(Call& call) {
  call.floats({"x", "weight"});
  call.ranks("weight", 1, 1, "a vector, one slope for each channel, or one for all");
  const Shape& x = call.shape();
  const Dimension& slopes = call.shape("weight")[0];
  if (!slopes.is(1) && !(x.size() >= 2 && slopes == x[1]))
    call.fail("weight",
              fmt::format("{} has no slope for each channel of {}", call.named("weight"), call.named("x")),
              {x.size() >= 2 ? fmt::format("axis 1 has the channels: weight is [{}] or [1]", x[1].text())
                             : "without channels there is one slope: weight is [1]"});
  return call.tensor().type;
}

}  // namespace trl::language::tasks::rules
