#include "runtime/worker/server.hpp"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

#include "base/contract/endpoint.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/stage/cancelled.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/lost.hpp"
#include "base/support/error.hpp"
#include "base/tensors/made_on.hpp"
#include "runtime/worker/channel.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// The seconds that a stage gets to end when the worker is to end. A stage that keeps checkpoints first
// completes a step and writes a checkpoint, so it gets more.
constexpr auto kGrace = std::chrono::seconds(2);
constexpr auto kCheckpointGrace = std::chrono::seconds(60);
constexpr auto kBetweenProgress = std::chrono::milliseconds(50);
// How often a worker reports that it is alive while it carries out a stage.
constexpr auto kHeartbeat = std::chrono::seconds(5);

class WorkerStage : public Stage {
 public:
  WorkerStage(json id, Channel& channel, const std::atomic<bool>& cancelled)
      : id_(std::move(id)), channel_(channel), cancelled_(cancelled) {}

  void progress(std::int64_t done, std::int64_t total, const std::string& unit) override {
    if (silent()) return;
    const auto now = Clock::now();
    if (done < total && now - last_progress_ < kBetweenProgress) return;
    last_progress_ = now;
    channel_.send({{"id", id_}, {"event", "progress"}, {"done", done}, {"total", total}, {"unit", unit}});
  }

  void resumed(std::int64_t done, std::int64_t total) override {
    if (silent()) return;
    channel_.send({{"id", id_}, {"event", "resumed"}, {"done", done}, {"total", total}});
  }

  void note(const std::string& sentence) override {
    if (silent()) return;
    channel_.send({{"id", id_}, {"event", "note"}, {"message", sentence}});
  }

  void answer(std::int64_t prompt, std::int64_t sample, const std::string& text,
              const std::string& finish) override {
    json event = {{"id", id_}, {"event", "answer"}, {"prompt", prompt}, {"sample", sample}, {"text", text}};
    if (!finish.empty()) event["finish"] = finish;
    channel_.send(event);
  }

  void check_cancelled() override {
    if (cancelled_) throw Cancelled();
  }

 protected:
  void send_metric(const std::string& name, std::int64_t step, double value) override {
    if (silent()) return;
    channel_.send({{"id", id_}, {"event", "metric"}, {"name", name}, {"step", step}, {"value", value}});
  }

 private:
  /// In a group, only rank 0 reports.
  bool silent() const { return group && group->rank > 0; }

  json id_;
  Channel& channel_;
  const std::atomic<bool>& cancelled_;
  Clock::time_point last_progress_;
};

/// Until the end of its scope, reports at once and then every few seconds that this process is alive,
/// whatever the stage does. A process that was stopped or swapped out reports nothing.
class Heartbeat {
 public:
  Heartbeat(const json& id, Channel& channel) {
    const json alive = {{"id", id}, {"event", "alive"}};
    // The first report comes late, since libraries are loaded before it; its receiver waits longer for it
    // than for later ones.
    channel.send(alive);
    thread_ = std::thread([this, alive, &channel] {
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, kHeartbeat, [this] { return ended_; })) channel.send(alive);
    });
  }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  ~Heartbeat() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

json error_event(const json& id, const std::string& message, const std::string& help) {
  return {{"id", id}, {"event", "error"}, {"message", message}, {"help", help}};
}

template <typename T>
T optional_field(const json& request, const char* name, T otherwise) {
  const auto found = request.find(name);
  if (found == request.end()) return otherwise;
  try {
    return found->get<T>();
  } catch (const json::exception&) {
    throw UserError(fmt::format("the request's `{}` is {}, which has the wrong type", name, found->dump()),
                    "see docs/interfaces.md, section 3");
  }
}

