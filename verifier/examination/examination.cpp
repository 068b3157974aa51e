#include "verifier/examination/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/contract/reasons.hpp"
#include "base/support/random.hpp"
#include "verifier/answer/source.hpp"
#include "verifier/examination/steps.hpp"

namespace trl::runtime {

using nlohmann::json;

Examination::Examination(const Question& question, const Services& services,
                         const std::function<bool()>& cancelled)
    : question_(question),
      services_(services),
      progress_(question.protocol.budget, cancelled),
      test_cases_(choose_test_cases(question)),
      compiler_(services.compiler, question.protocol.limits, progress_),
      execution_(services.executor, services.threads, progress_),
      executor_test_cases_(question_, candidate_, compiler_, execution_, progress_),
      gpu_test_cases_(question_, candidate_, compiler_, services.gpu, progress_) {}

Examined Examination::run(const std::string& answer) {
  if (answer.size() > most_answer_bytes) {
    recorded_ = {{"ok", false},
                 {"reason", "too_large"},
                 {"message", "the answer has " + std::to_string(answer.size()) + " bytes, more than " +
                                 std::to_string(most_answer_bytes)}};
  } else {
    const Stopwatch watch(progress_.verdict.timings, Work::record);
    const Source source = extract_source(answer);
    progress_.lines = static_cast<int>(std::count(source.text.begin(), source.text.end(), '\n')) + 1;
    CandidateLimits limits = question_.protocol.limits;
    limits.seconds = std::min(limits.seconds, question_.protocol.recording_seconds);
    recorded_ = services_.recorder.record(source, test_cases_.shapes, limits, progress_.cancelled,
                                          &progress_.budget, question_.protocol.epilogue);
    recorded_["lines"] = progress_.lines;
    checked_ = services_.recorder.checked();
  }
  return judge_recorded();
}

Examined Examination::run_recorded(const json& recorded) {
  recorded_ = recorded;
  if (recorded_.contains("lines") && recorded_["lines"].is_number_unsigned())
    progress_.lines =
        static_cast<int>(std::min<std::uint64_t>(recorded_["lines"].get<std::uint64_t>(), 1'000'000));
  return judge_recorded();
}

Examined Examination::judge_recorded() {
  if (tasks::judged_by_module(question_.task) && !services_.on_gpu(question_.protocol))
    leave_to_gpu();
  else
    judge_by_both();
  return taken();
}

void Examination::judge_by_both() {
  judge_steps();
  confirm_own_size(question_, test_cases_, executor_test_cases_, gpu_test_cases_, progress_);
  if (question_.protocol.tiny)
    confirm_stages(question_, test_cases_, candidate_, compiler_, executor_test_cases_, gpu_test_cases_,
                   progress_);
  if (question_.protocol.also_by_kernelbench && question_.task.module)
    progress_.verdict.kernelbench =
        judge_by_kernelbench(question_, services_, recorded_, candidate_, progress_.cancelled);
}

Examined Examination::timed_out(double seconds) {
  if (progress_.steps.empty())
    progress_.steps = lay_out_steps(test_cases_, question_.protocol.compile == Protocol::Compile::all);
  const auto open =
      std::find_if(progress_.steps.begin(), progress_.steps.end(), [](const ExaminedStep& step) {
        return step.outcome == ExaminedStep::Outcome::skipped && step.message.empty();
      });
  ExaminedStep& step = open == progress_.steps.end() ? progress_.steps.back() : *open;
  const Timings& timings = progress_.verdict.timings;
  std::size_t longest = 0;
  for (std::size_t work = 1; work < work_names.size(); ++work)
    if (timings.on(static_cast<Work>(work)) > timings.on(static_cast<Work>(longest))) longest = work;
  const ReplayFinding finding{
      "timeout", fmt::format("there was no verdict within {:.1f} s, of which the step {} took {:.1f} s",
                             seconds, work_names[longest], timings.on(static_cast<Work>(longest)))};
  progress_.note(step, ExaminedStep::Outcome::failed, finding);
  progress_.fail_instead(step.stage, finding);
  progress_.verdict.variation = step.variation;
  progress_.verdict.correct = false;
  return taken();
}

/// Returns the result so far, and ends the candidate's process in the executor.
Examined Examination::taken() {
  services_.executor.end();
  std::string commitment = candidate_.recording.commitment;
  return {std::move(progress_.verdict), std::move(progress_.steps),      std::move(recorded_),
          std::move(commitment),        std::move(candidate_.recording), progress_.budget.to_json()};
}

void Examination::leave_to_gpu() {
  const std::string reason(contract::not_judged),
      why = "the task is judged by its module, which a GPU alone carries out: measure kernel times";
  progress_.steps = lay_out_steps(test_cases_, is_cuda(recorded_));
  progress_.fail_step("full", {reason, why});
  if (question_.protocol.also_by_kernelbench) progress_.verdict.kernelbench = {std::nullopt, reason, why};
}

void Examination::judge_steps() {
  const Protocol& protocol = question_.protocol;
  Verdict& verdict = progress_.verdict;
  // Kernels that only a GPU can run are compiled before their values are judged.
  const bool compile_first = protocol.compile == Protocol::Compile::all || is_cuda(recorded_);
  progress_.steps = lay_out_steps(test_cases_, compile_first);
  for (const TestCases::LeftAlone& one : test_cases_.left_alone) verdict.left_alone.push_back(one.label);
  mark_evidence(question_, test_cases_, progress_);
  if (services_.on_gpu(protocol))
    test_cases_.limits.assign(test_cases_.limits.size(),
                              PlanLimits::on_gpu(services_.gpu->memory_bytes(progress_.cancelled)));
  if (!read_recorded(recorded_, test_cases_, question_, checked_, services_.recorder, candidate_, progress_))
    return;
  if (compile_first && !compile_own_plan(candidate_, compiler_, progress_)) return;
  do {
    verdict.tiny = verdict.values = false;
    if (executor_test_cases_.parse() || !executor_test_cases_.try_all(test_cases_)) return;
    if (!executor_test_cases_.try_stretched(test_cases_)) return;
    if (!try_own_sizes(question_, services_, test_cases_, candidate_.recording, progress_)) return;
    if (!try_directed(question_, test_cases_, candidate_.recording, execution_, progress_)) return;
    verdict.values = true;
    if (!compile_first && !compile_own_plan(candidate_, compiler_, progress_)) return;
  } while (candidate_.relaunched);  // another configuration is launched now: its values must be judged, too
  if (!verdict.failed.empty() || !task_says_something(question_, test_cases_, progress_)) return;
  if (protocol.timing && !gpu_test_cases_.try_all(test_cases_, executor_test_cases_)) return;
  verdict.correct = true;
  verdict.tiny = true;
  verdict.speedup = *verdict.reference_us / *verdict.time_us;
  passed(progress_.step("timed"));
}

}  // namespace trl::runtime
