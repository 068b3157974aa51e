#include "interpreter/plan/why.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string brief(const json& value) {
  const auto text = value.dump();
  return text.size() <= 40 ? text : std::string(value.is_array() ? "[…]" : "{…}");
}

void compare(const std::string& path, const json& before, const json& now, std::vector<std::string>& found) {
  if (before == now) return;
  if (!before.is_object() || !now.is_object()) {
    found.push_back(path + " " + brief(before) + " -> " + brief(now));
    return;
  }
  const auto inside = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  for (const auto& [name, value] : now.items())
    compare(inside(name), before.contains(name) ? before[name] : json(), value, found);
  for (const auto& [name, value] : before.items())
    if (!now.contains(name)) found.push_back(inside(name) + " is gone");
}

}  // namespace

std::vector<std::string> differences(const Stage& stage, const json& before) {
  std::vector<std::string> found;
  if (before.value("implementation", "") != stage.implementation)
    found.push_back("implementation " + before.value("implementation", "?") + " -> " + stage.implementation);
  if (before.value("tool_chain", "") != tool_chain())
    found.push_back("tool chain " + before.value("tool_chain", "?") + " -> " + tool_chain());
  compare("", before.value("spec", json::object()), stage.spec, found);
  const auto inputs = before.value("inputs", json::object());
  for (const auto& [name, key] : stage.inputs)
    if (inputs.value(name, "") != key) found.push_back("input " + name);
  return found;
}

}  // namespace trl::interpreter
