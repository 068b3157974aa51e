#include "verifier/services/exclusive_gpu.hpp"

#include <fmt/format.h>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "verifier/services/service.hpp"
#include "verifier/tasks/honest_error.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds replay_time{10}, baseline_time{300};

/// Returns the task as the process with the GPU carries it out. Nothing confines that process, so the module
/// of a task from a store is left out: PyTorch's operators are then written from the task's expression.
Task trusted(const ExclusiveGpu::Against& against) {
  Task task = against.task;
  if (!task.module || against.own_module) return task;
  task.module.reset();
  for (TaskInput& input : task.inputs) input.parameter.clear();
  return task;
}

json request_of(const ExclusiveGpu::Against& against, const TimingProtocol& timing) {
  const Task task = trusted(against);
  json request = {{"source", prompt(task)},     {"entry", "Model"},           {"arguments", json::array()},
                  {"keywords", json::object()}, {"inputs", json::array()},    {"warmup", timing.warmup},
                  {"trials", timing.trials},    {"compile", against.compiled}};
  if (const auto& module = task.module) {
    const Sizes at = sizes(task, against.variation);
    request["entry"] = module->entry;
    request["arguments"] = module->arguments_at(at);
    request["keywords"] = module->keywords_at(at);
    if (!module->forward.empty()) request["forward"] = module->forward_at(at);
  }
  for (const TensorShape& input : input_shapes(task, against.variation)) {
    request["inputs"].push_back(input.to_json());
    request["inputs"].back()["parameter"] = task.inputs[request["inputs"].size() - 1].parameter;
  }
  return request;
}

/// Whether a GPU with `memory` bytes can judge a plan on tensors that stay there: sets `left` if the task's
/// tensors are too large, and `finding` if only the plan's buffers are.
JudgedOnGpu judged_by_size(const Plan& plan, const ExclusiveGpu::Against& against, std::int64_t memory) {
  constexpr std::int64_t reserve = std::int64_t{2} << 30;  // contexts, and the L2 flush's buffer
  std::int64_t tensors = 0, outputs = 0, buffers = 0;
  for (const TensorShape& one : input_shapes(against.task, against.variation))
    tensors += one.elements() * bytes_of(one.dtype);
  for (const TensorShape& one : output_shapes(against.task, against.variation))
    outputs += one.elements() * bytes_of(one.dtype);
  for (const PlanBuffer& one : plan.buffers) buffers += one.bytes;
  // The runner holds all buffers and a copy of the outputs. PyTorch holds a copy of the inputs, and the
  // expected outputs.
  const std::int64_t own = tensors + outputs + reserve, most = memory - own;
  const auto words = [](std::int64_t size) { return bytes_text(static_cast<std::uint64_t>(size)); };
  JudgedOnGpu out;
  if (tasks::judged_by_module(against.task) && !against.own_module)
    out.left = "the module of its task comes from a store, and is carried out on the CPU alone";
  else if (2 * own > memory)
    out.left =
        fmt::format("its tensors take {} twice, of the GPU's {}", words(tensors + outputs), words(memory));
  else if (buffers + outputs > most)
    out.finding =
        ReplayFinding{"memory", fmt::format("its buffers take {}, where {} are left of the GPU's {}",
                                            words(buffers), words(most - outputs), words(memory))};
  return out;
}

/// A request to own_sizes.py (Drawn): the inputs as draw_inputs draws them from the key.
json drawn_from(RandomKey key, Precision precision, const ExclusiveGpu::Against& against, json request) {
  std::uint64_t drawn = 0;
  const std::vector<TensorShape> shapes = input_shapes(against.task, against.variation);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    request["inputs"][i]["begin"] = drawn;
    request["inputs"][i]["factor"] = shapes[i].domain.integers ? 1.0 : against.variation.value_factor();
    drawn += static_cast<std::uint64_t>(shapes[i].elements());
  }
  const OutputRounding rounding =
      output_rounding(output_shapes(against.task, against.variation).front().dtype, precision);
  constexpr double in_f32 = 1e-4;  // KernelBench's own tolerance, relative and absolute
  request["bound"] = {{"relative", rounding.relative},
                      {"computed", rounding.computed},
                      {"least", rounding.least},
                      {"in_f32", in_f32}};
  request["key"] = std::to_string(key.value);
  request["by_module"] = tasks::judged_by_module(against.task);
  request["precision"] = runtime::name(precision);
  return request;
}

}  // namespace

ExclusiveGpu::ExclusiveGpu(const Installation& installation)
    : runner_(installation.runner.string()),
      baseline_command_{installation.python.string(), "-B", "-s",
                        (installation.scripts / "baseline/baseline.py").string()} {}

