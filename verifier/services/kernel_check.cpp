#include "verifier/services/kernel_check.hpp"

#include <chrono>
#include <filesystem>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/json_text.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/services/patience.hpp"
#include "verifier/services/service.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

// The program's own limit for a candidate, in CPU time, is earlier; its first answer also waits for the
// prelude to be parsed.
constexpr int candidate_ms = 4000;
constexpr PatienceLimits answer_limits{30, 60};

// A candidate that takes over Clang writes the answer itself, so the answer is read as untrusted.
constexpr JsonBounds answer_bounds{std::size_t{16} << 20, std::size_t{1} << 18, 12};

json refused(const std::string& reason, const std::string& message, std::int64_t line = 0) {
  return {{"refused", {{"reason", reason}, {"message", message}, {"line", line > 0 ? json(line) : json()}}}};
}

}  // namespace

void CheckedCuda::note(const json& compiled) {
  if (!compiled.contains("device_source")) return;
  auto& expressions = expressions_[compiled.at("device_source").get<std::string>()];
  for (const json& kernel : compiled.at("kernels")) expressions.insert(kernel.at("expression"));
}

bool CheckedCuda::has(const std::string& device_source, const std::string& expression) const {
  const auto found = expressions_.find(device_source);
  return found != expressions_.end() && found->second.contains(expression);
}

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
  if (installed_ && !child_.running()) child_ = ChildProcess(command_);
}

// Returns the answer, or null when the process ended over the request, was too slow or sent something
// malformed.
json KernelCheck::attempt(json request, const std::function<bool()>& cancelled) {
  ready();
  request["id"] = ++id_;
  std::optional<std::string> line;
  Patience patience(child_.pid(), answer_limits);
  if (child_.write_line(dumped(request))) line = child_.read_line(patience.wait_limit(cancelled));
  json answer = read_hostile(line.value_or(""), answer_bounds).value_or(json());
  if (integer_of(answer, "id", 0, INT64_MAX, -1) == id_) {
    answered_ = true;
    return answer;
  }
  // Status 127 before any answer: the program can't be loaded, since this machine has no Clang.
  constexpr int not_loaded = 127;
  if (child_.wait(std::chrono::milliseconds(200)) == not_loaded && !answered_) installed_ = false;
  if (cancelled && cancelled()) throw Cancelled();
  return nullptr;
}

// Returns the answer, or {"refused"} with the first finding that refuses; null where the program isn't
// installed.
json KernelCheck::ask(json request, const char* what, const std::function<bool()>& cancelled) {
  request["milliseconds"] = candidate_ms;
  // Two attempts: if something else ended the process, this is no verdict on the candidate.
  json answer;
  for (int turn = 0; turn < 2 && installed_ && answer.is_null(); ++turn) answer = attempt(request, cancelled);
  if (!installed_) return nullptr;
  if (answer.is_null())
    return refused("crashed", std::string("trl-kernel-check ended or slept over ") + what);
  if (answer.contains("error")) return refused("unsupported", text_of(answer, "error"));
  if (const auto findings = answer.find("findings"); findings != answer.end() && findings->is_array())
    for (const json& finding : *findings)
      if (text_of(finding, "severity") == "refuse")
        return refused(text_of(finding, "reason", 40), text_of(finding, "message"),
                       integer_of(finding, "line", 1, 999'999));
  return answer;
}

std::optional<KernelCheck::Refusal> KernelCheck::check_wrapper(const std::string& text,
                                                               const std::function<bool()>& cancelled) {
  const json answer = ask({{"source", text}, {"language", "launch_wrapper"}}, "the launch plan", cancelled);
  if (answer.is_null() || !answer.contains("refused")) return std::nullopt;
  const json& why = answer["refused"];
  return Refusal{text_of(why, "reason"), "the launch plan as C++: " + text_of(why, "message")};
}

json KernelCheck::compile(const json& asked, const std::function<bool()>& cancelled) {
  if (!asked.is_object() || !asked.contains("source") || !asked["source"].is_string() ||
      !asked.contains("functions") || !asked["functions"].is_array())
    return refused("unsupported", "what the wrapper asks to have compiled is no source");
  json answer = ask({{"source", asked["source"]}, {"functions", asked["functions"]}, {"emit", true}},
                    "the wrapper's sources", cancelled);
  if (answer.is_null())
    return refused("unsupported", "CUDA candidates need trl-kernel-check, which isn't installed here");
  if (answer.contains("refused")) return answer;
  json out = json::object();
  for (const char* name : {"object", "kernels", "refused_calls", "device_source"}) {
    if (!answer.contains(name))
      return refused("crashed", "trl-kernel-check made nothing of the wrapper's sources");
    out[name] = std::move(answer[name]);
  }
  return out;
}

}  // namespace trl::runtime
