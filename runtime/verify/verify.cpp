#include "runtime/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "runtime/verify/inputs.hpp"
#include "runtime/verify/launch_wrapper.hpp"
#include "runtime/verify/modelled_time.hpp"
#include "runtime/verify/plan.hpp"
#include "runtime/verify/replay.hpp"
#include "runtime/verify/seal.hpp"
#include "runtime/verify/source.hpp"
#include "runtime/verify/source_line.hpp"
#include "runtime/verify/tolerance.hpp"
#include "runtime/worker/rows.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

// A variation to pass and the plan that was recorded for its sizes.
struct Trial {
  Variation variation;
  std::string stage;     // tiny or full
  std::size_t plan = 0;  // of the recording
  bool executed = true;  // on the executor, before the GPU
  // Drawn when first asked for; kept for the GPU alone, since they can be large.
  bool drawn = false;
  std::vector<InputData> inputs = {};
  std::vector<double> expected = {};
};

// What the executor does of a plan before it leaves the full sizes to the GPU: a second or so.
constexpr std::uint64_t operations_before_gpu = 200'000'000;

struct Outcome {
  bool values = false;
  bool left_to_gpu = false;              // too much work for the executor: the GPU judges alone
  std::optional<ReplayFinding> finding;  // the first; when `values`, about memory alone
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;
};

json shape_of(const Task& task, const Variation& variation) {
  json inputs = json::array();
  for (const TensorShape& shape : input_shapes(task, variation))
    inputs.push_back({{"name", shape.name}, {"dtype", shape.dtype}, {"shape", shape.extents}});
  return {{"label", variation.label()}, {"inputs", inputs}, {"outputs", 1}};
}

