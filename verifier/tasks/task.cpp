#include "verifier/tasks/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

std::string shape_text(const Shape& shape) { return shape_json(shape).dump(); }

void check_names(const Shape& shape, const Task& task, const std::string& whose) {
  for (const Extent& extent : shape)
    for (const std::string& name : names_in(extent))
      if (std::none_of(task.dims.begin(), task.dims.end(),
                       [&](const auto& dim) { return dim.first == name; }))
        throw UserError(fmt::format("{} has an undeclared dimension {}", whose, name),
                        "declare it in the task's `dims`");
}

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
    if (found == task.inputs.end())
      throw UserError(fmt::format("no input is called \"{}\"", name), "declare it in the task's `inputs`");
    parsed.input = static_cast<std::size_t>(found - task.inputs.begin());
    return parsed;
  }
  parsed.kind = Expression::Kind::Operator;
  parsed.op = parse_operator(node.at("op").get<std::string>());
  for (const json& argument : node.at("args")) parsed.args.push_back(parse_expression(argument, task));
  const Form form = form_of(parsed.op);
  const json attributes = node.value("attrs", json::object());
  for (const auto& [name, value] : attributes.items()) {
    if (operators::is_constant(name))
      parsed.attributes[name] = value.get<double>();
    else if (form == Form::Stated || (name != "axis" && name != "keepdim"))
      parsed.options[name] = value;
    else if (name == "keepdim")
      parsed.keepdim = value.get<bool>();
    else if (value.is_array())
      parsed.axes = value.get<std::vector<std::int64_t>>();
    else
      parsed.axis = value.get<int>();
  }
  if (form == Form::Stated) {
    parsed.shape = parse_shape(node.at("shape"));
    check_names(parsed.shape, task, name_of(parsed.op));
    parsed.dtype = node.value("dtype", "");
  }
  return parsed;
}

/// Writes an expression's structure with the attributes that are part of the key.
json structure(const Expression& node) {
  json out = json::object();
  for (const auto& [name, value] : node.options) out[name] = value;
  const Form form = form_of(node.op);
  if (form == Form::Reduction || form == Form::Along)
    out["axis"] = node.axes.empty() && node.axis >= 0 ? json(node.axis) : json(node.axes);
  if (form == Form::Reduction) out["keepdim"] = node.keepdim;
  return out;
}

json expression_json(const Expression& node, const Task& task) {
  if (node.kind == Expression::Kind::Constant) return {{"const", node.constant}};
  if (node.kind == Expression::Kind::Input) return {{"input", task.inputs[node.input].name}};
  json out = {{"op", name_of(node.op)}, {"args", json::array()}};
  for (const Expression& argument : node.args) out["args"].push_back(expression_json(argument, task));
  json attributes = structure(node);
  for (const auto& [name, value] : node.attributes) attributes[name] = value;
  if (!attributes.empty()) out["attrs"] = attributes;
  if (form_of(node.op) == Form::Stated) out["shape"] = shape_json(node.shape);
  if (!node.dtype.empty()) out["dtype"] = node.dtype;
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
      text += name_of(node.op);
      attributes(structure(node));
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
  /// Numbers names in the order of their first appearance.
  template <typename Name>
  static std::size_t number(std::vector<Name>& seen, const Name& name) {
    const auto found = std::find(seen.begin(), seen.end(), name);
    if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
    seen.push_back(name);
    return seen.size() - 1;
  }

  void attributes(const json& all) {
    const char* separator = "[";
    for (const auto& [name, value] : all.items()) {
      text += separator + name + "=";
      separator = ",";
      if (operators::is_word(name))
        text += value.get<std::string>();
      else
        attribute(value);
    }
    if (!all.empty()) text += ']';
  }

  void attribute(const json& value) {
    if (!value.is_array()) {
      text += value.is_string() ? size(parse_extent(value)) : value.dump();
      return;
    }
    text += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i) text += ',';
      attribute(value[i]);
    }
    text += ']';
  }

  std::string size(const Extent& extent) {
    if (extent.name.empty()) return std::to_string(extent.size);
    return renamed(extent.name,
                   [&](const std::string& name) { return "d" + std::to_string(number(dims_, name)); });
  }

  void input(std::size_t index) {
    const std::size_t known = inputs_.size();
    text += "x" + std::to_string(number(inputs_, index));
    if (inputs_.size() == known) return;
    const TaskInput& own = task_.inputs[index];
    text += ":" + own.dtype;
    if (own.below) text += "(" + size(*own.below) + ")";
    if (own.values.kind != InputValues::Kind::unbounded) {
      text += "(" + name(own.values.kind);
      if (own.values.of) text += " " + size(*own.values.of);
      text += ")";
    }
    text += "[";
    for (std::size_t i = 0; i < own.shape.size(); ++i) text += (i ? "," : "") + size(own.shape[i]);
    text += "]";
  }

  const Task& task_;
  std::vector<std::size_t> inputs_;
  std::vector<std::string> dims_;
};

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

/// The shape of a matrix product. The last two axes are those of matrices, the axes before them broadcast. A
/// vector is a row on the left and a column on the right.
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

}  // namespace

