// Operators along an axis that keep the shape.
#include <fmt/format.h>

#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

Type along(Call& call) {
  call.floats();
  call.axis();
  return call.tensor().type;
}

/// The results are elements of x along an axis: in another order (sort, roll), or the largest or smallest so
/// far (cummax, cummin).
Type ordered(Call& call) {
  call.numbers();
  call.axis();
  call.below = call.tensor().below;
  return call.tensor().type;
}

/// Running sums and products of integers are i64, as in PyTorch.
Type running(Call& call) {
  const std::string dtype = call.numbers();
  call.axis();
  return {operators::is_integer(dtype) ? "i64" : dtype, call.shape()};
}

Type places(Call& call) {
  call.numbers();
  call.below = call.shape()[call.axis()];
  return {"i64", call.shape()};
}

Type flip(Call& call) {
  call.numbers();
  call.below = call.tensor().below;
  call.axes();
  return call.tensor().type;
}

Type topk(Call& call) {
  call.numbers();
  call.below = call.tensor().below;
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  const std::int64_t k = call.integer("k");
  if (k < 1) call.fail("k", fmt::format("k is {}; it is at least 1", k), {});
  call.at_least(size - k, 0, [&](const std::string&) {
    const auto where = call.used.below(size, k);
    return fmt::format("the {} largest of {}: axis {} has {}", k, call.named("x"), call.integer("axis"),
                       where.value_or(size.text()));
  });
  size = k;
  return type;
}

Type triangle(Call& call) {
  call.numbers();
  call.ranks("x", 2, 64, "a matrix, or a batch of them");
  return call.tensor().type;
}

Type glu(Call& call) {
  call.floats();
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  const auto half = size.exactly_over(2);
  if (!half)
    call.fail(fmt::format("axis {} of {} has {}, which has no half", call.integer("axis"), call.named("x"),
                          size.text()),
              {fmt::format("declare the input with 2 * {} there", size.number() ? "H" : size.text())});
  size = *half;
  return type;
}

}  // namespace trl::language::tasks::rules
