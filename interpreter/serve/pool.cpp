#include "interpreter/serve/pool.hpp"

#include <algorithm>
#include <utility>

#include "base/support/child_process.hpp"
#include "base/support/json_text.hpp"

namespace trl::interpreter {
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

// The number of times that a candidate is tried if the verifier's process ends each time. After that, the
// candidate counts as the cause.
constexpr int most_attempts = 3;
// trl-verify gets less time than the client allows, so that its own verdict of a timeout, which names the
// step, arrives in time.
constexpr double share_for_answer = 0.05, most_for_answer = 0.25;
// A candidate must get at least this share of the client's time for a verdict of a timeout. If it waited
// longer in the queue, the server is the cause.
constexpr double least_share = 0.5;
// The time for which a process may run after its candidate's deadline.
constexpr auto grace = 2s;
constexpr auto most_start = 180s;
constexpr std::size_t most_row = std::size_t{64} << 20;

double seconds(Pool::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// A process of trl-verify. Used only by the thread that starts it.
class SlotProcess {
 public:
  SlotProcess(const PoolOptions& options, const std::atomic<bool>& ending)
      : options_(options), ending_(ending) {}

  /// Starts the process unless it is running. Returns the reason if that fails, otherwise an empty text.
  std::string start() {
    if (child_.alive()) return {};
    try {
      child_ = ChildProcess({options_.program.string(), "--serve"}, {.dies_with_us = true});
    } catch (const StartError& error) {
      return error.what();
    }
    child_.write_line(json{{"sandbox", options_.sandbox}, {"measured", options_.measured}}.dump());
    const auto line = child_.read_line(until(Pool::Clock::now() + most_start), most_row);
    if (line && json::parse(*line, nullptr, false).is_object()) return {};
    std::string errors = child_.errors();
    const int status = child_.stop();
    return errors.empty() ? "trl-verify " + how_it_ended(status) : errors;
  }

  /// Sends a request and waits for its answer until `end`. If the process ends or is late, stops it and
  /// returns nothing.
  std::optional<json> ask(const json& request, Pool::Clock::time_point end) {
    if (child_.write_line(dumped(request)))
      while (const auto line = child_.read_line(until(end), most_row)) {
        json answer = json::parse(*line, nullptr, false);
        if (!answer.is_object()) break;
        if (answer.value("id", json()) == request["id"]) return answer;
      }
    child_.stop();
    return std::nullopt;
  }

  /// Lets an idle process end.
  void end() {
    if (!child_.running()) return;
    child_.end_input();
    child_.wait(2s);
  }

 private:
  WaitLimit until(Pool::Clock::time_point end) const {
    return {end, [this] { return ending_.load(); }};
  }

  const PoolOptions& options_;
  const std::atomic<bool>& ending_;
  ChildProcess child_;
};

}  // namespace

struct Pool::Job {
  Ticket ticket = 0;
  Submission submission;
  Clock::time_point queued, deadline, begun;
  bool running = false;
  int attempts = 0;
  Done done;
};

Pool::Pool(PoolOptions options) : options_(std::move(options)) {
  state_.slots = std::max<std::size_t>(options_.slots, 1);
  threads_.emplace_back([this] { watch_deadlines(); });
  for (std::size_t slot = 0; slot < state_.slots; ++slot) threads_.emplace_back([this] { run_slot(); });
}

Pool::~Pool() {
  {
    std::unique_lock lock(mutex_);
    ending_ = true;
    while (!open_.empty()) finish(open_.begin()->second, {SlotResult::Kind::stopped, {}, {}, 0, 0}, lock);
  }
  work_.notify_all(), deadlines_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::optional<Pool::Ticket> Pool::submit(Submission submission, Clock::time_point deadline, Done done) {
  const std::lock_guard lock(mutex_);
  if (ending_ || queue_.size() >= options_.most_waiting ||
      queue_.size_of(submission.client) >= options_.most_waiting_of_client)
    return std::nullopt;
  const auto job = std::make_shared<Job>();
  job->ticket = ++last_;
  job->submission = std::move(submission);
  job->queued = Clock::now(), job->deadline = deadline;
  job->done = std::move(done);
  open_.emplace(job->ticket, job);
  by_deadline_.emplace(deadline, job->ticket);
  queue_.push(job->submission.client, job);
  work_.notify_one();
  deadlines_.notify_one();
  return job->ticket;
}

void Pool::stop(Ticket ticket) {
  std::unique_lock lock(mutex_);
  if (const auto found = open_.find(ticket); found != open_.end())
    finish(found->second, {SlotResult::Kind::stopped, {}, {}, 0, 0}, lock);
}

Pool::State Pool::state() const {
  const std::lock_guard lock(mutex_);
  State state = state_;
  state.waiting = queue_.size();
  return state;
}

double Pool::expected_wait() const {
  const std::lock_guard lock(mutex_);
  return mean_seconds_ * static_cast<double>(queue_.size() + 1) / static_cast<double>(state_.slots);
}

/// Answers a job unless it is answered already.
void Pool::finish(JobPointer job, SlotResult judged, std::unique_lock<std::mutex>& lock) {
  if (open_.erase(job->ticket) == 0) return;
  by_deadline_.erase({job->deadline, job->ticket});
  if (!job->running) queue_.remove(job->submission.client, job);
  judged.waited = seconds((job->running ? job->begun : Clock::now()) - job->queued);
  const Done done = std::move(job->done);
  lock.unlock();
  done(std::move(judged));
  lock.lock();
}

void Pool::watch_deadlines() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (by_deadline_.empty()) {
      deadlines_.wait(lock);
      continue;
    }
    const auto [deadline, ticket] = *by_deadline_.begin();
    if (Clock::now() < deadline) {
      deadlines_.wait_until(lock, deadline);
      continue;
    }
    const JobPointer job = open_.at(ticket);
    const double allowed = seconds(deadline - job->queued);
    const double had = job->running ? seconds(Clock::now() - job->begun) : 0;
    finish(
        job,
        {had >= least_share * allowed ? SlotResult::Kind::late : SlotResult::Kind::unbegun, {}, {}, had, 0},
        lock);
  }
}

