#include "verifier/services/executor_process.hpp"
#include "verifier/sandbox/options.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/replay/replay_messages.hpp"
#include "verifier/services/patience.hpp"
#include "verifier/services/service.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t most_line = std::size_t{16} << 20;
constexpr int deepest_answer = 8;
// A tenth of one thread's rate on a core of its own, since other processes may use the core, too.
constexpr std::uint64_t operations_a_millisecond = 50'000;

// The nesting depth of a line's brackets. Parsing takes a hundred bytes of stack for each level.
int depth_of(const std::string& line) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '[' || c == '{')) {
      deepest = std::max(deepest, ++depth);
    } else if (!in_text && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return deepest;
}

// Reads a child's line as the answer to a request; null if the line is no answer to it.
json answer_of(std::int64_t id, const std::optional<std::string>& line) {
  return line && depth_of(*line) <= deepest_answer ? answer_to(id, line) : json(nullptr);
}

double seconds_of(milliseconds time) { return std::chrono::duration<double>(time).count(); }

ReplayResult without_output(const Plan& plan, bool output, ReplayFinding finding) {
  ReplayResult result;
  const std::size_t count = output ? plan.output_elements() : 0;
  result.findings.push_back(std::move(finding));
  result.output.assign(count, std::numeric_limits<double>::quiet_NaN());
  result.writers.assign(count, Writer::nobody);
  return result;
}

}  // namespace

ExecutorProcess::ExecutorProcess(const Installation& installation, bool sandbox, const Budget& budget)
    : program_(installation.executor.string()), command_{installation.sandbox.string()}, budget_(budget) {
  if (!sandbox) command_.push_back("--no-sandbox");
  // RLIMIT_NPROC counts threads, too.
  for (const std::string& word : {std::string("--processes"), std::string("1024"), std::string("--write-tmp"),
                                  std::string("4096"), std::string("--read"), program_, std::string("--"),
                                  program_, std::string("--memory"), std::to_string(budget.memory_bytes)})
    command_.push_back(word);
}

void ExecutorProcess::launch() {
  if (server_.alive()) return;
  end();
  greeted_ = false;
  if (!std::filesystem::exists(program_))
    throw UserError("trl-executor is not beside trl-worker",
                    "build the target trl-executor, or install the package again");
  server_ = ChildProcess(command_);
}

void ExecutorProcess::ready(const std::function<bool()>& cancelled) {
  launch();
  if (greeted_) return;
  const json words = first_words(server_, std::chrono::seconds(60), cancelled);
  greeted_ = words.is_object() && words.value("ready", json(false)) == json(true);
  if (greeted_) return;
  const std::string errors = server_.errors();
  if (server_.wait(std::chrono::seconds(2)) == sandbox::status_refused) {
    const std::size_t remedy = errors.find(". Allow");
    throw UserError(errors.substr(0, remedy), remedy == std::string::npos ? "" : errors.substr(remedy + 2));
  }
  throw UserError("trl-executor does not start: " + errors, "build it again, or install the package again");
}

// Makes the server fork a child for the candidate. Returns false if the server is gone.
bool ExecutorProcess::begin(const std::function<bool()>& cancelled) {
  candidate_.close();
  parsed_ = false;
  of_child_ = 0;
  ready(cancelled);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UserError(std::generic_category().message(errno), "are there too many open files?");
  candidate_ = ByteChannel(ends[0]);
  const bool handed = server_.hand_over(ends[1]);
  ::close(ends[1]);
  return handed;
}

void ExecutorProcess::end() {
  if (candidate_.open() && server_.running()) server_.write_line("");
  candidate_.close();
  parsed_ = false;
}

// Adds the CPU time that a child reports.
void ExecutorProcess::note_cpu(const json& answer) {
  const auto reported = answer.find("cpu_seconds");
  if (reported == answer.end() || !reported->is_number()) return;
  const double seconds = reported->get<double>();
  if (seconds > of_child_ && seconds < 1e6) cpu_seconds_ += seconds - std::exchange(of_child_, seconds);
}

// Finds out why a child gave no answer.
ExecutorProcess::Ended ExecutorProcess::lost(bool late, const std::function<bool()>& cancelled) {
  candidate_.close();
  parsed_ = false;
  const bool stopped = cancelled && cancelled();
  // A child that doesn't listen ends for sure only with the server.
  if (late || stopped) server_.stop();
  if (stopped) throw Cancelled();
  return late ? Ended::late : Ended::crashed;
}

// Tries a second time after a crash, since something other than the candidate may have ended the child.
ExecutorProcess::Ended ExecutorProcess::attempt(const std::function<Ended()>& ask,
                                                const std::function<bool()>& cancelled) {
  Ended ended = Ended::no;
  for (int turn = 0; turn < 2; ++turn) {
    if (!candidate_.open() && !begin(cancelled)) continue;
    ended = ask();
    if (ended != Ended::crashed) return ended;
  }
  return Ended::crashed;
}

