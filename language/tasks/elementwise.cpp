// One tensor in, one of its shape out.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type same(Call& call) {
  call.floats();
  return call.tensor().type;
}

Type clamp(Call& call) {
  call.floats();
  if (!call.has("min") && !call.has("max"))
    call.fail("it needs min, max or both",
              {fmt::format("clamp({}, min = 0, max = 1)", call.tensor().source)});
  if (call.has("min") && call.has("max") && call.real("min") > call.real("max"))
    call.fail(fmt::format("min {} is above max {}", call.real("min"), call.real("max")));
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
  if (call.tensor().type.dtype != "bool")
    call.fail("x", fmt::format("{} is no condition", call.named("x")),
              {"a comparison makes one: not (x > 0)"});
  return call.tensor().type;
}

/// As many slopes as channels, or one.
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
