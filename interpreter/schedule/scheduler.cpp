#include "interpreter/schedule/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/schedule/forecast.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

/// The folders of inputs that the worker reads itself. Files of results are compared with their digests
/// first.
std::map<std::string, fs::path> input_folders(const Stage& stage, const Plan& plan, const Store& store) {
  std::map<std::string, fs::path> folders;
  for (const auto& [name, key] : stage.inputs) {
    const auto model = plan.models.find(key);
    folders[name] = model != plan.models.end() ? model->second : store.checked_folder(key);
  }
  return folders;
}

json run_here(const Stage& stage, const Plan& plan, const Store& store, const fs::path& output,
              const std::function<bool()>& stop_requested) {
  LocalStage local{stage.spec, {}, output, {}, plan.home, stop_requested};
  for (const auto& [name, key] : stage.inputs)
    if (const auto outside = plan.data.find(key); outside != plan.data.end())
      local.outside.emplace(name, outside->second);
    else
      local.inputs.emplace(name, store.result(key));
  if (local.outside.empty()) return run_local(stage.kind, local);
  try {
    return run_local(stage.kind, local);
  } catch (const UserError& error) {
    if (stop_requested && stop_requested()) throw Interrupted();
    throw StageFailed(error.what(), error.help);
  }
}

/// The remark behind a stage's line of progress: "kept 31, mean reward 0.52".
std::string remark_of(const Stage& stage, const Plan& plan, const json& summary) {
  if (const auto asked = plan.endpoints.find(stage.key); asked != plan.endpoints.end()) {
    auto text =
        fmt::format("{}, {} + {} tokens", counted(summary.value("candidates", std::size_t{0}), "answer"),
                    summary.value("prompt_tokens", 0), summary.value("tokens", 0));
    if (asked->second.price)
      text += fmt::format(", {:.4g} usd", contract::price_of(*asked->second.price, summary));
    std::size_t without_text = 0;
    const auto causes = summary.value("no_text", json::object());
    for (const auto& cause : causes) without_text += cause.get<std::size_t>();
    if (without_text > 0) text += fmt::format(", {} without text", without_text);
    return text;
  }
  if (stage.kind == "select") {
    const auto all = std::to_string(summary.value("candidates", 0));
    auto text = summary.contains("pairs")
                    ? counted(summary["pairs"].get<std::size_t>(), "pair") + " of " + all + " answers"
                    : std::to_string(summary.value("kept", 0)) + " of " + all + " kept";
    for (const auto& [name, words] :
         {std::pair{"mean_reward", ", mean reward "}, {"mean_plan_reward", ", of plans "}})
      if (summary.contains(name) && summary[name].is_number())
        text += fmt::format("{}{:.3f}", words, summary[name].get<double>());
    return text;
  }
  if (const auto absent = summary.value("absent", 0); stage.kind == "generations" && absent > 0)
    return fmt::format("{} of {} answers aren't there", absent, summary.value("candidates", 0));
  if (stage.kind == "imported")
    return fmt::format("{} to {} tasks, {} of them without a result",
                       counted(summary.value("candidates", std::size_t{0}), "answer"),
                       summary.value("tasks", 0), summary.value("absent", 0));
  if (stage.kind == "pairs") {
    std::string text = fmt::format("{} of {} rows", summary.value("pairs", 0), summary.value("rows", 0));
    const auto left_out = summary.value("left_out", json::object());
    for (const auto& [reason, count] : left_out.items())
      text += fmt::format(", {} {}", count.get<int>(), reason);
    return text;
  }
  if (stage.kind == "finetune" && summary.value("loss_first", json()).is_number() &&
      summary.value("loss_last", json()).is_number())
    return fmt::format("loss {:.3f} -> {:.3f}", summary["loss_first"].get<double>(),
                       summary["loss_last"].get<double>());
  if (stage.kind == "draw") {
    std::string text;
    const auto counts = summary.value("counts", json::object());
    for (const auto& [group, count] : counts.items())
      text += (text.empty() ? "" : ", ") + count.dump() + " of " + group;
    return text;
  }
  return {};
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

StageDone run_once(const Stage& stage, const Plan& plan, const Store& store, const fs::path& output,
                   WorkerClient& worker, const WorkerEvents& events,
                   const std::function<bool()>& stop_requested) {
  if (stage.local()) return {run_here(stage, plan, store, output, stop_requested), std::nullopt};
  WorkerRequest request{stage.kind, stage.spec, input_folders(stage, plan, store), output};
  if (contract::keeps_checkpoints(stage.kind))
    request.checkpoint = {store.checkpoint_folder(stage.key), stage.key};
  if (const auto asked = plan.endpoints.find(stage.key); asked != plan.endpoints.end())
    request.endpoint = asked->second.endpoint;
  return worker.run(request, events);
}

/// The mean reward of the round that a stage follows: of the candidates that it trains on, or of those that
/// its adapter was trained on.
std::optional<double> last_reward(const Stage& stage, const Plan& plan, const Store& store) {
  const auto input = [&](const Stage& of, const char* name) {
    const auto found = of.inputs.find(name);
    return found == of.inputs.end() ? nullptr : plan.find(found->second);
  };
  const Stage* const adapter = input(stage, "adapter");
  for (const Stage* samples : {input(stage, "samples"), adapter ? input(*adapter, "samples") : nullptr}) {
    if (!samples || samples->kind != "select" || !store.has(samples->key)) continue;
    try {
      const json summary = store.stage(samples->key).at("summary");
      if (const json reward = summary.value("mean_reward", json()); reward.is_number()) return reward;
    } catch (const std::exception&) {
      // A result that can't be read is reported by those who need it.
    }
  }
  return std::nullopt;
}

/// The file of a result that has what the worker measured at each step, of what is the same whenever it is
/// made.
constexpr const char* metrics_file = "metrics.jsonl";

bool depends_on_the_machine(const std::string& metric) {
  return metric.ends_with("_per_second") || metric.ends_with("_bytes");
}

/// The limit holds even if the crashes differ.
constexpr int most_attempts = 5;

/// Runs a stage and stores its result. A worker that crashes is started again until it has crashed twice by
/// the same cause without getting further.
json carry_out_stage(const Stage& stage, const Plan& plan, StoreWriter& store, WorkerClient& worker,
                     Progress& progress, const std::function<bool()>& stop_requested,
                     const Progress::Clock& clock) {
  std::int64_t furthest = 0;
  std::string
      counted;  // in what a stage counts its parts one after the other: answers that are scored, steps
  std::vector<json> metrics;
  const WorkerEvents events{[&](std::int64_t done, std::int64_t total, const std::string& unit) {
                              if (unit != counted) furthest = 0, counted = unit;
                              furthest = std::max(furthest, done);
                              progress.update(done, total, unit);
                            },
                            [&](const std::string& name, std::int64_t step, double value) {
                              progress.metric(name, value);
                              if (!depends_on_the_machine(name))
                                metrics.push_back({{"name", name}, {"step", step}, {"value", value}});
                            },
                            {},
                            [&](std::int64_t done, std::int64_t total) {
                              metrics.clear();
                              progress.resume(done, total, "steps");
                              store.log("resumed: " + stage.slot + ": step " + std::to_string(done) + " of " +
                                        std::to_string(total));
                            },
                            [&](const std::string& sentence) {
                              progress.say("trl: " + stage.slot + ": " + sentence);
                              store.log("note: " + stage.slot + ": " + sentence);
                            }};
  std::map<std::string, std::int64_t> crashes;  ///< how far the stage had come at each cause of a crash
  for (int attempt = 1;; ++attempt) {
    furthest = 0, metrics.clear();
    const auto made = store.begin(stage);
    try {
      const double begun = clock();
      const auto [summary, made_on] = run_once(stage, plan, store, made, worker, events, stop_requested);
      if (!metrics.empty()) write_json_lines(made / metrics_file, metrics);
      store.commit(stage, made, summary, clock() - begun, made_on);
      return summary;
    } catch (const WorkerCrashed& crash) {
      store.abandon(made);
      store.log_failure("crashed: " + stage.slot + ": " + crash.what());
      const auto [before, first] = crashes.try_emplace(crash.what(), furthest);
      const bool no_further = !first && furthest <= std::exchange(before->second, furthest);
      if (no_further || attempt == most_attempts)
        throw UserError(
            "stage " + stage.slot + " failed " +
                (attempt == 2 ? "twice" : std::to_string(attempt) + " times") + ": " + crash.what() +
                (crash.last_words.empty() ? "" : "\nthe last lines of its log:\n" + crash.last_words),
            joined("The whole log is in " + store.worker_log().string() + ".", room_remark(store.root())));
      progress.say("trl: " + stage.slot + ": " + crash.what() + "; trying again");
    } catch (const StageFailed& failure) {
      store.abandon(made);
      store.log_failure("failed: " + stage.slot + ": " + failure.what());
      throw UserError("stage " + stage.slot + ": " + failure.what(),
                      joined(failure.help, room_remark(store.root())));
    } catch (...) {
      store.abandon(made);
      throw;
    }
  }
}

/// Which of the missing stages comes next.
struct Next {
  std::size_t at = 0;
  std::optional<StageClaim> claim;  ///< this run makes it
  bool made = false;                ///< another run has made it meanwhile
  std::optional<Holder> maker;  ///< the run that makes the first, where others make all that can be made now
};

bool has_inputs(const Stage& stage, const Plan& plan, const Store& store) {
  return std::all_of(stage.inputs.begin(), stage.inputs.end(), [&](const auto& input) {
    return plan.models.contains(input.second) || plan.data.contains(input.second) || store.has(input.second);
  });
}

Next next_of(const std::vector<const Stage*>& missing, const Plan& plan, StoreWriter& store) {
  Next next;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const Stage& stage = *missing[i];
    if (store.has(stage.key)) return {i, {}, true, {}};
    if (!has_inputs(stage, plan, store)) continue;
    if (auto claim = store.claim(stage)) return {i, std::move(claim), store.has(stage.key), {}};
    if (!next.maker) next.at = i, next.maker = store.maker(stage.key).value_or(Holder());
  }
  return next;
}

