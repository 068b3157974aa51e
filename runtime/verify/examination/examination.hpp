#pragma once
// One candidate's way to its verdict, a file for each part of it: what was recorded (recorded.cpp), the
// executor's values (values.cpp) and those on directed inputs (directed.cpp), the GPU's (gpu.cpp), and
// whether they come from kernels (decoy.cpp). For verify.cpp alone.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/verify/compare/tolerance.hpp"
#include "runtime/verify/examination/verify.hpp"
#include "runtime/verify/inputs/challenge.hpp"
#include "runtime/verify/inputs/directed_inputs.hpp"
#include "runtime/verify/inputs/path_coverage.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

// A variation to pass and the plan that was recorded for its sizes.
struct Trial {
  Variation variation;
  std::string stage;     // tiny or full
  std::size_t plan = 0;  // of the recording
  bool executed = true;  // on the executor, before the GPU
  // Drawn when first asked for; kept for the GPU alone, since they can be large.
  bool drawn = false;
  std::vector<InputData> inputs = {};
  Expected expected = {};
};

// What the trials are called whose inputs are made to turn decisions of the kernels.
constexpr const char* directed_label = "directed";

struct Outcome {
  bool values = false;
  bool left_to_gpu = false;              // too much work for the executor: the GPU judges alone
  std::optional<ReplayFinding> finding;  // the first; when `values`, about memory alone
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;
};

// One candidate on its way; the members are what later steps need of earlier ones.
class Examination {
 public:
  Examination(const Task& task, const Protocol& protocol, const std::string& secret, Recorder& recorder,
              ExecutorProcess& executor, KernelCompiler& compiler, const std::function<bool()>& cancelled,
              const std::function<int()>& threads, GpuLane* gpu)
      : task_(task),
        protocol_(protocol),
        secret_(secret),
        recorder_(recorder),
        executor_(executor),
        compiler_(compiler),
        cancelled_(cancelled),
        threads_(threads),
        gpu_(gpu),
        budget_(protocol.budget, verdict_.spent) {}

  Examined run(const std::string& answer);

  Examined run_recorded(const nlohmann::json& recorded);

 private:
  using Outcomes = ExaminedStep::Outcome;

  Examined judge_recorded();

  void judge_steps();

  void lay_out_steps();
  // Which of the variations say something of a candidate for this task.
  void mark_evidence();

  ExaminedStep& step(std::string_view stage);

  static bool passed(ExaminedStep& step);

  // As `fail`, of a step that is no trial.
  bool fail_step(std::string_view at, const std::string& stage, const std::string& reason,
                 const std::string& message, int line = 0);

  // False once the candidate's budget is used up, which ends it at this step.
  bool affords(ExaminedStep& step, const std::string& stage);

  void note(ExaminedStep& step, Outcomes outcome, const ReplayFinding& finding) const;

  // A line of the answer; 0 for one that it hasn't. Lines of plans and of kernels' locations are a
  // candidate's word.
  int known(int line) const { return lines_ > 0 && line > lines_ ? 0 : line; }

  void choose_trials();

  // The sizes besides 4 at which what earns the credit of `full` must be right: drawn ones; in training those
  // of a variation, where there is one, which are recorded in any case. None where the task allows none.
  std::optional<Variation> second_sizes() const;

  // Whether it is tried on every candidate.
  bool is_trial(const Variation& variation) const;

  // The number of the plan for a variation's sizes and dtypes; variations of the same share it.
  std::size_t plan_for(const Variation& variation);

  bool fail(std::string stage, std::string reason, std::string message, int line = 0);

  bool read_recorded();

  // A launch, at any size, of what the protocol doesn't ask for.
  std::optional<ReplayFinding> kernel_of_another_language() const;

  // CUDA in the plans that trl-kernel-check never read, where the candidate was recorded here. Of a published
  // plan nobody can say what was read.
  std::optional<ReplayFinding> unchecked_cuda() const;

  // Whether the first plan, as others would write it down in C++, is sound.
  std::optional<KernelCheck::Refusal> check_wrapper();

  // Without a plan a candidate has shown nothing, however far its process says that it came.
  bool fail_recording(const PlanError& error);

  // The kernels that make a candidate compiled: those of the task's own sizes.
  bool compile();

  // Of an autotuned launch it is enough that one configuration compiles: the first that does becomes the
  // launch, and its values count. `launched` is for values that were judged already.
  enum class Configurations { any, launched };

  // Compiles the kernels that a plan launches. The first error, if any.
  std::optional<ReplayFinding> compile_plan(std::size_t number, CompileTo to,
                                            Configurations which = Configurations::any);
  // `place`: among the plan's launches.
  std::optional<ReplayFinding> compile_launch(const LaunchStep& launch, std::size_t place, CompileTo to,
                                              Configurations which);
  // In every plan, at every size.
  void launch_alternative(std::size_t place, std::size_t number);

  Compiled compile_kernel(int number, CompileTo to);

  // The kernels that may be launched; without a GPU those of alternatives alone stay empty.
  bool parse_kernels();

  // False once a value is wrong; a memory error alone is noted, and the values are looked at to the end.
  bool try_values();

  // Trials on inputs that turn the decisions which went one way alone so far, for each plan that has such
  // ones. False as try_values.
  bool try_directed();

  // What goes wrong on directed inputs, if anything does.
  std::optional<ReplayFinding> direct(const Trial& trial, const Plan& plan);

  // "where x is -9.5 at [3, 7], a decision that drawn inputs always take the same way goes wrong …".
  ReplayFinding explained(ReplayFinding wrong, const DirectedInputs& directed, const Trial& trial,
                          const Plan& plan, const ReplayResult& result, const std::vector<double>& expected,
                          const PathCoverage& before) const;