void ExclusiveGpu::ready(const std::function<bool()>& cancelled) {
  const std::lock_guard lock(mutex_);
  runner_.ready(cancelled);
  memory_bytes_ = runner_.gpu().memory_bytes;
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
  const std::string reference_request = request_of(against, timing).dump();
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

JudgedOnGpu ExclusiveGpu::judge(const Plan& plan, const std::vector<Compiled>& kernels,
                                const Against& against, RandomKey key, Precision precision,
                                const std::optional<TimingProtocol>& timing,
                                const std::function<bool()>& cancelled) {
  Timings waited;
  const auto lock = take_turn(waited);
  JudgedOnGpu out = judged_by_size(plan, against, runner_.gpu().memory_bytes);
  out.timings += waited;
  if (!out.left.empty() || out.finding) return out;
  const json request = request_of(against, timing.value_or(TimingProtocol{}));
  const auto ask = asking(against.task, cancelled);
  ask({{"forget", true}});
  SharedPlan shared(runner_, ask, plan, kernels, against.task, against.variation, cancelled);
  if ((out.finding = shared.finding)) return out;
  {
    const Stopwatch watch(out.timings, Work::draw);
    out.left = shared.open(drawn_from(key, precision, against, request));
    if (!out.left.empty()) return out;
    out.reference = shared.reference;
  }
  {
    const Stopwatch watch(out.timings, Work::replay);
    for (const std::uint8_t pattern : {std::uint8_t{0xFF}, std::uint8_t{0x7B}}) {
      if (shared.run(pattern, true)) shared.finding = shared.compare();
      if ((out.finding = shared.finding)) return out;
    }
    out.compared = shared.compared;
    if (shared.run(0xFF, false) && !shared.compare())
      shared.finding =
          ReplayFinding{"decoy_kernel", "without its kernels the plan gives the same output, on the GPU"};
    if ((out.finding = shared.finding)) return out;
  }
  if (timing) {
    const Stopwatch watch(out.timings, Work::time);
    const auto times = shared.time(*timing);
    if ((out.finding = shared.finding)) return out;
    out.graph_us = times->at("graph_us").get<std::vector<double>>();
    out.stream_us = times->at("stream_us").get<std::vector<double>>();
  }
  out.damage = shared.damage;
  shared.close();  // frees memory, since the reference needs memory, too
  if (timing) {
    const Stopwatch watch(out.timings, Work::reference);
    out.time = time_reference(request.dump(), against.task.name, timing->trim, cancelled);
  }
  return out;
}

JudgedOnGpu ExclusiveGpu::judge_by_trials(const Plan& plan, const std::vector<Compiled>& kernels,
                                          const Against& against, const json& protocol, int trials,
                                          const std::function<bool()>& cancelled) {
  Timings waited;
  const auto lock = take_turn(waited);
  JudgedOnGpu out = judged_by_size(plan, against, runner_.gpu().memory_bytes);
  out.timings += waited;
  if (!out.left.empty() || out.finding) return out;
  json request = request_of(against, TimingProtocol{});
  request["protocol"] = protocol;
  const auto ask = asking(against.task, cancelled);
  ask({{"forget", true}});
  for (int i = 0; i < trials; ++i) {
    SharedPlan shared(runner_, ask, plan, kernels, against.task, against.variation, cancelled);
    if (!shared.finding) {
      request["trial"] = i;
      out.left = shared.open(request);
      if (!out.left.empty()) return out;
      if (shared.run(0xFF, true)) shared.finding = shared.compare();
    }
    if ((out.finding = shared.finding)) {
      out.finding->message = fmt::format("in trial {} of {}: {}", i + 1, trials, out.finding->message);
      return out;
    }
  }
  return out;
}

SharedPlan::Ask ExclusiveGpu::asking(const Task& task, const std::function<bool()>& cancelled) {
  return [this, &task, &cancelled](const json& what) {
    return ask_baseline(what.dump(), task.name, "computed", cancelled);
  };
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

json ExclusiveGpu::ask_baseline(const std::string& request, const std::string& task, const char* done,
                                const std::function<bool()>& cancelled) {
  json answer;
  std::string why;
  // If something else ended the baseline process, this says nothing about the reference, so it is tried once
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
    throw UserError("the reference of " + task + " cannot be " + done + ": " + why);
  return answer;
}

ReferenceTime ExclusiveGpu::time_reference(const std::string& request, const std::string& task, double trim,
                                           const std::function<bool()>& cancelled) {
  const json answer = ask_baseline(request, task, "timed", cancelled);
  const auto mean = [&](const json& values) {
    return trimmed_mean(values.get<std::vector<double>>(), trim).value_or(0);
  };
  ReferenceTime time{mean(answer.at("graph_us")), mean(answer.at("python_us")), std::nullopt};
  if (answer.at("compiled_us").is_array()) time.compiled_us = mean(answer["compiled_us"]);
  return time;
}

}  // namespace trl::runtime
