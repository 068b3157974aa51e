#include "verifier/services/exclusive_gpu.hpp"

#include <fmt/format.h>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "verifier/services/service.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds replay_time{10}, baseline_time{300};

/// The task as the process with the GPU carries it out, which nothing confines. The module of a store is left
/// out: PyTorch's operators are then written from the task's expression.
Task trusted(const ExclusiveGpu::Against& against) {
  Task task = against.task;
  if (!task.module || against.own_module) return task;
  task.module.reset();
  for (TaskInput& input : task.inputs) input.parameter.clear();
  return task;
}

std::string request_of(const ExclusiveGpu::Against& against, const TimingProtocol& timing) {
  const Task task = trusted(against);
  json request = {{"source", prompt(task)},     {"entry", "Model"},           {"arguments", json::array()},
                  {"keywords", json::object()}, {"inputs", json::array()},    {"warmup", timing.warmup},
                  {"trials", timing.trials},    {"compile", against.compiled}};
  if (const auto& module = task.module) {
    const Sizes at = sizes(task, against.variation);
    request["entry"] = module->entry;
    request["arguments"] = module->arguments_at(at);
    request["keywords"] = module->keywords_at(at);
    if (!module->forward.empty()) request["forward"] = module->forward;
  }
  for (const TensorShape& input : input_shapes(task, against.variation)) {
    request["inputs"].push_back(input.to_json());
    request["inputs"].back()["parameter"] = task.inputs[request["inputs"].size() - 1].parameter;
  }
  return request.dump();
}

}  // namespace

ExclusiveGpu::ExclusiveGpu(const Installation& installation)
    : runner_(installation.runner.string()),
      baseline_command_{installation.python.string(), "-B", "-s",
                        (installation.scripts / "baseline/baseline.py").string()} {}

void ExclusiveGpu::ready(const std::function<bool()>& cancelled) {
  const std::lock_guard lock(mutex_);
  runner_.ready(cancelled);
  start_baseline(cancelled);
}

GpuReplay ExclusiveGpu::replay(const Plan& plan, const std::vector<Compiled>& kernels,
                               const std::vector<InputData>& inputs,
                               const std::optional<TimingProtocol>& timing,
                               const std::function<bool()>& cancelled) {
  const GpuRequest request(plan, kernels, inputs, timing);
  Timings waited;
  GpuAnswer answer;
  {
    const auto lock = take_turn(waited);
    answer = runner_.ask(request, replay_time, cancelled);
  }
  GpuReplay replayed = answer.read(plan);
  replayed.timings += waited;
  return replayed;
}

std::pair<GpuReplay, ReferenceTime> ExclusiveGpu::compare(
    const Plan& plan, const std::vector<Compiled>& kernels, const std::vector<InputData>& inputs,
    const TimingProtocol& timing, const Against& against, const std::function<bool()>& cancelled) {
  const GpuRequest request(plan, kernels, inputs, timing, against.challenges);
  const std::string reference_request = request_of(against, timing);
  Timings timings;
  GpuAnswer answer;
  ReferenceTime reference;
  {
    const auto lock = take_turn(timings);
    answer = runner_.ask(request, replay_time, cancelled);
    if (!answer.finding && answer.head.value("ok", false)) {
      const Stopwatch watch(timings, Work::reference);
      reference = time_reference(reference_request, against.task.name, timing.trim, cancelled);
    }
  }
  GpuReplay replayed = answer.read(plan);
  replayed.timings += timings;
  return {std::move(replayed), reference};
}

std::unique_lock<std::mutex> ExclusiveGpu::take_turn(Timings& timings) {
  const Stopwatch watch(timings, Work::wait);
  return std::unique_lock(mutex_);
}

void ExclusiveGpu::start_baseline(const std::function<bool()>& cancelled) {
  if (baseline_.running()) return;
  baseline_ = ChildProcess(baseline_command_);
  const json ready = first_words(baseline_, baseline_time, cancelled);
  if (ready.is_object() && ready.value("ready", false)) return;
  const std::string why = ready.is_object() ? ready.value("message", "") : baseline_.errors();
  baseline_.stop();
  throw UserError("references cannot be timed: " + why, "check that TRL_PYTHON has torch 2.11 for CUDA");
}

ReferenceTime ExclusiveGpu::time_reference(const std::string& request, const std::string& task, double trim,
                                           const std::function<bool()>& cancelled) {
  json answer;
  std::string why;
  // When something else ended the baseline process, that says nothing about the reference: it is tried once
  // more.
  for (int turn = 0; turn < 2 && answer.is_null(); ++turn) {
    start_baseline(cancelled);
    std::optional<std::string> line;
    if (baseline_.write_line(with_id(++id_, request))) line = baseline_.read_line({baseline_time, cancelled});
    answer = answer_to(id_, line);
    why = answer.is_null() ? baseline_.errors() : answer.value("message", "");
    const bool given_up = cancelled && cancelled();
    if (given_up || answer.is_null()) baseline_.stop();
    if (given_up) throw Cancelled();
  }
  if (answer.is_null() || !answer.value("ok", false))
    throw UserError("the reference of " + task + " cannot be timed: " + why);
  const auto mean = [&](const json& values) {
    return trimmed_mean(values.get<std::vector<double>>(), trim).value_or(0);
  };
  ReferenceTime time{mean(answer.at("graph_us")), mean(answer.at("python_us")), std::nullopt};
  if (answer.at("compiled_us").is_array()) time.compiled_us = mean(answer["compiled_us"]);
  return time;
}

}  // namespace trl::runtime