/// A NaN's sign says nothing.
std::string text_of(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

/// Of a recorder's answer, which may be anything.
bool is_cuda(const json& recorded) {
  if (!recorded.contains("kernels") || !recorded["kernels"].is_array()) return false;
  return std::any_of(recorded["kernels"].begin(), recorded["kernels"].end(), [](const json& kernel) {
    return kernel.is_object() && kernel.contains("language") && kernel["language"] == "cuda";
  });
}

std::string where(std::size_t flat, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> index(extents.size());
  auto left = static_cast<std::int64_t>(flat);
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = left % extents[d];
    left /= extents[d];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

// One candidate on its way; the members are what later steps need of earlier ones.
class Examination {
 public:
  Examination(const Task& task, const Protocol& protocol, const std::string& secret, Recorder& recorder,
              KernelCompiler& compiler, const std::function<bool()>& cancelled,
              const std::function<int()>& threads, GpuLane* gpu)
      : task_(task),
        protocol_(protocol),
        secret_(secret),
        recorder_(recorder),
        compiler_(compiler),
        cancelled_(cancelled),
        threads_(threads),
        gpu_(gpu) {}

  Examined run(const std::string& answer) {
    choose_trials();
    {
      const Stopwatch watch(verdict_.spent, Work::record);
      const Source source = extract_source(answer);
      lines_ = static_cast<int>(std::count(source.text.begin(), source.text.end(), '\n')) + 1;
      recorded_ = recorder_.record(source, shapes_, protocol_.limits, cancelled_);
    }
    return judge_recorded();
  }

  Examined run_recorded(const json& recorded) {
    choose_trials();
    recorded_ = recorded;
    return judge_recorded();
  }

 private:
  using Outcomes = ExaminedStep::Outcome;

  Examined judge_recorded() {
    judge_steps();
    std::string seal = recording_.seal;
    return {std::move(verdict_), std::move(steps_), std::move(recorded_), std::move(seal),
            std::move(recording_)};
  }

  void judge_steps() {
    // What only a GPU can run is compiled before anything is said about its values.
    compile_first_ = protocol_.compile == Protocol::Compile::all || is_cuda(recorded_);
    lay_out_steps();
    if (!read_recorded()) return;
    if (compile_first_ && !compile()) return;
    do {
      replaced_ = false;
      if (!parse_kernels() || !try_values()) return;
      if (!compile_first_ && !compile()) {
        verdict_.values = true;
        return;
      }
    } while (replaced_);  // another configuration is the launch: its values count
    verdict_.values = true;
    if (!verdict_.failed.empty()) return;
    if (protocol_.timing && !try_on_gpu()) return;
    verdict_.correct = true;
    verdict_.tiny = true;
    verdict_.speedup = *verdict_.reference_us / *verdict_.time_us;
    passed(step("timed"));
  }

  void lay_out_steps() {
    const auto add = [&](std::string stage, std::string variation = "") {
      steps_.emplace_back();
      steps_.back().stage = std::move(stage);
      steps_.back().variation = std::move(variation);
    };
    add("syntax");
    if (compile_first_) add("compile");
    for (const Trial& trial : trials_) add(trial.stage, trial.variation.label());
    if (!compile_first_) add("compile");
    add("timed");
  }

  ExaminedStep& step(std::string_view stage) {
    return *std::find_if(steps_.begin(), steps_.end(), [&](const auto& one) { return one.stage == stage; });
  }

  static bool passed(ExaminedStep& step) {
    step.outcome = Outcomes::passed;
    return true;
  }

  // As `fail`, of a step that is no trial.
  bool fail_step(std::string_view at, const std::string& stage, const std::string& reason,
                 const std::string& message, int line = 0) {
    note(step(at), Outcomes::failed, ReplayFinding{reason, message, line});
    return fail(stage, reason, message, line);
  }

  static void note(ExaminedStep& step, Outcomes outcome, const ReplayFinding& finding) {
    step.outcome = outcome;
    step.reason = finding.kind;
    step.message = finding.message;
    step.line = finding.line;
  }

  void choose_trials() {
    // The task's own sizes are those whose plan makes a candidate valid: plan 0, whatever is tried first.
    plan_for(Variation{});
    if (protocol_.tiny) {
      Variation tiny;
      tiny.kind = Variation::Kind::Tiny;
      trials_.push_back({tiny, "tiny", plan_for(tiny)});
    }
    for (const Variation& variation : protocol_.variations)
      trials_.push_back({variation, "full", plan_for(variation)});
  }

  // The number of the plan for a variation's sizes and dtypes; variations of the same share it.
  std::size_t plan_for(const Variation& variation) {
    const json shape = shape_of(task_, variation);
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (shapes_[i]["inputs"] == shape["inputs"]) return i;
    shapes_.push_back(shape);
    std::vector<std::int64_t> bytes;
    for (const TensorShape& input : input_shapes(task_, variation))
      bytes.push_back(input.elements() * bytes_of(element_type(input.dtype).value()));
    input_bytes_.push_back(bytes);
    return shapes_.size() - 1;
  }

  bool fail(std::string stage, std::string reason, std::string message, int line = 0) {
    if (!verdict_.failed.empty()) return false;  // the first failure is the verdict's
    verdict_.failed = std::move(stage);
    verdict_.reason = std::move(reason);
    verdict_.message = std::move(message);
    verdict_.line = line;
    return false;
  }

  bool read_recorded() {
    if (!recorded_["ok"].get<bool>()) return fail_recording(parse_plan_error(recorded_));
    try {
      recording_ = parse_recording(recorded_, input_bytes_);
    } catch (const BadPlan& bad) {
      return fail_step("syntax", "syntax", "bad_plan", bad.what());
    }
    if (recording_.plans[0].error) return fail_recording(*recording_.plans[0].error);
    if (const auto other = kernel_of_another_language())
      return fail_step("syntax", "syntax", other->kind, other->message, other->line);
    if (const auto wrong = check_wrapper())
      return fail_step("syntax", "syntax", wrong->reason, wrong->message);
    verdict_.valid = true;
    verdict_.launches = recording_.plans[0].launches();
    return passed(step("syntax"));
  }

  // A launch, at any size, of what the protocol doesn't ask for.
  std::optional<ReplayFinding> kernel_of_another_language() const {
    if (!protocol_.language) return std::nullopt;
    for (const Plan& plan : recording_.plans)
      for (const Step& one : plan.steps)
        if (const auto* launch = std::get_if<LaunchStep>(&one)) {
          const PlanKernel& kernel = recording_.kernels[static_cast<std::size_t>(launch->kernel)];
          const auto written =
              kernel.language == PlanKernel::Language::cuda ? KernelLanguage::cuda : KernelLanguage::triton;
          if (written != *protocol_.language)
            return ReplayFinding{"other_language",
                                 fmt::format("`{}` is written in {}, and kernels in {} are asked for",
                                             kernel.name, title(written), title(*protocol_.language)),
                                 launch->line};
        }
    return std::nullopt;
  }

  // Whether the first plan, as others would write it down in C++, is sound.
  std::optional<KernelCheck::Refusal> check_wrapper() {
    const Stopwatch watch(verdict_.spent, Work::record);
    std::vector<WrapperKernel> kernels;
    for (const PlanKernel& kernel : recording_.kernels) {
      const bool cuda = kernel.language == PlanKernel::Language::cuda;
      kernels.push_back(
          {kernel.name, 32u * static_cast<unsigned>(kernel.options.value("num_warps", 4)), 0, cuda ? 0 : 2});
    }
    std::vector<WrapperInput> inputs;
    for (const TensorShape& input : input_shapes(task_, Variation{}))
      inputs.push_back({input.name, element_type(input.dtype).value(), input.extents});
    try {
      return recorder_.check_wrapper(launch_wrapper(recording_.plans[0], kernels, inputs), cancelled_);
    } catch (const std::invalid_argument& error) {
      return KernelCheck::Refusal{"bad_plan", error.what()};
    }
  }

  bool fail_recording(const PlanError& error) {
    verdict_.valid = error.stage == "compile";
    if (verdict_.valid) {
      verdict_.compiled = false;
      passed(step("syntax"));
    }
    return fail_step(verdict_.valid ? "compile" : "syntax", error.stage, error.reason, error.message,
                     error.line);
  }

  // The kernels that make a candidate compiled: those of the task's own sizes.
  bool compile() {
    const std::optional<ReplayFinding> error = compile_plan(0);
    verdict_.compiled = !error;
    return error ? fail_step("compile", "compile", error->kind, error->message, error->line)
                 : passed(step("compile"));
  }

  // Compiles the kernels that a plan launches. The first error, if any.
  std::optional<ReplayFinding> compile_plan(std::size_t number) {
    for (Step& step : recording_.plans[number].steps)
      if (auto* launch = std::get_if<LaunchStep>(&step))
        if (const auto error = compile_launch(*launch)) return error;
    return std::nullopt;
  }

  // Of an autotuned launch it is enough that one configuration compiles: the first that does becomes the
  // launch.
  std::optional<ReplayFinding> compile_launch(LaunchStep& launch) {
    const auto compile_one = [&](const PlanLaunch& call) { return compile_kernel(call.kernel); };
    const Compiled first = compile_one(launch);
    if (first.ok) return std::nullopt;
    for (const PlanLaunch& alternative : launch.alternatives)
      if (compile_one(alternative).ok) {
        replaced_ = true;
        const PlanLaunch chosen = alternative;
        launch.alternatives.clear();
        static_cast<PlanLaunch&>(launch) = chosen;
        return std::nullopt;
      }
    // Lines of a source that the candidate put together, which it hasn't as they are, lie behind its own.
    return ReplayFinding{"compile_error", first.message, lines_ > 0 && first.line > lines_ ? 0 : first.line};
  }

  Compiled compile_kernel(int number) {
    const Stopwatch watch(verdict_.spent, Work::compile);
    const PlanKernel& kernel = recording_.kernels[static_cast<std::size_t>(number)];
    return compiler_.compile(kernel, cancelled_);
  }

  // The kernels that are launched; those of alternatives alone stay empty.
  bool parse_kernels() {
    const Stopwatch watch(verdict_.spent, Work::parse);
    std::vector<bool> launched(recording_.kernels.size(), false);
    for (const Plan& plan : recording_.plans)
      for (const Step& step : plan.steps)
        if (const auto* launch = std::get_if<LaunchStep>(&step))
          launched[static_cast<std::size_t>(launch->kernel)] = true;
    // A module's only public function is the kernel, whatever the wrapper calls it.
    names_.assign(recording_.kernels.size(), "");
    modules_.resize(recording_.kernels.size(), executor::Module(nullptr));
    for (std::size_t i = 0; i < launched.size(); ++i) {
      if (!launched[i] || recording_.kernels[i].language == PlanKernel::Language::cuda) continue;
      auto parsed = executor::parse(recording_.kernels[i].text);
      if (const auto* error = std::get_if<executor::ParseError>(&parsed))
        return fail_step(trials_.front().stage, trials_.front().stage, "unsupported", error->message,
                         source_line(recording_.kernels[i].text, error->line));
      modules_[i] = std::get<executor::Module>(std::move(parsed));
    }
    return true;
  }

  // False once a value is wrong; a memory error alone is noted, and the values are looked at to the end.
  bool try_values() {
    bool timed = false;
    ExaminedStep* step_of = &step(trials_.front().stage);
    for (Trial& trial : trials_) {
      ExaminedStep& now = *step_of++;
      now.launches = launches_of(recording_.plans[trial.plan]);
      const Outcome outcome = examine(trial);
      trial.executed = !outcome.left_to_gpu;
      if (!protocol_.timing || trial.stage != "full") forget(trial);
      if (cancelled_ && cancelled_()) throw Cancelled();
      if (outcome.finding)
        note(now, fails(outcome) ? Outcomes::failed : Outcomes::passed, *outcome.finding);
      else
        passed(now);
      if (fails(outcome) && verdict_.failed.empty()) {
        fail(trial.stage, outcome.finding->kind, outcome.finding->message, outcome.finding->line);
        verdict_.variation = trial.variation.label();
      }
      if (!outcome.values) return false;
      if (trial.stage == "tiny" && verdict_.failed.empty()) verdict_.tiny = true;
      if (trial.stage == "full" && trial.executed && !timed) {
        timed = true;
        verdict_.time_us = modelled_time_us(outcome.per_launch, protocol_.gpu);
        verdict_.counters = outcome.per_launch;
        verdict_.reference_us = modelled_reference_us(task_, trial.variation, protocol_.gpu);
      }
    }
    return true;
  }

  // The GPU's word on every full variation, and the time of the first. It gives values anew: what the
  // executor took for right may differ on the machine that is meant. In training the executor's word stands
  // for the variations that are not timed: their cubins would cost more than all else.
  bool try_on_gpu() {
    bool timed = false;
    ExaminedStep* step_of = &step(trials_.front().stage);
    for (Trial& trial : trials_) {
      ExaminedStep& now = *step_of++;
      const bool full = trial.stage == "full";
      if (!full && trial.executed) continue;
      if (timed && trial.executed && protocol_.compile == Protocol::Compile::after_values) continue;
      draw(trial);
      const std::vector<InputData>& inputs = trial.inputs;
      if (auto plan = tuned(recording_.plans[trial.plan], inputs)) {
        // The executor has seen another configuration.
        recording_.plans[trial.plan] = std::move(*plan);
        if (trial.executed && !try_again(trial, now)) return false;
      }
      const Plan& plan = recording_.plans[trial.plan];
      const std::vector<Compiled> kernels = kernels_of(plan);
      GpuReplay replayed;
      ReferenceTime reference;
      std::vector<Challenge> challenges;
      if (timed || !full) {
        replayed = gpu_->replay(plan, kernels, inputs, std::nullopt, cancelled_);
      } else {
        // What Triton's kernels access the executor has checked.
        if (recording_.needs_gpu(plan)) challenges = challenges_of(trial);
        std::tie(replayed, reference) =
            gpu_->compare(plan, kernels, inputs, *protocol_.timing,
                          {task_, trial.variation, protocol_.compiled_reference, challenges}, cancelled_);
      }
      verdict_.spent += replayed.spent;
      if (full && !timed && protocol_.watch) protocol_.watch(inputs, replayed);
      auto wrong = judge_gpu(plan, trial, replayed);
      if (!wrong) wrong = judge_challenged(plan, trial, challenges, replayed);
      if (!wrong && !trial.executed) wrong = check_copies(plan, kernels, trial, replayed);
      if (wrong) {
        // Where the executor was content, it is what came behind it that failed.
        const bool behind = trial.executed && !timed;
        verdict_.values = false;
        note(behind ? step("timed") : now, Outcomes::failed, *wrong);
        fail(behind ? "timed" : trial.stage, wrong->kind, wrong->message, wrong->line);
        verdict_.variation = trial.variation.label();
        return false;
      }
      forget(trial);
      if (timed || !full) continue;
      timed = true;
      verdict_.modelled = false;
      verdict_.time_us = trimmed_mean(replayed.graph_us, protocol_.timing->trim);
      verdict_.launched_us = trimmed_mean(replayed.stream_us, protocol_.timing->trim);
      verdict_.reference_us = reference.graph_us;
      verdict_.compiled_us = reference.compiled_us;
    }
    return true;
  }

  bool fails(const Outcome& outcome) const {
    return outcome.finding && (!outcome.finding->memory || protocol_.memory_errors_fail() || !outcome.values);
  }

  // As the trial was examined, with the configuration that the GPU prefers.
  bool try_again(Trial& trial, ExaminedStep& step) {
    if (!parse_kernels()) return false;
    step.launches = launches_of(recording_.plans[trial.plan]);
    const Outcome outcome = examine(trial);
    trial.executed = !outcome.left_to_gpu;
    if (!fails(outcome)) return true;
    verdict_.values = outcome.values;
    note(step, Outcomes::failed, *outcome.finding);
    fail(trial.stage, outcome.finding->kind, outcome.finding->message, outcome.finding->line);
    verdict_.variation = trial.variation.label();
    return false;
  }

  // The plan with the fastest configuration of each autotuned launch, one launch after another; none when
  // those are the ones it has. Which they are may differ from run to run: they are judged as the first ones
  // are.
  std::optional<Plan> tuned(const Plan& plan, const std::vector<InputData>& inputs) {
    constexpr std::size_t most = 16;  // configurations of a launch
    std::optional<Plan> better;
    std::optional<double> best_us;
    const auto time = [&](const Plan& one) -> std::optional<double> {
      const GpuReplay replayed =
          gpu_->replay(one, kernels_of(one), inputs, TimingProtocol{2, 8, 0.1}, cancelled_);
      verdict_.spent += replayed.spent;
      return replayed.finding ? std::nullopt : trimmed_mean(replayed.graph_us, 0.1);
    };
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const auto* launch = std::get_if<LaunchStep>(&plan.steps[i]);
      if (launch == nullptr || launch->alternatives.empty()) continue;
      if (!best_us) best_us = time(plan);
      for (std::size_t k = 0; k < std::min(most, launch->alternatives.size()); ++k) {
        Plan other = better.value_or(plan);
        auto& changed = std::get<LaunchStep>(other.steps[i]);
        static_cast<PlanLaunch&>(changed) = launch->alternatives[k];
        const auto us = time(other);
        if (us && (!best_us || *us < *best_us)) better = std::move(other), best_us = us;
      }
    }
    return better;
  }

  // A plan's kernels as cubins; those of other plans are left empty.
  std::vector<Compiled> kernels_of(const Plan& plan) {
    std::vector<Compiled> kernels(recording_.kernels.size());
    for (const Step& step : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        const auto number = static_cast<std::size_t>(launch->kernel);
        if (!kernels[number].ok) kernels[number] = compile_kernel(launch->kernel);
      }
    return kernels;
  }

  // Every output that the GPU gave, under each poison and in each timed run, must be right.
  std::optional<ReplayFinding> judge_gpu(const Plan& plan, const Trial& trial,
                                         const GpuReplay& replayed) const {
    if (replayed.finding) return replayed.finding;
    ReplayResult result;
    result.writers.assign(trial.expected.size(), Writer::kernel);
    for (const std::vector<double>& output : replayed.outputs) {
      result.output = output;
      if (auto wrong = judge(plan, trial.variation, result, trial.expected)) {
        if (replayed.damage) return replayed.damage;  // says more than a number that is wrong
        wrong->message += ", on the GPU";
        return wrong;
      }
    }
    if (replayed.damage && protocol_.memory_errors_fail()) return replayed.damage;
    return std::nullopt;
  }

  std::vector<Challenge> challenges_of(const Trial& trial) const {
    std::vector<ElementType> types;
    for (const TensorShape& input : input_shapes(task_, trial.variation))
      types.push_back(element_type(input.dtype).value());
    return draw_challenges(trial.inputs, types,
                           input_key(secret_, recording_.seal, "challenge " + trial.variation.label()));
  }

  // With another input than in the runs before it, a run must give that input's output.
  std::optional<ReplayFinding> judge_challenged(const Plan& plan, const Trial& trial,
                                                const std::vector<Challenge>& challenges,
                                                const GpuReplay& replayed) {
    const Stopwatch watch(verdict_.spent, Work::draw);
    ReplayResult result;
    result.writers.assign(trial.expected.size(), Writer::kernel);
    for (std::size_t i = 0; i < replayed.challenged.size(); ++i) {
      result.output = replayed.challenged[i];
      const std::vector<InputData> inputs = challenged(trial.inputs, challenges.at(i));
      auto wrong = judge(plan, trial.variation, result, reference_values(task_, trial.variation, inputs));
      if (!wrong) continue;
      if (!judge(plan, trial.variation, result, trial.expected))
        wrong = ReplayFinding{"kept_output",
                              fmt::format("with other values in `{}` than in the runs before it, a timed "
                                          "run gives the output of those",
                                          inputs[challenges[i].input].name)};
      else
        wrong->message += fmt::format(", when timed with other values in `{}` than in the runs before",
                                      inputs[challenges[i].input].name);
      return wrong;
    }
    return std::nullopt;
  }

  // Where the executor has not seen who wrote what, the plan's framework operations alone must not give the
  // output, nor three quarters of it, which are copies of inputs then. Kernels that change few values in
  // place, as clamp does, change them once inputs are large.
  std::optional<ReplayFinding> check_copies(const Plan& plan, const std::vector<Compiled>& kernels,
                                            const Trial& trial, const GpuReplay& replayed) {
    const auto right = [&](const std::vector<double>& output, const std::vector<double>& expected) {
      const Tolerance tolerated = tolerance(output_shape(task_, trial.variation).dtype);
      std::size_t count = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) count += tolerated.accepts(output[i], expected[i]);
      return count;
    };
    const std::size_t all = trial.expected.size();
    if (4 * right(replayed.without_kernels, trial.expected) <= 3 * all) return std::nullopt;
    constexpr double factor = 1024;
    const std::vector<InputData> large = scaled_inputs(task_, trial.variation, trial.inputs, factor);
    const GpuReplay again = gpu_->replay(plan, kernels, large, std::nullopt, cancelled_);
    verdict_.spent += again.spent;
    if (again.finding) return again.finding;
    const std::size_t copied = right(again.without_kernels, reference_values(task_, trial.variation, large));
    if (4 * copied <= 3 * all) return std::nullopt;
    return ReplayFinding{"decoy_kernel",
                         fmt::format("{} of {} output values are right without any kernel", copied, all)};
  }

  std::vector<LaunchGeometry> launches_of(const Plan& plan) const {
    std::vector<LaunchGeometry> launches;
    for (const Step& one : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&one)) {
        const PlanKernel& kernel = recording_.kernels[static_cast<std::size_t>(launch->kernel)];
        launches.push_back(
            {kernel.name, launch->grid, launch->block, kernel.options.value("num_warps", 0), launch->line});
      }
    return launches;
  }

  void draw(Trial& trial) {
    if (std::exchange(trial.drawn, true)) return;
    const Stopwatch watch(verdict_.spent, Work::draw);
    trial.inputs = draw_inputs(task_, trial.variation, secret_, recording_.seal);
    trial.expected = reference_values(task_, trial.variation, trial.inputs);
  }

  static void forget(Trial& trial) {
    trial.drawn = false;
    trial.inputs = {};
    trial.expected = {};
  }

  Outcome examine(Trial& trial) {
    const Plan& plan = recording_.plans[trial.plan];
    Outcome outcome;
    if (plan.error) {
      outcome.finding = ReplayFinding{plan.error->reason, plan.error->message, plan.error->line};
      return outcome;
    }
    if (protocol_.compile == Protocol::Compile::all)
      if (auto error = compile_plan(trial.plan)) {
        outcome.finding = std::move(error);
        return outcome;
      }
    if (std::exchange(replaced_, false) && !parse_kernels()) return outcome;
    if (const auto wrong = check_form(plan, trial.variation)) {
      outcome.finding = wrong;
      return outcome;
    }
    if (recording_.needs_gpu(plan)) {
      if (protocol_.timing)
        outcome.values = outcome.left_to_gpu = true;
      else
        outcome.finding = ReplayFinding{"needs_gpu", "a CUDA kernel runs on a GPU alone"};
      return outcome;
    }
    const bool then_on_gpu = protocol_.timing && trial.stage == "full";
    if (then_on_gpu && !protocol_.executor) {
      outcome.values = outcome.left_to_gpu = true;
      return outcome;
    }
    draw(trial);
    const Stopwatch watch(verdict_.spent, Work::execute);
    const std::vector<InputData>& inputs = trial.inputs;
    const std::vector<double>& expected = trial.expected;
    ReplayOptions options;
    options.order = order(trial.variation, "order");
    options.cancelled = cancelled_;
    options.threads = threads_;
    if (then_on_gpu) options.plan_operations = operations_before_gpu;
    ReplayResult result = replay(plan, modules_, names_, inputs, options);
    if (then_on_gpu && result.counters.operations >= operations_before_gpu) {
      outcome.values = outcome.left_to_gpu = true;
      return outcome;
    }
    outcome.counters = result.counters;
    outcome.per_launch = result.per_launch;
    // What a stray read returned may have been swallowed, as maximum(NaN, 0) does, and what a stray
    // write damaged may have been written again: once more with a number and in another order.
    std::optional<ReplayFinding> wrong = judge(plan, trial.variation, result, expected);
    if (!wrong && !result.findings.empty()) {
      options.poison = 0x7B;
      options.order = order(trial.variation, "another order");
      wrong = judge(plan, trial.variation, replay(plan, modules_, names_, inputs, options), expected);
    }
    if (wrong && wrong->kind == "wrong_values" && result.findings.empty())
      explain_nonfinite(plan, inputs, options, result, expected, *wrong);
    if (!wrong) wrong = check_decoy(plan, trial.variation, inputs, result, expected);
    outcome.values = !wrong;
    // A place in the source says more than a number that is wrong.
    const bool decoy = wrong && wrong->kind == "decoy_kernel";
    outcome.finding = result.findings.empty() || decoy ? wrong : most_telling(result.findings);
    return outcome;
  }

  // Nobody can know the order of the programs before the candidate is sealed.
  std::uint64_t order(const Variation& variation, const char* purpose) const {
    return input_key(secret_, recording_.seal, variation.label() + "/" + purpose).value | 1;
  }

  static ReplayFinding most_telling(const std::vector<ReplayFinding>& findings) {
    for (const ReplayFinding& finding : findings)
      if (!finding.memory) return finding;
    return findings.front();
  }

  std::optional<ReplayFinding> check_form(const Plan& plan, const Variation& variation) const {
    const TensorShape shape = output_shape(task_, variation);
    if (plan.output.shape != shape.extents)
      return ReplayFinding{"wrong_shape",
                           fmt::format("forward returns shape [{}], the task's is [{}]",
                                       fmt::join(plan.output.shape, ", "), fmt::join(shape.extents, ", "))};
    if (name(plan.output.type) != (shape.dtype == "bool" ? "i1" : shape.dtype))
      return ReplayFinding{"wrong_dtype", fmt::format("forward returns {}, the task's output is {}",
                                                      name(plan.output.type), shape.dtype)};
    return std::nullopt;
  }

  // Why the replay's values are not the task's; none when they are.
  std::optional<ReplayFinding> judge(const Plan& plan, const Variation& variation, const ReplayResult& result,
                                     const std::vector<double>& expected) const {
    for (const ReplayFinding& finding : result.findings)
      if (!finding.memory) return finding;
    const Tolerance tolerated = tolerance(output_shape(task_, variation).dtype);
    std::size_t wrong = 0, first = 0, unwritten = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      unwritten += result.writers[i] == Writer::nobody;
      if (tolerated.accepts(result.output[i], expected[i]) && result.writers[i] != Writer::nobody) continue;
      if (wrong++ == 0) first = i;
    }
    if (wrong == 0) return std::nullopt;
    if (unwritten > 0)
      return ReplayFinding{"unwritten_output",
                           fmt::format("{} of {} output values are never written, the first at {}", unwritten,
                                       expected.size(), where(first, plan.output.shape))};
    return ReplayFinding{"wrong_values",
                         fmt::format("{} of {} values are wrong; at {} it is {} instead of {}", wrong,
                                     expected.size(), where(first, plan.output.shape),
                                     text_of(result.output[first]), text_of(expected[first]))};
  }

  // A NaN or Inf that the reference hasn't: the plan once more, looking for the operation that made it.
  void explain_nonfinite(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options,
                         const ReplayResult& result, const std::vector<double>& expected,
                         ReplayFinding& wrong) const {
    constexpr std::uint64_t most_operations = 100'000'000;
    if (result.counters.operations > most_operations) return;
    std::size_t at = 0;
    while (at < expected.size() && (std::isfinite(result.output[at]) || !std::isfinite(expected[at]))) ++at;
    if (at == expected.size()) return;
    executor::Trace trace;
    options.trace = &trace;
    replay(plan, modules_, names_, inputs, options);
    const std::vector<executor::Trace::Step> steps =
        trace.origin(plan.output.buffer, offset_of(plan.output, at));
    if (steps.empty()) return;
    wrong.message += fmt::format("; the {} at {} ", text_of(result.output[at]), where(at, plan.output.shape));
    for (std::size_t i = 0; i < steps.size(); ++i)
      wrong.message += fmt::format("{} line {}: {}", i == 0 ? "comes from" : ", this from",
                                   steps[i].source.line, steps[i].what);
    if (wrong.line == 0) wrong.line = steps.front().source.line;
  }

  // Values that are right must come from a kernel.
  std::optional<ReplayFinding> check_decoy(const Plan& plan, const Variation& variation,
                                           const std::vector<InputData>& inputs, const ReplayResult& result,
                                           const std::vector<double>& expected) const {
    const auto by_kernel = std::count(result.writers.begin(), result.writers.end(), Writer::kernel);
    if (by_kernel == static_cast<std::ptrdiff_t>(result.writers.size())) return std::nullopt;
    // A kernel that mends a few values of a copy is right by the copy.
    const auto copied = std::count(result.writers.begin(), result.writers.end(), Writer::input);
    if (4 * copied > 3 * static_cast<std::ptrdiff_t>(result.writers.size()))
      return ReplayFinding{"decoy_kernel",
                           fmt::format("{} of {} output values are copies of inputs that no kernel made",
                                       copied, result.writers.size())};
    if (by_kernel > 0) {
      ReplayOptions without;
      without.launches = false;
      if (judge(plan, variation, replay(plan, modules_, names_, inputs, without), expected))
        return std::nullopt;
    }
    return ReplayFinding{"decoy_kernel", "the output does not come from a kernel"};
  }

  const Task& task_;
  const Protocol& protocol_;
  const std::string& secret_;
  Recorder& recorder_;
  KernelCompiler& compiler_;
  const std::function<bool()>& cancelled_;
  const std::function<int()>& threads_;
  GpuLane* gpu_;

  std::vector<Trial> trials_;
  json shapes_ = json::array();
  std::vector<std::vector<std::int64_t>> input_bytes_;
  Recording recording_;
  int lines_ = 0;  // of the candidate; 0 where only its recording is known
  bool compile_first_ = false;
  bool replaced_ = false;  // a launch by one of its alternatives
  std::vector<executor::Module> modules_;
  std::vector<std::string> names_;
  json recorded_;
  std::vector<ExaminedStep> steps_;
  Verdict verdict_;
};

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

