#include "base/tasks/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"

namespace trl::tasks {

std::string shape_text(const Shape& shape) { return shape_json(shape).dump(); }

namespace {

[[noreturn]] void fail_on_shapes(const Expression& node, const std::string& why) {
  throw UserError(fmt::format("{}: {}", name_of(node.op), why));
}

Shape broadcast(const Expression& node, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Extent& own = out[out.size() - 1 - i];
    const Extent& other = shorter[shorter.size() - 1 - i];
    if (own == other || other.is_one()) continue;
    if (!own.is_one())
      fail_on_shapes(node, fmt::format("{} and {} don't broadcast", shape_text(a), shape_text(b)));
    own = other;
  }
  return out;
}

void infer_axes(Expression& node, bool reduces) {
  const auto rank = static_cast<std::int64_t>(node.shape.size());
  std::vector<std::int64_t> axes = node.axes;
  if (node.axis >= 0) axes = {node.axis};
  if (axes.empty() && rank > 0)
    fail_on_shapes(node, fmt::format("axis {} of {}", node.axis, shape_text(node.shape)));
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0 || axes[i] >= rank || (i > 0 && axes[i] <= axes[i - 1]))
      fail_on_shapes(node, fmt::format("axis {} of {}", axes[i], shape_text(node.shape)));
  if (!reduces) return;
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (node.keepdim)
      node.shape[static_cast<std::size_t>(axes[i])] = {"", 1};
    else
      node.shape.erase(node.shape.begin() + axes[i]);
  }
}

/// Returns the shape of a matrix product. The last two axes belong to the matrices; the axes before them
/// broadcast. A vector is a row on the left and a column on the right.
Shape product(const Expression& node) {
  const Shape &a = node.args[0].shape, &b = node.args[1].shape;
  const auto mismatch = [&] {
    fail_on_shapes(node, fmt::format("{} times {}", shape_text(a), shape_text(b)));
  };
  if (a.empty() || b.empty() || a.back() != (b.size() == 1 ? b[0] : b[b.size() - 2])) mismatch();
  const auto batch = [](const Shape& shape) {
    return Shape(shape.begin(), shape.end() - std::min<std::ptrdiff_t>(2, std::ssize(shape)));
  };
  Shape out = broadcast(node, batch(a), batch(b));
  if (a.size() > 1) out.push_back(a[a.size() - 2]);
  if (b.size() > 1) out.push_back(b.back());
  return out;
}

void infer(Expression& node, const Task& task) {
  for (Expression& argument : node.args) infer(argument, task);
  if (node.kind == Expression::Kind::Constant) return;
  if (node.kind == Expression::Kind::Input) {
    node.shape = task.inputs[node.input].shape;
    return;
  }
  const Form form = form_of(node.op);
  if (form == Form::Stated) return;
  std::size_t least = 0, most = 0;
  for (const operators::Parameter& parameter : operators::row(node.op).parameters) {
    least += parameter.is_tensor() && parameter.needed;
    most += parameter.is_tensor();
  }
  if (node.args.size() < least || node.args.size() > most)
    fail_on_shapes(node, fmt::format("takes {} arguments, not {}", least, node.args.size()));
  node.shape = node.args[0].shape;
  const auto rank = static_cast<int>(node.shape.size());
  switch (form) {
    case Form::Elementwise:
      break;
    case Form::Binary:
      node.shape = broadcast(node, node.args[0].shape, node.args[1].shape);
      break;
    case Form::Reduction:
    case Form::Along:
      infer_axes(node, form == Form::Reduction);
      break;
    case Form::Matmul:
      node.shape = product(node);
      break;
    case Form::Transpose: {
      const bool named = node.options.contains("axis0");
      const int a = named ? node.options["axis0"].get<int>() : 0,
                b = named ? node.options["axis1"].get<int>() : 1;
      if ((!named && rank != 2) || a < 0 || a >= rank || b < 0 || b >= rank)
        fail_on_shapes(node, fmt::format("axes {} and {} of {}", a, b, shape_text(node.shape)));
      std::swap(node.shape[static_cast<std::size_t>(a)], node.shape[static_cast<std::size_t>(b)]);
      break;
    }
    case Form::Stated:
      break;
  }
}

/// Whether the node is a dimension used as a number; it fits any dtype.
bool is_size(const Expression& node) {
  return node.kind == Expression::Kind::Operator && node.op == Operator::size;
}

}  // namespace

std::string dtype_of(const Task& task, const Expression& node) {
  if (node.kind == Expression::Kind::Constant) return "";
  if (node.kind == Expression::Kind::Input) return task.inputs[node.input].dtype;
  if (!node.dtype.empty()) return node.dtype;
  if (form_of(node.op) == Form::Stated) {
    for (const TaskInput& input : task.inputs)
      if (operators::is_floating(input.dtype)) return input.dtype;
    return task.dtype;
  }
  for (const Expression& argument : node.args)
    if (const std::string own = dtype_of(task, argument); !own.empty() && !is_size(argument)) {
      // Sums of integers are i64, as in PyTorch.
      const bool sums = node.op == Operator::sum || node.op == Operator::cumsum;
      return sums && operators::is_integer(own) ? "i64" : own;
    }
  return "";
}

namespace {

void add_real_dtypes(const Task& task, const Expression& node, std::set<std::string>& found) {
  const std::string own = dtype_of(task, node);
  if (operators::is_floating(own) || operators::is_storage(own)) found.insert(own);
  for (const Expression& argument : node.args) add_real_dtypes(task, argument, found);
}

/// Whether the expression or a part of it states a dtype of real numbers, as `to` does. Such a dtype stays as
/// it is.
bool says_real_dtype(const Expression& node) {
  const auto said = node.options.find("dtype");
  return (said != node.options.end() && !operators::is_integer(said->second.get<std::string>()) &&
          said->second != "bool") ||
         std::any_of(node.args.begin(), node.args.end(), says_real_dtype);
}

}  // namespace

bool has_one_dtype(const Task& task) {
  std::set<std::string> found;
  add_real_dtypes(task, task.value, found);
  return found.size() <= 1 && !says_real_dtype(task.value) &&
         std::none_of(found.begin(), found.end(),
                      [](const std::string& own) { return operators::is_storage(own); });
}

void infer_shapes(Task& task) { infer(task.value, task); }

}  // namespace trl::tasks
