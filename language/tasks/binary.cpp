// Operands of broadcast shapes: arithmetic, comparisons, logic.
#include <fmt/format.h>

#include <algorithm>

#include "language/tasks/broadcasting.hpp"

namespace trl::language::tasks {

Shape joined(const Call& call, const std::vector<std::string>& names) {
  Shape shape;
  const Tensor* before = nullptr;
  for (const std::string& name : names) {
    if (!call.has(name) || call.tensor(name).constant) continue;
    const Tensor& own = call.tensor(name);
    std::pair<Dimension, Dimension> differing;
    const auto together = broadcast(shape, own.shape(), &differing);
    if (!together) {
      std::vector<std::string> notes;
      // A vector of one number for each row wants a second axis.
      const bool rows = own.shape().size() == 1 && shape.size() == 2 && own.shape()[0] == shape[0];
      if (rows) notes.push_back(fmt::format("unsqueeze({}, 1) would fit", own.source));
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

namespace {

/// Of the operands that are tensors.
std::vector<std::string> given_tensors(const Call& call, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names)
    if (call.has(name) && !call.tensor(name).constant) out.push_back(name);
  return out;
}

Result arithmetic(Call& call) {
  const std::vector<std::string> tensors = given_tensors(call, {"x", "y"});
  if (tensors.empty()) call.fail("joins two numbers; a task computes with its inputs");
  const Tensor& y = call.tensor("y");
  if (call.op.name == "div" && y.constant && y.value["const"] == 0)
    call.fail("y", "division by 0", {"a number other than 0 divides"});
  const std::string dtype = call.floats(tensors);
  return {{dtype, joined(call, tensors)}, ""};
}

/// As `arithmetic`, of tensors alone, as in PyTorch.
Result of_tensors(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  return {{dtype, joined(call, {"x", "y"})}, ""};
}

Result comparison(Call& call) {
  const std::vector<std::string> tensors = given_tensors(call, {"x", "y"});
  if (tensors.empty()) call.fail("compares two numbers; a task computes with its inputs");
  for (const std::string& name : tensors)
    if (call.tensor(name).type.dtype == "bool")
      call.fail(name, fmt::format("{} is a condition already", call.named(name)),
                {"conditions are joined with and, or, not"});
  return {{"bool", joined(call, tensors)}, ""};
}

Result logic(Call& call) {
  for (const char* name : {"x", "y"})
    if (call.tensor(name).constant || call.tensor(name).type.dtype != "bool")
      call.fail(name, fmt::format("{} is no condition", call.named(name)),
                {"a comparison makes one: x > 0 and x < 1"});
  return {{"bool", joined(call, {"x", "y"})}, ""};
}

Result where(Call& call) {
  if (call.tensor("condition").constant || call.tensor("condition").type.dtype != "bool")
    call.fail("condition", fmt::format("{} is no condition", call.named("condition")),
              {"a comparison makes one: where(x > 0, x, y)"});
  const std::vector<std::string> values = given_tensors(call, {"x", "y"});
  if (values.empty())
    call.fail("one of its values is a tensor", {"1.0 where c holds and 0.0 elsewhere: where(c, 1.0, 0 * x)"});
  const std::string dtype = call.floats(values);
  return {{dtype, joined(call, {"condition", "x", "y"})}, ""};
}

Result masked_fill(Call& call) {
  const std::string dtype = call.floats();
  if (call.tensor("mask").constant || call.tensor("mask").type.dtype != "bool")
    call.fail("mask", fmt::format("{} is no condition", call.named("mask")),
              {"a comparison makes one: masked_fill(x, x > 0, 0)"});
  if (joined(call, {"x", "mask"}) != call.shape())
    call.fail("mask", fmt::format("{} is larger than {}", call.named("mask"), call.named("x")), {});
  return {call.tensor().type, ""};
}

}  // namespace

std::vector<Operator> binary_operators() {
  const auto both = [] { return std::vector<Parameter>{operand("x"), operand("y")}; };
  const auto two = [] { return std::vector<Parameter>{tensor("x"), tensor("y")}; };
  return {
      {"add", both(), arithmetic, "x + y, with broadcasting.", false},
      {"div", both(), arithmetic, "x / y, with broadcasting.", false},
      {"maximum", both(), arithmetic, "The larger of x and y, with broadcasting.", false},
      {"minimum", both(), arithmetic, "The smaller of x and y, with broadcasting.", false},
      {"mul", both(), arithmetic, "x * y, with broadcasting.", false},
      {"sub", both(), arithmetic, "x - y, with broadcasting.", false},
      {"pow", both(), arithmetic, "x to the power y, also written x ^ y."},
      {"remainder", both(), arithmetic, "What x / y leaves, with the sign of y."},
      {"hypot", two(), of_tensors, "sqrt(x * x + y * y) of two tensors, with broadcasting.", false},
      {"lerp",
       {tensor("x"), tensor("y"), real("weight", 0.5)},
       of_tensors,
       "x + weight * (y - x) of two tensors, with broadcasting.",
       false},
      {"logaddexp", two(), of_tensors, "log(exp(x) + exp(y)) of two tensors, with broadcasting.", false},
      {"atan2", two(), of_tensors, "The angle of the point (y, x) of two tensors, with broadcasting."},
      {"eq", both(), comparison, "Where x is y, also written x == y."},
      {"ge", both(), comparison, "Where x is at least y, also written x >= y."},
      {"gt", both(), comparison, "Where x is above y, also written x > y."},
      {"le", both(), comparison, "Where x is at most y, also written x <= y."},
      {"lt", both(), comparison, "Where x is below y, also written x < y."},
      {"ne", both(), comparison, "Where x isn't y, also written x != y."},
      {"logical_and", two(), logic, "Where both conditions hold, also written a and b."},
      {"logical_or", two(), logic, "Where one of the conditions holds, also written a or b."},
      {"where",
       {tensor("condition"), operand("x"), operand("y")},
       where,
       "x where the condition holds, else y."},
      {"masked_fill",
       {tensor(), tensor("mask"), real("value")},
       masked_fill,
       "value where the mask holds, else x."},
  };
}

}  // namespace trl::language::tasks