  static std::vector<int> kernels_launched(const Plan& plan);

  // The GPU's word on every full variation, and the time of the first. It gives values anew: what the
  // executor took for right may differ on the machine that is meant. In training the executor's word stands
  // for the variations that are not timed: their cubins would cost more than all else.
  bool try_on_gpu();

  // What a candidate that fails is credited for the stages before must hold: where values come before cubins,
  // its kernels must compile, and where it fails at full sizes, it must have been right at two others.
  void confirm_stages();
  // Of a wrong candidate one plan is compiled: that of the task's own sizes, or, where its values at other
  // sizes earn credit, one of those that the secret draws. Compiling each would cost more than the rest of
  // its trial.
  std::size_t plan_to_compile() const;
  void confirm_tiny();

  // In the place of the failure that the verdict has.
  void fail_instead(const std::string& stage, const ReplayFinding& finding);

  bool fails(const Outcome& outcome) const;

  // A trial on the GPU, which is not timed. Why it fails; none: it is right.
  std::optional<ReplayFinding> replay_on_gpu(Trial& trial);

  // As the trial was examined, with the configuration that the GPU prefers.
  bool try_again(Trial& trial, ExaminedStep& step);

  // The plan with the fastest configuration of each autotuned launch, one launch after another; none when
  // those are the ones it has. Which they are may differ from run to run: they are judged as the first ones
  // are.
  std::optional<Plan> tuned(const Plan& plan, const std::vector<InputData>& inputs);

  // A plan's kernels as cubins; those of other plans are left empty.
  std::vector<Compiled> kernels_of(const Plan& plan);

  // Every output that the GPU gave, under each poison and in each timed run, must be right.
  std::optional<ReplayFinding> judge_gpu(const Plan& plan, const Trial& trial,
                                         const GpuReplay& replayed) const;

  // As the executor would say it, of an output whose writers are unknown.
  ReplayResult result_of(const GpuReplay& replayed, std::size_t elements);

  std::vector<Challenge> challenges_of(const Trial& trial) const;

  // With another input than in the runs before it, a run must give that input's output.
  std::optional<ReplayFinding> judge_challenged(const Plan& plan, const Trial& trial,
                                                const std::vector<Challenge>& challenges,
                                                const GpuReplay& replayed);

  std::vector<LaunchGeometry> launches_of(const Plan& plan) const;

  void draw(Trial& trial);

  static void forget(Trial& trial);

  Outcome examine(Trial& trial);

  // Of a plan that is too long for the executor: what some programs of each launch, which nobody can know
  // before the candidate is sealed, do to memory.
  std::optional<ReplayFinding> check_sampled(const Plan& plan, const Trial& trial) const;

  // Nobody can know the order of the programs before the candidate is sealed.
  std::uint64_t order(const Variation& variation, const char* purpose) const;

  std::optional<ReplayFinding> check_form(const Plan& plan, const Variation& variation) const;

  // Why the replay's values are not the task's; none when they are.
  std::optional<ReplayFinding> judge(const Plan& plan, const ReplayResult& result,
                                     const Expected& expected) const;

  // A NaN or Inf that the reference hasn't: the plan once more, looking for the operation that made it.
  void explain_nonfinite(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options,
                         const ReplayResult& result, const std::vector<double>& expected,
                         ReplayFinding& wrong) const;

  // A plan, or a part of one, carried out by the executor.
  ReplayResult carried_out(const Plan& plan, const std::vector<InputData>& inputs,
                           ReplayOptions options) const;

  // What a plan's kernels give, on the executor or the GPU.
  using RunPlan = std::function<ReplayResult(const Plan&, const std::vector<InputData>&)>;

  // Values that are right must come from a kernel. `writers` are those of the output; empty where the
  // executor has not seen them.
  std::optional<ReplayFinding> check_decoy(const Plan& plan, const Trial& trial,
                                           const std::vector<Writer>& writers, const RunPlan& run);
  std::optional<ReplayFinding> check_framework_alone(const Plan& plan, const Trial& trial,
                                                     const std::vector<Writer>& writers, const RunPlan& run);
  std::optional<ReplayFinding> check_moves(const Plan& plan, const Trial& trial, const RunPlan& run);

  // An exam counts nothing as right that a trivial answer passes, too.
  bool task_says_something();

  // An output of few elements is guessed too easily to be judged by one draw of inputs.
  std::optional<ReplayFinding> judge_more_draws(const Plan& plan, const Trial& trial,
                                                const ReplayOptions& options) const;
  // The same of what the executor has not seen.
  std::optional<ReplayFinding> judge_more_draws_on_gpu(const Plan& plan, const std::vector<Compiled>& kernels,
                                                       const Trial& trial);

  const Task& task_;
  const Protocol& protocol_;
  const std::string& secret_;
  Recorder& recorder_;
  ExecutorProcess& executor_;
  KernelCompiler& compiler_;
  const std::function<bool()>& cancelled_;
  const std::function<int()>& threads_;
  GpuLane* gpu_;
  std::vector<Trial> trials_;
  std::optional<Trial> other_sizes_;    // at second_sizes()
  std::optional<CheckedCuda> checked_;  // none: recorded elsewhere
  nlohmann::json shapes_ = nlohmann::json::array();
  std::vector<std::vector<std::int64_t>> input_bytes_;
  Recording recording_;
  int lines_ = 0;  // of the candidate; 0: unknown
  bool compile_first_ = false;
  bool replaced_ = false;  // a launch by one of its alternatives
  PathCoverage paths_;
  nlohmann::json recorded_;
  std::vector<ExaminedStep> steps_;
  Verdict verdict_;
  mutable Budget budget_;  // replays are const, and cost
  std::set<int> charged_;  // kernels whose compilation is paid for
};

}  // namespace trl::runtime
