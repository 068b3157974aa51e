#include "interpreter/schedule/worker_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "base/contract/form.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// The time for which a worker with nothing left to do may take to end.
constexpr std::chrono::seconds shutdown_time{2};
// The time between two checks for whether a worker is silent, and whether the user has interrupted again
// while waiting for a cancelled stage.
constexpr std::chrono::milliseconds between_checks{200};
// If this process waits for longer than this between two checks, it was stopped, and perhaps its workers,
// too.
constexpr std::chrono::seconds own_silence{2};

}  // namespace

fs::path find_program(const std::string& name, const char* variable) {
  if (const char* named = std::getenv(variable); named && *named) {
    if (!fs::exists(named))
      throw UserError(std::string(variable) + " names " + named + ", which doesn't exist");
    return fs::absolute(named);
  }
  std::error_code error;
  const auto beside = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
  if (!error && fs::exists(beside)) return beside;
  throw UserError("there is no " + name + " beside trl (" + beside.string() + ")",
                  std::string("`./trl plan FILE` builds it; or name another in ") + variable + ".");
}

fs::path find_worker() { return find_program("trl-worker", "TRL_WORKER"); }

namespace {

class Starter {
 public:
  static void run(const std::function<void()>& start) {
    if (::gettid() == ::getpid()) return start();
    // Never destroyed, since its thread may outlive static objects.
    static Starter& starter = *new Starter;
    std::packaged_task<void()> task(start);
    auto started = task.get_future();
    {
      const std::lock_guard lock(starter.mutex_);
      starter.tasks_.push_back(std::move(task));
    }
    starter.there_.notify_one();
    started.get();
  }

 private:
  Starter() {
    std::thread([this] {
      for (std::unique_lock lock(mutex_);;) {
        there_.wait(lock, [this] { return !tasks_.empty(); });
        auto task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
        lock.lock();
      }
    }).detach();
  }

  std::mutex mutex_;
  std::condition_variable there_;
  std::deque<std::packaged_task<void()>> tasks_;
};

/// The letter for a process's state that the kernel shows, or '?' if there is no such process.
char state_letter(pid_t process) {
  const auto status = text_if_there("/proc/" + std::to_string(process) + "/status").value_or("");
  const auto at = status.find("State:\t");
  return at == std::string::npos ? '?' : status[at + 7];
}
bool is_stopped(pid_t process) { return state_letter(process) == 'T' || state_letter(process) == 't'; }

/// The state of a process in words: "it is stopped".
std::string state_of(pid_t process) {
  switch (state_letter(process)) {
    case 'T':
    case 't':
      return "it is stopped";
    case 'D':
      return "it waits for a device or a disk, uninterruptibly";
    case 'Z':
    case 'X':
    case '?':
      return "it has ended";
    case 'R':
      return "it is computing";
    default:
      return "it is asleep";
  }
}

}  // namespace

void start_for_good(const std::function<void()>& start) { Starter::run(start); }

WorkerProcess::WorkerProcess(WorkerOptions options, const Cancellation& cancellation)
    : options_(std::move(options)), cancellation_(cancellation) {}

void WorkerProcess::dismiss() {
  if (!child_.running()) return;
  // An idle worker ends when its input ends.
  send({{"shutdown", true}});
  child_.end_input();
}

WorkerProcess::~WorkerProcess() {
  dismiss();
  // A worker that doesn't end in time is killed.
  if (child_.running()) child_.wait(shutdown_time);
}

void WorkerProcess::start() {
  std::error_code none;
  log_start_ = fs::exists(options_.log, none) ? fs::file_size(options_.log, none) : 0;
  if (child_.running()) return;
  const std::vector<std::string> command = {options_.program.string(), "--protocol-fd",
                                            std::to_string(ChildProcess::channel_descriptor)};
  heard_ = false;
  if (options_.connect) {
    child_ = ChildProcess(options_.connect());
    return;
  }
  try {
    start_for_good([&] {
      child_ = ChildProcess(command,
                            {.log = options_.log, .environment = options_.environment, .dies_with_us = true});
    });
  } catch (const StartError& error) {
    throw WorkerCrashed("trl-worker couldn't be started", error.what(), options_.log);
  }
}