// Fills in a stage from a request. Throws UserError when the request is invalid.
void read_request(const json& request, Stage& stage) {
  stage.spec = optional_field(request, "spec", json::object());
  if (!stage.spec.is_object()) throw UserError("the request's `spec` is not an object");
  const auto absolute = [](const std::string& name, const std::string& path) {
    if (!path.starts_with('/'))
      throw UserError(fmt::format("the path of `{}` is not absolute: {}", name, path));
    return std::filesystem::path(path);
  };
  for (const auto& [name, path] : optional_field(request, "inputs", std::map<std::string, std::string>())) {
    stage.inputs[name] = absolute(name, path);
  }
  stage.output = absolute("output", optional_field(request, "output", std::string()));
  stage.secret = optional_field(request, "secret", std::string());
  stage.sandbox = optional_field(request, "sandbox", true);
  stage.threads = std::max(1, optional_field(request, "threads", 1));
  stage.device = optional_field(request, "device", std::string("cpu"));
  if (const auto place = optional_field(request, "checkpoint", json::object()); !place.empty()) {
    stage.checkpoint = {absolute("checkpoint.folder", optional_field(place, "folder", std::string())),
                        optional_field(place, "key", std::string()), optional_field(place, "seconds", 60.0)};
    if (stage.checkpoint->key.empty()) throw UserError("the request's `checkpoint` has no key");
  }
  if (const auto endpoint = request.find("endpoint"); endpoint != request.end())
    stage.endpoint = spec_as<contract::Endpoint>(*endpoint);
  if (const auto place = optional_field(request, "group", json::object()); !place.empty()) {
    stage.group = {optional_field(place, "rank", -1), optional_field(place, "size", 0),
                   absolute("group.meeting", optional_field(place, "meeting", std::string()))};
    if (stage.group->size < 1 || stage.group->rank < 0 || stage.group->rank >= stage.group->size)
      throw UserError(
          fmt::format("the request's `group` has rank {} of {}", stage.group->rank, stage.group->size),
          "ranks are numbered from 0 to size - 1");
    if (const auto name = optional_field(request, "stage", std::string()); !contract::uses_group(name))
      throw UserError(fmt::format("several processes can't carry out a stage `{}` together", name),
                      "send the request without `group` to one worker");
  }
  std::error_code error;
  std::filesystem::create_directories(stage.output, error);
  if (error) {
    throw UserError(fmt::format("{}: cannot be created: {}", stage.output.string(), error.message()),
                    "is the disk full or read-only?");
  }
  if (!std::filesystem::is_empty(stage.output)) {
    throw UserError(fmt::format("{}: the output folder is not empty", stage.output.string()),
                    "give each stage a folder of its own");
  }
}

// Carries out a request and returns its last event: `done` or `error`.
json carry_out(const json& request, Channel& channel, StageFinder find, const std::atomic<bool>& cancelled) {
  const json id = request.contains("id") ? request["id"] : json();
  try {
    const auto name = optional_field(request, "stage", std::string());
    const auto function = find(name);
    if (!function) {
#define TRL_STAGE(name, function) " " #name
      static constexpr const char* kNames =
#include "runtime/worker/stages.def"
          ;
#undef TRL_STAGE
      throw UserError(fmt::format("there is no stage `{}`", name), std::string("stages:") + kNames);
    }
    WorkerStage stage(id, channel, cancelled);
    read_request(request, stage);
    stage.check_cancelled();
    const Heartbeat heartbeat(id, channel);
    stage.made_on = made_here(stage.threads);
    auto summary = function(stage);
    return {
        {"id", id}, {"event", "done"}, {"summary", std::move(summary)}, {"made_on", stage.made_on.write()}};
  } catch (const LostProcess& error) {
    auto event = error_event(id, error.what(), error.help);
    event["lost"] = error.rank;
    return event;
  } catch (const UserError& error) {
    return error_event(id, error.what(), error.help);
  } catch (const Cancelled&) {
    auto event = error_event(id, "cancelled", "");
    event["cancelled"] = true;
    return event;
  } catch (const c10::OutOfMemoryError& error) {
    return error_event(id, fmt::format("the GPU's memory is exhausted: {}", error.what_without_backtrace()),
                       "use a smaller batch, or a GPU with more memory");
  } catch (const c10::Error& error) {
    return error_event(
        id, fmt::format("libtorch failed: {}", error.what_without_backtrace()),
        "this is a defect of the worker or of its installation; `trl doctor` checks the latter");
  } catch (const std::filesystem::filesystem_error& error) {
    return error_event(
        id, error.what(),
        "look at the disk's space and the folder's permissions, then run the same command again: "
        "what is finished is kept");
  } catch (const std::bad_alloc&) {
    return error_event(id, "the machine's memory is exhausted", "use a smaller batch or fewer threads");
  } catch (const std::exception& error) {
    return error_event(id, error.what(), "this is a defect of the worker: please report it");
  }
}

