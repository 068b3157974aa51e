// One tensor in, one of its shape out.
#include <fmt/format.h>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {
namespace {

Result same(Call& call) {
  call.floats();
  return {call.tensor().type, ""};
}

Result clamp(Call& call) {
  call.floats();
  if (!call.has("min") && !call.has("max"))
    call.fail("it needs min, max or both",
              {fmt::format("clamp({}, min = 0, max = 1)", call.tensor().source)});
  if (call.has("min") && call.has("max") && call.real("min") > call.real("max"))
    call.fail(fmt::format("min {} is above max {}", call.real("min"), call.real("max")));
  return {call.tensor().type, ""};
}

Result hardtanh(Call& call) {
  if (call.real("min_val") >= call.real("max_val"))
    call.fail(fmt::format("min_val {} isn't below max_val {}", call.real("min_val"), call.real("max_val")));
  return same(call);
}

Result shrink(Call& call) {
  if (call.real("lambd") < 0) call.fail("lambd", fmt::format("lambd {} is negative", call.real("lambd")), {});
  return same(call);
}

Result celu(Call& call) {
  if (call.real("alpha") == 0) call.fail("alpha", "alpha 0 divides by 0", {});
  return same(call);
}

Result negated(Call& call) {
  if (call.tensor().type.dtype != "bool")
    call.fail("x", fmt::format("{} is no condition", call.named("x")),
              {"a comparison makes one: not (x > 0)"});
  return {call.tensor().type, ""};
}

/// As many slopes as channels, or one.
Result prelu(Call& call) {
  call.floats({"x", "weight"});
  call.ranks("weight", 1, 1, "a vector, one slope for each channel, or one for all");
  const Shape& x = call.shape();
  const Dimension& slopes = call.shape("weight")[0];
  if (!slopes.is(1) && !(x.size() >= 2 && slopes == x[1]))
    call.fail("weight",
              fmt::format("{} has no slope for each channel of {}", call.named("weight"), call.named("x")),
              {x.size() >= 2 ? fmt::format("axis 1 has the channels: weight is [{}] or [1]", x[1].text())
                             : "without channels there is one slope: weight is [1]"});
  return {call.tensor().type, ""};
}

}  // namespace

std::vector<Operator> elementwise_operators() {
  std::vector<Operator> all;
  for (const auto& [name, doc] : std::vector<std::pair<const char*, const char*>>{
           {"abs", "The absolute value."},
           {"ceil", "The next whole number above."},
           {"cos", "The cosine, x in radians."},
           {"cosh", "The hyperbolic cosine."},
           {"erf", "The error function."},
           {"exp", "e to the power x."},
           {"exp2", "2 to the power x."},
           {"expm1", "exp(x) - 1."},
           {"floor", "The next whole number below."},
           {"hardsigmoid", "clamp(x / 6 + 1/2, 0, 1)."},
           {"hardswish", "x * hardsigmoid(x)."},
           {"log", "The natural logarithm."},
           {"log1p", "log(1 + x)."},
           {"log2", "The logarithm to base 2."},
           {"logsigmoid", "log(sigmoid(x))."},
           {"mish", "x * tanh(softplus(x))."},
           {"neg", "-x."},
           {"reciprocal", "1 / x."},
           {"relu", "x where x > 0, else 0."},
           {"relu6", "x, kept between 0 and 6."},
           {"rsqrt", "1 / sqrt(x)."},
           {"selu", "1.0507 * (x where x > 0, else 1.67326 * (exp(x) - 1)), the constants as in PyTorch."},
           {"sigmoid", "1 / (1 + exp(-x))."},
           {"sign", "-1, 0 or 1."},
           {"silu", "x * sigmoid(x)."},
           {"sin", "The sine, x in radians."},
           {"sinh", "The hyperbolic sine."},
           {"softplus", "log(1 + exp(x))."},
           {"softsign", "x / (1 + |x|)."},
           {"sqrt", "The square root."},
           {"square", "x * x."},
           {"tanh", "The hyperbolic tangent."},
           {"tanhshrink", "x - tanh(x)."}})
    all.push_back({name, {tensor()}, same, doc, false});
  for (const auto& [name, doc] : std::vector<std::pair<const char*, const char*>>{
           {"asinh", "The inverse of sinh."},
           {"atan", "The angle whose tangent is x."},
           {"erfc", "1 - erf(x)."},
           {"frac", "x - trunc(x)."},
           {"log10", "The logarithm to base 10."},
           {"round", "The nearest whole number, the even one of two."},
           {"sinc", "sin(pi x) / (pi x), and 1 at 0."},
           {"tan", "The tangent, x in radians."},
           {"trunc", "The next whole number towards 0."}})
    all.push_back({name, {tensor()}, same, doc});
  const std::vector<Operator> others = {
      {"celu",
       {tensor(), real("alpha", 1)},
       celu,
       "x where x > 0, else alpha * (exp(x / alpha) - 1).",
       false},
      {"clamp",
       {tensor(), optional_real("min"), optional_real("max")},
       clamp,
       "x, kept between min and max.",
       false},
      {"elu", {tensor(), quiet(real("alpha", 1))}, same, "x where x > 0, else alpha * (exp(x) - 1).", false},
      {"gelu",
       {tensor(), quiet(choice("approximate", {"none", "tanh"}))},
       same,
       "x times the normal distribution function of x, by erf or nearly by tanh.",
       false},
      {"hardshrink", {tensor(), real("lambd", 0.5)}, shrink, "x where |x| > lambd, else 0.", false},
      {"hardtanh",
       {tensor(), real("min_val", -1), real("max_val", 1)},
       hardtanh,
       "x, kept between min_val and max_val.",
       false},
      {"leaky_relu", {tensor(), real("negative_slope", 0.01)}, same, "x where x > 0, else slope * x.", false},
      {"logical_not", {tensor()}, negated, "Where a condition doesn't hold, also written not c."},
      {"prelu", {tensor(), tensor("weight")}, prelu, "x where x > 0, else the channel's weight * x."},
      {"softshrink",
       {tensor(), real("lambd", 0.5)},
       shrink,
       "x moved towards 0 by lambd, and 0 within it.",
       false},
      {"threshold",
       {tensor(), real("threshold"), real("value")},
       same,
       "x where x is above the threshold, else value."},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace trl::language::tasks
