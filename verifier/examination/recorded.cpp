#include "verifier/examination/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/examination/epilogue.hpp"
#include "verifier/plan/launch_wrapper.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

PlanError refused(std::string reason, std::string message, int line = 0) {
  return {std::move(reason), std::move(message), line, false};
}

// Finds a launch, at any size, of a kernel in another language than the protocol asks for.
std::optional<PlanError> kernel_of_another_language(const Recording& recording, const Protocol& protocol) {
  if (!protocol.language) return std::nullopt;
  for (const Plan& plan : recording.plans)
    for (const Step& one : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&one);
          launch != nullptr && launch->framework.empty()) {
        const PlanKernel& kernel = recording.kernels[static_cast<std::size_t>(launch->kernel)];
        const auto written =
            kernel.language == PlanKernel::Language::cuda ? KernelLanguage::cuda : KernelLanguage::triton;
        if (written != *protocol.language)
          return refused("other_language",
                         fmt::format("`{}` is written in {}, and kernels in {} are asked for", kernel.name,
                                     title(written), title(*protocol.language)),
                         launch->line);
      }
  return std::nullopt;
}

// Finds CUDA in the plans that trl-kernel-check hasn't read. Whether it has read them is only known for
// candidates that were recorded here, not for published plans.
std::optional<PlanError> unchecked_cuda(const Recording& recording,
                                        const std::optional<CheckedCuda>& checked) {
  if (!checked) return std::nullopt;
  for (const PlanKernel& kernel : recording.kernels)
    if (kernel.language == PlanKernel::Language::cuda && !checked->has(kernel.text, kernel.expression))
      return refused(
          "bad_plan",
          fmt::format("the launch plan is not sound: `{}` is no kernel of what was compiled for the wrapper",
                      kernel.name));
  return std::nullopt;
}

// Checks the C++ text of the first plan's launches with Clang.
std::optional<PlanError> check_wrapper(const Recording& recording, const Task& task, Recorder& recorder,
                                       Progress& progress) {
  const Stopwatch watch(progress.verdict.timings, Work::record);
  std::vector<WrapperKernel> kernels;
  for (const PlanKernel& kernel : recording.kernels) {
    const bool cuda = kernel.language == PlanKernel::Language::cuda;
    kernels.push_back(
        {kernel.name, 32u * static_cast<unsigned>(kernel.options.value("num_warps", 4)), 0, cuda ? 0 : 2});
  }
  std::vector<WrapperInput> inputs;
  for (const TensorShape& input : input_shapes(task, Variation{}))
    inputs.push_back({input.name, element_type(input.dtype).value(), input.extents});
  try {
    if (const auto wrong =
            recorder.check_wrapper(launch_wrapper(recording.plans[0], kernels, inputs), progress.cancelled))
      return refused(wrong->reason, wrong->message);
    return std::nullopt;
  } catch (const std::invalid_argument& error) {
    return refused("bad_plan", error.what());
  }
}

// Returns why a recorder's answer is no valid candidate, or nothing.
std::optional<PlanError> refusal(const json& recorded, const TestCases& test_cases, const Question& question,
                                 const std::optional<CheckedCuda>& checked, Recorder& recorder,
                                 Recording& recording, Progress& progress) {
  if (!recorded.at("ok").get<bool>()) return parse_plan_error(recorded);
  try {
    recording = parse_recording(recorded, test_cases.input_bytes, {}, test_cases.limits);
  } catch (const BadPlan& bad) {
    return refused("bad_plan", bad.what());
  }
  const Plan& own = recording.plans[0];
  if (own.error) return own.error;
  if (own.own_launches() == 0) return refused("no_kernel", "forward launches no kernel");
  if (auto other = kernel_of_another_language(recording, question.protocol)) return other;
  if (auto unread = unchecked_cuda(recording, checked)) return unread;
  if (auto wrong = check_epilogues(recording, test_cases, question)) return wrong;
  return check_wrapper(recording, question.task, recorder, progress);
}

}  // namespace

bool is_cuda(const json& recorded) {
  if (!recorded.contains("kernels") || !recorded["kernels"].is_array()) return false;
  return std::any_of(recorded["kernels"].begin(), recorded["kernels"].end(), [](const json& kernel) {
    return kernel.is_object() && kernel.contains("language") && kernel["language"] == "cuda";
  });
}

bool read_recorded(const json& recorded, const TestCases& test_cases, const Question& question,
                   const std::optional<CheckedCuda>& checked, Recorder& recorder, Candidate& candidate,
                   Progress& progress) {
  Verdict& verdict = progress.verdict;
  if (const auto error =
          refusal(recorded, test_cases, question, checked, recorder, candidate.recording, progress)) {
    // A candidate without a plan has passed no stage, whatever its process claims.
    verdict.claimed = error->claimed;
    return progress.fail_step("syntax", {error->reason, error->message, error->line});
  }
  verdict.valid = true;
  verdict.launches = candidate.recording.plans[0].launches();
  if (question.protocol.epilogue)
    verdict.kernel_share =
        kernel_share(candidate.recording, candidate.recording.plans[0], question.task, Variation{});
  return passed(progress.step("syntax"));
}

std::vector<LaunchGeometry> launches_of(const Recording& recording, const Plan& plan,
                                        const Progress& progress) {
  std::vector<LaunchGeometry> launches;
  for (const Step& one : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&one)) {
      const PlanKernel& kernel = recording.kernels[static_cast<std::size_t>(launch->kernel)];
      launches.push_back({kernel.name, launch->grid, launch->block, kernel.options.value("num_warps", 0),
                          progress.known(launch->line)});
    }
  return launches;
}

}  // namespace trl::runtime
