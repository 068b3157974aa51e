// The stage `verify`: it reads candidates.jsonl and tasks.json, and writes verdicts.jsonl and, for an exam,
// plans.jsonl (docs/interfaces.md, 3).
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/contract/no_text.hpp"
#include "base/contract/reasons.hpp"
#include "base/contract/rows.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "verifier/answer/fences.hpp"
#include "verifier/answer/source.hpp"
#include "verifier/examination/made_on.hpp"
#include "verifier/examination/verify.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/stage/known_verdicts.hpp"
#include "verifier/stage/published_plan.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

struct Candidate {
  std::size_t task = 0;
  std::int64_t sample = 0;
  std::string answer;
  std::string unjudged = {};  // why there is nothing to judge; empty: the answer is judged
  Source source = {};
  // The index of the first candidate with this task and this source; this candidate's own index if there is
  // none before it.
  std::size_t same_as = 0;
};

std::vector<Task> read_tasks(const std::filesystem::path& folder) {
  std::vector<Task> tasks;
  for (const json& task : read_json(folder / "tasks.json")) tasks.push_back(Task::parse(task));
  return tasks;
}

// Takes the text to judge from a row of candidates.jsonl: the answer; or its reasoning's last code block, if
// the protocol says so; or nothing if a server's reply had no text and the model isn't to blame.
void take_text(const contract::Candidate& row, bool judge_reasoning, Candidate& candidate) {
  using contract::NoText;
  candidate.answer = row.answer;
  if (!row.no_text || contract::is_models_own(*row.no_text)) return;
  if (*row.no_text == NoText::reasoning && judge_reasoning) {
    // Only a block of the reasoning counts as a program, whatever the rest of the reasoning looks like.
    if (!answers::find_fences(row.reasoning).empty()) candidate.answer = row.reasoning;
  } else {
    candidate.unjudged = "the server's reply has no text: " + contract::said(*row.no_text);
  }
}

std::vector<Candidate> read_candidates(const std::filesystem::path& folder, std::size_t tasks,
                                       bool judge_reasoning) {
  std::vector<Candidate> candidates;
  std::map<std::pair<std::size_t, Source>, std::size_t> first;
  for_each_as<contract::Candidate>(folder / "candidates.jsonl", [&](const contract::Candidate& row) {
    Candidate candidate{row.task, row.sample, ""};
    take_text(row, judge_reasoning, candidate);
    if (candidate.task >= tasks) throw UserError("candidates.jsonl names a task that tasks.json lacks");
    // An answer that is too long is refused, whatever source it contains, so its verdict can't be shared with
    // other answers that contain this source.
    candidate.source = candidate.answer.size() > most_answer_bytes ? Source{candidate.answer}
                                                                   : extract_source(candidate.answer);
    candidate.source.cut_off = row.finish == "length" && !ends_after_program(candidate.answer);
    // A candidate that isn't judged is the same as no other.
    candidate.same_as =
        candidate.unjudged.empty()
            ? first.try_emplace({candidate.task, candidate.source}, candidates.size()).first->second
            : candidates.size();
    candidates.push_back(std::move(candidate));
  });
  return candidates;
}

// Changes the reason of an answer that was cut off within its program and gave no plan because of that.
void blame_the_cut(Examined& examined) {
  auto& verdict = examined.verdict;
  if (verdict.reason != "syntax_error" && verdict.reason != "missing_model") return;
  verdict.reason = "cut_off";
  verdict.message = "the answer was cut off at its largest number of tokens: " + verdict.message;
  // An audit reads the reason in the recorder's answer.
  examined.recorded["reason"] = verdict.reason, examined.recorded["message"] = verdict.message;
}

// Worker slots keep their processes from stage to stage, since starting them takes seconds.
class VerifierPool {
 public:
  std::vector<std::unique_ptr<Verifier>> take(std::size_t count, bool sandbox) {
    std::lock_guard lock(mutex_);
    if (sandbox != sandbox_) idle_.clear();
    sandbox_ = sandbox;
    if (!installation_) installation_ = find_installation();
    std::vector<std::unique_ptr<Verifier>> taken;
    while (taken.size() < count && !idle_.empty()) {
      taken.push_back(std::move(idle_.back()));
      idle_.pop_back();
    }
    while (taken.size() < count)
      taken.push_back(std::make_unique<Verifier>(*installation_, sandbox, compiled_));
    return taken;
  }