ExecutorProcess::Ended ExecutorProcess::ask_to_parse(std::optional<KernelError>& error,
                                                     const std::function<bool()>& cancelled) {
  const double most = seconds_of(budget_.time);
  Patience patience(server_.pid(), {most, most});
  const WaitLimit wait_limit = patience.wait_limit(cancelled);
  json sizes = json::array();
  for (const std::string& text : kernels_) sizes.push_back(text.size());
  bool sent = candidate_.send_line(json{{"id", ++id_}, {"kernels", sizes}}.dump(), wait_limit);
  for (const std::string& text : kernels_)
    sent = sent && candidate_.send(std::as_bytes(std::span(text)), wait_limit);
  const json answer = answer_of(id_, sent ? candidate_.read_line(most_line, wait_limit) : std::nullopt);
  if (answer.is_null() || !answer.contains("ok") || !answer["ok"].is_boolean())
    return lost(patience.over(), cancelled);
  note_cpu(answer);
  parsed_ = true;
  error.reset();
  if (answer["ok"].get<bool>()) return Ended::no;
  parsed_ = false;
  const auto number = [&](const char* name, std::int64_t most) -> std::int64_t {
    if (!answer.contains(name) || !answer[name].is_number_integer()) return 0;
    return std::clamp<std::int64_t>(answer[name].get<std::int64_t>(), 0, most);
  };
  error = KernelError{"unsupported", "", 0, static_cast<int>(number("line", 100'000'000))};
  error->kernel = static_cast<std::size_t>(number("kernel", std::ssize(kernels_) - 1));
  if (answer.contains("message") && answer["message"].is_string())
    error->message = prefix_of(answer["message"].get_ref<const std::string&>(), 2000);
  return Ended::no;
}

std::optional<KernelError> ExecutorProcess::parse(const std::vector<std::string>& kernels,
                                                  const std::function<bool()>& cancelled) {
  if (parsed_ && candidate_.open() && kernels == kernels_) return std::nullopt;
  end();
  kernels_ = kernels;
  if (kernels_.empty()) return std::nullopt;
  std::optional<KernelError> error;
  switch (attempt([&] { return ask_to_parse(error, cancelled); }, cancelled)) {
    case Ended::no:
      return error;
    case Ended::late:
      return KernelError{"timeout", "its kernels can't be read in time"};
    case Ended::crashed:
      break;
  }
  return KernelError{"crashed", "the executor ends over its kernels as it reads them"};
}

ExecutorProcess::Ended ExecutorProcess::ask_to_replay(const Plan& plan, const std::vector<InputData>& inputs,
                                                      const ReplayOptions& options,
                                                      std::optional<ReplayResult>& result) {
  if (!parsed_) {
    std::optional<KernelError> error;
    const Ended ended = ask_to_parse(error, options.cancelled);
    if (ended != Ended::no) return ended;
    if (error) return lost(false, options.cancelled);  // they could be parsed before
  }
  int threads = options.threads ? options.threads() : 1;
  bool asked = false;
  // A process that watches its CPU time ends by itself.
  constexpr double answering = 5;
  const double most =
      seconds_of(budget_.time + milliseconds(options.plan_operations / operations_a_millisecond));
  Patience patience(server_.pid(), {std::min(seconds_of(budget_.time), options.asleep_seconds),
                                    std::min(most, options.cpu_seconds + answering)});
  const WaitLimit wait_limit = patience.wait_limit([&] {
    // Slots that ran out of work may have left threads to this one since. The new number is only sent after
    // the whole request.
    if (const int now = options.threads ? options.threads() : 1; asked && now != threads)
      candidate_.send_line(json{{"threads", threads = now}}.dump(), WaitLimit(steady_clock::now()));
    return options.cancelled && options.cancelled();
  });
  json request = {{"id", ++id_}, {"plan", to_json(plan)}, {"options", to_json(options, threads)}};
  request["inputs"] = json::array();
  for (const InputData& input : inputs) request["inputs"].push_back(to_json(input));
  bool good = candidate_.send_line(dumped(request), wait_limit);
  for (const InputData& input : inputs) good = good && candidate_.send(input.bytes, wait_limit);
  asked = good;
  const json answer = answer_of(id_, good ? candidate_.read_line(most_line, wait_limit) : std::nullopt);
  asleep_seconds_ += patience.asleep();
  if (answer.is_null()) return lost(patience.over(), options.cancelled);
  note_cpu(answer);
  ReceivedResult received(answer, plan, !any_drawn(inputs));
  good = received.sound();
  if (good)
    for (const std::span<std::byte> part : received.parts()) good = good && candidate_.read(part, wait_limit);
  if (good) result = received.take();
  return good && result ? Ended::no : lost(patience.over(), options.cancelled);
}

ReplayResult ExecutorProcess::replay(const Plan& plan, const std::vector<InputData>& inputs,
                                     const ReplayOptions& options) {
  std::optional<ReplayResult> result;
  const Ended ended =
      attempt([&] { return ask_to_replay(plan, inputs, options, result); }, options.cancelled);
  if (ended == Ended::no) return std::move(*result);
  return without_output(plan, !any_drawn(inputs),
                        ended == Ended::late
                            ? ReplayFinding{"timeout", "the executor gives no answer in time"}
                            : ReplayFinding{"crashed", "the executor ends over its kernels"});
}

}  // namespace trl::runtime
