#pragma once
// Modelled times of a candidate's launches and of the task's reference, for a GPU that this machine doesn't
// have.
#include <string_view>
#include <vector>

#include "verifier/executor/model_time.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Modelled microseconds of a candidate's launches, one after another.
double modelled_time_us(const std::vector<executor::Counters>& launches, const executor::GpuModel& gpu);

/// Modelled microseconds of the task's operators, each as one launch.
double modelled_reference_us(const Task& task, const Variation& variation, const executor::GpuModel& gpu);

}  // namespace trl::runtime
