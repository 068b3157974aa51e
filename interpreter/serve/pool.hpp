// The service's slots: processes of trl-verify, each of which judges one candidate after another.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "interpreter/serve/fair_queue.hpp"

namespace trl::interpreter {

struct PoolOptions {
  std::filesystem::path program;  ///< the path of trl-verify
  std::string secret;             ///< the secret from which inputs are drawn
  std::size_t slots = 1;
  bool sandbox = true, measured = false;
  std::size_t most_waiting = 1024;            ///< candidates of all clients in the queue
  std::size_t most_waiting_of_client = 1024;  ///< candidates of one client in the queue
};

/// A candidate that a client wants judged.
struct Submission {
  std::string client;
  nlohmann::json task;
  std::string answer;
  nlohmann::json spec;   ///< the protocol, as the spec of a stage `verify`
  bool publish = false;  ///< whether the launch plans of a strict protocol are wanted, for a store
};

/// The outcome of a submission.
struct SlotResult {
  enum class Kind {
    verdict,  ///< `row` is the row of trl-verify
    late,     ///< the verifier was busy with it until its deadline, and didn't say which step took the time
    unbegun,  ///< its turn in the queue didn't come soon enough, so nothing is known about it
    lost,     ///< trl-verify crashed on the submission at each try
    stopped   ///< nobody waits for it any more
  };
  Kind kind = Kind::unbegun;
  nlohmann::json row, plan;  ///< null if there is none
  double seconds = 0;        ///< how long a slot was busy with it
  double waited = 0;         ///< seconds in the queue
};

/// Judges submissions on a number of slots. Each submission is answered by its deadline, whatever happens to
/// the processes. If the process that judges a submission ends, another process judges it. Several threads
/// may use the pool.
class Pool {
 public:
  using Clock = std::chrono::steady_clock;
  using Done = std::function<void(SlotResult)>;
  using Ticket = std::uint64_t;

  /// The number of slots by what they do now, of waiting submissions, and of restarts so far.
  struct State {
    std::size_t slots = 0, ready = 0, busy = 0, waiting = 0;
    std::uint64_t restarts = 0;
    /// The reason, if the first start of every slot has failed; otherwise empty.
    std::string failure;
  };

  /// Begins to start the slots.
  explicit Pool(PoolOptions options);
  /// Ends the slots. Submissions that aren't answered yet get the outcome `stopped`.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Queues a submission. `done` is called exactly once, never within this call, and at most a few
  /// milliseconds after `deadline`. A thread of the pool calls it, or the thread that calls `stop` or the
  /// destructor. If the queue is full, in all or for this client, or if the pool is ending, returns nothing
  /// and never calls `done`.
  std::optional<Ticket> submit(Submission submission, Clock::time_point deadline, Done done);

  /// Gives a submission up: if it hasn't been answered, `done` is called with `stopped`.
  void stop(Ticket ticket);

  State state() const;
  /// Returns the expected seconds until a new submission would be begun, estimated from the durations of the
  /// last ones.
  double expected_wait() const;

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;

  void run_slot();
  void watch_deadlines();
  void finish(JobPointer job, SlotResult judged, std::unique_lock<std::mutex>& lock);
  JobPointer next_job();
  void put_back(const JobPointer& job);

  const PoolOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable work_, deadlines_;
  FairQueue<JobPointer> queue_;
  std::map<Ticket, JobPointer> open_;                           // submissions that aren't answered
  std::set<std::pair<Clock::time_point, Ticket>> by_deadline_;  // the same
  Ticket last_ = 0;
  std::atomic<bool> ending_ = false;
  State state_;
  std::size_t failed_slots_ = 0;
  double mean_seconds_ = 1;  // over the last verdicts, exponentially weighted
  std::vector<std::thread> threads_;
};

}  // namespace trl::interpreter
