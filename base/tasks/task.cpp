#include "base/tasks/task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "base/tasks/key.hpp"
#include "base/tasks/shapes.hpp"

namespace trl::tasks {
namespace {

using nlohmann::json;

/// Letters are those of ASCII and all beyond it, as in Python.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the name if it has letters, digits and _ alone and begins with no digit; throws UserError
/// otherwise. Programs in Python and C++ are generated with a task's names, so these must be names there.
const std::string& checked_name(const std::string& name, const char* whose) {
  constexpr std::size_t longest = 200;
  const bool good = !name.empty() && name.size() <= longest && is_letter(name[0]) &&
                    std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!good)
    throw UserError(fmt::format("{} is called {}, which is no name", whose, json(name).dump()),
                    "a name has letters, digits and _, and begins with no digit");
  return name;
}

/// A name in a module's state_dict: "conv.0.weight".
const std::string& checked_parameter(const std::string& name) {
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '.'; }))
    throw UserError(fmt::format("{} is no name of a parameter", json(name).dump()));
  return name;
}

const std::string& checked_dtype(const std::string& dtype) {
  if (operators::dtype_called(dtype) == nullptr)
    throw UserError(fmt::format("no dtype is called {}", json(dtype).dump()));
  return dtype;
}

void check_extent(const Extent& extent, const Task& task, const std::string& whose) {
  for (const std::string& name : names_in(extent))
    if (std::none_of(task.dims.begin(), task.dims.end(), [&](const auto& dim) { return dim.first == name; }))
      throw UserError(fmt::format("{} has an undeclared dimension {}", whose, name),
                      "declare it in the task's `dims`");
  extent.at(Sizes(task.dims.begin(), task.dims.end()));
}

void check_names(const Shape& shape, const Task& task, const std::string& whose) {
  for (const Extent& extent : shape) check_extent(extent, task, whose);
}

/// Checks an option of an operator. A text must be a word, such as an equation or a dtype, or a size.
void check_option(const std::string& name, const json& value, const Task& task) {
  if (value.is_structured())
    for (const json& one : value) check_option(name, one, task);
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  if (!operators::is_word(name)) return check_extent(parse_extent(value), task, "`" + name + "`");
  const auto good = [](char c) {
    return is_letter(c) || is_digit(c) || c == ',' || c == '-' || c == '>' || c == ' ';
  };
  if (!std::all_of(text.begin(), text.end(), good))
    throw UserError(fmt::format("`{}` is {}, which is no word", name, value.dump()));
}

Expression parse_expression(const json& node, const Task& task) {
  if (node.contains("const")) return Expression::number(node["const"].get<double>());
  if (node.contains("input")) {
    const auto& name = node["input"].get_ref<const std::string&>();
    const auto found =
        std::find_if(task.inputs.begin(), task.inputs.end(), [&](const auto& i) { return i.name == name; });
    if (found == task.inputs.end())
      throw UserError(fmt::format("no input is called \"{}\"", name), "declare it in the task's `inputs`");
    return Expression::of_input(static_cast<std::size_t>(found - task.inputs.begin()));
  }
  Expression parsed;
  parsed.kind = Expression::Kind::Operator;
  parsed.op = parse_operator(node.at("op").get<std::string>());
  for (const json& argument : node.at("args")) parsed.args.push_back(parse_expression(argument, task));
  const json attributes = node.value("attrs", json::object());
  for (const auto& [name, value] : attributes.items()) {
    check_option(name, value, task);
    parsed.set(name, value);
  }
  if (form_of(parsed.op) == Form::Stated) {
    parsed.shape = parse_shape(node.at("shape"));
    check_names(parsed.shape, task, name_of(parsed.op));
    parsed.dtype = node.value("dtype", "");
    if (!parsed.dtype.empty()) checked_dtype(parsed.dtype);
  }
  return parsed;
}

json expression_json(const Expression& node, const Task& task) {
  if (node.kind == Expression::Kind::Constant) return {{"const", node.constant}};
  if (node.kind == Expression::Kind::Input) return {{"input", task.inputs[node.input].name}};
  json out = {{"op", name_of(node.op)}, {"args", json::array()}};
  for (const Expression& argument : node.args) out["args"].push_back(expression_json(argument, task));
  json attributes = node.structure();
  for (const auto& [name, value] : node.attributes) attributes[name] = value;
  if (!attributes.empty()) out["attrs"] = attributes;
  if (form_of(node.op) == Form::Stated) out["shape"] = shape_json(node.shape);
  if (!node.dtype.empty()) out["dtype"] = node.dtype;
  return out;
}