Protocol Protocol::parse(const json& spec) {
  Protocol protocol;
  if (spec.contains("variations")) {
    protocol.variations.clear();
    for (const json& variation : spec["variations"])
      protocol.variations.push_back(Variation::parse(variation));
  }
  if (protocol.variations.empty())
    throw StageError("a verify stage needs at least one variation", "add `original`");
  if (spec.contains("language")) protocol.language = language_of(spec);
  protocol.tiny = field_or(spec, "tiny", false);
  const auto compile = field_or<std::string>(spec, "compile", "after_values");
  if (compile != "all" && compile != "after_values")
    throw StageError("`compile` is " + compile, "it is `all` or `after_values`");
  protocol.compile = compile == "all" ? Compile::all : Compile::after_values;
  protocol.memory_checks = field_or(spec, "memory_checks", false);
  protocol.strict = field_or(spec, "strict", false);
  const auto gpu = field_or<std::string>(spec, "modelled_for", "H200");
  const auto model = executor::gpu_model(gpu);
  if (!model) throw StageError("there is no model of a GPU called " + gpu, "H200 is the one there is");
  protocol.gpu = *model;
  if (field_or(spec, "timed", false)) {
    // Calibrated timing when off: one shot after one warm-up.
    const json timing = field_or(spec, "timing", json::object());
    protocol.timing = TimingProtocol{field_or(timing, "warmup", 1), field_or(timing, "trials", 1),
                                     field_or(timing, "trim", 0.0)};
    constexpr double training_budget_ms = 100;
    if (protocol.compile == Compile::after_values) protocol.timing->budget_ms = training_budget_ms;
    if (protocol.timing->warmup < 0 || protocol.timing->trials < 1)
      throw StageError("a timed stage needs at least one trial");
  }
  const json limits = field_or(spec, "limits", json::object());
  protocol.limits.seconds = std::max<std::int64_t>(1, field_or(limits, "seconds", protocol.limits.seconds));
  protocol.limits.memory_bytes = field_or(limits, "memory_bytes", protocol.limits.memory_bytes);
  return protocol;
}

