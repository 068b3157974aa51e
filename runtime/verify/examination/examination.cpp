#include "runtime/verify/examination/examination.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "ground/random.hpp"
#include "runtime/verify/answer/source.hpp"
#include "runtime/verify/examination/confirm.hpp"
#include "runtime/verify/examination/directed.hpp"
#include "runtime/verify/examination/evidence.hpp"

namespace trl::runtime {

using nlohmann::json;

Examination::Examination(const Question& question, const Services& services,
                         const std::function<bool()>& cancelled)
    : question_(question),
      services_(services),
      progress_(question.protocol.budget, cancelled),
      trials_(choose_trials(question)),
      compiler_(services.compiler, question.protocol.limits, progress_),
      execution_(services.executor, services.threads, progress_),
      executor_trials_(question_, candidate_, compiler_, execution_, progress_),
      gpu_trials_(question_, candidate_, compiler_, services.gpu, progress_) {}

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
    recorded_ = services_.recorder.record(source, trials_.shapes, question_.protocol.limits,
                                          progress_.cancelled, &progress_.budget);
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
  judge_steps();
  if (question_.protocol.tiny)
    confirm_stages(question_, trials_, candidate_, compiler_, executor_trials_, gpu_trials_, progress_);
  services_.executor.end();
  std::string seal = candidate_.recording.seal;
  return {std::move(progress_.verdict),    std::move(progress_.steps), std::move(recorded_), std::move(seal),
          std::move(candidate_.recording), progress_.budget.to_json()};
}

void Examination::judge_steps() {
  const Protocol& protocol = question_.protocol;
  Verdict& verdict = progress_.verdict;
  // What only a GPU can run is compiled before anything is said about its values.
  const bool compile_first = protocol.compile == Protocol::Compile::all || is_cuda(recorded_);
  progress_.steps = lay_out_steps(trials_, compile_first);
  mark_evidence(question_, progress_);
  if (!read_recorded(recorded_, trials_, question_, checked_, services_.recorder, candidate_, progress_))
    return;
  if (compile_first && !compile_own_plan(candidate_, compiler_, progress_)) return;
  do {
    verdict.tiny = verdict.values = false;
    if (executor_trials_.parse() || !executor_trials_.try_all(trials_)) return;
    if (!try_directed(question_, trials_, candidate_.recording, execution_, progress_)) return;
    verdict.values = true;
    if (!compile_first && !compile_own_plan(candidate_, compiler_, progress_)) return;
  } while (candidate_.relaunched);  // another configuration is the launch: its values count
  if (!verdict.failed.empty() || !task_says_something(question_, progress_)) return;
  if (protocol.timing && !gpu_trials_.try_all(trials_, executor_trials_)) return;
  verdict.correct = true;
  verdict.tiny = true;
  verdict.speedup = *verdict.reference_us / *verdict.time_us;
  passed(progress_.step("timed"));
}

}  // namespace trl::runtime
