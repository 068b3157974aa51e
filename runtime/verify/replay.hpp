#pragma once
// Carries out a launch plan on the executor's checked memory.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/executor/executor.hpp"
#include "runtime/verify/executor/trace.hpp"
#include "runtime/verify/plan.hpp"

namespace trl::runtime {

/// An input as the plan's buffer holds it.
struct InputData {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Something wrong that a replay found; `kind` as verdicts write reasons.
struct ReplayFinding {
  std::string kind;
  std::string message;
  int line = 0;
  bool memory = false;  ///< concerns memory alone: tolerant verdicts look at the values
};

/// One element of the output: its value, and who wrote it last. What the framework copies keeps its writer;
/// `input`: it is a task's input, untouched by any kernel.
enum class Writer : std::uint8_t { nobody = 0, kernel = 1, host = 2, input = 3 };

struct ReplayResult {
  std::vector<ReplayFinding> findings;
  std::vector<double> output;   ///< in the output view's order; poison where nobody wrote
  std::vector<Writer> writers;  ///< one an element
  executor::Counters counters;
  std::vector<executor::Counters> per_launch;  ///< of kernels, copies and fills, in their order
};

struct ReplayOptions {
  std::uint8_t poison = 0xFF;
  std::uint64_t order = 0;  ///< of each launch's programs, as executor::Options says
  bool launches = true;     ///< false: the plan without its kernels, which must not give the answer
  /// Threads that a launch may take, asked at each; none: one. They change nothing but the time.
  std::function<int()> threads;
  /// Of one launch, and of all that a plan has together, as executor::Limits counts.
  std::uint64_t launch_operations = 1'000'000'000, plan_operations = 4'000'000'000;
  executor::Trace* trace = nullptr;  ///< follows NaN and Inf when set; slow
  std::function<bool()> cancelled;
};

/// Runs the plan's steps in order. `modules[i]` is kernel i parsed. Inputs can't be written. Ends at the
/// first finding that is not about memory.
ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options);

/// Where element number i of a view, in order, begins in its buffer.
std::int64_t offset_of(const BufferView& view, std::size_t i);

/// A number rounded to an element type and written to bytes, and back. Integers are truncated.
void store_element(ElementType type, double value, std::byte* to);
double load_element(ElementType type, const std::byte* from);

}  // namespace trl::runtime
