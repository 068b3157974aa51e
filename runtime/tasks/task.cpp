#include "runtime/tasks/task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

Shape parse_shape(const json& shape) {
  Shape parsed;
  for (const json& extent : shape)
    parsed.push_back(extent.is_string() ? Extent{extent.get<std::string>(), 0}
                                        : Extent{"", extent.get<std::int64_t>()});
  return parsed;
}

json shape_json(const Shape& shape) {
  json out = json::array();
  for (const Extent& extent : shape)
    out.push_back(extent.name.empty() ? json(extent.size) : json(extent.name));
  return out;
}

std::string shape_text(const Shape& shape) { return shape_json(shape).dump(); }

Expression parse_expression(const json& node, const Task& task) {
  Expression parsed;
  if (node.contains("const")) {
    parsed.constant = node["const"].get<double>();
    return parsed;
  }
  if (node.contains("input")) {
    parsed.kind = Expression::Kind::Input;
    const auto& name = node["input"].get_ref<const std::string&>();
    const auto found =
        std::find_if(task.inputs.begin(), task.inputs.end(), [&](const auto& i) { return i.name == name; });
    if (found == task.inputs.end()) throw StageError(fmt::format("no input is called \"{}\"", name));
    parsed.input = static_cast<std::size_t>(found - task.inputs.begin());
    return parsed;
  }
  parsed.kind = Expression::Kind::Operator;
  parsed.op = node.at("op").get<std::string>();
  form_of(parsed.op);
  for (const json& argument : node.at("args")) parsed.args.push_back(parse_expression(argument, task));
  const json attributes = node.value("attrs", json::object());
  for (const auto& [name, value] : attributes.items()) {
    if (name == "axis")
      parsed.axis = value.get<int>();
    else if (name == "keepdim")
      parsed.keepdim = value.get<bool>();
    else
      parsed.attributes[name] = value.get<double>();
  }
  return parsed;
}

json expression_json(const Expression& node, const Task& task) {
  if (node.kind == Expression::Kind::Constant) return {{"const", node.constant}};
  if (node.kind == Expression::Kind::Input) return {{"input", task.inputs[node.input].name}};
  json out = {{"op", node.op}, {"args", json::array()}};
  for (const Expression& argument : node.args) out["args"].push_back(expression_json(argument, task));
  json attributes = json::object();
  for (const auto& [name, value] : node.attributes) attributes[name] = value;
  const Form form = form_of(node.op);
  if (form == Form::Reduction || form == Form::Along) attributes["axis"] = node.axis;
  if (form == Form::Reduction) attributes["keepdim"] = node.keepdim;
  if (!attributes.empty()) out["attrs"] = attributes;
  return out;
}

class KeyText {
 public:
  explicit KeyText(const Task& task) : task_(task) {}

  void print(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) {
      text += '#';
    } else if (node.kind == Expression::Kind::Input) {
      input(node.input);
    } else {
      text += node.op;
      const Form form = form_of(node.op);
      if (form == Form::Reduction || form == Form::Along) text += "[axis=" + std::to_string(node.axis);
      if (form == Form::Reduction) text += node.keepdim ? ",keepdim=true" : ",keepdim=false";
      if (form == Form::Reduction || form == Form::Along) text += "]";
      text += '(';
      for (std::size_t i = 0; i < node.args.size(); ++i) {
        if (i) text += ',';
        print(node.args[i]);
      }
      text += ')';
    }
  }

  std::string text;

 private:
  /// The number of first appearance of a name.
  template <typename Name>
  static std::size_t number(std::vector<Name>& seen, const Name& name) {
    const auto found = std::find(seen.begin(), seen.end(), name);
    if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
    seen.push_back(name);
    return seen.size() - 1;
  }

  void input(std::size_t index) {
    const std::size_t known = inputs_.size();
    text += "x" + std::to_string(number(inputs_, index));
    if (inputs_.size() == known) return;
    text += ":" + task_.inputs[index].dtype + "[";
    const Shape& shape = task_.inputs[index].shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (i) text += ',';
      text += shape[i].name.empty() ? std::to_string(shape[i].size)
                                    : "d" + std::to_string(number(dims_, shape[i].name));
    }
    text += "]";
  }

  const Task& task_;
  std::vector<std::size_t> inputs_;
  std::vector<std::string> dims_;
};

[[noreturn]] void misfit(const Expression& node, const std::string& why) {
  throw StageError(fmt::format("{}: {}", node.op, why));
}

