// Judges answers by KernelBench's protocol, in addition to this project's protocol (arXiv 2502.10517; eval.py
// of KernelBench's repository, commit 423217d9).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "base/contract/reasons.hpp"
#include "base/support/error.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/examination/steps.hpp"
#include "verifier/services/module_references.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// Says how a trial's outputs differ from the module's outputs; nothing if they don't differ.
std::optional<std::string> wrong_output(const Plan& plan, const std::vector<double>& output,
                                        const std::vector<std::vector<double>>& expected, double t) {
  std::size_t at = 0, wrong = 0, count = 0, first = 0;
  double wanted = 0;
  for (const std::vector<double>& result : expected) {
    for (const double value : result) {
      const double got = output.at(at);
      // The same rule as torch.allclose: equal infinities are close, and NaN never is.
      const bool close = value == got || std::abs(value - got) <= t + t * std::abs(got);
      if (!close && wrong++ == 0) first = at, wanted = value;
      ++at, ++count;
    }
  }
  if (wrong == 0) return std::nullopt;
  return fmt::format("{} of {} values are wrong; at {} it is {} instead of {}", wrong, count,
                     plan.place_of(first), text_of(output[first]), text_of(wanted));
}

OtherVerdict refused(const ReplayFinding& why) { return {false, why.kind, why.message}; }
OtherVerdict not_asked(const ReplayFinding& why) { return {std::nullopt, why.kind, why.message}; }

// Whether a finding stands for a limit or a gap of this verifier that KernelBench's evaluation doesn't have.
bool is_own_limit(const ReplayFinding& why) {
  constexpr std::string_view all[] = {"timeout", "memory", "unsupported", "too_large", "bad_plan"};
  return std::find(std::begin(all), std::end(all), why.kind) != std::end(all);
}

// The verdict on an answer without a launch plan.
OtherVerdict without_plan(const PlanError& error) {
  const ReplayFinding why{error.reason, error.message, error.line};
  return error.everywhere ? refused(why) : not_asked(why);
}

// Parameters whose numbers by KernelBench's seed may differ between the answer and the task's module.
struct OwnWeights {
  std::vector<DrawnWeight> drawn;
  std::vector<std::string> names;    // the names of the parameters in `drawn`
  std::vector<std::string> unknown;  // parameters whose distribution the recorder can't say
};

// Reads these parameters from the recorder's answer, which the candidate's process may have forged.
OwnWeights own_weights(const json& recorded, const Task& task) {
  OwnWeights out;
  const auto weights = recorded.find("weights");
  if (weights == recorded.end() || !weights->is_object()) return out;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    const auto found = weights->find(task.inputs[i].parameter);
    if (task.inputs[i].parameter.empty() || found == weights->end()) continue;
    DrawnWeight drawn{i, {}};
    for (const char* family : {"uniform", "normal", "constant"}) {
      if (!found->is_object() || !found->contains(family)) continue;
      const json numbers =
          (*found)[family].is_array() ? (*found)[family] : json::array({(*found)[family], 0});
      if (numbers.size() != 2 || !numbers[0].is_number() || !numbers[1].is_number()) continue;
      drawn.family = family, drawn.first = numbers[0], drawn.second = numbers[1];
    }
    constexpr double most = 1e30;  // libtorch refuses wider ranges
    const bool sound = !drawn.family.empty() && std::abs(drawn.first) <= most &&
                       std::abs(drawn.second) <= most &&
                       (drawn.family != "uniform" || drawn.first <= drawn.second) &&
                       (drawn.family != "normal" || drawn.second >= 0);
    (sound ? out.names : out.unknown).push_back(task.inputs[i].parameter);
    if (sound) out.drawn.push_back(drawn);
  }
  return out;
}

