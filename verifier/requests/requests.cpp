#include "verifier/requests/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/stage/cancelled.hpp"
#include "base/stage/spec.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "verifier/answer/source.hpp"
#include "verifier/assess/assessment.hpp"
#include "verifier/examination/verify.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/requests/export_kernel.hpp"
#include "verifier/service/row.hpp"
#include "verifier/stage/published_plan.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

void answer(const json& row) {
  fmt::print("{}\n", dumped(row));
  std::fflush(stdout);
}

/// Returns the verdict on a request's answer, or on the answer of one of its candidates.
Examined examined_of(const json& asked, const Task& task, const Protocol& protocol, const std::string& secret,
                     Verifier& verifier, const std::function<bool()>& cancelled = {}) {
  verifier.set_own_modules(field_or(asked, "own", false));
  return verifier.examine(task, field<std::string>(asked, "answer"), protocol, secret, cancelled);
}

/// Writes the rows of a batch. If the verification of one candidate fails, its row says so, since the
/// candidate's task may be one that can't be judged. If every verification fails, the machine is to blame,
/// and the first failure is thrown. Several threads may use this object.
class BatchRows {
 public:
  explicit BatchRows(Machine& machine) : machine_(machine) {}

  void judged(std::size_t number, json row) {
    const std::lock_guard lock(mutex_);
    any_ = true;
    write(number, std::move(row));
    for (const auto& [failed, why] : std::exchange(held_, {})) write(failed, unjudged_row(why, machine_));
  }

  /// Called while the failure is handled.
  void failed(std::size_t number, const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (any_) return write(number, unjudged_row(why, machine_));
    if (!first_) first_ = std::current_exception();
    held_.emplace_back(number, why);
  }

  void finish() const {
    if (!held_.empty()) std::rethrow_exception(first_);
  }

 private:
  static void write(std::size_t number, json row) {
    row["number"] = number;
    answer(row);
  }

  Machine& machine_;
  std::mutex mutex_;
  bool any_ = false;                                       // whether a candidate has a verdict
  std::vector<std::pair<std::size_t, std::string>> held_;  // failures before the first verdict
  std::exception_ptr first_;
};

/// Carries out pieces of work 0 to `count` - 1 in their order on as many threads as the request's `slots`.
/// Each thread calls `worker` once, which returns the function that carries out one piece. The first
/// exception ends all.
class Slots {
 public:
  Slots(const json& request, std::size_t count)
      : count_(count),
        slots_(std::clamp<std::size_t>(field_or<std::size_t>(request, "slots", 1), 1,
                                       std::max<std::size_t>(count, 1))) {}
  std::size_t count() const { return slots_; }
  bool stopped() const { return stop_; }

