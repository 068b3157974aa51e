// Checkpoints: the state of a stage that trains, kept on disk so that it goes on from there after an
// interruption.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/stage/stage.hpp"
#include "runtime/train/optimiser.hpp"

namespace trl::runtime {

/// Writes and reads the one checkpoint of a stage, a file in the folder `stage.checkpoint` that is replaced
/// atomically. It holds the parameters, the optimiser's state, the number of steps that are done, the seconds
/// that they took and every metric told until then. All else follows from the spec and the inputs: the
/// schedule and the place in the shuffled documents from the number of steps, random numbers from their
/// names. A stage without a place for checkpoints writes and reads none.
class Checkpoints {
 public:
  using Clock = std::function<double()>;  ///< seconds that the stage has taken

  /// `parameters` and `optimiser` are the ones that training changes; they and `stage` must outlive this
  /// object.
  Checkpoints(Stage& stage, std::vector<at::Tensor> parameters, AdamW& optimiser, Clock clock);

  struct Resumed {
    std::int64_t steps = 0;  ///< finished steps
    double seconds = 0;      ///< the seconds of these steps
  };
  /// Puts parameters and optimiser into the state of the checkpoint, tells its metrics again and says so,
  /// where `total` is the number of steps of the whole stage. Zeros without a checkpoint. One that is
  /// damaged, of another stage, or made by another kind of device or version of libtorch, which rounds
  /// differently, only leads to a note that says why it isn't used.
  Resumed resume(std::int64_t total);

  /// Is called between steps, when `done` of them are done. Writes a checkpoint where it is time for one, and
  /// when the user has asked to stop; then it throws Cancelled. `before` is called before it writes, so
  /// that a stage can tell its numbers of these steps. A disk that is full stops no training: a note says so,
  /// once.
  void between_steps(std::int64_t done, const std::function<void()>& before = {});

 private:
  void write(std::int64_t done, const std::function<void()>& before);

  Stage& stage_;
  std::vector<at::Tensor> parameters_;
  AdamW& optimiser_;
  Clock clock_;
  std::int64_t written_ = 0;    // steps that the checkpoint on disk has
  std::optional<double> last_;  // when the last one was written, or training began
  double took_ = 0;             // seconds that writing the last one took
  bool failed_ = false;
};

}  // namespace trl::runtime
