#include "verifier/services/recorder.hpp"
#include "verifier/sandbox/options.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/plan/commitment.hpp"
#include "verifier/services/patience.hpp"
#include "verifier/services/service.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr int signalled = 128;  // an exit status above this is 128 plus the signal that ended a child
constexpr int most_starts = 3;
constexpr seconds most_start{120}, most_end{2};
// A service ends a child that sleeps earlier.
constexpr double most_asleep = 60;
constexpr std::size_t most_head = std::size_t{64} << 10;
constexpr std::int64_t most_body = std::int64_t{64} << 20;
constexpr JsonBounds question_bounds{std::size_t{2} << 20, 200, 4};
constexpr JsonBounds compiled_bounds{std::size_t{48} << 20, 2000, 4};

json to_json(const CandidateLimits& limits) {
  return {
      {"seconds", limits.seconds}, {"memory_bytes", limits.memory_bytes}, {"file_bytes", limits.file_bytes}};
}

double number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

// Whether an answer names one of PyTorch's own compilers (recorder/compilers.py).
bool names_a_compiler(const std::string& text) {
  const auto names = {"_dynamo", "_inductor", "torch.compile"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return text.find(name) != std::string::npos; });
}

// Returns trl-sandbox's options for a service with a zygote, which forks further sandboxed processes.
std::vector<std::string> nesting(bool sandbox, const char* file_bytes) {
  std::vector<std::string> options;
  if (sandbox) options.emplace_back("--nesting");
  options.insert(options.end(), {"--write-tmp", file_bytes});
  return options;
}

std::string from_base64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int count =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (count < 0) return {};
  const auto padding = static_cast<std::size_t>(
      std::count(text.end() - std::min<std::ptrdiff_t>(2, std::ssize(text)), text.end(), '='));
  bytes.resize(static_cast<std::size_t>(count) - padding);
  return bytes;
}

std::vector<std::string> with_sandbox(bool sandbox, std::vector<std::string> options) {
  if (!sandbox) options.insert(options.begin(), "--no-sandbox");
  return options;
}

// Called with a child's message from before it was confined, and thus before it had read untrusted text.
// Throws UserError with the message's text.
[[noreturn]] void refuse_to_run(const json& reply) {
  throw UserError(text_of(reply, "message"),
                  "run `trl doctor`, or pass --no-sandbox to run candidates with your own rights");
}