  void give_back(std::vector<std::unique_ptr<Verifier>> verifiers) {
    std::lock_guard lock(mutex_);
    for (auto& verifier : verifiers) idle_.push_back(std::move(verifier));
  }

  KnownVerdicts& known() { return known_; }

  /// The installation from which the slots' processes are started. Must be called after `take`.
  Installation installation() {
    std::lock_guard lock(mutex_);
    return *installation_;
  }

  /// The GPU, which all worker slots share. Must be called after `take`.
  std::shared_ptr<ExclusiveGpu> gpu() {
    std::lock_guard lock(mutex_);
    if (!gpu_) gpu_ = std::make_shared<ExclusiveGpu>(*installation_);
    return gpu_;
  }

 private:
  std::mutex mutex_;
  bool sandbox_ = true;
  std::optional<Installation> installation_;
  std::vector<std::unique_ptr<Verifier>> idle_;
  std::shared_ptr<CompiledKernels> compiled_ = std::make_shared<CompiledKernels>();
  std::shared_ptr<ExclusiveGpu> gpu_;
  KnownVerdicts known_;
};

// This object outlives a stage.
VerifierPool& verifier_pool() {
  static VerifierPool pool;
  return pool;
}

// Computes the verdicts of `work` (indices into candidates) in the worker slots, in any order.
class Run {
 public:
  Run(Stage& stage, const std::vector<Task>& tasks, const std::vector<Candidate>& candidates,
      const Protocol& protocol)
      : stage_(stage),
        tasks_(tasks),
        candidates_(candidates),
        protocol_(protocol),
        verdicts_(candidates.size()),
        plans_(candidates.size()) {
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (candidates[i].same_as == i && candidates[i].unjudged.empty()) work_.push_back(i);
  }

