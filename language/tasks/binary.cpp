// Operators with operands of broadcast shapes: arithmetic, comparisons, logic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/operators/operator_ids.hpp"
#include "language/tasks/broadcasting.hpp"
#include "language/tasks/rules.hpp"

namespace trl::language::tasks {

namespace {

/// If a reduction's result would fit a shape with its reduced axis kept, returns advice to keep it; otherwise
/// an empty text.
std::string kept_axis(const Tensor& reduced, const Shape& wanted) {
  if (!reduced.value.is_operator() || !operators::row(reduced.value.op).parameter("keepdim")) return "";
  const nlohmann::json attributes = reduced.value.structure();
  if (!attributes.contains("axis") || !attributes["axis"].is_number_integer() ||
      attributes.value("keepdim", false))
    return "";
  Shape kept = reduced.shape();
  const auto axis = attributes["axis"].get<std::int64_t>();
  if (axis < 0 || static_cast<std::size_t>(axis) > kept.size()) return "";
  kept.insert(kept.begin() + axis, Dimension(1));
  std::pair<Dimension, Dimension> differing;
  if (!broadcast(wanted, kept, &differing)) return "";
  const std::size_t close = reduced.source.rfind(')');
  if (close == std::string::npos) return "with `keepdim = true` it would fit";
  return reduced.source.substr(0, close) + ", keepdim = true) would fit";
}

}  // namespace

Shape joined(const Call& call, const std::vector<std::string>& names) {
  Shape shape;
  const Tensor* before = nullptr;
  for (const std::string& name : names) {
    if (!call.has(name) || call.tensor(name).constant()) continue;
    const Tensor& own = call.tensor(name);
    std::pair<Dimension, Dimension> differing;
    const auto together = broadcast(shape, own.shape(), &differing);
    if (!together) {
      std::vector<std::string> notes;
      // A vector with one number for each row needs a second axis.
      const bool rows = own.shape().size() == 1 && shape.size() == 2 && own.shape()[0] == shape[0];
      if (const std::string kept =
              kept_axis(own, shape).empty() ? kept_axis(*before, own.shape()) : kept_axis(own, shape);
          !kept.empty())
        notes.push_back(kept);
      else if (rows)
        notes.push_back(fmt::format("unsqueeze({}, 1) would fit", own.source));
      notes.push_back("dimensions count from the last: two agree when they are equal, or one of them is 1");
      call.fail(fmt::format("joins {} and {}: {} is not {}",
                            before->shape() == shape ? before->text() : before->type.dtype + text(shape),
                            own.text(), differing.first.text(), differing.second.text()),
                notes);
    }
    shape = *together;
    before = &own;
  }
  return shape;
}

namespace rules {

namespace {

/// Returns the names of the operands that are tensors.
std::vector<std::string> given_tensors(const Call& call, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names)
    if (call.has(name) && !call.tensor(name).constant()) out.push_back(name);
  return out;
}

}  // namespace

namespace {

void divided_by_zero(const Call& call) {
  const Tensor& y = call.tensor("y");
  if (y.constant() && y.number() == 0) call.fail("y", "division by 0", {"a number other than 0 divides"});
}

}  // namespace

/// Arithmetic of floats or of integers.
Type arithmetic(Call& call) {
  const std::vector<std::string> tensors = given_tensors(call, {"x", "y"});
  if (tensors.empty()) call.fail("joins two numbers; a task computes with its inputs");
  const std::string dtype = call.numbers({"x", "y"});
  if (call.op.id == Operator::remainder && operators::is_integer(dtype)) {
    divided_by_zero(call);
    const Tensor& y = call.tensor("y");
    if (!y.constant())
      call.fail("y", fmt::format("y is {}, which may be 0", y.text()),
                {"a number divides integers: remainder(i, 8)"});
    if (y.number() > 0) call.below = static_cast<std::int64_t>(y.number());
  }
  return {dtype, joined(call, tensors)};
}

/// Arithmetic of floats only.
Type real_arithmetic(Call& call) {
  const std::vector<std::string> tensors = given_tensors(call, {"x", "y"});
  if (tensors.empty()) call.fail("joins two numbers; a task computes with its inputs");
  if (call.op.id == Operator::div) divided_by_zero(call);
  const std::string dtype = call.floats(tensors);
  return {dtype, joined(call, tensors)};
}

/// Arithmetic of floats in which both operands must be tensors, as in PyTorch.
Type of_tensors(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  return {dtype, joined(call, {"x", "y"})};
}

Type comparison(Call& call) {
  const std::vector<std::string> tensors = given_tensors(call, {"x", "y"});
  if (tensors.empty()) call.fail("compares two numbers; a task computes with its inputs");
  for (const std::string& name : tensors)
    if (call.tensor(name).type.dtype == "bool")
      call.fail(name, fmt::format("{} is a condition already", call.named(name)),
                {"conditions are joined with and, or, not"});
  call.numbers({"x", "y"});
  return {"bool", joined(call, tensors)};
}

Type logic(Call& call) {
  for (const char* name : {"x", "y"}) call.a_condition(name, "a comparison makes one: x > 0 and x < 1");
  return {"bool", joined(call, {"x", "y"})};
}

Type where(Call& call) {
  call.a_condition("condition", "a comparison makes one: where(x > 0, x, y)");
  if (given_tensors(call, {"x", "y"}).empty())
    call.fail("one of its values is a tensor", {"to(c, f32) is 1 where c holds and 0 elsewhere"});
  const Tensor &x = call.tensor("x"), &y = call.tensor("y");
  if (x.below && y.below && *x.below == *y.below) call.below = x.below;
  const std::string dtype = call.numbers({"x", "y"});
  return {dtype, joined(call, {"condition", "x", "y"})};
}

Type masked_fill(Call& call) {
  const std::string dtype = call.numbers();
  call.a_condition("mask", "a comparison makes one: masked_fill(x, x > 0, 0)");
  if (operators::is_integer(dtype) && call.real("value") != std::floor(call.real("value")))
    call.fail("value", fmt::format("value is {}, and {} has integers", call.real("value"), call.named("x")),
              {});
  if (joined(call, {"x", "mask"}) != call.shape())
    call.fail("mask", fmt::format("{} is larger than {}", call.named("mask"), call.named("x")), {});
  return call.tensor().type;
}

}  // namespace rules
}  // namespace trl::language::tasks
