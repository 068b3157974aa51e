// Predicts the time of a plan's missing stages on different numbers of GPUs, by simulating the scheduler.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The time and the price of the run on one number of GPUs.
struct ScalingPoint {
  int gpus = 1;
  double seconds = 0;                     ///< until the last stage ends
  double gpu_seconds = 0;                 ///< in which GPUs work
  std::optional<double> spot, on_demand;  ///< usd; nothing if the machine states no price

  double gpu_hours() const { return seconds * gpus / 3600; }  ///< the hours that are paid
  double busy() const { return seconds > 0 ? gpu_seconds / (seconds * gpus) : 0; }
};

struct Scaling {
  std::vector<ScalingPoint> points;  ///< in the order of the request
  int stages = 0, measured = 0;      ///< the missing stages, and the stages whose seconds the store knows
  bool assumed = false;              ///< whether the experiment declares no machine
  /// The longest chain of stages that need each other, at the largest number of GPUs, if each stage uses as
  /// many GPUs as it can. No run can be faster.
  double chain_seconds = 0;
  int chain_stages = 0;
  std::string chain_end;     ///< the slot of the chain's last stage
  std::string chain_kind;    ///< the kind of stage that takes most of the chain's time
  double chain_share = 0;    ///< the share of that kind
  double cores = 0;          ///< of the machine
  double cores_seconds = 0;  ///< the seconds of the cores at the largest number of GPUs
  /// The number of answers whose judging time is modelled, not measured, and the modelled seconds of one
  /// core.
  double judged = 0, judging_seconds = 0;
};

/// Simulates the run of a plan's missing stages on each of these numbers of GPUs. A stage takes the mean
/// seconds of similar finished stages (Forecast). If there are none, the seconds are modelled (`stage_costs`)
/// for the declared machine or, if the experiment declares none, for `assumed_machine`. The number of cores
/// is the machine's, for any number of GPUs; the price is proportional to the number of GPUs. A group of GPUs
/// is as fast as `group_speedup` assumes. Nothing if the seconds are neither measured nor modelled; `why`
/// then says what is missing.
std::optional<Scaling> scaling_of(const nlohmann::json& document, const Plan& plan, const Store& store,
                                  const std::vector<int>& gpus, std::string& why);

/// Returns the largest number of GPUs up to which adding GPUs pays. A step from one number to the next pays
/// if it saves at least half of the time that perfect scaling would save.
int pays_up_to(const Scaling& scaling);

/// Returns the table and an explanation of the limits; begins with an empty line and ends with a newline.
std::string scaling_text(const Scaling& scaling);
nlohmann::json scaling_json(const Scaling& scaling);

}  // namespace trl::interpreter
