#include "base/tasks/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace trl::tasks {
namespace {

using nlohmann::json;

class KeyText {
 public:
  explicit KeyText(const Task& task, operators::Constants constants = operators::Constants::unknown)
      : task_(task), constants_(constants) {}

  void print(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) {
      text += '#';
      if (constants_ == operators::Constants::said) text += fmt::format("{}", node.constant);
    } else if (node.kind == Expression::Kind::Input) {
      input(node.input);
    } else {
      text += name_of(node.op);
      attributes(node.structure());
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
  /// Returns the number of a name: names are numbered in the order of their first appearance.
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
  const operators::Constants constants_;
  std::vector<std::size_t> inputs_;
  std::vector<std::string> dims_;
};

/// The inputs of a task at its sizes, "f32[64, 256]", whatever their order.
std::vector<std::string> sized_inputs(const Task& task) {
  Sizes sizes;
  for (const auto& [name, size] : task.dims) sizes[name] = size;
  std::vector<std::string> all;
  for (const TaskInput& input : task.inputs) {
    std::string text = input.dtype;
    for (const Extent& extent : input.shape) text += fmt::format(" {}", extent.at(sizes));
    all.push_back(std::move(text));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The operators' attributes that are numbers, which a key lacks, whatever their order.
std::vector<std::tuple<Operator, std::string, double>> attributes_of(const Task& task) {
  std::vector<std::tuple<Operator, std::string, double>> all;
  each_operator(task.value, [&](const Expression& node) {
    for (const auto& [name, value] : node.attributes) all.emplace_back(node.op, name, value);
  });
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

bool same_function(const Task& a, const Task& b) {
  const auto normal = [](const Task& task) {
    KeyText key(task, operators::Constants::said);
    key.print(task.value);
    return operators::overlap_key(key.text, operators::Constants::said);
  };
  return a.dtype == b.dtype && sized_inputs(a) == sized_inputs(b) && attributes_of(a) == attributes_of(b) &&
         normal(a) == normal(b);
}

std::string task_key(const Task& task) {
  KeyText key(task);
  key.print(task.value);
  return std::move(key.text);
}

}  // namespace trl::tasks
