#include "language/elaboration/prepared.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace trl::language {

const PreparedTask* prepared_task(std::string_view file, std::size_t at) {
  const auto tasks = prepared_tasks();
  const auto place = std::tuple(file, at);
  const auto task = std::lower_bound(tasks.begin(), tasks.end(), place, [](const auto& one, const auto& key) {
    return std::tuple(one.file, one.at) < key;
  });
  return task != tasks.end() && std::tuple(task->file, task->at) == place ? &*task : nullptr;
}

const nlohmann::json& lowered_form(const PreparedTask& task) {
  static std::mutex mutex;
  static std::vector<nlohmann::json> forms(prepared_tasks().size());
  const std::lock_guard guard(mutex);
  nlohmann::json& form = forms.at(static_cast<std::size_t>(&task - prepared_tasks().data()));
  if (form.is_null()) form = nlohmann::json::parse(task.lowered);
  return form;
}

const trl::tasks::Task& typed_form(const PreparedTask& task) {
  static std::mutex mutex;
  static std::vector<std::optional<trl::tasks::Task>> forms(prepared_tasks().size());
  const nlohmann::json& lowered = lowered_form(task);
  const std::lock_guard guard(mutex);
  auto& form = forms.at(static_cast<std::size_t>(&task - prepared_tasks().data()));
  if (!form) form = trl::tasks::Task::parse(lowered);
  return *form;
}

std::uint32_t function_number(std::string_view overlap_key) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(overlap_key));
}

}  // namespace trl::language