Shape broadcast(const Expression& node) {
  const Shape &a = node.args[0].shape, &b = node.args[1].shape;
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Extent& own = out[out.size() - 1 - i];
    const Extent& other = shorter[shorter.size() - 1 - i];
    if (own == other || other.is_one()) continue;
    if (!own.is_one()) misfit(node, fmt::format("{} and {} don't broadcast", shape_text(a), shape_text(b)));
    own = other;
  }
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
  const std::size_t wanted = form == Form::Binary || form == Form::Matmul ? 2 : 1;
  if (node.args.size() != wanted)
    misfit(node, fmt::format("takes {} arguments, not {}", wanted, node.args.size()));
  node.shape = node.args[0].shape;
  const auto rank = static_cast<int>(node.shape.size());
  switch (form) {
    case Form::Elementwise:
      break;
    case Form::Binary:
      node.shape = broadcast(node);
      break;
    case Form::Reduction:
    case Form::Along:
      if (node.axis < 0 || node.axis >= rank)
        misfit(node, fmt::format("axis {} of {}", node.axis, shape_text(node.shape)));
      if (form == Form::Along) break;
      if (node.keepdim)
        node.shape[static_cast<std::size_t>(node.axis)] = {"", 1};
      else
        node.shape.erase(node.shape.begin() + node.axis);
      break;
    case Form::Matmul: {
      const Shape& w = node.args[1].shape;
      if (rank != 2 || w.size() != 2 || node.shape[1] != w[0])
        misfit(node, fmt::format("{} times {}", shape_text(node.shape), shape_text(w)));
      node.shape = {node.shape[0], w[1]};
      break;
    }
    case Form::Transpose:
      if (rank != 2) misfit(node, shape_text(node.shape) + " is no matrix");
      std::swap(node.shape[0], node.shape[1]);
      break;
  }
}

}  // namespace

std::string task_key(const Task& task) {
  KeyText key(task);
  key.print(task.value);
  return std::move(key.text);
}

void infer_shapes(Task& task) { infer(task.value, task); }

Task Task::parse(const json& object) {
  const std::string title = object.is_object() && object.contains("name") && object["name"].is_string()
                                ? object["name"].get<std::string>()
                                : "without a name";
  try {
    Task task;
    task.suite = object.at("suite").get<std::string>();
    task.id = object.at("id").get<std::int64_t>();
    task.name = object.at("name").get<std::string>();
    task.doc = object.value("doc", "");
    for (const json& dim : object.at("dims"))
      task.dims.emplace_back(dim.at(0).get<std::string>(), dim.at(1).get<std::int64_t>());
    for (const json& input : object.at("inputs")) {
      task.inputs.push_back({input.at("name").get<std::string>(), input.at("dtype").get<std::string>(),
                             parse_shape(input.at("shape"))});
      for (const Extent& extent : task.inputs.back().shape) {
        const bool known =
            extent.name.empty() || std::any_of(task.dims.begin(), task.dims.end(),
                                               [&](const auto& dim) { return dim.first == extent.name; });
        if (!known)
          throw StageError(
              fmt::format("input {} has an undeclared dimension {}", task.inputs.back().name, extent.name));
      }
    }
    task.value = parse_expression(object.at("value"), task);
    task.dtype = object.at("output").at("dtype").get<std::string>();
    infer_shapes(task);
    if (task.value.shape != parse_shape(object.at("output").at("shape")))
      throw StageError(fmt::format("its output is declared {} and computed {}",
                                   object["output"]["shape"].dump(), shape_text(task.value.shape)));
    task.key = runtime::task_key(task);
    if (task.key != object.at("key").get<std::string>())
      throw StageError(fmt::format("its key is {} and was given as {}", task.key, object["key"].dump()),
                       "the program that wrote it and this one differ in version: rebuild both");
    return task;
  } catch (const StageError& error) {
    throw StageError(fmt::format("task {}: {}", title, error.what()), error.help);
  } catch (const json::exception& error) {
    throw StageError(fmt::format("task {} is malformed: {}", title, error.what()),
                     "docs/seams.md, 1, describes tasks");
  }
}

json Task::to_json() const {
  json out = {{"suite", suite}, {"id", id}, {"name", name}, {"doc", doc}, {"key", key}};
  out["dims"] = json::array();
  for (const auto& [dim, size] : dims) out["dims"].push_back({dim, size});
  out["inputs"] = json::array();
  for (const TaskInput& input : inputs)
    out["inputs"].push_back(
        {{"name", input.name}, {"dtype", input.dtype}, {"shape", shape_json(input.shape)}});
  out["value"] = expression_json(value, *this);
  out["output"] = {{"dtype", dtype}, {"shape", shape_json(value.shape)}};
  return out;
}

}  // namespace trl::runtime
