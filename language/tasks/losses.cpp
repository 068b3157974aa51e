// Losses: distances of predictions from targets.
#include <fmt/format.h>

#include "language/tasks/broadcasting.hpp"
#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

namespace {

/// The shape of a loss: one number, or one for each place if the reduction is none.
Shape kept(const Call& call, const Shape& each) {
  return call.choice("reduction") == "none" ? each : Shape{};
}

void same_shapes(const Call& call, const std::vector<std::string>& names) {
  for (std::size_t i = 1; i < names.size(); ++i)
    if (call.shape(names[i]) != call.shape(names[0]))
      call.fail(names[i],
                fmt::format("joins {} and {}", call.tensor(names[0]).text(), call.tensor(names[i]).text()),
                {"a loss compares tensors of one shape; broadcasting there is nearly always a mistake"});
}

}  // namespace

Type pointwise(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  same_shapes(call, {"x", "y"});
  return {dtype, kept(call, call.shape())};
}

Type smooth(Call& call) {
  const char* name = call.has("beta") ? "beta" : "delta";
  if (call.real(name) <= 0)
    call.fail(name, fmt::format("{} is {}; it is above 0", name, call.real(name)), {});
  return pointwise(call);
}

Type margin_ranking(Call& call) {
  const std::string dtype = call.floats({"x", "y", "target"});
  same_shapes(call, {"x", "y", "target"});
  return {dtype, kept(call, call.shape())};
}

Type triplet(Call& call) {
  const std::string dtype = call.floats({"anchor", "positive", "negative"});
  call.ranks("anchor", 1, 64, "vectors along the last axis");
  same_shapes(call, {"anchor", "positive", "negative"});
  Shape each = call.shape("anchor");
  each.pop_back();
  if (call.real("margin") <= 0) call.fail("margin", "margin is above 0", {});
  return {dtype, kept(call, each)};
}

namespace {

/// x is [batch, classes, …], target [batch, …].
Shape classes(Call& call) {
  call.ranks("x", 2, 5, "[batch, classes, …]");
  call.integers("target");
  if (call.tensor("target").type.dtype != "i64")
    call.fail("target", fmt::format("{} is not i64", call.named("target")),
              {"classes are i64, as in PyTorch"});
  const Shape& x = call.shape();
  Shape each = x;
  each.erase(each.begin() + 1);
  if (call.shape("target") != each)
    call.fail("target",
              fmt::format("joins {} and {}: the target is {}", call.tensor().text(),
                          call.tensor("target").text(), text(each)),
              {"a class for each place; the classes are along axis 1 of x"});
  call.index_below("target", x[1]);
  call.shape_is("weight", {x[1]}, "one for each class");
  return each;
}

}  // namespace

Type nll(Call& call) {
  const std::string dtype = call.floats({"x", "weight"});
  return {dtype, kept(call, classes(call))};
}

Type cross_entropy(Call& call) {
  const std::string dtype = call.floats({"x", "weight"});
  const double smoothing = call.real("label_smoothing");
  if (smoothing < 0 || smoothing > 1)
    call.fail("label_smoothing", fmt::format("label_smoothing is {}; it lies in [0, 1]", smoothing), {});
  if (call.tensor("target").constant() || !call.tensor("target").type.floating())
    return {dtype, kept(call, classes(call))};
  call.ranks("x", 2, 5, "[batch, classes, …]");
  same_shapes(call, {"x", "target"});
  call.shape_is("weight", {call.shape()[1]}, "one for each class");
  Shape each = call.shape();
  each.erase(each.begin() + 1);
  return {dtype, kept(call, each)};
}

Type similarity(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  Shape shape = joined(call, {"x", "y"});
  const std::size_t along = call.axis("axis", shape.size());
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(along));
  return {dtype, shape};
}

Type pairwise(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  call.ranks("x", 1, 64, "vectors along the last axis");
  same_shapes(call, {"x", "y"});
  if (call.real("p") <= 0) call.fail("p", "p is above 0", {});
  Shape shape = call.shape();
  shape.pop_back();
  return {dtype, shape};
}

Type kl_div(Call& call) {
  if (call.choice("reduction") == "batchmean" && !call.tensor().constant() && call.shape().empty())
    call.fail("reduction", "a single number has no batch", {});
  return pointwise(call);
}

}  // namespace trl::language::tasks::rules
