#include "verifier/examination/modelled_time.hpp"

#include "verifier/tasks/costs.hpp"

namespace trl::runtime {

double modelled_time_us(const std::vector<executor::Counters>& launches, const executor::GpuModel& gpu) {
  double time = gpu.start_us;
  for (const executor::Counters& counters : launches) time += executor::model_time_us(counters, gpu);
  return time;
}

double modelled_reference_us(const Task& task, const Variation& variation, const executor::GpuModel& gpu) {
  std::vector<executor::ReferenceLaunch> launches;
  for (const OperatorCost& cost : operator_costs(task, variation))
    launches.push_back({static_cast<std::uint64_t>(cost.bytes_in), static_cast<std::uint64_t>(cost.bytes_out),
                        static_cast<std::uint64_t>(cost.flops), cost.product});
  return executor::model_reference_us(launches, gpu);
}

}  // namespace trl::runtime
