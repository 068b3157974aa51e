#pragma once
// A plan whose inputs and outputs stay on the GPU: trl-runner carries it out, and
// verifier/baseline/own_sizes.py writes the inputs to the runner's memory and judges the outputs there.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verifier/services/gpu_runner.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// One conversation about a plan, which ends with the object. Used while nothing else uses the GPU.
class SharedPlan {
 public:
  /// Sends a request to the process of baseline.py and returns its answer; throws UserError.
  using Ask = std::function<nlohmann::json(const nlohmann::json&)>;

  /// Makes the runner load the plan; sets `finding` if that fails. Keeps references to the runner and the
  /// functions.
  SharedPlan(GpuRunner& runner, Ask ask, const Plan& plan, const std::vector<Compiled>& kernels,
             const Task& task, const Variation& variation, const std::function<bool()>& cancelled);
  ~SharedPlan();
  SharedPlan(const SharedPlan&) = delete;
  SharedPlan& operator=(const SharedPlan&) = delete;

  /// Sends a request to write the inputs (own_sizes.py, Drawn and Trial). Adds to it the places of inputs and
  /// outputs in GPU memory. Returns the reason why the inputs can't be written here, or an empty text.
  std::string open(nlohmann::json request);
  /// Runs the plan once, with all memory except the inputs filled with the byte `pattern`. Returns false and
  /// sets `finding` if that fails. If a kernel stored outside of the buffers, describes the store in
  /// `damage`.
  bool run(std::uint8_t pattern, bool launches);
  /// Returns what is wrong after the last run, an output or an input that was written to; else nothing.
  std::optional<ReplayFinding> compare();
  /// Times the plan; `compare` judges each distinct output. On failure sets `finding` and returns nothing.
  std::optional<nlohmann::json> time(const TimingProtocol& timing);
  /// Ends the conversation, so that the GPU's memory is free again.
  void close();

  std::optional<ReplayFinding> finding, damage;
  std::string reference;      ///< the precision of the values that outputs are compared with: "f64" or "f32"
  std::int64_t compared = 0;  ///< the number of values that `compare` last found right

 private:
  bool take(std::variant<nlohmann::json, ReplayFinding> heard);
  void note_damage();

  GpuRunner& runner_;
  Ask ask_;
  const std::vector<TensorShape> inputs_, outputs_;
  const std::function<bool()>& cancelled_;
  nlohmann::json heard_;  // the runner's last answer
  bool talking_ = false, opened_ = false;
};

}  // namespace trl::runtime
