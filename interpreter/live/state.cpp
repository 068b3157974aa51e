#include "interpreter/live/state.hpp"

#include "interpreter/schedule/progress_file.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

/// Adds the stages in a process's progress to `into`, by their keys. Then removes their curves and keys from
/// `progress`, since curves are shown elsewhere.
void take_stages(json& progress, RunningStages& into) {
  const auto take = [&](json& stage) {
    if (stage.contains("key")) into[stage["key"].get<std::string>()] = stage;
    stage.erase("curves"), stage.erase("key");
  };
  if (!progress.is_object()) return;
  if (const auto several = progress.find("running"); several != progress.end())
    for (auto& stage : *several) take(stage);
  take(progress);
}

}  // namespace

json running_json(const std::filesystem::path& store, const std::vector<StoreUser>& users) {
  json running = json::array();
  for (const auto& [holder, number] : users) {
    const auto progress = read_progress(store, number, holder.pid);
    running.push_back({{"pid", holder.pid},
                       {"host", holder.host},
                       {"started", holder.since},
                       {"command", holder.command},
                       {"file", text_or_null(holder.detail("file"))},
                       {"name", text_or_null(holder.detail("name"))},
                       {"tags", text_or_null(holder.detail("tags"))},
                       {"progress", progress ? *progress : json()}});
  }
  return running;
}

LiveState::LiveState(const json& document, const std::vector<const Plan*>& plans,
                     const std::filesystem::path& store, std::string file)
    : store_(store), file_(std::move(file)) {
  for (const Plan* plan : plans) studies_.emplace_back(document, *plan, store_);
}

std::map<std::string, json> LiveState::look() {
  running_.clear();
  json processes = json::array();
  if (!ended_) processes = running_json(store_.root(), store_users(store_.root()));
  for (auto& process : processes) take_stages(process["progress"], running_);
  std::map<std::string, json> parts;
  parts["run"] = {
      {"file", file_}, {"processes", std::move(processes)}, {"ended", ended_ ? json(*ended_) : json()}};
  std::size_t number = 0;
  for (auto& study : studies_) {
    study.look();
    for (auto& [name, part] : study.parts(running_))
      parts[std::to_string(number) + " " + name] = std::move(part);
    ++number;
  }
  return parts;
}

}  // namespace trl::interpreter