/// One stage on one or several workers.
class Gang {
 public:
  Gang(std::span<WorkerProcess* const> workers, const WorkerRequest& request, const WorkerEvents& events)
      : request_(request),
        events_(events),
        cancellation_(workers.front()->cancellation_),
        options_(workers.front()->options_),
        wait_limit_(request.checkpoint ? options_.checkpoint_wait_limit : options_.wait_limit) {
    for (WorkerProcess* worker : workers) ranks_.push_back({worker, 0, {}, {}, {}, false});
  }
  ~Gang() {
    std::error_code ignored;
    for (const auto& folder : folders_) fs::remove_all(folder, ignored);
  }
  Gang(const Gang&) = delete;
  Gang& operator=(const Gang&) = delete;

  StageDone run() {
    if (cancellation_.requested()) throw Interrupted();
    try {
      begin();
      while (true) {
        if (!cancelled_ && cancellation_.requested()) cancel();
        const auto now = Clock::now();
        for (auto& rank : ranks_) listen(rank);
        if (over()) break;
        if (watched() && !cancelled_) check_silence(now);
        wait();
      }
    } catch (...) {
      // The other workers may wait for a rank that will never come.
      if (together()) kill_all();
      throw;
    }
    if (std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return !rank.done; })) {
      if (together()) kill_all();
      throw Interrupted();
    }
    return std::move(*ranks_.front().done);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Rank {
    WorkerProcess* worker;
    int id;  ///< the number of the worker's request
    fs::path output;
    std::optional<StageDone> done;
    Clock::time_point heard;  ///< when the worker last sent something
    bool cancelled;           ///< whether the worker has confirmed the cancellation
  };

  bool together() const { return ranks_.size() > 1; }
  /// Whether a worker's silence counts as a failure. It doesn't for a single worker on a cluster: it may
  /// first wait for a machine, and runtime/cluster/ watches it.
  bool watched() const { return together() || !options_.connect; }
  bool over() const {
    return std::all_of(ranks_.begin(), ranks_.end(),
                       [](const Rank& rank) { return rank.done || rank.cancelled; });
  }

  fs::path folder(const std::string& suffix) {
    fs::path made = request_.output;
    made += suffix;
    folders_.push_back(made);
    make_folder(made);
    return made;
  }

  void begin() {
    for (auto& rank : ranks_) rank.worker->start();
    const auto meeting = together() ? folder("-meeting") : fs::path();
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      auto& rank = ranks_[r];
      rank.id = ++rank.worker->last_id_;
      rank.output = r == 0 ? request_.output : folder("-rank" + std::to_string(r));
      rank.heard = Clock::now();
      auto message = message_for(rank);
      if (together())
        message["group"] = {{"rank", r}, {"size", ranks_.size()}, {"meeting", meeting.string()}};
      if (!rank.worker->send(message, patience(rank))) gone(rank);
    }
  }

  json message_for(const Rank& rank) const {
    const auto& options = rank.worker->options_;
    auto inputs = json::object();
    for (const auto& [name, path] : request_.inputs) inputs[name] = path.string();
    json message = {{"id", rank.id},
                    {"stage", request_.stage},
                    {"spec", request_.spec},
                    {"inputs", inputs},
                    {"output", rank.output.string()},
                    {"secret", options.secret},
                    {"sandbox", options.sandbox},
                    {"threads", options.threads},
                    {"device", options.device}};
    if (request_.checkpoint)
      message["checkpoint"] = {{"folder", request_.checkpoint->folder.string()},
                               {"key", request_.checkpoint->key},
                               {"seconds", options.checkpoint_seconds}};
    if (request_.endpoint) message["endpoint"] = request_.endpoint->write();
    return message;
  }

  void cancel() {
    cancelled_ = true;
    cancelled_at_ = Clock::now();
    for (auto& rank : ranks_)
      if (!rank.done && !rank.worker->send({{"id", rank.id}, {"cancel", true}}, patience(rank))) gone(rank);
  }

  /// Returns the limit for the time until a worker takes a message: the worker may have been stopped.
  WaitLimit patience(const Rank& rank) const { return watched() ? WaitLimit(limit_of(rank)) : WaitLimit(); }

  /// Waits until a worker has sent something, the stage is cancelled, or a check is due.
  void wait() {
    std::vector<pollfd> sources;
    for (const auto& rank : ranks_)
      if (!rank.done && !rank.cancelled) sources.push_back({rank.worker->child_.descriptor(), POLLIN, 0});
    // After a cancellation these descriptors stay readable, so they are no longer waited for.
    if (!cancelled_) {
      sources.push_back({cancellation_.interrupt().descriptor(), POLLIN, 0});
      sources.push_back({cancellation_.descriptor(), POLLIN, 0});
    }
    const bool timed = cancelled_ || watched();
    const auto before = Clock::now();
    ::poll(sources.data(), sources.size(), timed ? static_cast<int>(between_checks.count()) : -1);
    const auto now = Clock::now();
    if (now - before > own_silence)
      for (auto& rank : ranks_) rank.heard += now - before;
    if (cancelled_) {
      if (!signals_ && now >= cancelled_at_ + options_.together) signals_ = cancellation_.interrupt().times();
      if (now >= cancelled_at_ + wait_limit_ || (signals_ && cancellation_.interrupt().times() > *signals_)) {
        kill_all();
        throw Interrupted();
      }
    }
  }

  /// If a worker has sent nothing for too long at the time `now`, kills the workers and throws WorkerCrashed,
  /// which names the worker that has been silent longest. Everything that was sent before `now` must have
  /// been read.
  void check_silence(Clock::time_point now) {
    const Rank* silent = nullptr;
    for (const auto& rank : ranks_)
      if (!rank.done && now - rank.heard >= limit_of(rank) && !is_loading(rank) &&
          (!silent || rank.heard < silent->heard))
        silent = &rank;
    if (!silent) return;
    const auto& worker = *silent->worker;
    const auto where = worker.options_.place.empty() ? "" : " on " + worker.options_.place;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit_of(*silent)).count();
    const pid_t process = worker.child_.pid();
    const auto number = process > 0 ? " (process " + std::to_string(process) + ")" : "";
    WorkerCrashed crash("the worker" + where + number + " hasn't answered for " + std::to_string(seconds) +
                            " s" + (process > 0 ? "; " + state_of(process) : ""),
                        worker.last_words(), worker.options_.log);
    crash.cause = "the worker" + where + " hasn't answered";
    kill_all();
    throw crash;
  }
  /// Whether a worker that works alone hasn't sent anything yet: a slow disk may take minutes to load its
  /// libraries, and no other rank waits for it.
  bool is_loading(const Rank& rank) const {
    return !together() && !rank.worker->heard_ && !is_stopped(rank.worker->child_.pid());
  }
  static std::chrono::milliseconds limit_of(const Rank& rank) {
    const auto& worker = *rank.worker;
    return worker.heard_ ? worker.options_.silence_limit : worker.options_.start_limit;
  }

  /// Reads all messages that a worker has sent.
  void listen(Rank& rank) {
    if (rank.done || rank.cancelled) return;
    while (const auto line = rank.worker->child_.line_at_hand()) {
      rank.heard = Clock::now();
      rank.worker->heard_ = true;
      take(rank, *line);
      if (rank.done || rank.cancelled) return;
    }
    if (!rank.worker->child_.at_end()) return;
    if (cancelled_ && !together()) {
      rank.worker->child_.stop();
      throw Interrupted();
    }
    gone(rank);
  }

  void take(Rank& rank, const std::string& line) {
    const json message = json::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("event"))
      broken(rank, "sent something that isn't a message");
    if (message.value("id", 0) != rank.id) return;
    try {
      const auto event = message.at("event").get<std::string>();
      if (event == "done") {
        rank.done = StageDone{message.value("summary", json::object()), std::nullopt};
        contract::Reading(message).if_any("made_on", rank.done->made_on);
      } else if (event == "error") {
        if (message.value("cancelled", false)) {
          rank.cancelled = true;
          return;
        }
        // The process of another rank has ended without reporting an error.
        if (const auto lost = message.value("lost", ranks_.size()); together() && lost < ranks_.size())
          gone(ranks_[lost]);
        const auto what = message.at("message").get<std::string>();
        const bool named_already = &rank == &ranks_.front() || what.starts_with("rank ");
        throw StageFailed(named_already ? what : named(rank) + ": " + what,
                          message.value("help", std::string()));
      } else if (event == "gone") {
        WorkerCrashed crash(message.at("message"), message.at("log"), rank.worker->options_.log);
        crash.cause = message.at("cause");
        crash.lost = message.at("lost");
        throw crash;
      } else if (&rank == &ranks_.front()) {
        pass_on(event, message);
      }
    } catch (const json::exception&) {
      broken(rank, "sent a message with missing parts");
    } catch (const contract::ContractError& error) {
      broken(rank, std::string("sent a message in which ") + error.what());
    }
  }

  void pass_on(const std::string& event, const json& message) const {
    if (event == "progress") {
      if (events_.progress)
        events_.progress(message.at("done"), message.at("total"), message.value("unit", std::string()));
    } else if (event == "metric") {
      if (events_.metric) events_.metric(message.at("name"), message.at("step"), message.at("value"));
    } else if (event == "resumed") {
      if (events_.resumed) events_.resumed(message.at("done"), message.at("total"));
    } else if (event == "place") {
      if (events_.place) events_.place(message.at("where"));
    } else if (event == "note") {
      if (events_.note) events_.note(message.at("message"));
    } else if (event == "answer") {
      if (events_.answer)
        events_.answer({message.at("prompt"), message.at("sample"), message.at("text"),
                        message.value("finish", std::string())});
    }
  }

  /// "rank 1 of 4 on GPU 3".
  std::string named(const Rank& rank) const {
    const auto& place = rank.worker->options_.place;
    return "rank " + std::to_string(&rank - ranks_.data()) + " of " + std::to_string(ranks_.size()) +
           (place.empty() ? "" : " on " + place);
  }
  std::string worker_text(const Rank& rank) const {
    return together() ? "trl-worker, " + named(rank) + "," : "trl-worker";
  }

  /// Stops a worker that violated the protocol.
  [[noreturn]] void broken(Rank& rank, const std::string& what) const {
    rank.worker->child_.stop();
    throw WorkerCrashed(worker_text(rank) + " " + what, rank.worker->last_words(), rank.worker->options_.log);
  }
  /// Waits for the end of a worker that has closed its connection.
  [[noreturn]] void gone(Rank& rank) const {
    if (rank.worker->options_.connect) {
      rank.worker->child_.stop();
      WorkerCrashed crash("the connection to the cluster has ended", rank.worker->last_words(),
                          rank.worker->options_.log);
      crash.lost = true;
      throw crash;
    }
    const int status = rank.worker->child_.wait(shutdown_time);
    throw WorkerCrashed(worker_text(rank) + " " + how_it_ended(status), rank.worker->last_words(),
                        rank.worker->options_.log);
  }
  void kill_all() {
    for (auto& rank : ranks_) rank.worker->child_.stop();
  }

  const WorkerRequest& request_;
  const WorkerEvents& events_;
  const Cancellation& cancellation_;
  const WorkerOptions& options_;
  std::chrono::milliseconds wait_limit_;
  std::vector<Rank> ranks_;
  std::vector<fs::path> folders_;
  bool cancelled_ = false;
  Clock::time_point cancelled_at_;
  /// The number of signals that count as the first cancellation (WorkerOptions::together); nothing until that
  /// time has passed.
  std::optional<int> signals_;
};

StageDone WorkerProcess::run(const WorkerRequest& request, const WorkerEvents& events) {
  WorkerProcess* const workers[] = {this};
  return run_together(workers, request, events);
}

StageDone run_together(std::span<WorkerProcess* const> workers, const WorkerRequest& request,
                       const WorkerEvents& events) {
  return Gang(workers, request, events).run();
}

std::string WorkerProcess::last_words() const {
  std::ifstream in(options_.log, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(log_start_));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
    if (lines.size() > 10) lines.erase(lines.begin());
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace trl::interpreter
