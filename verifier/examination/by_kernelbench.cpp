// KernelBench's protocol beside ours (arXiv 2502.10517; eval.py of its repository, commit 423217d9).
#include <fmt/format.h>

#include <cmath>

#include "base/support/error.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/examination/steps.hpp"
#include "verifier/services/module_references.hpp"

namespace trl::runtime {
namespace {

/// Why the outputs of a trial aren't those that the module gave; nothing where they are.
std::optional<std::string> wrong_output(const Plan& plan, const std::vector<double>& output,
                                        const std::vector<std::vector<double>>& expected, double t) {
  std::size_t at = 0, wrong = 0, count = 0, first = 0;
  double wanted = 0;
  for (const std::vector<double>& result : expected) {
    for (const double value : result) {
      const double got = output.at(at);
      // As torch.allclose has it: equal infinities are close, and NaN never is.
      const bool close = value == got || std::abs(value - got) <= t + t * std::abs(got);
      if (!close && wrong++ == 0) first = at, wanted = value;
      ++at, ++count;
    }
  }
  if (wrong == 0) return std::nullopt;
  return fmt::format("{} of {} values are wrong; at {} it is {} instead of {}", wrong, count,
                     plan.place_of(first), text_of(output[first]), text_of(wanted));
}

OtherVerdict refused(std::string reason, std::string message) {
  return OtherVerdict{false, std::move(reason), std::move(message)};
}

std::optional<OtherVerdict> judged(const Question& question, const Services& services,
                                   const Candidate& candidate, const std::function<bool()>& cancelled) {
  if (candidate.recording.plans.empty() || candidate.recording.plans[0].error)
    return refused("no_plan", "it came to no launch plan");
  Progress progress(question.protocol.budget, cancelled);  // with a budget of its own
  Candidate own = candidate;
  const Plan& plan = own.recording.plans[0];
  if (const auto wrong = check_form(plan, question.task, Variation{}))
    return refused(wrong->kind, wrong->message);
  const bool on_gpu = question.protocol.timing && services.gpu != nullptr;
  const bool large = oversized(question.task, Variation{}, question.protocol.held_bytes);
  if (own.recording.needs_gpu(plan) && !on_gpu) return std::nullopt;
  if (large && !(on_gpu && question.own_module)) return std::nullopt;
  PlanCompiler compiler(services.compiler, question.protocol.limits, progress);
  if (const auto wrong = compiler.compile_plan(own, 0, on_gpu ? CompileTo::cubin : CompileTo::verdict))
    return refused(wrong->kind, wrong->message);
  if (large) {
    const JudgedOnGpu judged = services.gpu->judge_by_trials(
        plan, compiler.cubins(own.recording, plan), {question.task, {}, false, question.own_module, {}},
        kernelbench_protocol(question.task, "cuda"), ModuleReference::trials, cancelled);
    if (!judged.left.empty()) return std::nullopt;
    if (judged.finding) return refused(judged.finding->kind, judged.finding->message);
    return OtherVerdict{true, "", ""};
  }
  const auto reference =
      services.references.of(question.task, question.own_module, on_gpu, services.sandbox, cancelled);
  Execution execution(services.executor, services.threads, progress);
  std::vector<Compiled> kernels;
  if (on_gpu) {
    kernels = compiler.cubins(own.recording, plan);
  } else if (const auto wrong = execution.parse(own.recording, false)) {
    return refused(wrong->kind, wrong->message);
  }
  for (int i = 0; i < ModuleReference::trials; ++i) {
    const ReferenceTrial trial = reference->trial(question.task, i);
    std::optional<ReplayFinding> wrong;
    std::vector<double> output;
    if (on_gpu) {
      const GpuReplay replayed = services.gpu->replay(plan, kernels, trial.inputs, std::nullopt, cancelled);
      wrong = replayed.finding;
      if (!wrong) output = replayed.outputs.at(0);
    } else {
      const ReplayResult replayed = execution.replay(
          plan, trial.inputs, execution.options(static_cast<std::size_t>(i) + 1, question.task, Variation{}));
      // The protocol sees values alone, not how memory was used.
      for (const ReplayFinding& finding : replayed.findings)
        if (!finding.memory && !wrong) wrong = finding;
      output = replayed.output;
    }
    const std::string where = fmt::format("in trial {} of {}: ", i + 1, ModuleReference::trials);
    if (wrong) return refused(wrong->kind, where + wrong->message);
    if (const auto message = wrong_output(plan, output, trial.outputs, ModuleReference::tolerance))
      return refused("wrong_values", where + *message);
  }
  return OtherVerdict{true, "", ""};
}

}  // namespace

std::optional<OtherVerdict> judge_by_kernelbench(const Question& question, const Services& services,
                                                 const Candidate& candidate,
                                                 const std::function<bool()>& cancelled) {
  try {
    return judged(question, services, candidate, cancelled);
  } catch (const NoReference& none) {
    return refused("no_reference", none.what());  // no answer is right by it, as in KernelBench
  }
}

}  // namespace trl::runtime