/// Waits for a job with enough time left; returns null when the pool ends.
Pool::JobPointer Pool::next_job() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [&] { return ending_.load() || queue_.size() > 0; });
    if (ending_) return nullptr;
    const JobPointer job = *queue_.pop();
    const auto now = Clock::now();
    if (seconds(job->deadline - now) < least_share * seconds(job->deadline - job->queued)) {
      // Too little time is left for a meaningful verdict, and the time is better spent on other candidates.
      finish(job, {SlotResult::Kind::unbegun, {}, {}, 0, 0}, lock);
      continue;
    }
    job->begun = now;
    job->running = true;
    ++job->attempts;
    ++state_.busy;
    return job;
  }
}

/// Queues a job again because its process has ended. If it was tried `most_attempts` times, answers it as
/// lost.
void Pool::put_back(const JobPointer& job) {
  std::unique_lock lock(mutex_);
  if (!open_.contains(job->ticket)) return;
  if (job->attempts >= most_attempts) {
    finish(job, {SlotResult::Kind::lost, {}, {}, seconds(Clock::now() - job->begun), 0}, lock);
    return;
  }
  job->running = false;
  queue_.push_front(job->submission.client, job);
  work_.notify_one();
}

void Pool::run_slot() {
  SlotProcess process(options_, ending_);
  bool ever = false;
  for (auto pause = 100ms;;) {
    const std::string failure = process.start();
    {
      std::unique_lock lock(mutex_);
      if (ending_) break;
      if (!failure.empty()) {
        // If the first start of every slot fails, the machine is the cause.
        if (!ever && ++failed_slots_ == state_.slots) state_.failure = failure;
        ever = true;
        work_.wait_for(lock, pause, [&] { return ending_.load(); });
        pause = std::min<std::chrono::milliseconds>(pause * 2, 10s);
        continue;
      }
      ++state_.ready;
    }
    pause = 100ms, ever = true;
    JobPointer job = next_job();
    if (job == nullptr) break;
    const Submission& asked = job->submission;
    const double left = seconds(job->deadline - job->begun);
    json request = {{"id", std::to_string(job->ticket) + "." + std::to_string(job->attempts)},
                    {"task", asked.task},
                    {"own", true},
                    {"answer", asked.answer},
                    {"spec", asked.spec},
                    {"secret", options_.secret},
                    {"deadline_s", left - std::min(share_for_answer * left, most_for_answer)},
                    {"publish", asked.publish}};
    auto answer = process.ask(request, job->deadline + grace);
    {
      std::unique_lock lock(mutex_);
      --state_.busy, --state_.ready;
      if (!answer) ++state_.restarts;
      if (answer && answer->contains("row")) {
        const double took = seconds(Clock::now() - job->begun);
        mean_seconds_ += 0.1 * (took - mean_seconds_);
        finish(
            job,
            {SlotResult::Kind::verdict, std::move((*answer)["row"]), answer->value("plan", json()), took, 0},
            lock);
      }
    }
    if (!answer) put_back(job);
  }
  process.end();
}

}  // namespace trl::interpreter
