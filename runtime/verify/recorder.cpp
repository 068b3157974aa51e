#include "runtime/verify/recorder.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <iterator>

#include "runtime/verify/seal.hpp"
#include "runtime/verify/service.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int refused_status = 125;

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

}  // namespace

ConfinedService::ConfinedService(const Installation& installation, bool sandbox, std::string script,
                                 std::vector<std::string> options)
    : command_(installation.confined(script, with_sandbox(sandbox, std::move(options)))) {}

void ConfinedService::start(const std::function<bool()>& cancelled) {
  child_ = start_service(command_);
  const json ready = first_words(child_, seconds(120), cancelled);
  if (ready.is_object() && ready.value("ready", json(false)) == json(true)) return;
  std::string errors = child_.errors();
  if (ready.is_object() && ready.contains("message")) errors = ready["message"].dump();
  const int status = child_.wait(seconds(2));
  if (status == refused_status) {
    const std::size_t mend = errors.find(". Allow");
    throw StageError(errors.substr(0, mend), mend == std::string::npos ? "" : errors.substr(mend + 2));
  }
  throw StageError("the verifier's Python process does not start: " + errors,
                   "check that TRL_PYTHON has torch 2.11 and triton 3.6");
}

void ConfinedService::ready(const std::function<bool()>& cancelled) {
  if (!child_.running()) start(cancelled);
}

json ConfinedService::ask(json request, milliseconds time, const std::function<bool()>& cancelled,
                          const std::function<json(const json&)>& compiled) {
  ready(cancelled);
  request["id"] = ++id_;
  const auto deadline = std::chrono::steady_clock::now() + time;
  const auto say = [&](const json& document) {
    return child_.write_line(document.dump(-1, ' ', false, json::error_handler_t::replace));
  };
  for (bool said = say(request); said;) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    const auto line = child_.read_line(left, cancelled);
    if (!line) break;
    json answer = answer_to(id_, line);
    if (answer.is_null()) break;
    if (!compiled || !answer.contains("compile")) return answer;
    said = say(compiled(answer["compile"]));
  }
  child_.stop();
  if (cancelled && cancelled()) throw Cancelled();
  return nullptr;
}

Recorder::Recorder(const Installation& installation, bool sandbox)
    : service_(installation, sandbox, "recorder/recorder.py",
               sandbox ? std::vector<std::string>{"--nesting", "--write-tmp", "16777216"}
                       : std::vector<std::string>{"--write-tmp", "16777216"}),
      kernel_check_(installation, sandbox) {}

json Recorder::record(const Source& source, const json& shapes, const CandidateLimits& limits,
                      const std::function<bool()>& cancelled) {
  json request = {{"source", source.text},
                  {"shapes", shapes},
                  {"limits",
                   {{"seconds", limits.seconds},
                    {"memory_bytes", limits.memory_bytes},
                    {"file_bytes", limits.file_bytes}}}};
  if (source.language == Source::Language::cuda) request["language"] = "cuda";
  const milliseconds time = seconds(3 * limits.seconds + 30);
  const auto compiled = [&](const json& asked) { return kernel_check_.compile(asked, cancelled); };
  json answer = service_.ask(request, time, cancelled, compiled);
  // The recorder itself runs no candidate code; once more, in case something else ended it.
  if (answer.is_null()) answer = service_.ask(request, time, cancelled, compiled);
  if (!answer.is_object() || !answer.contains("ok") || !answer["ok"].is_boolean())
    return {
        {"ok", false}, {"stage", "syntax"}, {"reason", "crashed"}, {"message", "the recorder ended over it"}};
  if (answer.value("reason", json()) == json("sandbox"))
    throw StageError(
        answer["message"].is_string() ? answer["message"].get<std::string>() : "the sandbox fails",
        "run `trl doctor`, or pass --no-sandbox to run candidates with your own rights");
  return answer;
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
  changed_.notify_all();
  return *compiled;
}

KernelCompiler::KernelCompiler(const Installation& installation, bool sandbox,
                               std::shared_ptr<CompiledKernels> done)
    : service_(installation, sandbox, "compiler/compiler.py", {"--write-tmp", "268435456"}),
      done_(std::move(done)) {}

Compiled KernelCompiler::compile(const PlanKernel& kernel, const std::function<bool()>& cancelled,
                                 bool portable) {
  json request = {{"options", kernel.options}};
  if (kernel.language == PlanKernel::Language::cuda)
    request["source"] = kernel.text, request["expressions"] = kernel.expressions,
    request["expression"] = kernel.expression;
  else
    request["ttir"] = kernel.text;
  if (portable) request["portable"] = true;
  return done_->get(sha256(request.dump(-1, ' ', false, json::error_handler_t::replace)), [&] {
    json answer = service_.ask(request, seconds(120), cancelled);
    // Once more: a compiler that something else ended is no verdict on the kernel.
    if (answer.is_null()) answer = service_.ask(request, seconds(120), cancelled);
    Compiled compiled;
    if (answer.is_object()) {
      compiled.ok = answer.value("ok", false);
      compiled.message = answer.value("message", "");
      if (answer.contains("line") && answer["line"].is_number_integer()) compiled.line = answer["line"];
      compiled.cubin = from_base64(answer.value("cubin", ""));
      compiled.name = answer.value("name", "");
      compiled.threads = answer.value("threads", 0u);
      compiled.shared = answer.value("shared", 0u);
    } else {
      compiled.message = "the compiler ended over this kernel";
    }
    return compiled;
  });
}

}  // namespace trl::runtime
