#include "verifier/executor_server/candidate.hpp"

#include <cmath>
#include <ctime>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "base/support/json_text.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/replay/replay_messages.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

// The result of a replay that the process can't carry out.
ReplayResult refused(const Plan& plan, bool output, const std::string& why) {
  ReplayResult result;
  const std::size_t count = output ? plan.output_elements() : 0;
  result.findings.push_back({"unsupported", why});
  result.output.assign(count, std::numeric_limits<double>::quiet_NaN());
  result.writers.assign(count, Writer::nobody);
  return result;
}

// CPU seconds that this process has used.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void Candidate::serve() {
  // The verifier is trusted: a malformed request ends the process.
  while (const auto line = channel_.read_line(std::numeric_limits<std::size_t>::max())) {
    const json request = json::parse(*line);
    if (request.contains("threads")) continue;  // the line belongs to a replay that has ended
    if (!(request.contains("plan") ? replay(request) : channel_.send_line(dumped(parse(request))))) return;
  }
}

json Candidate::parse(const json& request) {
  texts_.clear();
  for (const json& bytes : request.at("kernels")) {
    texts_.emplace_back(bytes.get<std::size_t>(), '\0');
    if (!channel_.read(std::as_writable_bytes(std::span(texts_.back()))))
      throw std::runtime_error("the request ends early");
  }
  if (watch_) watch_(request, texts_, channel_);
  modules_.assign(texts_.size(), executor::Module(nullptr));
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i].empty()) continue;  // the kernel isn't launched
    auto parsed = executor::parse(texts_[i]);
    if (const auto* error = std::get_if<executor::ParseError>(&parsed))
      return {{"id", request.at("id")},    {"ok", false},         {"kernel", i},
              {"message", error->message}, {"line", error->line}, {"cpu_seconds", cpu_seconds()}};
    modules_[i] = std::get<executor::Module>(std::move(parsed));
  }
  return {{"id", request.at("id")}, {"ok", true}, {"cpu_seconds", cpu_seconds()}};
}

// The number of threads that a launch may use: the last number that the verifier sent.
int Candidate::threads_now() {
  while (const auto line = channel_.line_at_hand()) threads_ = json::parse(*line).at("threads");
  return threads_;
}

bool Candidate::replay(const json& request) {
  std::vector<InputData> inputs;
  std::vector<std::int64_t> bytes;
  for (const json& input : request.at("inputs")) {
    bytes.push_back(input.at("bytes"));
    inputs.push_back(read_input(input));
    if (!channel_.read(inputs.back().bytes)) return false;
  }
  const Plan plan = parse_plan(request.at("plan"), bytes, modules_.size(), PlanLimits::of_pages());
  ReplayOptions options = read_options(request.at("options"));
  threads_ = request.at("options").at("threads");
  options.threads = [this] { return threads_now(); };
  // A launch calls this from time to time to ask whether to go on.
  if (std::isfinite(options.cpu_seconds))
    options.cancelled = [end = cpu_seconds() + options.cpu_seconds] { return cpu_seconds() > end; };
  if (watch_) watch_(request, texts_, channel_);
  ReplayResult result;
  try {
    // A module's only public function is the kernel, whatever name the wrapper has for it.
    result = trl::runtime::replay(plan, modules_, std::vector<std::string>(modules_.size()), inputs, options);
  } catch (const std::bad_alloc&) {
    result = refused(plan, !any_drawn(inputs), "the replay needs more memory than the executor has");
  } catch (const std::exception& error) {
    result = refused(plan, !any_drawn(inputs), std::string("the executor refuses: ") + error.what());
  }
  SentResult sent = send(result);
  sent.head["id"] = request.at("id");
  sent.head["cpu_seconds"] = cpu_seconds();
  bool good = channel_.send_line(dumped(sent.head));
  for (const auto part : sent.parts) good = good && channel_.send(part);
  return good;
}

}  // namespace trl::runtime
