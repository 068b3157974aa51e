#include "runtime/verify/examination/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/verify/plan/launch_wrapper.hpp"
#include "runtime/verify/plan/source_line.hpp"

namespace trl::runtime {

bool Examination::read_recorded() {
  if (!recorded_["ok"].get<bool>()) return fail_recording(parse_plan_error(recorded_));
  try {
    recording_ = parse_recording(recorded_, input_bytes_);
  } catch (const BadPlan& bad) {
    return fail_step("syntax", "syntax", "bad_plan", bad.what());
  }
  if (recording_.plans[0].error) return fail_recording(*recording_.plans[0].error);
  if (recording_.plans[0].launches() == 0)
    return fail_step("syntax", "syntax", "no_kernel", "forward launches no kernel");
  if (const auto other = kernel_of_another_language())
    return fail_step("syntax", "syntax", other->kind, other->message, other->line);
  if (const auto unread = unchecked_cuda())
    return fail_step("syntax", "syntax", unread->kind, unread->message);
  if (const auto wrong = check_wrapper()) return fail_step("syntax", "syntax", wrong->reason, wrong->message);
  verdict_.valid = true;
  verdict_.launches = recording_.plans[0].launches();
  return passed(step("syntax"));
}

std::optional<ReplayFinding> Examination::kernel_of_another_language() const {
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

std::optional<ReplayFinding> Examination::unchecked_cuda() const {
  if (!checked_) return std::nullopt;
  for (const PlanKernel& kernel : recording_.kernels)
    if (kernel.language == PlanKernel::Language::cuda && !checked_->has(kernel.text, kernel.expression))
      return ReplayFinding{
          "bad_plan",
          fmt::format("the launch plan is not sound: `{}` is no kernel of what was compiled for the wrapper",
                      kernel.name)};
  return std::nullopt;
}

std::optional<KernelCheck::Refusal> Examination::check_wrapper() {
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

bool Examination::fail_recording(const PlanError& error) {
  verdict_.claimed = error.claimed;
  return fail_step("syntax", "syntax", error.reason, error.message, error.line);
}

bool Examination::compile() {
  const std::optional<ReplayFinding> error = compile_plan(0, CompileTo::cubin);
  verdict_.compiled = !error;
  return error ? fail_step("compile", "compile", error->kind, error->message, error->line)
               : passed(step("compile"));
}

std::optional<ReplayFinding> Examination::compile_plan(std::size_t number, CompileTo to,
                                                       Configurations which) {
  std::size_t place = 0;
  for (const Step& step : recording_.plans[number].steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step))
      if (const auto error = compile_launch(*launch, place++, to, which)) return error;
  return std::nullopt;
}

std::optional<ReplayFinding> Examination::compile_launch(const LaunchStep& launch, std::size_t place,
                                                         CompileTo to, Configurations which) {
  if (budget_.used_up()) return ReplayFinding{"timeout", budget_.explain()};
  const Compiled first = compile_kernel(launch.kernel, to);
  if (first.ok) return std::nullopt;
  // Lines of a source that the candidate put together, which it hasn't as they are, lie behind its own.
  const int line = recording_.kernels[static_cast<std::size_t>(launch.kernel)].line_of_answer(first.line);
  const ReplayFinding error{first.reason, first.message, known(line)};
  if (which == Configurations::launched) return error;
  for (std::size_t number = 0; number < launch.alternatives.size(); ++number) {
    if (budget_.used_up()) return ReplayFinding{"timeout", budget_.explain()};
    if (!compile_kernel(launch.alternatives[number].kernel, to).ok) continue;
    launch_alternative(place, number);
    return std::nullopt;
  }
  return error;
}

void Examination::launch_alternative(std::size_t place, std::size_t number) {
  replaced_ = true;
  for (Plan& plan : recording_.plans) {
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

Compiled Examination::compile_kernel(int number, CompileTo to) {
  const Stopwatch watch(verdict_.spent, Work::compile);
  const PlanKernel& kernel = recording_.kernels[static_cast<std::size_t>(number)];
  Compiled compiled = compiler_.compile(kernel, cancelled_, to, protocol_.limits);
  // Once a candidate, and the same whoever had it compiled first.
  if (charged_.insert(number).second) budget_.use(Work::compile, compiled.cpu_seconds);
  return compiled;
}

bool Examination::parse_kernels() {
  const Stopwatch watch(verdict_.spent, Work::parse);
  std::vector<std::string> texts(recording_.kernels.size());
  const auto take = [&](const PlanLaunch& call) {
    const auto number = static_cast<std::size_t>(call.kernel);
    const PlanKernel& kernel = recording_.kernels[number];
    if (kernel.language == PlanKernel::Language::triton) texts[number] = kernel.text;
  };
  for (const Plan& plan : recording_.plans)
    for (const Step& step : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        take(*launch);
        // A GPU may run these, too.
        if (protocol_.timing)
          for (const PlanLaunch& alternative : launch->alternatives) take(alternative);
      }
  paths_ = PathCoverage(recording_.kernels.size());
  const double before = executor_.cpu_seconds();
  const auto error = executor_.parse(texts, cancelled_);
  budget_.use(Work::parse, executor_.cpu_seconds() - before);
  if (!error) return true;
  return fail_step(trials_.front().stage, trials_.front().stage, error->reason, error->message,
                   source_line(texts[error->kernel], error->line));
}

std::vector<Compiled> Examination::kernels_of(const Plan& plan) {
  std::vector<Compiled> kernels(recording_.kernels.size());
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      const auto number = static_cast<std::size_t>(launch->kernel);
      if (!kernels[number].ok) kernels[number] = compile_kernel(launch->kernel, CompileTo::cubin);
    }
  return kernels;
}

}  // namespace trl::runtime
