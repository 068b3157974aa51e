#include "interpreter/schedule/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/schedule/dispatch.hpp"
#include "interpreter/schedule/forecast.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

/// Returns the folders of inputs that the worker reads itself. Files of stored results are first compared
/// with their digests.
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

/// The objects that all stages of a run share.
struct Run {
  const Plan& plan;
  StoreWriter& store;
  Seats& seats;
  Progress& progress;
  const std::function<bool()>& stop_requested;
  const Progress::Clock& clock;
};

/// A stage that runs.
struct Running {
  const Stage& stage;
  int number;                      ///< its number for the user
  std::vector<std::size_t> seats;  ///< the seats that it has taken
  std::optional<StageClaim> claim;
  double begun = 0, seconds = 0;  ///< when the stage began; after its end, its time on one seat
  std::exception_ptr failure;
  std::thread thread;  ///< none in a run with one seat

  Running(const Stage& what, int its_number, std::vector<std::size_t> taken, std::optional<StageClaim> right)
      : stage(what), number(its_number), seats(std::move(taken)), claim(std::move(right)) {}
};

StageDone run_once(const Run& run, const Running& running, const fs::path& output,
                   const WorkerEvents& events) {
  const Stage& stage = running.stage;
  const Plan& plan = run.plan;
  const Store& store = run.store;
  if (stage.local()) return {run_here(stage, plan, store, output, run.stop_requested), std::nullopt};
  WorkerRequest request{stage.kind, stage.spec, input_folders(stage, plan, store), output};
  if (contract::keeps_checkpoints(stage.kind))
    request.checkpoint = {store.checkpoint_folder(stage.key), stage.key};
  if (const auto asked = plan.endpoints.find(stage.key); asked != plan.endpoints.end())
    request.endpoint = asked->second.endpoint;
  return run.seats.run(running.seats, request, events);
}

/// Returns the last mean reward before a stage's own work: of the candidates on which it trains or, without
/// such, of the candidates on which its adapter was trained.
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
      // The stages that need this result will report why it can't be read.
    }
  }
  return std::nullopt;
}

/// The file in which a result has the worker's measurements at each step, as far as they don't change when
/// the result is made again.
constexpr const char* metrics_file = "metrics.jsonl";

bool depends_on_the_machine(const std::string& metric) {
  return metric.ends_with("_per_second") || metric.ends_with("_bytes");
}

/// The limit holds even if each crash has another cause.
constexpr int most_attempts = 5;
/// The number of machines of a cluster that a stage may lose, one after another, without making progress.
constexpr int most_lost = 20;

