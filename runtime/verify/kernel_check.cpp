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

// The answer, or null when the process ended over the request, was too slow or spoke nonsense.
json KernelCheck::ask(json request, const std::function<bool()>& cancelled) {
  if (!child_.running()) child_ = start_service({program_, "--serve"});
  request["id"] = ++id_;
  if (child_.write_line(request.dump(-1, ' ', false, json::error_handler_t::replace))) {
    if (const auto line = child_.read_line(answer_time, cancelled)) {
      json answer = json::parse(*line, nullptr, false);
      if (answer.is_object() && answer.value("id", json()) == json(id_)) return answer;
    }
  }
  child_.stop();
  if (cancelled && cancelled()) throw Cancelled();
  return nullptr;
}

json KernelCheck::compile(const json& asked, const std::function<bool()>& cancelled) {
  if (!asked.is_object() || !asked.contains("source") || !asked["source"].is_string() ||
      !asked.contains("functions") || !asked["functions"].is_array())
    return refused("unsupported", "what the wrapper asks to have compiled is no source");
  if (!std::filesystem::exists(program_))
    return refused("unsupported", "CUDA candidates need trl-kernel-check, which is not installed here");
  const json request = {{"source", asked["source"]},
                        {"functions", asked["functions"]},
                        {"emit", true},
                        {"milliseconds", candidate_ms}};
  json answer = ask(request, cancelled);
  // Once more: a process that something else ended is no verdict on the candidate.
  if (answer.is_null()) answer = ask(request, cancelled);
  if (answer.is_null()) return refused("crashed", "trl-kernel-check ended over the wrapper's sources");
  if (answer.contains("error")) return refused("unsupported", answer["error"].get<std::string>());
  for (const json& finding : answer.value("findings", json::array()))
    if (finding.value("severity", "") == "refuse")
      return {{"refused",
               {{"reason", finding.at("reason")},
                {"message", finding.at("message")},
                {"line", finding.at("line") == 0 ? json() : finding.at("line")}}}};
  json out = json::object();
  for (const char* name : {"object", "kernels", "device_source"}) {
    if (!answer.contains(name))
      return refused("crashed", "trl-kernel-check made nothing of the wrapper's sources");
    out[name] = std::move(answer[name]);
  }
  return out;
}

}  // namespace trl::runtime
