#include "interpreter/schedule/worker_process.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "base/contract/form.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// How long a worker may take to end that has nothing left to do.
constexpr std::chrono::seconds shutdown_time{2};
// How often it is looked whether the user, who waits for a cancelled stage, has no more patience.
constexpr std::chrono::milliseconds between_checks{200};

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

WorkerProcess::WorkerProcess(WorkerOptions options, const Interrupt& interrupt)
    : options_(std::move(options)), interrupt_(interrupt) {}

WorkerProcess::~WorkerProcess() {
  if (!child_.running()) return;
  // The end of its input ends an idle worker; one that is stuck is killed.
  child_.write_line(json{{"shutdown", true}}.dump());
  child_.end_input();
  child_.wait(shutdown_time);
}

void WorkerProcess::start() {
  const std::vector<std::string> command = {options_.program.string(), "--protocol-fd",
                                            std::to_string(ChildProcess::channel_descriptor)};
  try {
    child_ = ChildProcess(command, {.log = options_.log, .dies_with_us = true});
  } catch (const StartError& error) {
    throw WorkerCrashed("trl-worker couldn't be started", error.what());
  }
}

void WorkerProcess::send(const json& message) {
  if (!child_.write_line(message.dump())) gone();
}

std::optional<std::string> WorkerProcess::receive(int id, std::chrono::milliseconds wait_limit) {
  while (true) {
    if (!cancelled_ && interrupt_.requested()) {
      cancelled_ = true;
      signals_.reset();
      deadline_ = std::chrono::steady_clock::now() + wait_limit;
      send({{"id", id}, {"cancel", true}});
    }
    // After a cancellation the interrupt's descriptor stays readable, so only the worker is waited for.
    const auto look = std::min(deadline_, std::chrono::steady_clock::now() + between_checks);
    if (auto line = child_.read_line(cancelled_ ? WaitLimit(look)
                                                : WaitLimit::until_readable(interrupt_.descriptor())))
      return line;
    const auto now = std::chrono::steady_clock::now();
    if (!signals_ && now >= deadline_ - wait_limit + options_.together) signals_ = interrupt_.times();
    if (cancelled_ && (now >= deadline_ || (signals_ && interrupt_.times() > *signals_))) {
      child_.stop();
      throw Interrupted();
    }
    if (cancelled_ ? now < look : !interrupt_.requested()) return std::nullopt;
  }
}

StageDone WorkerProcess::run(const WorkerRequest& request, const WorkerEvents& events) {
  if (interrupt_.requested()) throw Interrupted();
  std::error_code none;
  log_start_ = fs::exists(options_.log, none) ? fs::file_size(options_.log, none) : 0;
  if (!child_.running()) start();
  const int id = ++last_id_;
  auto inputs = json::object();
  for (const auto& [name, path] : request.inputs) inputs[name] = path.string();
  cancelled_ = false;
  json message = {{"id", id},
                  {"stage", request.stage},
                  {"spec", request.spec},
                  {"inputs", inputs},
                  {"output", request.output.string()},
                  {"secret", options_.secret},
                  {"sandbox", options_.sandbox},
                  {"threads", options_.threads},
                  {"device", options_.device}};
  if (request.checkpoint)
    message["checkpoint"] = {{"folder", request.checkpoint->folder.string()},
                             {"key", request.checkpoint->key},
                             {"seconds", options_.checkpoint_seconds}};
  if (request.endpoint) message["endpoint"] = request.endpoint->write();
  send(message);

  while (const auto line =
             receive(id, request.checkpoint ? options_.checkpoint_wait_limit : options_.wait_limit)) {
    const json message = json::parse(*line, nullptr, false);
    if (!message.is_object() || !message.contains("event")) broken("sent something that isn't a message");
    if (message.value("id", 0) != id) continue;
    try {
      const auto event = message.at("event").get<std::string>();
      if (event == "progress") {
        if (events.progress)
          events.progress(message.at("done"), message.at("total"), message.value("unit", std::string()));
      } else if (event == "metric") {
        if (events.metric) events.metric(message.at("name"), message.at("step"), message.at("value"));
      } else if (event == "resumed") {
        if (events.resumed) events.resumed(message.at("done"), message.at("total"));
      } else if (event == "note") {
        if (events.note) events.note(message.at("message"));
      } else if (event == "answer") {
        if (events.answer)
          events.answer({message.at("prompt"), message.at("sample"), message.at("text"),
                         message.value("finish", std::string())});
      } else if (event == "done") {
        StageDone done{message.value("summary", json::object()), std::nullopt};
        contract::Reading(message).if_any("made_on", done.made_on);
        return done;
      } else if (event == "error") {
        if (message.value("cancelled", false)) throw Interrupted();
        throw StageFailed(message.at("message"), message.value("help", std::string()));
      }
    } catch (const json::exception&) {
      broken("sent a message with missing parts");
    } catch (const contract::ContractError& error) {
      broken(std::string("sent a message in which ") + error.what());
    }
  }
  if (cancelled_) {
    child_.stop();
    throw Interrupted();
  }
  gone();
}

void WorkerProcess::broken(const std::string& what) {
  child_.stop();
  throw WorkerCrashed("trl-worker " + what, last_words());
}

void WorkerProcess::gone() {
  const int status = child_.wait(shutdown_time);
  throw WorkerCrashed("trl-worker " + how_it_ended(status), last_words());
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