constexpr auto between_looks = std::chrono::milliseconds(100);

}  // namespace

PlanStatus plan_status(const Plan& plan, const Store& store) {
  PlanStatus status;
  status.total = static_cast<int>(plan.stages.size());
  for (const auto& stage : plan.stages)
    if (store.has(stage.key))
      ++status.done;
    else
      status.missing.push_back(&stage);
  return status;
}

std::vector<DamagedStage> damaged_stages(const Plan& plan, const Store& store, Check check) {
  std::vector<DamagedStage> damaged;
  for (const auto& stage : plan.stages)
    if (auto how = store.damage(stage.key, check)) damaged.push_back({&stage, std::move(*how)});
  return damaged;
}

ScheduleResult carry_out(const Plan& plan, StoreWriter& store, WorkerClient& worker, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock) {
  ScheduleResult result;
  auto [done, total, missing] = plan_status(plan, store);
  Forecast forecast(plan, store);
  while (!missing.empty()) {
    if (stop_requested()) throw Interrupted();
    const auto next = next_of(missing, plan, store);
    const int number = total - static_cast<int>(missing.size()) + 1;
    const Stage* const stage = missing[next.at];
    if (!next.claim && !next.made) {
      // Where nobody makes anything, an input that another run had put aside is missing again.
      if (next.maker)
        progress.wait(number, total, stage->slot, holder_text(*next.maker));
      else
        missing = plan_status(plan, store).missing;
      std::this_thread::sleep_for(between_looks);
      continue;
    }
    if (next.made) {
      progress.pass(number, total, stage->slot);
    } else {
      progress.begin(number, total, stage->slot, forecast.seconds(missing));
      if (const auto reward = last_reward(*stage, plan, store)) progress.metric("reward", *reward);
      store.log("began: " + stage->slot);
      const double begun = clock();
      const auto summary = carry_out_stage(*stage, plan, store, worker, progress, stop_requested, clock);
      forecast.add(*stage, clock() - begun);
      store.log("finished: " + stage->slot);
      progress.finish(remark_of(*stage, plan, summary));
      ++result.executed;
    }
    std::erase(missing, stage);
  }
  return result;
}

}  // namespace trl::interpreter