std::atomic<int> signal_pipe = -1;

extern "C" void on_signal(int number) {
  const char byte = static_cast<char>(number);
  [[maybe_unused]] const auto ignored = ::write(signal_pipe, &byte, 1);
}

class Server {
 public:
  Server(int descriptor, StageFinder find) : channel_(descriptor), find_(find) {}

  int run() {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0) return 1;
    signal_pipe = pipe[1];
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    std::thread reader([this, fd = pipe[0]] { read(fd); });
    while (const auto request = next()) {
      channel_.send(carry_out(*request, channel_, find_, cancelled_));
      const std::lock_guard lock(mutex_);
      current_ = json();
      cancelled_ = ending_;
    }
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    changed_.notify_all();
    reader.join();
    return status_;
  }

 private:
  std::optional<json> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ending_ || !requests_.empty(); });
    if (ending_) return std::nullopt;
    auto request = std::move(requests_.front());
    requests_.pop_front();
    current_ = request.contains("id") ? request["id"] : json();
    grace_ = request.contains("checkpoint") ? kCheckpointGrace : kGrace;
    return request;
  }

  void read(int signals) {
    int status = 0;
    for (bool open = true; open;) {
      pollfd watched[2] = {{channel_.descriptor(), POLLIN, 0}, {signals, POLLIN, 0}};
      if (::poll(watched, 2, -1) < 0) continue;  // interrupted
      if (watched[1].revents != 0) {
        char number = 0;
        if (::read(signals, &number, 1) == 1) status = 128 + number;
        break;
      }
      open = channel_.receive();
      while (const auto line = channel_.next_line()) {
        if (!take(*line)) open = false;
      }
    }
    end(status);
  }

  // Handles one line. Returns false after a request to shut down.
  bool take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return true;
    json message;
    try {
      message = json::parse(line);
    } catch (const json::exception& error) {
      channel_.send(error_event({}, fmt::format("the request is not JSON: {}", error.what()),
                                "send one JSON object a line"));
      return true;
    }
    if (!message.is_object()) {
      channel_.send(error_event({}, "the request is not an object", "send one JSON object a line"));
      return true;
    }
    if (message.contains("shutdown")) return false;
    const std::lock_guard lock(mutex_);
    if (message.contains("cancel")) {
      const json id = message.contains("id") ? message["id"] : json();
      if (id == current_) cancelled_ = true;
      for (auto waiting = requests_.begin(); waiting != requests_.end();) {
        if (waiting->contains("id") && (*waiting)["id"] == id) {
          auto event = error_event(id, "cancelled", "");
          event["cancelled"] = true;
          channel_.send(event);
          waiting = requests_.erase(waiting);
        } else {
          ++waiting;
        }
      }
      return true;
    }
    requests_.push_back(std::move(message));
    changed_.notify_all();
    return true;
  }

  void end(int status) {
    std::unique_lock lock(mutex_);
    status_ = status;
    ending_ = true;
    cancelled_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, grace_, [&] { return finished_; })) ::_exit(status);
  }

  Channel channel_;
  StageFinder find_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<json> requests_;
  json current_;
  std::chrono::seconds grace_ = kGrace;  // of the current request
  std::atomic<bool> cancelled_ = false;
  bool ending_ = false, finished_ = false;
  int status_ = 0;
};

}  // namespace

int serve(int descriptor, StageFinder find) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // children must not keep the descriptor open
  return Server(descriptor, find).run();
}

int run_once(const json& request, int descriptor, StageFinder find) {
  Channel channel(descriptor);
  const std::atomic<bool> cancelled = false;
  const auto last = carry_out(request, channel, find, cancelled);
  channel.send(last);
  return last["event"] == "done" ? 0 : 1;
}

}  // namespace trl::runtime
