#include "interpreter/commands/library_tasks.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/support/counted.hpp"
#include "interpreter/commands/subject.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The tasks of a module by their suites, in the order of the suites' names. A suite is called as in the
/// module.
using Suites = std::map<std::string, std::vector<json>>;

Suites suites_of(const std::string& module) {
  Suites suites;
  for (const json& task : library_tasks_of(module))
    suites[task.at("suite").get<std::string>()].push_back(task);
  for (auto& [suite, tasks] : suites)
    std::sort(tasks.begin(), tasks.end(),
              [](const json& a, const json& b) { return a.at("id") < b.at("id"); });
  return suites;
}

/// "x f32[64, 256], w f32[256]": the inputs of a task at its own sizes.
std::string inputs_of(const json& task) {
  std::map<std::string, std::string> sizes;
  for (const json& dim : task.at("dims")) sizes[dim.at(0)] = dim.at(1).dump();
  std::vector<std::string> inputs;
  for (const json& input : task.at("inputs")) {
    std::vector<std::string> shape;
    for (const json& size : input.at("shape")) {
      const std::string text = size.is_string() ? size.get<std::string>() : size.dump();
      const auto known = sizes.find(text);
      shape.push_back(known == sizes.end() ? text : known->second);
    }
    inputs.push_back(fmt::format("{} {}[{}]", input.at("name").get<std::string>(),
                                 input.at("dtype").get<std::string>(), fmt::join(shape, ", ")));
  }
  return fmt::format("{}", fmt::join(inputs, ", "));
}

std::string text_of_task(const std::string& module, const std::string& suite, const json& task) {
  const std::string id = fmt::format("{}/{}", suite, task.at("id").get<int>());
  std::string doc = task.at("doc");
  std::replace(doc.begin(), doc.end(), '\n', ' ');
  return fmt::format(
      "task {} of {}: {}({})\n{}{}In a file: `{}.{}[{}]`; `trl verify FILE --task {}` judges an "
      "answer to it.\n",
      id, module, name_of(task), inputs_of(task), doc, doc.empty() ? "" : "\n", module, suite,
      task.at("id").get<int>(), id);
}

std::string text_of_suite(const std::string& module, const std::string& suite,
                          const std::vector<json>& tasks) {
  // Tasks with the same inputs stand together, which keeps a suite's list to a few lines.
  std::vector<std::pair<std::string, std::vector<std::string>>> by_inputs;
  for (const json& task : tasks) {
    const std::string inputs = inputs_of(task);
    auto at = std::find_if(by_inputs.begin(), by_inputs.end(),
                           [&](const auto& group) { return group.first == inputs; });
    if (at == by_inputs.end()) at = by_inputs.insert(at, {inputs, {}});
    at->second.push_back(fmt::format("{} {}", task.at("id").get<int>(), name_of(task)));
  }
  std::string text = fmt::format("suite {}.{}, {}, brought by `import {}`: `{}.{}[1..{}]`\n", module, suite,
                                 counted(tasks.size(), "task"), module, module, suite, tasks.size());
  for (const auto& [inputs, names] : by_inputs)
    text += fmt::format("  {}: {}\n", inputs, fmt::join(names, ", "));
  return text + fmt::format("`trl verify FILE --task {}/{}` judges an answer to one of them.\n", suite,
                            tasks.front().at("id").get<int>());
}

}  // namespace

std::string suites_text(const std::string& module) {
  std::string text;
  for (const auto& [suite, tasks] : suites_of(module))
    text += fmt::format("  {}.{}, {}: `trl explain {}.{}` lists them\n", module, suite,
                        counted(tasks.size(), "task"), module, suite);
  return text.empty() ? "" : "Its suites:\n" + text;
}

std::string tasks_text(const std::string& name) {
  const std::size_t dot = name.find('.'), slash = name.find_first_of("/[");
  const std::string wanted = dot == name.npos ? "" : name.substr(0, dot),
                    suite = name.substr(
                        dot == name.npos ? 0 : dot + 1,
                        slash == name.npos ? name.npos : slash - (dot == name.npos ? 0 : dot + 1));
  std::string number = slash == name.npos ? "" : name.substr(slash + 1);
  if (number.ends_with("]")) number.pop_back();
  for (const std::string& module : modules_with_tasks()) {
    if (!wanted.empty() && wanted != module) continue;
    const Suites suites = suites_of(module);
    const auto found = suites.find(suite);
    if (found == suites.end()) continue;
    if (number.empty() || number.find("..") != number.npos)
      return text_of_suite(module, suite, found->second);
    for (const json& task : found->second)
      if (task.at("id").dump() == number || name_of(task) == number) return text_of_task(module, suite, task);
  }
  if (name.starts_with("kernelbench.") && number.empty())
    return "Tasks of KernelBench are stored in its repository. With a checkout, `--set "
           "'kernelbench.checkout=path(\"~/KernelBench\")'` reads them, and `trl show FILE` lists the suites "
           "of a file that imports kernelbench. `trl explain kernelbench_like` has tasks of the same kinds "
           "that are here.\n";
  return "";
}

}  // namespace trl::interpreter
