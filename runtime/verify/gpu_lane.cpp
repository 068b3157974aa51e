#include "runtime/verify/gpu_lane.hpp"

#include <fmt/format.h>

#include "runtime/tasks/prompt.hpp"
#include "runtime/verify/service.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds replay_time{10}, baseline_time{300};

}  // namespace

GpuLane::GpuLane(const Installation& installation)
    : runner_(installation.runner.string()),
      baseline_command_{installation.python.string(), "-B", "-s",
                        (installation.scripts / "baseline/baseline.py").string()} {}

void GpuLane::ready(const std::function<bool()>& cancelled) {
  const std::lock_guard lock(mutex_);
  runner_.ready(cancelled);
}

GpuReplay GpuLane::replay(const Plan& plan, const std::vector<Compiled>& kernels,
                          const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                          const std::function<bool()>& cancelled) {
  const std::lock_guard lock(mutex_);
  return runner_.replay(plan, kernels, inputs, timing, replay_time, cancelled);
}

void GpuLane::start_baseline(const std::function<bool()>& cancelled) {
  if (baseline_.running()) return;
  baseline_ = start_service(baseline_command_);
  const json ready = first_words(baseline_, baseline_time, cancelled);
  if (ready.is_object() && ready.value("ready", false)) return;
  const std::string why = ready.is_object() ? ready.value("message", "") : baseline_.errors();
  baseline_.stop();
  throw StageError("references cannot be timed: " + why, "check that TRL_PYTHON has torch 2.11 for CUDA");
}

ReferenceTime GpuLane::reference(const Task& task, const Variation& variation, const TimingProtocol& timing,
                                 bool compiled, const std::function<bool()>& cancelled) {
  json request = {{"source", prompt(task)},
                  {"inputs", json::array()},
                  {"warmup", timing.warmup},
                  {"trials", timing.trials},
                  {"compile", compiled}};
  for (const TensorShape& input : input_shapes(task, variation))
    request["inputs"].push_back({{"dtype", input.dtype}, {"shape", input.extents}, {"below", input.below}});
  const std::string key = request.dump() + fmt::format("{}", timing.trim);

  const std::lock_guard lock(mutex_);
  if (const auto known = references_.find(key); known != references_.end()) return known->second;
  start_baseline(cancelled);
  request["id"] = ++id_;
  std::optional<std::string> line;
  if (baseline_.write_line(request.dump())) line = baseline_.read_line(baseline_time, cancelled);
  const json answer = json::parse(line.value_or(""), nullptr, false);
  if (!answer.is_object() || answer.value("id", json()) != json(id_) || !answer.value("ok", false)) {
    const std::string why = answer.is_object() ? answer.value("message", "") : baseline_.errors();
    if (!answer.is_object()) baseline_.stop();
    if (cancelled && cancelled()) throw Cancelled();
    throw StageError("the reference of " + task.name + " cannot be timed: " + why);
  }
  const auto mean = [&](const json& values) {
    return trimmed_mean(values.get<std::vector<double>>(), timing.trim).value_or(0);
  };
  ReferenceTime time{mean(answer.at("graph_us")), mean(answer.at("python_us")), std::nullopt};
  if (answer.at("compiled_us").is_array()) time.compiled_us = mean(answer["compiled_us"]);
  return references_[key] = time;
}

}  // namespace trl::runtime