OtherVerdict judged(const Question& question, const Services& services, const json& recorded,
                    const Candidate& candidate, const std::function<bool()>& cancelled) {
  if (candidate.recording.plans.empty())
    return without_plan(recorded.value("ok", false)
                            ? PlanError{"bad_plan", "its launch plan is not sound", 0, false}
                            : parse_plan_error(recorded));
  if (const auto& error = candidate.recording.plans[0].error) return without_plan(*error);
  Progress progress(question.protocol.budget, cancelled);  // with a separate budget
  Candidate own = candidate;
  const Plan& plan = own.recording.plans[0];
  if (const auto wrong = check_form(plan, question.task, Variation{})) return refused(*wrong);
  const bool on_gpu = services.on_gpu(question.protocol);
  const bool cuda = own.recording.needs_gpu(plan);
  if (cuda && !on_gpu) return not_asked({"needs_gpu", "a CUDA kernel runs on a GPU alone"});
  const bool large = oversized(question.task, Variation{}, question.protocol.held_bytes);
  if (large && !(on_gpu && question.own_module))
    return not_asked({std::string(contract::not_judged), "the task's own sizes are too large for the CPU"});
  const OwnWeights weights = own_weights(recorded, question.task);
  const auto cannot_say = [](const std::vector<std::string>& names) {
    return not_asked(
        {"unsupported",
         fmt::format("whether its {} gets the numbers of the task's module under KernelBench's seed "
                     "can't be said",
                     fmt::join(names, ", "))});
  };
  PlanCompiler compiler(services.compiler, question.protocol.limits, progress);
  // NVRTC, which compiles CUDA here, lacks headers that KernelBench's nvcc has.
  if (const auto wrong = compiler.compile_plan(own, 0, on_gpu ? CompileTo::cubin : CompileTo::verdict))
    return cuda || is_own_limit(*wrong) ? not_asked(*wrong) : refused(*wrong);
  if (large) {
    const JudgedOnGpu judged = services.gpu->judge_by_trials(
        plan, compiler.cubins(own.recording, plan), {question.task, {}, false, question.own_module, {}},
        kernelbench_protocol(question.task, "cuda"), ModuleReference::trials, cancelled);
    if (!judged.left.empty()) return not_asked({std::string(contract::not_judged), judged.left});
    if (!judged.finding && !weights.drawn.empty()) return cannot_say(weights.names);
    if (!judged.finding)
      return weights.unknown.empty() ? OtherVerdict{true, "", ""} : cannot_say(weights.unknown);
    return is_own_limit(*judged.finding) ? not_asked(*judged.finding) : refused(*judged.finding);
  }
  const auto reference =
      services.references.of(question.task, question.own_module, on_gpu, services.sandbox, cancelled);
  Execution execution(services.executor, services.threads, progress);
  std::vector<Compiled> kernels;
  if (on_gpu) {
    kernels = compiler.cubins(own.recording, plan);
  } else if (const auto wrong = execution.parse(own.recording, false)) {
    return not_asked(*wrong);
  }
  for (int i = 0; i < ModuleReference::trials; ++i) {
    ReferenceTrial trial = reference->trial(question.task, i);
    trial.put_weights(question.task, weights.drawn);
    std::optional<ReplayFinding> wrong;
    std::vector<double> output;
    if (on_gpu) {
      const GpuReplay replayed = services.gpu->replay(plan, kernels, trial.inputs, std::nullopt, cancelled);
      wrong = replayed.finding;
      if (!wrong) output = replayed.outputs.at(0);
    } else {
      const ReplayResult replayed = execution.replay(
          plan, trial.inputs, execution.options(static_cast<std::size_t>(i) + 1, question.task, Variation{}));
      // KernelBench's protocol judges values alone and not how memory was used, so findings about memory are
      // skipped.
      for (const ReplayFinding& finding : replayed.findings)
        if (!finding.memory && !wrong) wrong = finding;
      output = replayed.output;
    }
    const std::string where = fmt::format(
        "in trial {} of {}{}: ", i + 1, ModuleReference::trials,
        weights.names.empty()
            ? ""
            : fmt::format(", in which KernelBench's seed gives its {} other numbers than the module's",
                          fmt::join(weights.names, ", ")));
    if (wrong) wrong->message = where + wrong->message;
    if (wrong) return is_own_limit(*wrong) ? not_asked(*wrong) : refused(*wrong);
    if (const auto message = wrong_output(plan, output, trial.outputs, ModuleReference::tolerance))
      return refused({"wrong_values", where + *message});
  }
  return weights.unknown.empty() ? OtherVerdict{true, "", ""} : cannot_say(weights.unknown);
}

}  // namespace

OtherVerdict judge_by_kernelbench(const Question& question, const Services& services, const json& recorded,
                                  const Candidate& candidate, const std::function<bool()>& cancelled) {
  try {
    return judged(question, services, recorded, candidate, cancelled);
  } catch (const NoReference& none) {
    return not_asked({"no_reference", none.what()});
  }
}

}  // namespace trl::runtime