  void carry_out(const std::function<std::function<void(std::size_t)>()>& worker) {
    const auto work = [&] {
      try {
        const auto one = worker();
        for (std::size_t at = next_++; at < count_ && !stop_; at = next_++) one(at);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!stop_.exchange(true)) failure_ = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < slots_; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }
  void answer(const json& row) {
    const std::lock_guard lock(mutex_);
    runtime::answer(row);
  }

 private:
  std::size_t count_, slots_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // protects standard output and the first failure
  std::exception_ptr failure_;
};

// Several worker slots, each with its own processes, take the candidates in order.
void examine_all(const json& request, const Protocol& protocol, const Installation& installation,
                 const std::shared_ptr<ExclusiveGpu>& gpu) {
  const json candidates = field<json>(request, "candidates");
  const auto secret = field<std::string>(request, "secret");
  const bool sandbox = field<bool>(request, "sandbox");
  const auto compiled = std::make_shared<CompiledKernels>();
  Slots slots(request, candidates.size());
  Machine machine(installation, gpu, static_cast<int>(slots.count()));
  BatchRows rows(machine);
  slots.carry_out([&] {
    return [&, verifier = std::shared_ptr<Verifier>()](std::size_t at) mutable {
      if (!verifier) {
        verifier = std::make_shared<Verifier>(installation, sandbox, compiled);
        if (gpu) verifier->set_gpu(gpu);
        verifier->launch();
      }
      try {
        const Task task = Task::parse(field<json>(candidates[at], "task"));
        rows.judged(at, row_of(examined_of(candidates[at], task, protocol, secret, *verifier,
                                           [&] { return slots.stopped(); }),
                               machine));
        return;
      } catch (const Cancelled&) {
        throw;
      } catch (const UserError& error) {
        rows.failed(at, error.help.empty() ? error.what() : fmt::format("{}; {}", error.what(), error.help));
      } catch (const std::exception& error) {
        rows.failed(at, error.what());
      }
      // A process may still answer about the candidate that failed, so the next candidate gets new processes.
      verifier.reset();
    };
  });
  rows.finish();
}

void examine(const json& request, const Protocol& protocol, Verifier& verifier, Machine& machine) {
  verifier.launch();
  const Task task = Task::parse(field<json>(request, "task"));
  const Examined examined =
      examined_of(request, task, protocol, field<std::string>(request, "secret"), verifier);
  json row = row_of(examined, machine);
  if (request.contains("export") && examined.verdict.correct) {
    const json wanted = request["export"];
    row["exported"] = export_kernel(field<std::string>(wanted, "folder"), field<std::string>(wanted, "name"),
                                    task, examined.recording, verifier.compiler());
  }
  answer(row);
}

json examine_again(const json& row, const Task& task, const Protocol& protocol, const std::string& secret,
                   Verifier& verifier) {
  const PublishedPlan plan = read_published(row);
  if (plan.omitted > 0) return {{"omitted", plan.omitted}};
  const Examined examined = verifier.examine_recorded(task, plan.recorded, protocol, secret);
  // Inputs are drawn from the commitment, so with another plan the candidate would have had other inputs.
  if (examined.commitment != plan.commitment) return {{"forged", true}};
  return {{"verdict", examined.verdict.to_json()}, {"planned", plan.recorded["ok"]}};
}

void examine_plans(const json& request, const Protocol& protocol, Verifier& verifier) {
  const auto secret = field<std::string>(request, "secret");
  std::vector<Task> tasks;
  for (const json& task : read_json(field<std::string>(request, "tasks"))) tasks.push_back(Task::parse(task));
  for_each_row(field<std::string>(request, "plans"), [&](const json& row) {
    const auto number = field<std::size_t>(row, "task");
    if (number >= tasks.size()) throw UserError("plans.jsonl names a task that tasks.json lacks");
    json result = examine_again(row, tasks[number], protocol, secret, verifier);
    result["rows"] = field<json>(row, "rows");
    result["task"] = number;
    answer(result);
  });
}

// Finds on several threads what the variations of each task prove. No candidate is needed, and so neither
// sandbox nor Python. In the answer to a brief request, a task gets no details if the variations refuse
// every trivial answer to it.
void assess_tasks(const json& request) {
  const auto precision = parse_precision(field_or<std::string>(request, "precision", "task"));
  const bool brief = field_or(request, "brief", false);
  std::vector<Variation> variations;
  for (const json& variation : field<json>(request, "variations"))
    variations.push_back(Variation::parse(variation));
  const json tasks = field<json>(request, "tasks");
  const auto assessed = [&](const Task& task) -> json {
    if (tasks::judged_by_module(task)) return {{"unknown", "its module alone computes its values"}};
    if (too_large_to_assess(task)) return {{"unknown", "too large for some hundred evaluations"}};
    if (brief && passing_answer(task, variations, precision).empty()) return Assessment().to_json();
    return assess(task, variations, precision).to_json();
  };
  Slots slots(request, tasks.size());
  slots.carry_out([&] {
    return [&](std::size_t at) {
      const Task task = Task::parse(tasks[at]);
      json row = assessed(task);
      row["task"] = at;
      row["key"] = task.key;
      slots.answer(row);
    };
  });
}

// Writes the programs of answers, extracted as verification extracts them.
void extract_sources(const json& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Source source = extract_source(answers[i].get<std::string>());
    const std::size_t begin = std::min(source.text.find_first_not_of('\n'), source.text.size());
    answer({{"number", i},
            {"text", source.text.substr(begin)},
            {"language", source.language == Source::Language::cuda ? "cuda" : "python"}});
  }
}

// Writes the prompts of tasks as a model gets them.
void write_prompts(const json& request) {
  const auto language = kernel_language(field_or<std::string>(request, "language", "triton"));
  const json tasks = field<json>(request, "tasks");
  for (std::size_t i = 0; i < tasks.size(); ++i)
    answer({{"number", i}, {"text", prompt(Task::parse(tasks[i]), language)}});
}

}  // namespace

int carry_out_request() {
  const json request = json::parse(std::cin, nullptr, false);
  if (!request.is_object()) throw UserError("standard input holds no request");
  if (request.contains("assess")) {
    assess_tasks(request["assess"]);
    return 0;
  }
  if (request.contains("extract")) {
    extract_sources(request["extract"]);
    return 0;
  }
  if (request.contains("prompts")) {
    write_prompts(request["prompts"]);
    return 0;
  }
  Protocol protocol = Protocol::parse(field<json>(request, "spec"));
  // Any machine can judge values. Measured times belong to one machine, so they are only measured again if
  // the request says so.
  const bool measured = field_or(request, "measured", false);
  if (!measured) protocol.timing.reset();
  if (measured && !protocol.timing) protocol.timing = TimingProtocol{};
  const Installation installation = find_installation();
  const auto gpu = measured ? std::make_shared<ExclusiveGpu>(installation) : nullptr;
  if (request.contains("candidates")) {
    examine_all(request, protocol, installation, gpu);
    return 0;
  }
  Verifier verifier(installation, field<bool>(request, "sandbox"));
  if (gpu) verifier.set_gpu(gpu);
  if (request.contains("plans")) {
    examine_plans(request, protocol, verifier);
    return 0;
  }
  Machine machine(installation, gpu, 1);
  examine(request, protocol, verifier, machine);
  return 0;
}

}  // namespace trl::runtime
