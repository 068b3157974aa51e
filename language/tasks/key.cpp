// The key of a task's expression (docs/interfaces.md, 1).
#include "base/operators/operator.hpp"
#include "language/tasks/dimension.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

/// Prints the key; numbers inputs and dimensions as they appear.
class KeyText {
 public:
  explicit KeyText(const json& inputs) {
    for (const json& input : inputs) inputs_[input.at("name")] = input;
  }

  std::string text(const json& node) {
    if (node.contains("const")) return "#";
    if (node.contains("input")) return input(node["input"]);
    std::string out =
        node.at("op").get<std::string>() + attributes(node.value("attrs", json::object())) + "(";
    for (std::size_t i = 0; i < node["args"].size(); ++i) out += (i ? "," : "") + text(node["args"][i]);
    return out + ")";
  }

 private:
  std::string attributes(const json& all) {
    std::string out;
    for (const auto& [name, value] : all.items()) {
      if (operators::is_constant(name)) continue;
      out += (out.empty() ? "[" : ",") + name + "=";
      out += operators::is_word(name) ? value.get<std::string>() : attribute(value);
    }
    return out.empty() ? "" : out + "]";
  }

  std::string attribute(const json& value) {
    if (value.is_string()) return size(value);
    if (!value.is_array()) return value.dump();
    std::string out;
    for (const json& item : value) out += (out.empty() ? "" : ",") + attribute(item);
    return "[" + out + "]";
  }

  std::string size(const json& extent) {
    if (!extent.is_string()) return extent.dump();
    return tasks::renamed(extent.get<std::string>(), [&](const std::string& name) {
      return "d" + std::to_string(dims_.emplace(name, dims_.size()).first->second);
    });
  }

  std::string input(const std::string& name) {
    const auto [place, fresh] = numbers_.emplace(name, numbers_.size());
    std::string out = "x" + std::to_string(place->second);
    if (!fresh) return out;
    const json& own = inputs_.at(name);
    out += ":" + own.at("dtype").get<std::string>();
    if (own.contains("below")) out += "(" + size(own["below"]) + ")";
    if (own.contains("values")) {
      const json& values = own["values"];
      out += "(" + values.at("kind").get<std::string>();
      if (values.contains("of")) out += " " + size(values["of"]);
      out += ")";
    }
    std::string extents;
    for (const json& extent : own.at("shape")) extents += (extents.empty() ? "" : ",") + size(extent);
    return out + "[" + extents + "]";
  }

  std::map<std::string, json> inputs_;
  std::map<std::string, std::size_t> numbers_, dims_;
};

}  // namespace

std::string task_key(const json& value, const json& inputs) { return KeyText(inputs).text(value); }

}  // namespace trl::language