  std::vector<Verdict> all() {
    const std::size_t count =
        std::min<std::size_t>(std::max(stage_.threads, 1), std::max<std::size_t>(work_.size(), 1));
    auto verifiers = verifier_pool().take(count, stage_.sandbox);
    if (protocol_.timing)
      for (auto& verifier : verifiers) verifier->set_gpu(verifier_pool().gpu());
    for (auto& verifier : verifiers) verifier->set_own_modules(true);  // a run trusts its own store
    std::barrier all_ready(static_cast<std::ptrdiff_t>(verifiers.size()),
                           [this]() noexcept { started_ = std::chrono::steady_clock::now(); });
    slots_ = verifiers.size();
    std::vector<std::thread> threads;
    for (auto& verifier : verifiers) threads.emplace_back([&, this] { run_slot(*verifier, all_ready); });
    std::exception_ptr error;
    try {
      watch(threads.size());
    } catch (...) {
      error = std::current_exception();
      stop_ = true;
    }
    for (std::thread& thread : threads) thread.join();
    verifier_pool().give_back(std::move(verifiers));
    if (error) std::rethrow_exception(error);
    if (failure_) std::rethrow_exception(failure_);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      verdicts_[i] = verdicts_[candidates_[i].same_as];
      if (candidates_[i].unjudged.empty()) continue;
      verdicts_[i].reason = contract::not_judged, verdicts_[i].message = candidates_[i].unjudged;
    }
    return std::move(verdicts_);
  }

  /// The text of plans.jsonl for a strict stage: a row for each verified candidate, with the numbers of its
  /// rows in verdicts.jsonl. Candidates that aren't judged have no row.
  std::string plans() const {
    std::map<std::size_t, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (candidates_[i].unjudged.empty()) rows[candidates_[i].same_as].push_back(i);
    std::string text;
    for (const auto& [first, same] : rows) {
      // The row's members are serialised already. These two members are put before them.
      text += json{{"rows", same}, {"task", candidates_[first].task}}.dump();
      text.back() = ',';
      text += plans_[first]->substr(1) + "\n";
    }
    return text;
  }

  /// Seconds since all worker slots were ready, since starting their processes is no cost of the stage. For a
  /// verdict that is cached from an earlier stage, the seconds it took there are added, so that costs can be
  /// compared.
  double seconds() const {
    const std::chrono::duration<double> here = std::chrono::steady_clock::now() - started_;
    return here.count() + known_seconds_ / static_cast<double>(slots_);
  }

 private:
  void run_slot(Verifier& verifier, auto& all_ready) {
    verifier.set_threads([this] { return threads_each(); });
    attempt([&] { verifier.ready([this] { return stop_.load(); }); });
    all_ready.arrive_and_wait();
    attempt([&] {
      for (std::size_t at = next_++; at < work_.size() && !stop_; at = next_++) {
        const KnownVerdicts::Entry reached = reach(verifier, candidates_[work_[at]]);
        verdicts_[work_[at]] = reached.verdict;
        plans_[work_[at]] = reached.plan;
        ++done_;
        changed_.notify_one();
      }
    });
    verifier.set_threads({});
    ++ended_;
    changed_.notify_one();
  }

  KnownVerdicts::Entry reach(Verifier& verifier, const Candidate& candidate) {
    const Task& task = tasks_[candidate.task];
    const auto key = KnownVerdicts::key(task, candidate.source, stage_.spec, stage_.secret);
    // Each row gets a measured time of its own; otherwise seeds and rounds that share one would seem to
    // agree.
    const bool shared = !protocol_.timing;
    if (const auto known = shared ? verifier_pool().known().find(key) : std::nullopt) {
      const std::lock_guard lock(mutex_);
      known_seconds_ += known->seconds;
      return *known;
    }
    const auto begin = std::chrono::steady_clock::now();
    Examined examined =
        verifier.examine(task, candidate.answer, protocol_, stage_.secret, [this] { return stop_.load(); });
    if (candidate.source.cut_off) blame_the_cut(examined);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    KnownVerdicts::Entry entry{examined.verdict, seconds.count(), nullptr};
    if (protocol_.strict) entry.plan = std::make_shared<const std::string>(dumped(publish(examined)));
    if (shared) verifier_pool().known().keep(key, entry);
    return entry;
  }

  /// A worker slot has one thread for its launches, plus an equal share of the threads of slots that have no
  /// work.
  int threads_each() const {
    const std::size_t busy = std::max<std::size_t>(slots_ - std::min<std::size_t>(ended_, slots_), 1);
    return std::max(1, stage_.threads / static_cast<int>(busy));
  }

  /// Keeps the first failure of any worker slot and stops the others.
  void attempt(const auto& work) {
    try {
      work();
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_ && !stop_) failure_ = std::current_exception();
      stop_ = true;
    }
  }

  void watch(std::size_t slots) {
    std::size_t reported = 0;
    stage_.check_cancelled();  // slots whose verdicts are known may have ended already
    while (ended_ < slots) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      lock.unlock();
      stage_.check_cancelled();
      if (const std::size_t done = done_; done != reported) {
        reported = done;
        stage_.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(work_.size()),
                        "candidates");
      }
    }
  }

  Stage& stage_;
  const std::vector<Task>& tasks_;
  const std::vector<Candidate>& candidates_;
  const Protocol& protocol_;
  std::vector<Verdict> verdicts_;
  std::vector<std::shared_ptr<const std::string>> plans_;  // the plans of strict stages
  std::vector<std::size_t> work_;
  std::size_t slots_ = 1;
  std::atomic<std::size_t> next_ = 0, done_ = 0, ended_ = 0;
  std::chrono::steady_clock::time_point started_;
  double known_seconds_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

}  // namespace

json run_verify(Stage& stage) {
  const Protocol protocol = Protocol::parse(stage.spec);
  const std::vector<Task> tasks = read_tasks(stage.input("tasks"));
  const std::vector<Candidate> candidates =
      read_candidates(stage.input("candidates"), tasks.size(), protocol.judge_reasoning);
  Run run(stage, tasks, candidates, protocol);
  const std::vector<Verdict> verdicts = run.all();
  std::string text;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    json row = verdicts[i].to_json();
    row["task"] = candidates[i].task;
    row["sample"] = candidates[i].sample;
    text += dumped(row) + "\n";
  }
  write_text(stage.output / "verdicts.jsonl", text);
  note_packages(stage.made_on, verifier_pool().installation());
  if (protocol.timing) note_gpu(stage.made_on, verifier_pool().gpu()->gpu());
  if (protocol.strict) write_text(stage.output / "plans.jsonl", run.plans());
  Timings timings;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (candidates[i].same_as == i) timings += verdicts[i].timings;
  return {{"candidates", candidates.size()}, {"seconds", run.seconds()}, {"spent", timings.to_json()}};
}

}  // namespace trl::runtime
