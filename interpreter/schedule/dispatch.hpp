// Which stage runs next, and on which seats: the policy of the scheduler, and of `trl plan --gpus`, which
// simulates it.
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

/// Returns a stage's need in a run with several seats: `head` if it is local, `server` if a server answers,
/// `gpu` if verification is timed or, on GPUs, for all but verification, corpora, tokenizers; else `cores`.
Need need_of(const Stage& stage, const Plan& plan, bool on_gpus);

/// Whether a stage that needs this can have several seats. On a cluster these are verification, whose
/// candidates are dealt out; on the GPUs of one machine the stages of a group.
bool can_be_shared(const Stage& stage, Need need, bool on_cluster = false);

/// The seats of a run that are free.
class FreeSeats {
 public:
  FreeSeats(const std::vector<Seat>& seats, const Plan& plan);

  /// Whether there is only one seat, on which all stages run in the plan's order.
  bool single() const { return offers_.size() == 1; }
  /// The resource that a stage needs in this run.
  Need need(const Stage& stage) const;
  /// Takes seats for a stage; nothing if none is free. `ready` is the number of ready stages, with this one,
  /// that have the same need. A stage that can use a group takes free / ready GPUs, at least one.
  std::optional<std::vector<std::size_t>> take(const Stage& stage, std::size_t ready);
  void give_back(const std::vector<std::size_t>& seats);

 private:
  const Plan& plan_;
  std::vector<Need> offers_;
  std::vector<bool> free_;
  bool on_gpus_ = false, on_cluster_ = false;
};

/// The share of a stage's time on one GPU that each further GPU of a group costs: the exchange of gradients,
/// the last wave of answers, waiting. On two H200s groups were 1.96 to 1.98 times as fast as one, by the
/// rollout, the optimiser step and the policy gradient of a 7B model (tests/benchmarks/train); for more GPUs
/// it is assumed.
constexpr double lost_by_each_further_gpu = 0.015;

/// How many times as fast as one GPU a group of GPUs carries out a stage.
double group_speedup(std::size_t gpus);

/// The seconds that a stage takes on a number of seats.
using StageSeconds = std::function<double(const Stage& stage, std::size_t seats)>;

/// For each stage, by its key, the seconds of the longest chain of stages that begins with it, each on one
/// seat. The stages come after their inputs, as in a plan.
std::map<std::string, double> remaining_paths(std::span<const Stage* const> stages,
                                              const StageSeconds& seconds);

/// Sorts stages by their remaining paths, longest first, and equal ones as they were.
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
