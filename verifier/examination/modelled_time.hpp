#pragma once
// Estimates the times of a candidate and of the reference by a model of a GPU, on a machine without that GPU.
#include <string_view>
#include <vector>

#include "verifier/executor/launch/model_time.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Returns the modelled time of a candidate's launches, which run one after another, in microseconds.
double modelled_time_us(const std::vector<executor::Counters>& launches, const executor::GpuModel& gpu);

/// Returns the modelled time of PyTorch's launches for the task (tasks/costs.hpp), in microseconds.
double modelled_reference_us(const Task& task, const Variation& variation, const executor::GpuModel& gpu);

}  // namespace trl::runtime
