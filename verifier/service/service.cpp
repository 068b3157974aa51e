#include "verifier/service/service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/stage/cancelled.hpp"
#include "base/stage/spec.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "verifier/examination/verify.hpp"
#include "verifier/service/row.hpp"
#include "verifier/stage/published_plan.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// A candidate that waits, with the time by which its verdict is needed.
struct Asked {
  json request;
  Clock::time_point received, deadline;
};

/// The requests that the reading thread has read and the judging thread hasn't taken yet.
class Inbox {
 public:
  void take(json message) {
    const std::lock_guard lock(mutex_);
    if (message.contains("cancel")) {
      if (message["cancel"] == judged_) cancelled_ = true;
      std::erase_if(waiting_, [&](const Asked& one) { return one.request["id"] == message["cancel"]; });
      return;
    }
    const auto now = Clock::now();
    // Ending a candidate sooner would cost a restart of the process that runs it, which takes longer.
    constexpr double least = 1.5;
    const std::chrono::duration<double> seconds(std::max(field<double>(message, "deadline_s"), least));
    waiting_.push_back({std::move(message), now, now + std::chrono::duration_cast<Clock::duration>(seconds)});
    changed_.notify_one();
  }

  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }

  /// Returns the next candidate; nothing once the input has ended.
  std::optional<Asked> next() {
    std::unique_lock lock(mutex_);
    judged_ = nullptr;
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return std::nullopt;
    Asked next = std::move(waiting_.front());
    waiting_.pop_front();
    judged_ = next.request["id"];
    cancelled_ = false;
    return next;
  }

  /// Whether nobody waits for the candidate that is being judged.
  bool cancelled() {
    const std::lock_guard lock(mutex_);
    return cancelled_ || ended_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Asked> waiting_;
  json judged_;  // the id of the candidate that is being judged
  bool cancelled_ = false, ended_ = false;
};

/// Whether the verdict is a timeout that doesn't follow from the candidate's plans.
bool ended_by_deadline(const Examined& examined) {
  return examined.verdict.reason == "timeout" &&
         !(examined.recorded.is_object() && examined.recorded.value("reason", json()) == "timeout");
}

class Slot {
 public:
  explicit Slot(const json& settings)
      : installation_(find_installation()),
        sandbox_(field_or(settings, "sandbox", true)),
        measured_(field_or(settings, "measured", false)),
        gpu_(measured_ ? std::make_shared<ExclusiveGpu>(installation_) : nullptr),
        machine_(installation_, gpu_, 1) {
    start();
  }

  /// Returns the answer to a request. Throws Cancelled.
  json judge(const Asked& asked, const std::function<bool()>& cancelled) {
    try {
      return judged(asked, cancelled);
    } catch (const Cancelled&) {
      throw;
    } catch (const UserError& error) {
      start();  // a process may still answer the candidate whose verification failed
      return {{"row", unjudged_row(
                          error.help.empty() ? error.what() : fmt::format("{}; {}", error.what(), error.help),
                          machine_)}};
    } catch (const std::exception& error) {
      start();
      return {{"row", unjudged_row(error.what(), machine_)}};
    }
  }

 private:
  void start() {
    verifier_ = std::make_unique<Verifier>(installation_, sandbox_, compiled_);
    if (gpu_) verifier_->set_gpu(gpu_);
    verifier_->ready();
  }

  json judged(const Asked& asked, const std::function<bool()>& cancelled) {
    const json& request = asked.request;
    Protocol protocol = Protocol::parse(field<json>(request, "spec"));
    if (!measured_)
      protocol.timing.reset();
    else if (!protocol.timing)
      protocol.timing = TimingProtocol{};
    verifier_->set_own_modules(field_or(request, "own", false));
    const Task task = Task::parse(field<json>(request, "task"));
    const Examined examined =
        verifier_->examine_by(asked.deadline, task, field<std::string>(request, "answer"), protocol,
                              field<std::string>(request, "secret"), cancelled);
    json answer = {{"row", row_of(examined, machine_)}};
    if (protocol.strict && field_or(request, "publish", false) && !ended_by_deadline(examined))
      answer["plan"] = publish(examined);
    return answer;
  }

  Installation installation_;
  bool sandbox_, measured_;
  std::shared_ptr<ExclusiveGpu> gpu_;
  Machine machine_;
  std::shared_ptr<CompiledKernels> compiled_ = std::make_shared<CompiledKernels>();
  std::unique_ptr<Verifier> verifier_;
};

}  // namespace

int serve_candidates(std::istream& in, std::ostream& out) {
  std::string line;
  std::getline(in, line);
  const json settings = json::parse(line, nullptr, false);
  if (!settings.is_object()) throw UserError("the first line holds no settings");
  Slot slot(settings);
  const auto say = [&](const json& message) { out << dumped(message) << std::endl; };
  say({{"ready", true}});
  Inbox inbox;
  std::thread reader([&] {
    for (std::string text; std::getline(in, text);) {
      json message = json::parse(text, nullptr, false);
      if (message.is_object()) inbox.take(std::move(message));
    }
    inbox.end();
  });
  while (const auto asked = inbox.next()) {
    const auto begun = Clock::now();
    try {
      json answer = slot.judge(*asked, [&] { return inbox.cancelled(); });
      answer["id"] = asked->request["id"];
      answer["seconds"] = std::chrono::duration<double>(Clock::now() - begun).count();
      say(answer);
    } catch (const Cancelled&) {
      say({{"id", asked->request["id"]}, {"cancelled", true}});
    }
  }
  reader.join();
  return 0;
}

}  // namespace trl::runtime