json Verdict::to_json() const {
  json row = {{"valid", valid},
              {"compiled", or_null(compiled)},
              {"tiny", tiny},
              {"correct", correct},
              {"values", values},
              {"failed", or_null(failed)},
              {"reason", or_null(reason)},
              {"message", or_null(message)},
              {"line", line > 0 ? json(line) : json(nullptr)},
              {"variation", or_null(variation)},
              {"speedup", speedup},
              {"time_us", or_null(time_us)},
              {"reference_us", or_null(reference_us)},
              {"modelled", modelled},
              {"launches", launches}};
  if (launched_us) row["launched_us"] = *launched_us;
  if (compiled_us) row["compiled_us"] = *compiled_us;
  return row;
}

json ExaminedStep::to_json() const {
  static constexpr const char* outcomes[] = {"passed", "failed", "skipped"};
  json shown = json::array();
  for (const LaunchGeometry& launch : launches)
    shown.push_back({{"kernel", launch.kernel},
                     {"grid", launch.grid},
                     {"block", launch.block},
                     {"num_warps", launch.num_warps},
                     {"line", launch.line}});
  return {{"stage", stage},
          {"variation", or_null(variation)},
          {"outcome", outcomes[static_cast<int>(outcome)]},
          {"reason", or_null(reason)},
          {"message", or_null(message)},
          {"line", line > 0 ? json(line) : json(nullptr)},
          {"launches", shown}};
}

Verifier::Verifier(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> compiled)
    : recorder_(installation, sandbox), compiler_(installation, sandbox, std::move(compiled)) {}

void Verifier::ready(const std::function<bool()>& cancelled) {
  recorder_.ready(cancelled);
  compiler_.ready(cancelled);
  if (gpu_) gpu_->ready(cancelled);
}

void Verifier::require_gpu(const Protocol& protocol) const {
  if (protocol.timing && !gpu_)
    throw StageError("this lane has no GPU to time candidates on", "run it where there is one");
}

Verdict Verifier::verify(const Task& task, const std::string& answer, const Protocol& protocol,
                         const std::string& secret, const std::function<bool()>& cancelled) {
  return examine(task, answer, protocol, secret, cancelled).verdict;
}

Examined Verifier::examine(const Task& task, const std::string& answer, const Protocol& protocol,
                           const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination(task, protocol, secret, recorder_, compiler_, cancelled, threads_, gpu_.get())
      .run(answer);
}

Examined Verifier::examine_recorded(const Task& task, const json& recorded, const Protocol& protocol,
                                    const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination(task, protocol, secret, recorder_, compiler_, cancelled, threads_, gpu_.get())
      .run_recorded(recorded);
}

}  // namespace trl::runtime
