// Along an axis, the shape stays.
#include <fmt/format.h>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {
namespace {

Result along(Call& call) {
  call.floats();
  call.axis();
  return {call.tensor().type, ""};
}

Result flip(Call& call) {
  call.floats();
  call.axes();
  return {call.tensor().type, ""};
}

Result topk(Call& call) {
  call.floats();
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  const std::int64_t k = call.whole("k");
  if (k < 1) call.fail("k", fmt::format("k is {}; it is at least 1", k), {});
  call.at_least(size - k, 0, [&](const std::string&) {
    const auto where = call.used.below(size, k);
    return fmt::format("the {} largest of {}: axis {} has {}", k, call.named("x"), call.whole("axis"),
                       where.value_or(size.text()));
  });
  size = k;
  return {type, ""};
}

Result triangle(Call& call) {
  call.floats();
  call.ranks("x", 2, 64, "a matrix, or a batch of them");
  return {call.tensor().type, ""};
}

Result glu(Call& call) {
  call.floats();
  Type type = call.tensor().type;
  Dimension& size = type.shape[call.axis()];
  const auto half = size.exactly_over(2);
  if (!half)
    call.fail(fmt::format("axis {} of {} has {}, which has no half", call.whole("axis"), call.named("x"),
                          size.text()),
              {fmt::format("declare the input with 2 * {} there", size.number() ? "H" : size.text())});
  size = *half;
  return {type, ""};
}

}  // namespace

std::vector<Operator> scan_operators() {
  const auto one = [] { return std::vector<Parameter>{tensor(), axis()}; };
  return {
      {"cumsum", one(), along, "The running sum along an axis.", false},
      {"log_softmax", one(), along, "The logarithm of softmax.", false},
      {"softmax", one(), along, "exp(x) over its sum along an axis.", false},
      {"softmin", one(), along, "softmax(-x) along an axis.", false},
      {"normalize",
       {tensor(), axis(), real("eps", 1e-12)},
       along,
       "x over its Euclidean length along an axis, that at least eps.",
       false},
      {"cummax", one(), along, "The largest element so far along an axis."},
      {"cummin", one(), along, "The smallest element so far along an axis."},
      {"cumprod", one(), along, "The running product along an axis."},
      {"logcumsumexp", one(), along, "log(cumsum(exp(x))) along an axis."},
      {"flip", {tensor(), axes()}, flip, "The elements along axes in reverse."},
      {"glu",
       {tensor(), axis("axis", -1)},
       glu,
       "The first half along an axis times the sigmoid of the second."},
      {"roll",
       {tensor(), whole("shifts"), axis()},
       along,
       "The elements along an axis moved on, those at the end to the front."},
      {"sort", {tensor(), axis("axis", -1), flag("descending", false)}, along, "Sorted along an axis."},
      {"topk", {tensor(), whole("k"), axis("axis", -1)}, topk, "The k largest along an axis, largest first."},
      {"tril",
       {tensor(), whole("diagonal", 0)},
       triangle,
       "The lower triangle of matrices, 0 above the diagonal."},
      {"triu",
       {tensor(), whole("diagonal", 0)},
       triangle,
       "The upper triangle of matrices, 0 below the diagonal."},
  };
}

}  // namespace trl::language::tasks
