// The memory that a task takes at its own sizes, which decides where answers to it can be judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/tasks/task.hpp"

namespace trl::tasks {

/// The most bytes that the buffers of a launch plan may have together where a CPU executes all of its
/// programs.
inline constexpr std::int64_t most_executed_bytes = std::int64_t{128} << 20;

/// The bytes of a task's tensors at its own sizes. They are floating-point numbers, since products of sizes
/// can exceed 64 bits.
struct Footprint {
  double inputs = 0;   ///< bytes of all inputs, which include the parameters of the task's module
  double outputs = 0;  ///< bytes of all results
  /// Bytes of inputs and outputs in f64, the form in which the reference is computed.
  double reference = 0;
  bool by_module = false;  ///< whether answers are judged by the task's module, on a GPU alone

  /// The least number of bytes that the buffers of an answer's launch plan take together: inputs and outputs.
  double buffers() const { return inputs + outputs; }
  /// Whether a CPU can execute every program of a launch plan for this task, and compute the values with
  /// which its results are compared. This depends on the task alone, not on an answer.
  bool executed() const { return !by_module && buffers() <= static_cast<double>(most_executed_bytes); }
  /// The least number of bytes of GPU memory with which a GPU can judge an answer's values: the buffers of
  /// the launch plan, the outputs twice more (prefilled with two kinds of poison), and the reference.
  double gpu() const { return buffers() + 2 * outputs + reference; }
};

/// Returns the footprint of a task. Throws UserError if a size can't be computed.
Footprint footprint_of(const Task& task);

/// Returns a number of bytes as text: "8.3 GiB". Numbers above 1e18 are shown as 1e18 bytes.
std::string memory_text(double bytes);

/// The footprints of a set of tasks, summed up for people.
class Footprints {
 public:
  /// Adds a task; `name` is what a text calls it, such as "level1/76 (conv)".
  void add(const std::string& name, const Footprint& footprint);
  std::size_t tasks() const { return tasks_; }
  /// The number of tasks of which a CPU doesn't execute every program.
  std::size_t larger() const { return gpu_.size(); }
  /// The number of the larger tasks that are judged by running their modules, on a GPU alone.
  std::size_t by_module() const { return by_module_; }
  /// The number of these larger tasks that need more than `bytes` bytes of GPU memory.
  std::size_t beyond(double bytes) const;
  /// The least number of bytes of GPU memory with which a GPU judges answers to each of the larger tasks; 0
  /// if there is no larger task.
  double gpu() const { return most_gpu_; }
  /// Returns a sentence about where answers to the larger tasks are judged: "without a GPU answers are judged
  /// at smaller sizes and by a sample of programs at their own, completely by a GPU of at least 33.0 GiB; the
  /// largest is level1/76 (conv), with 8.3 GiB of inputs and outputs". Answers with kernels in CUDA (`cuda`
  /// is true), and tasks that are judged by their modules, always need a GPU.
  std::string where_judged(bool cuda) const;

 private:
  std::size_t tasks_ = 0, by_module_ = 0;
  std::vector<double> gpu_;  // for each larger task: the bytes of GPU memory that it needs
  double most_gpu_ = 0, most_buffers_ = 0;
  std::string largest_;
};

}  // namespace trl::tasks