// Reads the compiler's answer for a kernel as untrusted data, since the child that compiled it has read a
// candidate's text.
Compiled read_compiled(const std::optional<ServiceAnswer>& answer) {
  Compiled compiled;
  compiled.reason = "compile_error";
  compiled.message = "the compiler ended over this kernel";
  if (!answer) return compiled;
  compiled.cpu_seconds = number_of(answer->head, "cpu_seconds");
  if (answer->body.empty()) {  // the message is the service's own
    const std::string reason = text_of(answer->head, "reason");
    if (reason == "timeout" || reason == "memory") compiled.reason = reason;
    compiled.message = text_of(answer->head, "message");
    return compiled;
  }
  const auto reply = read_hostile(answer->body, compiled_bounds);
  if (!reply || !reply->is_object()) return compiled;
  if (!is_true(answer->head, "confined")) refuse_to_run(*reply);
  compiled.ok = is_true(*reply, "ok");
  if (text_of(*reply, "reason") == "memory") compiled.reason = "memory";
  compiled.message = text_of(*reply, "message");
  compiled.line = static_cast<int>(integer_of(*reply, "line", 1, 999'999));
  compiled.name = text_of(*reply, "name");
  compiled.threads = static_cast<unsigned>(integer_of(*reply, "threads", 0, 1024));
  compiled.shared = static_cast<unsigned>(integer_of(*reply, "shared", 0, 1 << 20));
  if (const auto cubin = reply->find("cubin"); cubin != reply->end() && cubin->is_string())
    compiled.cubin = from_base64(cubin->get_ref<const std::string&>());
  if (const auto names = reply->find("names"); names != reply->end() && names->is_object())
    for (const auto& [expression, name] : names->items())
      if (name.is_string()) compiled.names[expression] = name;
  if (compiled.ok) compiled.reason.clear();
  return compiled;
}

}  // namespace

ConfinedService::ConfinedService(const Installation& installation, bool sandbox, const std::string& script,
                                 std::vector<std::string> options)
    : command_(installation.confined(script, with_sandbox(sandbox, std::move(options)))) {}

void ConfinedService::start(const std::function<bool()>& cancelled) {
  for (int attempt = 1;; ++attempt) {
    launch();
    const json ready = first_words(child_, most_start, cancelled);
    greeted_ = ready.is_object() && ready.value("ready", json(false)) == json(true);
    if (greeted_) return;
    std::string errors = child_.errors();
    if (ready.is_object() && ready.contains("message")) errors = ready["message"].dump();
    const auto waited = std::chrono::steady_clock::now();
    const int status = child_.wait(most_end);
    const bool late = std::chrono::steady_clock::now() - waited >= most_end;  // it was still running
    if (status == sandbox::status_refused) {
      const std::size_t remedy = errors.find(". Allow");
      throw UserError(errors.substr(0, remedy), remedy == std::string::npos ? "" : errors.substr(remedy + 2));
    }
    // Something else killed the process before it had read any request, for instance because the machine is
    // out of memory.
    if (status > signalled && !late && attempt < most_starts) continue;
    throw UserError("the verifier's Python process does not start: " + errors,
                    "check that TRL_PYTHON has torch 2.11 and triton 3.6");
  }
}

void ConfinedService::launch() {
  if (child_.running()) return;
  greeted_ = false;
  child_ = ChildProcess(command_);
}

void ConfinedService::ready(const std::function<bool()>& cancelled) {
  if (!child_.running() || !greeted_) start(cancelled);
}

// Reads a message: a line of JSON, followed by as many bytes as it announces.
std::optional<ServiceAnswer> ConfinedService::read(const std::function<bool()>& cancelled) {
  Patience patience(child_.pid(), {most_asleep});
  const WaitLimit wait_limit = patience.wait_limit(cancelled);
  const auto line = child_.read_line(wait_limit, most_head);
  auto head = line ? read_hostile(*line, {most_head, 1000, 8}) : std::nullopt;
  if (!head || !head->is_object()) return std::nullopt;
  ServiceAnswer answer{std::move(*head), {}};
  const auto bytes = integer_of(answer.head, "bytes", 0, most_body, -1);
  if (bytes < 0) return std::nullopt;
  if (bytes > 0) {
    const auto body = child_.read_bytes(static_cast<std::size_t>(bytes), wait_limit);
    if (!body) return std::nullopt;
    answer.body.assign(reinterpret_cast<const char*>(body->data()), body->size());
  }
  return answer;
}

std::optional<ServiceAnswer> ConfinedService::ask(
    json head, const std::string& body, const std::function<bool()>& cancelled,
    const std::function<std::string(const std::string&)>& asked) {
  ready(cancelled);
  head["id"] = ++id_;
  const auto say = [&](json words, const std::string& behind) {
    words["bytes"] = behind.size();
    return child_.write_line(dumped(words)) && child_.write_bytes(std::as_bytes(std::span(behind)));
  };
  for (bool reply = say(std::move(head), body); reply;) {
    auto answer = read(cancelled);
    if (!answer || integer_of(answer->head, "id", 0, INT64_MAX, -1) != id_) break;
    if (!is_true(answer->head, "asks")) return answer;
    if (!asked) break;
    reply = say(json::object(), asked(answer->body));
  }
  child_.stop();
  if (cancelled && cancelled()) throw Cancelled();
  return std::nullopt;
}

Recorder::Recorder(const Installation& installation, bool sandbox)
    : service_(installation, sandbox, "recorder/recorder.py", nesting(sandbox, "16777216")),
      kernel_check_(installation, sandbox) {}

json Recorder::record(const Source& source, const json& shapes, const CandidateLimits& limits,
                      const std::function<bool()>& cancelled, Budget* budget, bool epilogue) {
  json request = {{"source", source.text}, {"shapes", shapes}};
  if (epilogue) request["epilogue"] = true;
  if (source.language == Source::Language::cuda) request["language"] = "cuda";
  json head = {{"limits", to_json(limits)}, {"kind", names_a_compiler(source.text) ? 1 : 0}};
  if (budget) head["limits"]["asleep_seconds"] = std::max(budget->asleep_left(), 0.1);
  checked_ = {};
  const auto compiled = [&](const std::string& question) {
    const json made =
        kernel_check_.compile(read_hostile(question, question_bounds).value_or(json()), cancelled);
    checked_.note(made);
    return dumped(made);
  };
  const std::string body = dumped(request);
  auto answer = service_.ask(head, body, cancelled, compiled);
  // The service itself runs no candidate code, so something else may have ended it; it is asked once more.
  if (!answer) answer = service_.ask(head, body, cancelled, compiled);
  const auto crashed = [](const char* message) -> json {
    return {{"ok", false}, {"reason", "crashed"}, {"message", message}};
  };
  if (!answer) return crashed("the recorder ended over it");
  if (budget) {
    budget->use(Work::record, number_of(answer->head, "cpu_seconds"));
    budget->sleep(Work::record, number_of(answer->head, "asleep_seconds"));
  }
  const std::int64_t id = answer->head["id"];
  json recorded;
  if (answer->body.empty()) {  // the message is the service's own
    recorded = std::move(answer->head);
  } else {
    auto reply = read_hostile(answer->body);
    const bool sound = reply && reply->is_object() && reply->contains("ok") && (*reply)["ok"].is_boolean();
    recorded = sound ? std::move(*reply)
                     : crashed("the wrapper ended its process without an answer that can be read");
    // Only the machine can report that the sandbox fails, before any of the candidate's code runs; a
    // candidate can't.
    if (!is_true(answer->head, "confined")) refuse_to_run(recorded);
    // Only the service can report timeouts, since it measures the time.
    if (const std::string reason = text_of(recorded, "reason"); reason == "sandbox" || reason == "timeout")
      recorded = crashed("the wrapper ended its process without an answer that can be read");
  }
  recorded["id"] = id;
  return recorded;
}

Compiled CompiledKernels::get(const std::string& key, const std::function<Compiled()>& compile) {
  std::unique_lock lock(mutex_);
  for (auto found = kernels_.find(key); found != kernels_.end(); found = kernels_.find(key)) {
    if (found->second) return *found->second;
    changed_.wait(lock);
  }
  kernels_[key] = std::nullopt;
  lock.unlock();
  std::optional<Compiled> compiled;
  try {
    compiled = compile();
  } catch (...) {
    lock.lock();
    kernels_.erase(key);
    changed_.notify_all();
    throw;
  }
  lock.lock();
  kernels_[key] = compiled;
  kept_.emplace_back(key, key.size() + compiled->cubin.size() + compiled->message.size());
  bytes_ += kept_.back().second;
  for (; bytes_ > most_bytes_; kept_.pop_front()) {
    bytes_ -= kept_.front().second;
    kernels_.erase(kept_.front().first);
  }
  changed_.notify_all();
  return *compiled;
}

KernelCompiler::KernelCompiler(const Installation& installation, bool sandbox,
                               std::shared_ptr<CompiledKernels> done)
    : service_(installation, sandbox, "compiler/compiler.py", nesting(sandbox, "268435456")),
      done_(std::move(done)) {}

Compiled KernelCompiler::compile(const PlanKernel& kernel, const std::function<bool()>& cancelled,
                                 CompileTo to, const CandidateLimits& limits) {
  const bool cuda = kernel.language == PlanKernel::Language::cuda;
  json request = {{"options", kernel.options}};
  if (cuda)
    request["source"] = kernel.text, request["expressions"] = kernel.expressions;
  else
    request["ttir"] = kernel.text;
  if (to == CompileTo::portable_ptx) request["portable"] = true;
  if (to == CompileTo::verdict && !cuda) request["verdict"] = true;
  json head = {{"limits", to_json(limits)}, {"kind", cuda ? 1 : 0}};
  head["limits"]["file_bytes"] = std::int64_t{256} << 20;
  const std::string body = dumped(request);
  Compiled compiled = done_->get(sha256_hex(body + head.dump()), [&] {
    auto answer = service_.ask(head, body, cancelled);
    // If something else ended the compiler, this is no verdict on the kernel, so it is tried once more.
    if (!answer) answer = service_.ask(head, body, cancelled);
    return read_compiled(answer);
  });
  if (compiled.ok && cuda) {
    const auto name = compiled.names.find(kernel.expression);
    if (name == compiled.names.end()) {
      compiled.ok = false;
      compiled.reason = "compile_error";
      compiled.message = "the compiler gives no kernel for " + prefix_of(kernel.expression, 200);
    } else {
      compiled.name = name->second;
    }
  }
  return compiled;
}

}  // namespace trl::runtime
