#include "interpreter/audit/store_keys.hpp"

#include "base/contract/form.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/support/error.hpp"
#include "interpreter/stage/key.hpp"

namespace trl::interpreter {
namespace {
using contract::Protocol;
using contract::TasksSpec;
using nlohmann::json;

std::string input_of(const json& stage, const char* name) {
  return stage.value("inputs", json::object()).value(name, std::string());
}

/// Checks that tasks.json is a copy of the spec's list.
std::string wrong_tasks(const json& stage, const Result& result) {
  const auto listed = contract::written(TasksSpec::read(stage.at("spec")).tasks);
  return result.value("tasks.json") == listed ? "" : "its tasks.json isn't what its spec lists";
}

/// Checks that an exam's answers were judged by the exam's protocol, and with tasks that its key determines.
std::string wrong_exam(const json& stage, const Store& store) {
  const bool strict = Protocol::read(stage.at("spec")).strict;
  const auto answers = input_of(stage, "candidates"), tasks = input_of(stage, "tasks");
  const auto purpose = store.has(answers)
                           ? store.stage(answers).value("spec", json::object()).value("purpose", "")
                           : std::string();
  const bool of_exam =
      purpose.empty() ? stage.value("slot", "").find("exam/") != std::string::npos : purpose == "exam";
  if (!of_exam) return "";
  if (!strict) return "it judges an exam's answers by a protocol of training";
  if (store.has(tasks) && store.stage(tasks).value("kind", "") != TasksSpec::kind)
    return "its tasks come from a stage that is none of tasks";
  return "";
}

}  // namespace

CheckedKeys check_keys(const Store& store, const std::vector<std::string>& keys) {
  CheckedKeys checked;
  const auto find = [&](const std::string& key, const std::string& what) {
    if (!what.empty()) checked.findings.push_back({key, what});
  };
  for (const auto& key : keys) try {
      const auto result = store.result(key);
      const auto stage = result.description();
      ++checked.stages;
      if (key_of_description(stage) != key)
        find(key, "its key is no commitment to its spec, inputs and versions: one of them was changed");
      const auto kind = stage.value("kind", "");
      if (kind == TasksSpec::kind) find(key, wrong_tasks(stage, result));
      if (kind == Protocol::kind) {
        find(key, wrong_exam(stage, store));
        checked.other_verdicts += !Protocol::read(stage.at("spec")).strict;
      }
    } catch (const DamagedResult&) {
    } catch (const json::exception&) {
      find(key, "its stage.json isn't as docs/interfaces.md says");
    } catch (const contract::ContractError& error) {
      find(key, std::string("its stage.json isn't as docs/interfaces.md says: ") + error.what());
    }
  return checked;
}

}  // namespace trl::interpreter
