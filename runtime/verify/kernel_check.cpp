#include "runtime/verify/kernel_check.hpp"

#include <chrono>
#include <filesystem>

#include "runtime/verify/service.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

// The program's own deadline for a candidate comes first; its first answer waits for the prelude.
constexpr int candidate_ms = 4000;
constexpr std::chrono::seconds answer_time{30};

json refused(const char* reason, std::string message) {
  return {{"refused", {{"reason", reason}, {"message", std::move(message)}, {"line", nullptr}}}};
}

}  // namespace

KernelCheck::KernelCheck(const Installation& installation, bool sandbox)
    : command_{installation.sandbox.string()},
      installed_(std::filesystem::exists(installation.kernel_check)) {
  if (!sandbox) command_.push_back("--no-sandbox");
  const std::string program = installation.kernel_check.string();
  for (const std::string& word :
       {std::string("--read"), program, std::string("--"), program, std::string("--serve")})
    command_.push_back(word);
}

void KernelCheck::ready() {
  if (installed_ && !child_.running()) child_ = start_service(command_);
}

// The answer, or null when the process ended over the request, was too slow or spoke nonsense.
json KernelCheck::attempt(json request, const std::function<bool()>& cancelled) {
  ready();
  request["id"] = ++id_;
  std::optional<std::string> line;
  if (child_.write_line(request.dump(-1, ' ', false, json::error_handler_t::replace)))
    line = child_.read_line(answer_time, cancelled);
  json answer = answer_to(id_, line);
  if (!answer.is_null()) {
    answered_ = true;
    return answer;
  }
  // 127 before any answer: it can't be loaded, since this machine has no Clang.
  constexpr int not_loaded = 127;
  if (child_.wait(std::chrono::milliseconds(200)) == not_loaded && !answered_) installed_ = false;
  if (cancelled && cancelled()) throw Cancelled();
  return nullptr;
}

// What was found, or {"refused"} by the first finding that refuses; null where the program isn't installed.
json KernelCheck::ask(json request, const char* what, const std::function<bool()>& cancelled) {
  request["milliseconds"] = candidate_ms;
  // Twice: a process that something else ended is no verdict on the candidate.
  json answer;
  for (int turn = 0; turn < 2 && installed_ && answer.is_null(); ++turn) answer = attempt(request, cancelled);
  if (!installed_) return nullptr;
  if (answer.is_null()) return refused("crashed", std::string("trl-kernel-check ended over ") + what);
  if (answer.contains("error")) return refused("unsupported", answer["error"].get<std::string>());
  for (const json& finding : answer.value("findings", json::array()))
    if (finding.value("severity", "") == "refuse")
      return {{"refused",
               {{"reason", finding.at("reason")},
                {"message", finding.at("message")},
                {"line", finding.at("line") == 0 ? json() : finding.at("line")}}}};
  return answer;
}

std::optional<KernelCheck::Refusal> KernelCheck::check_wrapper(const std::string& text,
                                                               const std::function<bool()>& cancelled) {
  const json answer = ask({{"source", text}, {"language", "launch_wrapper"}}, "the launch plan", cancelled);
  if (answer.is_null() || !answer.contains("refused")) return std::nullopt;
  return Refusal{answer["refused"]["reason"],
                 "the launch plan as C++: " + answer["refused"]["message"].get<std::string>()};
}

json KernelCheck::compile(const json& asked, const std::function<bool()>& cancelled) {
  if (!asked.is_object() || !asked.contains("source") || !asked["source"].is_string() ||
      !asked.contains("functions") || !asked["functions"].is_array())
    return refused("unsupported", "what the wrapper asks to have compiled is no source");
  json answer = ask({{"source", asked["source"]}, {"functions", asked["functions"]}, {"emit", true}},
                    "the wrapper's sources", cancelled);
  if (answer.is_null())
    return refused(
        "unsupported",
        "CUDA candidates need trl-kernel-check and libclang-cpp.so.16, which are not installed here");
  if (answer.contains("refused")) return answer;
  json out = json::object();
  for (const char* name : {"object", "kernels", "device_source"}) {
    if (!answer.contains(name))
      return refused("crashed", "trl-kernel-check made nothing of the wrapper's sources");
    out[name] = std::move(answer[name]);
  }
  return out;
}

}  // namespace trl::runtime
