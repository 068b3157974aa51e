#include "verifier/examination/compile.hpp"

namespace trl::runtime {
namespace {

// Makes an alternative the launch at `place` among the launches of every plan, at every size.
void launch_alternative(Candidate& candidate, std::size_t place, std::size_t number) {
  candidate.relaunched = true;
  for (Plan& plan : candidate.recording.plans) {
    std::size_t at = 0;
    for (Step& step : plan.steps) {
      auto* const launch = std::get_if<LaunchStep>(&step);
      if (launch == nullptr || at++ != place) continue;
      if (number < launch->alternatives.size()) {
        const PlanLaunch chosen = launch->alternatives[number];
        launch->alternatives.clear();
        static_cast<PlanLaunch&>(*launch) = chosen;
      }
      break;
    }
  }
}

}  // namespace

std::optional<ReplayFinding> PlanCompiler::compile_plan(Candidate& candidate, std::size_t plan, CompileTo to,
                                                        Configurations which) {
  std::size_t place = 0;
  for (const Step& step : candidate.recording.plans[plan].steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step))
      if (const auto error = compile_launch(candidate, *launch, place++, to, which)) return error;
  return std::nullopt;
}

std::optional<ReplayFinding> PlanCompiler::compile_launch(Candidate& candidate, const LaunchStep& launch,
                                                          std::size_t place, CompileTo to,
                                                          Configurations which) {
  const Recording& recording = candidate.recording;
  const Budget& budget = progress_.budget;
  if (budget.used_up()) return ReplayFinding{"timeout", budget.explain()};
  const Compiled first = compile_kernel(recording, launch.kernel, to);
  if (first.ok) return std::nullopt;
  // Lines of a source that the candidate composed at run time aren't in its text. They are numbered after the
  // text's own lines.
  const int line = recording.kernels[static_cast<std::size_t>(launch.kernel)].line_of_answer(first.line);
  const ReplayFinding error{first.reason, first.message, progress_.known(line)};
  if (which == Configurations::launched) return error;
  for (std::size_t number = 0; number < launch.alternatives.size(); ++number) {
    if (budget.used_up()) return ReplayFinding{"timeout", budget.explain()};
    if (!compile_kernel(recording, launch.alternatives[number].kernel, to).ok) continue;
    launch_alternative(candidate, place, number);
    return std::nullopt;
  }
  return error;
}

Compiled PlanCompiler::compile_kernel(const Recording& recording, int number, CompileTo to) {
  const Stopwatch watch(progress_.verdict.timings, Work::compile);
  const PlanKernel& kernel = recording.kernels[static_cast<std::size_t>(number)];
  Compiled compiled = compiler_.compile(kernel, progress_.cancelled, to, limits_);
  // A compilation is charged once for a candidate, and the charge is the same whichever candidate had it
  // compiled first.
  if (charged_.insert(number).second) progress_.budget.use(Work::compile, compiled.cpu_seconds);
  return compiled;
}

std::vector<Compiled> PlanCompiler::cubins(const Recording& recording, const Plan& plan) {
  std::vector<Compiled> kernels(recording.kernels.size());
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      const auto number = static_cast<std::size_t>(launch->kernel);
      if (!kernels[number].ok) kernels[number] = compile_kernel(recording, launch->kernel, CompileTo::cubin);
    }
  return kernels;
}

bool compile_own_plan(Candidate& candidate, PlanCompiler& compiler, Progress& progress) {
  const std::optional<ReplayFinding> error = compiler.compile_plan(candidate, 0, CompileTo::cubin);
  progress.verdict.compiled = !error;
  return error ? progress.fail_step("compile", *error) : passed(progress.step("compile"));
}

}  // namespace trl::runtime