namespace {

/// A dimension as a number goes with any dtype.
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

/// A dtype that is said beside a value, as by `to`, stays what it is.
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

std::string task_key(const Task& task) {
  KeyText key(task);
  key.print(task.value);
  return std::move(key.text);
}

void infer_shapes(Task& task) { infer(task.value, task); }

namespace {

/// What is computed is what the task declares.
void check_output(const Task& task, const json& output) {
  const auto check = [](const Shape& computed, const json& declared) {
    if (computed != parse_shape(declared.at("shape")))
      throw UserError(fmt::format("its output is declared {} and computed {}", declared["shape"].dump(),
                                  shape_text(computed)));
  };
  if (task.results.empty()) return check(task.value.shape, output);
  if (task.value.op != Operator::results || task.value.args.size() != task.results.size())
    throw UserError(fmt::format("it declares {} results and computes others", task.results.size()));
  for (std::size_t i = 0; i < task.results.size(); ++i) check(task.value.args[i].shape, output.at(i));
}

}  // namespace

std::vector<Task> single_results(const Task& task) {
  if (task.results.empty()) return {task};
  std::vector<Task> out;
  for (std::size_t i = 0; i < task.results.size(); ++i) {
    Task one = task;
    one.value = task.value.args[i];
    one.dtype = task.results[i].dtype;
    one.results.clear();
    one.key = task_key(one);
    out.push_back(std::move(one));
  }
  return out;
}

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
      check_names(task.inputs.back().shape, task, "input " + task.inputs.back().name);
      if (input.contains("below")) {
        task.inputs.back().below = parse_extent(input["below"]);
        check_names({*task.inputs.back().below}, task, "input " + task.inputs.back().name);
      }
      task.inputs.back().parameter = input.value("parameter", "");
      if (input.contains("values")) {
        task.inputs.back().values = InputValues::parse(input["values"]);
        if (const auto& of = task.inputs.back().values.of)
          check_names({*of}, task, "input " + task.inputs.back().name);
      }
    }
    if (object.contains("module")) {
      const json& module = object["module"];
      task.module =
          TaskModule{module.at("code").get<std::string>(), module.at("entry").get<std::string>(),
                     module.value("arguments", json::array()), module.value("keywords", json::object())};
    }
    task.value = parse_expression(object.at("value"), task);
    const json& output = object.at("output");
    const bool several = output.is_array();
    task.dtype = (several ? output.at(0) : output).at("dtype").get<std::string>();
    for (const json& one : several ? output : json::array())
      task.results.push_back({one.at("dtype").get<std::string>(), parse_shape(one.at("shape"))});
    infer_shapes(task);
    check_output(task, output);
    task.key = runtime::task_key(task);
    if (task.key != object.at("key").get<std::string>())
      throw UserError(fmt::format("its key is {} and was given as {}", task.key, object["key"].dump()),
                      "the program that wrote it and this one differ in version: rebuild both");
    return task;
  } catch (const UserError& error) {
    throw UserError(fmt::format("task {}: {}", title, error.what()), error.help);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("task {} is malformed: {}", title, error.what()),
                    "docs/interfaces.md, 1, describes tasks");
  }
}

json Task::to_json() const {
  json out = {{"suite", suite}, {"id", id}, {"name", name}, {"doc", doc}, {"key", key}};
  out["dims"] = json::array();
  for (const auto& [dim, size] : dims) out["dims"].push_back({dim, size});
  out["inputs"] = json::array();
  for (const TaskInput& input : inputs) {
    json entry = {{"name", input.name}, {"dtype", input.dtype}, {"shape", shape_json(input.shape)}};
    if (input.below) entry["below"] = extent_json(*input.below);
    if (input.values.kind != InputValues::Kind::unbounded) entry["values"] = input.values.to_json();
    if (!input.parameter.empty()) entry["parameter"] = input.parameter;
    out["inputs"].push_back(std::move(entry));
  }
  out["value"] = expression_json(value, *this);
  const auto output = [](const std::string& own, const Shape& shape) {
    return json{{"dtype", own}, {"shape", shape_json(shape)}};
  };
  out["output"] = results.empty() ? output(dtype, value.shape) : json::array();
  for (const TaskResult& one : results) out["output"].push_back(output(one.dtype, one.shape));
  if (module)
    out["module"] = {{"code", module->code},
                     {"entry", module->entry},
                     {"arguments", module->arguments},
                     {"keywords", module->keywords}};
  return out;
}

namespace {

json argument_at(const json& argument, const Sizes& sizes) {
  if (argument.is_object() && argument.contains("size")) return parse_extent(argument["size"]).at(sizes);
  if (!argument.is_structured()) return argument;
  json out = argument;
  for (json& one : out) one = argument_at(one, sizes);
  return out;
}

}  // namespace

json TaskModule::arguments_at(const Sizes& sizes) const { return argument_at(arguments, sizes); }

json TaskModule::keywords_at(const Sizes& sizes) const {
  json out = json::object();
  for (const auto& [name, argument] : keywords.items()) out[name] = argument_at(argument, sizes);
  return out;
}

}  // namespace trl::runtime
