// Checkpoints: the state of a training stage on disk, from which the stage continues after an interruption.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/stage/stage.hpp"
#include "runtime/group/group.hpp"
#include "runtime/train/optimiser.hpp"

namespace trl::runtime {

/// Writes and reads the one checkpoint of a stage, a file in the folder `stage.checkpoint` that is replaced
/// atomically. It holds the parameters, the optimiser's state, the number of finished steps, the seconds that
/// they took and all metrics reported so far. All other state follows from the spec and the inputs: the
/// schedule and the position in the shuffled documents from the number of steps, random numbers from their
/// keys. If a stage has no `stage.checkpoint`, nothing is written or read.
class Checkpoints {
 public:
  using Clock = std::function<double()>;  ///< returns the seconds that the stage has taken so far

  /// `parameters` and `optimiser` are the objects that training changes; they, `stage` and `group` must
  /// outlive this object. All processes of a group read the checkpoint, and rank 0 writes it.
  Checkpoints(Stage& stage, const Group& group, std::vector<at::Tensor> parameters, AdamW& optimiser,
              Clock clock);

  struct Resumed {
    std::int64_t steps = 0;  ///< finished steps
    double seconds = 0;      ///< the seconds of these steps
  };
  /// If there is a checkpoint, restores parameters and optimiser from it, reports its metrics again, and
  /// tells the stage that it was resumed; returns the finished steps and their seconds. `total` is the number
  /// of steps of the whole stage. Returns zeros if there is no checkpoint, or if it isn't used, for which a
  /// note gives the reason: it is damaged, belongs to another stage, or was made by another kind of device or
  /// version of libtorch, which rounds differently. Throws UserError if processes of the group find different
  /// checkpoints.
  Resumed resume(std::int64_t total);

  /// Must be called between steps, with the number `done` of finished steps. Writes a checkpoint when it is
  /// due. Also writes one when the user has asked any process of the group to stop, and then throws
  /// Cancelled. `before` is called before a checkpoint is written, so that the stage can report its metrics
  /// of these steps. If the disk is full, training continues, and one note tells the user.
  void between_steps(std::int64_t done, const std::function<void()>& before = {});

 private:
  Resumed read(std::int64_t total);
  void write(std::int64_t done, const std::function<void()>& before);

  Stage& stage_;
  const Group& group_;
  std::vector<at::Tensor> parameters_;
  AdamW& optimiser_;
  Clock clock_;
  std::int64_t written_ = 0;    // the number of steps of the checkpoint on disk
  std::optional<double> last_;  // the time at which the last checkpoint was written, or training began
  double took_ = 0;             // seconds that writing the last checkpoint took
  bool failed_ = false;
};

}  // namespace trl::runtime
