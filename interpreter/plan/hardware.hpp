// Which results depend on the hardware that they were made on, and whether a store is about to mix some.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Work whose results differ between kinds of hardware: sums are taken in another order, and times are
/// others.
enum class Work { sampling, training, timing };

/// The work of a stage; none of a stage whose result is the same on all hardware, such as verification with
/// modelled times.
std::optional<Work> work_of(const Stage& stage);
/// "sampling", "training", "timing".
std::string work_text(Work work);

/// The hardware as far as results depend on it: "NVIDIA H200", "a CPU (AVX512, x86-64-v4)". Results that were
/// made on hardware with equal texts can be compared.
std::string hardware_text(const contract::MadeOn& made_on);

/// Facts about this machine that are known without asking the worker.
struct Here {
  bool gpu = false;       ///< whether models run on a GPU
  std::string loops;      ///< as MadeOn has it
  std::string gpu_model;  ///< as MadeOn's `device`; empty where it isn't known
};
/// This machine, where models run on `device`: "cpu" or "cuda".
Here this_machine(const std::string& device);

/// Stored results of an experiment that were made on other hardware than this machine has, while more results
/// of the same work are to be made here.
struct OtherHardware {
  Work work = Work::sampling;
  std::string made_on;  ///< as `hardware_text`
  int stages = 0;       ///< stored stages
  int to_do = 0;        ///< missing stages
};
/// The other hardware that made stored results of the plan. Empty for work without stored results or without
/// missing ones, and if the experiment allows `mixed_hardware`. Results without a record of their machine,
/// and damaged ones, are passed over. Throws ReadError.
std::vector<OtherHardware> other_hardware(const Plan& plan, const Store& store, const Here& here);

/// "4 stages of sampling are stored from NVIDIA H200, and 2 are to be run here, on a CPU (x86-64-v4): …"
std::string sentence(const OtherHardware& other, const Here& here);
nlohmann::json as_json(const OtherHardware& other);

}  // namespace trl::interpreter
