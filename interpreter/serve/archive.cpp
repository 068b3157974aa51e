#include "interpreter/serve/archive.hpp"

#include <utility>

#include "base/contract/form.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/served.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/candidate.hpp"

namespace trl::interpreter {
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_rows = 512, most_bytes = std::size_t{32} << 20;
constexpr std::chrono::seconds most_age{5};

}  // namespace

/// A pair of stages that isn't stored yet, with the texts of its files.
struct Archive::Part {
  Stage served, verify;
  std::string candidates, verdicts, plans;
  std::size_t rows = 0;
  std::map<std::size_t, std::int64_t> samples;  // answers to each task so far
  double seconds = 0;
  json made_on;
  Clock::time_point begun = Clock::now();

  std::size_t bytes() const { return candidates.size() + verdicts.size() + plans.size(); }
};

Archive::Archive(StoreWriter& store, const std::vector<json>& tasks,
                 std::map<std::string, contract::Protocol> protocols,
                 std::function<void(const std::string&)> failed)
    : store_(store),
      protocols_(std::move(protocols)),
      failed_(std::move(failed)),
      tasks_(tasks),
      session_(random_secret().substr(0, 16)) {
  store_tasks(tasks);
  thread_ = std::thread([this] { store_parts(); });
}

Archive::~Archive() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Archive::store_tasks(const std::vector<json>& tasks) {
  contract::TasksSpec spec;
  for (const json& task : tasks) spec.tasks.push_back(contract::Task::read(task).undocumented());
  const Stage stage = make_stage(contract::TasksSpec::kind, spec.write(), {}, "served/tasks");
  tasks_key_ = stage.key;
  const auto claim = store_.claim(stage);
  if (!claim || store_.has(stage.key)) return;
  const auto made = store_.begin(stage);
  write_text(made / "tasks.json", contract::written(spec.tasks).dump());
  store_.commit(stage, made, {{"tasks", tasks.size()}}, 0);
}

std::string Archive::add(const std::string& protocol, ServedVerdict verdict) {
  const std::lock_guard lock(mutex_);
  auto& part = open_[protocol];
  if (!part) {
    part = std::make_shared<Part>();
    const std::int64_t number = ++parts_[protocol];
    const std::string slot = "served/" + protocol + "/" + std::to_string(number);
    part->served =
        make_stage(contract::ServedSpec::kind, contract::ServedSpec{session_, protocol, number}.write(),
                   {{"tasks", tasks_key_}}, slot + "/answers");
    part->verify = make_stage(contract::Protocol::kind, protocols_.at(protocol).write(),
                              {{"candidates", part->served.key}, {"tasks", tasks_key_}}, slot + "/verify");
    changed_.notify_one();
  }
  contract::Candidate candidate;
  const json& task = tasks_.at(verdict.task);
  candidate.task = verdict.task, candidate.name = task.at("name"), candidate.group = task.at("suite");
  candidate.sample = part->samples[verdict.task]++;
  candidate.prompt = std::move(verdict.prompt), candidate.answer = std::move(verdict.answer);
  candidate.tokens = verdict.tokens, candidate.finish = "stop";
  part->candidates += dumped(candidate.write()) + "\n";
  json row = std::move(verdict.row);
  if (row.contains("made_on")) part->made_on = row["made_on"];
  for (const char* name : {"stages", "budget", "made_on"}) row.erase(name);
  row["task"] = candidate.task, row["sample"] = candidate.sample;
  part->verdicts += dumped(row) + "\n";
  if (protocols_.at(protocol).strict) {
    // A verdict without a plan, such as a timeout by a client's deadline, can't be repeated by anybody.
    if (!verdict.plan.is_object()) verdict.plan = {{"omitted", 1}};
    verdict.plan["rows"] = json::array({part->rows}), verdict.plan["task"] = candidate.task;
    part->plans += dumped(verdict.plan) + "\n";
  }
  const std::string id = candidate_id(part->served.key, part->rows++);
  if (part->rows >= most_rows || part->bytes() >= most_bytes) {
    full_.push_back(std::move(part));
    open_.erase(protocol);
    changed_.notify_one();
  }
  return id;
}

void Archive::store_parts() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto now = Clock::now();
    auto next = now + std::chrono::hours(1);
    for (auto one = open_.begin(); one != open_.end();) {
      if (ending_ || one->second->begun + most_age <= now) {
        full_.push_back(std::move(one->second));
        one = open_.erase(one);
      } else {
        next = std::min(next, one->second->begun + most_age);
        ++one;
      }
    }
    if (full_.empty()) {
      if (ending_) return;
      changed_.wait_until(lock, next);
      continue;
    }
    const auto part = std::move(full_.front());
    full_.pop_front();
    lock.unlock();
    try {
      store(*part);
    } catch (const std::exception& error) {
      failed_(error.what());
    }
    lock.lock();
  }
}

void Archive::store(const Part& part) {
  const auto commit = [&](const Stage& stage, const auto& write) {
    const auto claim = store_.claim(stage);
    if (!claim) throw UserError("another process stores " + stage.slot);
    const auto made = store_.begin(stage);
    try {
      write(made);
      std::optional<contract::MadeOn> made_on;
      if (stage.key == part.verify.key && part.made_on.is_object())
        made_on = contract::MadeOn::read(part.made_on);
      store_.commit(stage, made, {{"candidates", part.rows}, {"seconds", part.seconds}}, part.seconds,
                    made_on);
    } catch (...) {
      store_.abandon(made);
      throw;
    }
  };
  commit(part.served,
         [&](const std::filesystem::path& made) { write_text(made / "candidates.jsonl", part.candidates); });
  commit(part.verify, [&](const std::filesystem::path& made) {
    write_text(made / "verdicts.jsonl", part.verdicts);
    if (!part.plans.empty()) write_text(made / "plans.jsonl", part.plans);
  });
}

}  // namespace trl::interpreter