/// Checks that the computed shape and dtype are the ones that the task declares.
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

Task Task::read(const json& object) {
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
      task.dims.emplace_back(checked_name(dim.at(0).get<std::string>(), "a dimension"),
                             dim.at(1).get<std::int64_t>());
    for (const json& input : object.at("inputs")) {
      task.inputs.push_back({checked_name(input.at("name").get<std::string>(), "an input"),
                             checked_dtype(input.at("dtype").get<std::string>()),
                             parse_shape(input.at("shape"))});
      check_names(task.inputs.back().shape, task, "input " + task.inputs.back().name);
      if (input.contains("below")) {
        task.inputs.back().below = parse_extent(input["below"]);
        check_names({*task.inputs.back().below}, task, "input " + task.inputs.back().name);
      }
      task.inputs.back().parameter = checked_parameter(input.value("parameter", ""));
      if (input.contains("values")) {
        task.inputs.back().values = InputValues::parse(input["values"]);
        if (const auto& of = task.inputs.back().values.of)
          check_names({*of}, task, "input " + task.inputs.back().name);
      }
    }
    if (object.contains("module")) {
      const json& module = object["module"];
      task.module =
          TaskModule{module.at("code").get<std::string>(),
                     checked_name(module.at("entry").get<std::string>(), "the module's class"),
                     module.value("arguments", json::array()), module.value("keywords", json::object()),
                     module.value("forward", json::array())};
      if (!task.module->forward.is_array()) throw UserError("the module's `forward` is no list");
      for (const auto& [name, argument] : task.module->keywords.items()) checked_name(name, "an argument");
    }
    task.value = parse_expression(object.at("value"), task);
    const json& output = object.at("output");
    const bool several = output.is_array();
    task.dtype = checked_dtype((several ? output.at(0) : output).at("dtype").get<std::string>());
    for (const json& one : several ? output : json::array())
      task.results.push_back(
          {checked_dtype(one.at("dtype").get<std::string>()), parse_shape(one.at("shape"))});
    infer_shapes(task);
    check_output(task, output);
    task.key = object.at("key").get<std::string>();
    return task;
  } catch (const UserError& error) {
    throw UserError(fmt::format("task {}: {}", title, error.what()), error.help);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("task {} is malformed: {}", title, error.what()),
                    "docs/interfaces.md, 1, describes tasks");
  }
}

Task Task::parse(const json& object) {
  Task task = read(object);
  if (const std::string own = task_key(task); own != task.key)
    throw UserError(
        fmt::format("task {}: its key is {} and was given as {}", task.name, own, object["key"].dump()),
        "the program that wrote it and this one differ in version: rebuild both");
  return task;
}

std::vector<TaskResult> Task::outputs() const {
  return results.empty() ? std::vector<TaskResult>{{dtype, value.shape}} : results;
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
  json all = json::array();
  for (const TaskResult& one : outputs())
    all.push_back({{"dtype", one.dtype}, {"shape", shape_json(one.shape)}});
  out["output"] = results.empty() ? all[0] : all;
  if (module)
    out["module"] = {{"code", module->code},
                     {"entry", module->entry},
                     {"arguments", module->arguments},
                     {"keywords", module->keywords}};
  if (module && !module->forward.empty()) out["module"]["forward"] = module->forward;
  return out;
}

bool judged_by_module(const Task& task) {
  const Expression& first =
      task.results.empty() || task.value.args.empty() ? task.value : task.value.args.front();
  return first.is_operator() && first.op == Operator::module_output;
}

namespace {

json argument_at(const json& argument, const Sizes& sizes) {
  if (argument.is_object() && argument.contains("size")) return parse_extent(argument["size"]).at(sizes);
  if (argument.is_object() && argument.contains("real")) return argument["real"].get<double>();
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

json TaskModule::forward_at(const Sizes& sizes) const { return argument_at(forward, sizes); }

}  // namespace trl::tasks
