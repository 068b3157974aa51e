#include "verifier/examination/execution.hpp"

#include <algorithm>
#include <string>

#include "verifier/executor/values/lowering.hpp"
#include "verifier/plan/source_line.hpp"
#include "verifier/tasks/costs.hpp"

namespace trl::runtime {
namespace {

// Limits of the operations that the executor spends on a candidate. A kernel that is right but slow, such as
// one that handles single elements, needs `times_the_task` times the task's operations, since each operation
// there costs 16 more than its elements. The CPU time is limited, too.
constexpr std::uint64_t times_the_task = 64, most_times = 8;

// The numbers that the task's operators read, write and compute.
std::uint64_t operations_of(const Task& task, const Variation& variation) {
  double all = 0;
  for (const OperatorCost& one : operator_costs(task, variation))
    all += one.flops + static_cast<double>(one.bytes_in + one.bytes_out) / 4;
  return static_cast<std::uint64_t>(std::min(all, 1e15));
}

}  // namespace

std::optional<ReplayFinding> Execution::parse(const Recording& recording, bool alternatives) {
  const Stopwatch watch(progress_.verdict.timings, Work::parse);
  std::vector<std::string> texts(recording.kernels.size());
  const auto take = [&](const PlanLaunch& call) {
    const auto number = static_cast<std::size_t>(call.kernel);
    const PlanKernel& kernel = recording.kernels[number];
    if (kernel.language == PlanKernel::Language::triton) texts[number] = kernel.text;
  };
  for (const Plan& plan : recording.plans)
    for (const Step& step : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        take(*launch);
        if (alternatives)
          for (const PlanLaunch& alternative : launch->alternatives) take(alternative);
      }
  // `enable_fp_fusion = False` keeps the compiler from contracting.
  contracted_ = std::any_of(recording.kernels.begin(), recording.kernels.end(), [](const PlanKernel& kernel) {
    return kernel.options.value("enable_fp_fusion", true);
  });
  paths = PathCoverage(recording.kernels.size());
  const double before = executor_.cpu_seconds();
  const auto error = executor_.parse(texts, progress_.cancelled);
  progress_.budget.use(Work::parse, executor_.cpu_seconds() - before);
  if (!error) return std::nullopt;
  return ReplayFinding{error->reason, error->message, source_line(texts[error->kernel], error->line)};
}

ReplayOptions Execution::options(std::uint64_t order, const Task& task, const Variation& variation) {
  using executor::Lowering;
  ReplayOptions options;
  options.order = order;
  // Bits 1 to 63 of `order` are random. The alternating bits of the first draw hold for all draws.
  if (drawn_ == 0) first_ = order >> 1;
  const bool contracts = (drawn_ & 1) != 0, several = ((drawn_ ^ drawn_ >> 1) & 1) != 0;
  constexpr std::uint64_t alternating = Lowering::contraction | Lowering::several_registers;
  options.lowering = (order >> 1 & ~alternating) | (first_ & alternating);
  if (contracts) options.lowering ^= Lowering::contraction;
  if (!contracted_) options.lowering &= ~Lowering::contraction;
  if (several) options.lowering ^= Lowering::several_registers;
  ++drawn_;
  const std::uint64_t usual = options.launch_operations;
  options.launch_operations =
      std::clamp(times_the_task * operations_of(task, variation), usual, most_times * usual);
  options.plan_operations *= options.launch_operations / usual;
  options.cancelled = progress_.cancelled;
  options.threads = threads_;
  return options;
}

ReplayResult Execution::replay(const Plan& plan, const std::vector<InputData>& inputs,
                               ReplayOptions options) {
  Budget& budget = progress_.budget;
  options.cpu_seconds = std::max(budget.cpu_left(), 0.1);
  options.asleep_seconds = std::max(budget.asleep_left(), 0.1);
  const double before = executor_.cpu_seconds(), asleep = executor_.asleep_seconds();
  ReplayResult result = executor_.replay(plan, inputs, options);
  budget.use(Work::execute, executor_.cpu_seconds() - before);
  budget.sleep(Work::execute, executor_.asleep_seconds() - asleep);
  return result;
}

std::vector<int> kernels_launched(const Plan& plan) {
  std::vector<int> kernels;
  for (const Step& one : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&one)) kernels.push_back(launch->kernel);
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  return kernels;
}

}  // namespace trl::runtime
