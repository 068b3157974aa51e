// Decides which stage runs next and on which seats (seats.hpp). The scheduler follows these rules, and `trl
// plan --gpus` simulates them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/seats.hpp"

namespace trl::interpreter {

/// Returns the resource that a stage needs in a run with several seats: `head` if trl runs it itself;
/// `server` if a server answers; `gpu` for verification that times kernels and, with `on_gpus`, for all other
/// stages except verification, corpora and tokenizers; otherwise `cores`.
Need need_of(const Stage& stage, const Plan& plan, bool on_gpus);

/// Whether a stage with this need can take several seats. On a cluster this is so for verification, whose
/// candidates are divided among the seats; on the GPUs of one machine, for stages that a group of processes
/// can carry out (contract::uses_group).
bool can_be_shared(const Stage& stage, Need need, bool on_cluster = false);

/// The seats of a run that are free.
class FreeSeats {
 public:
  FreeSeats(const std::vector<Seat>& seats, const Plan& plan);

  /// Whether there is only one seat, on which all stages run in the plan's order.
  bool single() const { return offers_.size() == 1; }
  /// The resource that a stage needs in this run.
  Need need(const Stage& stage) const;
  /// Takes free seats for a stage and returns their indices; nothing if no suitable seat is free. `ready` is
  /// the number of ready stages with the same need, including this one. A stage that can be shared
  /// (`can_be_shared`) takes the number of suitable free seats divided by `ready`, at least one.
  std::optional<std::vector<std::size_t>> take(const Stage& stage, std::size_t ready);
  void give_back(const std::vector<std::size_t>& seats);

 private:
  const Plan& plan_;
  std::vector<Need> offers_;
  std::vector<bool> free_;
  bool on_gpus_ = false, on_cluster_ = false;
};

/// The loss of time with each further GPU of a group, as a share of a stage's time on one GPU: the exchange
/// of gradients, the last wave of answers, waiting. Two H200s were measured to be 1.96 to 1.98 times as fast
/// as one, for the rollout, the optimiser step and the policy gradient of a 7B model
/// (tests/benchmarks/train). For more GPUs the value is an assumption.
constexpr double lost_by_each_further_gpu = 0.015;

/// How many times as fast as one GPU a group of GPUs carries out a stage.
double group_speedup(std::size_t gpus);

/// The seconds that a stage takes on a number of seats.
using StageSeconds = std::function<double(const Stage& stage, std::size_t seats)>;

/// Returns, by key, the seconds of the longest chain of stages that begins with the stage, if each stage has
/// one seat. A stage must come after its inputs in `stages`, as in a plan.
std::map<std::string, double> remaining_paths(std::span<const Stage* const> stages,
                                              const StageSeconds& seconds);

/// Sorts stages by their remaining paths, longest first. Stages with equal paths keep their order.
void sort_by_path(std::vector<const Stage*>& stages, const std::map<std::string, double>& paths);

/// A run as it would go.
struct Simulated {
  double seconds = 0;        ///< until the last stage ends
  double gpu_seconds = 0;    ///< the seconds in which GPUs work, each GPU of a group counted by itself
  double cores_seconds = 0;  ///< in which the seat of the cores works
};
/// Simulates the run of a plan's missing stages on these seats.
Simulated simulate(const Plan& plan, std::span<const Stage* const> missing, const std::vector<Seat>& seats,
                   const StageSeconds& seconds);

}  // namespace trl::interpreter