/// Runs a stage and stores its result. A crashed worker is started again, until it has crashed twice for the
/// same cause without progress.
json carry_out_stage(const Run& run, const Running& running) {
  const Stage& stage = running.stage;
  StoreWriter& store = run.store;
  Progress& progress = run.progress;
  const int number = running.number;
  std::int64_t furthest = 0;
  std::string
      counted;  // the unit in which a stage counts its parts one after the other: scored answers, steps
  std::vector<json> metrics;
  // Metrics and curves must come from one attempt only, whatever step a new attempt reports first.
  const auto forget_metrics = [&] { metrics.clear(), progress.forget_metrics(number); };
  const WorkerEvents events{[&](std::int64_t done, std::int64_t total, const std::string& unit) {
                              if (unit != counted) furthest = 0, counted = unit;
                              furthest = std::max(furthest, done);
                              progress.update(done, total, unit, number);
                            },
                            [&](const std::string& name, std::int64_t step, double value) {
                              progress.metric(name, value, number, step);
                              if (!depends_on_the_machine(name))
                                metrics.push_back({{"name", name}, {"step", step}, {"value", value}});
                            },
                            {},
                            [&](std::int64_t done, std::int64_t total) {
                              forget_metrics();
                              progress.resume(done, total, "steps", number);
                              store.log("resumed: " + stage.slot + ": step " + std::to_string(done) + " of " +
                                        std::to_string(total));
                            },
                            [&](const std::string& where) {
                              if (running.seats.size() == 1) progress.place(where, number);
                            },
                            [&](const std::string& sentence) {
                              progress.say("trl: " + stage.slot + ": " + sentence);
                              store.log("note: " + stage.slot + ": " + sentence);
                            }};
  std::map<std::string, std::int64_t> crashes;  ///< how far the stage had come at each cause of a crash
  std::int64_t before_loss = 0;
  int lost = 0;
  for (int attempt = 1;; ++attempt) {
    furthest = 0, forget_metrics();
    const auto made = store.begin(stage);
    try {
      const double begun = run.clock();
      auto [summary, made_on] = run_once(run, running, made, events);
      // The seconds of all GPUs of a group are added up, so that costs are comparable whatever else ran.
      const double share = static_cast<double>(running.seats.size());
      if (running.seats.size() > 1 && summary.value("seconds", json()).is_number())
        summary["seconds"] = summary["seconds"].get<double>() * share;
      if (!metrics.empty()) write_json_lines(made / metrics_file, metrics);
      store.commit(stage, made, summary, (run.clock() - begun) * share, made_on);
      return summary;
    } catch (const WorkerCrashed& crash) {
      store.abandon(made);
      store.log_failure("crashed: " + stage.slot + ": " + crash.what());
      if (crash.lost) {
        if (furthest > std::exchange(before_loss, std::max(before_loss, furthest))) lost = 0;
        if (lost++ < most_lost) {
          --attempt;
          progress.say("trl: " + stage.slot + ": " + crash.what() + "; trying again");
          continue;
        }
      }
      const auto [before, first] = crashes.try_emplace(crash.cause, furthest);
      const bool no_further = !first && furthest <= std::exchange(before->second, furthest);
      if (no_further || attempt == most_attempts)
        throw UserError(
            "stage " + stage.slot + " failed " +
                (attempt == 2 ? "twice" : std::to_string(attempt) + " times") + ": " + crash.what() +
                (crash.last_words.empty() ? "" : "\nthe last lines of its log:\n" + crash.last_words),
            joined(
                "The whole log is in " + (crash.log.empty() ? store.worker_log() : crash.log).string() + ".",
                room_remark(store.root())));
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

/// Carries a stage out, from its first line of progress to its last.
void carry_out_begun(const Run& run, Running& running) {
  const Stage& stage = running.stage;
  if (const auto reward = last_reward(stage, run.plan, run.store))
    run.progress.metric("reward", *reward, running.number);
  run.store.log("began: " + stage.slot);
  const double begun = run.clock();
  const auto summary = carry_out_stage(run, running);
  running.seconds = (run.clock() - begun) * static_cast<double>(running.seats.size());
  run.store.log("finished: " + stage.slot);
  run.progress.finish(remark_of(stage, run.plan, summary), running.number);
}

bool has_inputs(const Stage& stage, const Plan& plan, const Store& store) {
  return std::all_of(stage.inputs.begin(), stage.inputs.end(), [&](const auto& input) {
    return plan.models.contains(input.second) || plan.data.contains(input.second) || store.has(input.second);
  });
}

constexpr auto between_looks = std::chrono::milliseconds(100);
/// After this many looks for finished stages, the scheduler also looks for stages that can begin, since
/// another run may have made their inputs.
constexpr int looks_between = 10;

/// Returns a function that gives a stage's seconds by the forecast. A stage without a forecast has the mean
/// of the others, or 1 if there are none; a local one has 0.
StageSeconds by_forecast(const Forecast& forecast, std::span<const Stage* const> stages) {
  double sum = 0;
  int known = 0;
  for (const Stage* stage : stages)
    if (const auto one = forecast.seconds(*stage)) sum += *one, ++known;
  return [&forecast, unknown = known > 0 ? sum / known : 1](const Stage& stage, std::size_t seats) {
    return forecast.seconds(stage).value_or(stage.local() ? 0 : unknown) / group_speedup(seats);
  };
}

/// Carries out the missing stages of a plan.
class Schedule {
 public:
  Schedule(const Plan& plan, StoreWriter& store, Seats& seats, Progress& progress,
           const std::function<bool()>& stop_requested, const Progress::Clock& clock)
      : stop_([this, &stop_requested] { return cancelled_ || stop_requested(); }),
        run_{plan, store, seats, progress, stop_, clock},
        forecast_(plan, store),
        free_(seats.all(), plan) {
    auto status = plan_status(plan, store);
    total_ = status.total, missing_ = std::move(status.missing);
  }
  ~Schedule() {
    // Threads are left only if this thread ends by an error.
    for (auto& running : running_) {
      if (!running.thread.joinable()) continue;
      cancel();
      running.thread.join();
    }
  }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  ScheduleResult carry_out() {
    while (true) {
      collect();
      if (running_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        if (missing_.empty()) return result_;
      }
      const bool stops = failure_ != nullptr || (!missing_.empty() && run_.stop_requested());
      if (!stops && look() && begin_next()) continue;
      if (!running_.empty()) {
        await();
      } else if (stops) {
        throw Interrupted();
      } else {
        // If no other run makes anything, another run may have put an input aside as damaged; then its stage
        // is missing again.
        if (maker_)
          run_.progress.wait(number(), total_, others_->slot, holder_text(*maker_));
        else
          missing_ = plan_status(run_.plan, run_.store).missing;
        std::this_thread::sleep_for(between_looks);
      }
    }
  }

 private:
  /// The number of the stage that begins next.
  int number() const { return total_ - static_cast<int>(missing_.size()) + 1; }

  /// Whether it is time to look which stages could begin.
  bool look() { return running_.empty() || maker_ || looks_++ % looks_between == 0; }

  /// Begins the next stage for which there are seats, or skips a stage that another run has made. Returns
  /// whether there was one.
  bool begin_next() {
    auto [ready, left] = ready_stages();
    maker_.reset();
    for (const Stage* stage : ready) {
      if (run_.store.has(stage->key)) return pass(*stage);
      if (!has_inputs(*stage, run_.plan, run_.store)) continue;
      auto& others = left[free_.need(*stage)];
      auto seats = free_.take(*stage, others);
      if (!seats) continue;
      auto claim = run_.store.claim(*stage);
      if (claim && !run_.store.has(stage->key)) {
        begin(*stage, std::move(*seats), std::move(claim));
        return true;
      }
      free_.give_back(*seats);
      if (claim) return pass(*stage);
      others -= others > 1;
      if (!maker_) others_ = stage, maker_ = run_.store.maker(stage->key).value_or(Holder());
    }
    return false;
  }

  /// Returns the stages that can begin, in the order in which they should, and how many of them need each
  /// resource. With one seat these are all missing stages, since the first one with its inputs begins.
  std::pair<std::vector<const Stage*>, std::map<Need, std::size_t>> ready_stages() const {
    std::pair<std::vector<const Stage*>, std::map<Need, std::size_t>> out;
    auto& [ready, wanting] = out;
    ready = missing_;
    if (free_.single()) return out;
    std::erase_if(ready, [&](const Stage* stage) {
      return !run_.store.has(stage->key) && !has_inputs(*stage, run_.plan, run_.store);
    });
    for (const Stage* stage : ready) ++wanting[free_.need(*stage)];
    sort_by_path(ready, remaining_paths(missing_, by_forecast(forecast_, missing_)));
    return out;
  }

  bool pass(const Stage& stage) {
    run_.progress.pass(number(), total_, stage.slot);
    std::erase(missing_, &stage);
    looks_ = 0;
    return true;
  }

  void begin(const Stage& stage, std::vector<std::size_t> seats, std::optional<StageClaim> claim) {
    std::optional<std::string> where;
    if (!free_.single()) where = seats_text(run_.seats.all(), seats);
    const int number = this->number();
    run_.progress.begin(number, total_, stage.slot, seconds_left(), where, stage.key);
    std::erase(missing_, &stage);
    looks_ = 0;
    auto& running = running_.emplace_back(stage, number, std::move(seats), std::move(claim));
    if (free_.single()) {
      carry_out_begun(run_, running);
      return end(running);
    }
    running.begun = run_.clock();
    running.thread = std::thread([this, &running] {
      try {
        carry_out_begun(run_, running);
      } catch (...) {
        running.failure = std::current_exception();
        run_.progress.leave(running.number);
      }
      running.claim.reset();
      const std::lock_guard lock(mutex_);
      ended_.push_back(&running);
      changed_.notify_one();
    });
  }

  void await() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, between_looks, [this] { return !ended_.empty(); });
  }

  /// Removes the stages that have ended, and records how they ended.
  void collect() {
    std::vector<Running*> ended;
    {
      const std::lock_guard lock(mutex_);
      ended.swap(ended_);
    }
    for (Running* running : ended) {
      running->thread.join();
      if (running->failure) fail(running->failure);
      end(*running);
    }
  }

  void end(Running& running) {
    looks_ = 0;
    free_.give_back(running.seats);
    if (!running.failure) forecast_.add(running.stage, running.seconds), ++result_.executed;
    running_.remove_if([&](const Running& one) { return &one == &running; });
  }

  /// Records a failure, which ends the run. If an input is damaged, the other running stages continue to
  /// their ends, since their results are useful; any other failure cancels them.
  void fail(const std::exception_ptr& failure) {
    const auto damage_alone = [](const std::exception_ptr& what) {
      try {
        std::rethrow_exception(what);
      } catch (const DamagedResult&) {
        return true;
      } catch (...) {
        return false;
      }
    };
    const bool damage = damage_alone(failure);
    if (!failure_ || (!damage && damage_alone(failure_))) failure_ = failure;
    if (!damage) cancel();
  }

  void cancel() {
    cancelled_ = true;
    run_.seats.cancel();
  }

  /// The forecast of the seconds until the run ends, with the stage that begins now.
  std::optional<double> seconds_left() const {
    std::vector<const Stage*> stages;
    std::map<std::string, double> past;
    for (const auto& running : running_) {
      stages.push_back(&running.stage);
      past[running.stage.key] = run_.clock() - running.begun;
    }
    stages.insert(stages.end(), missing_.begin(), missing_.end());
    return seconds_on(run_.seats, run_.plan, forecast_, stages, past);
  }

  std::function<bool()> stop_;
  Run run_;
  Forecast forecast_;
  FreeSeats free_;
  ScheduleResult result_;
  int total_ = 0, looks_ = 0;
  std::vector<const Stage*> missing_;  ///< stages that haven't begun
  std::list<Running> running_;
  std::atomic<bool> cancelled_ = false;
  std::exception_ptr failure_;
  /// The first stage that could begin but that another run is making, and this other run.
  const Stage* others_ = nullptr;
  std::optional<Holder> maker_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Running*> ended_;
};

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

std::optional<double> seconds_on(const Seats& seats, const Plan& plan, const Forecast& forecast,
                                 std::span<const Stage* const> stages,
                                 const std::map<std::string, double>& past) {
  const auto one_after_another = forecast.seconds(stages);
  if (seats.all().size() == 1 || !one_after_another) return one_after_another;
  const auto seconds = by_forecast(forecast, stages);
  const auto left = [&](const Stage& stage, std::size_t count) {
    const auto begun = past.find(stage.key);
    return std::max(0.0, seconds(stage, count) - (begun == past.end() ? 0 : begun->second));
  };
  return simulate(plan, stages, seats.all(), left).seconds;
}

ScheduleResult carry_out(const Plan& plan, StoreWriter& store, Seats& seats, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock) {
  return Schedule(plan, store, seats, progress, stop_requested, clock).carry_out();
}

}  // namespace trl::interpreter
