// Finds results that depend on the hardware that made them, and warns before an experiment mixes such results
// from different hardware.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Work whose results differ between kinds of hardware, since sums are computed in different orders and times
/// differ.
enum class Work { sampling, training, timing };

/// The hardware-dependent work of a stage; nothing for a stage whose result is the same on all hardware, such
/// as verification with modelled times.
std::optional<Work> work_of(const Stage& stage);
/// The name of the work: "sampling", "training" or "timing".
std::string work_text(Work work);

/// The properties of the hardware on which results depend, as text: "NVIDIA H200", "a CPU (AVX512,
/// x86-64-v4)". Results can be compared if their hardware has equal texts.
std::string hardware_text(const contract::MadeOn& made_on);

/// Facts about this machine that are known without asking the worker.
struct Here {
  bool gpu = false;       ///< whether models run on a GPU
  std::string loops;      ///< the vector level of the CPU's loops, as in MadeOn::loops
  std::string gpu_model;  ///< the GPU, as in MadeOn::device; empty if unknown
};
/// The facts about this machine if models run on `device`, which is "cpu" or "cuda".
Here this_machine(const std::string& device);

/// One kind of work of an experiment (such as sampling) that is split over two machines: some of its
/// results were made on other hardware, and the rest are still to be made on this machine.
struct OtherHardware {
  Work work = Work::sampling;
  std::string made_on;  ///< the other hardware, as `hardware_text` writes it
  int stages = 0;       ///< the number of stages that are stored from there
  int to_do = 0;        ///< the number of stages that are to be run here
};
/// The other hardware that made stored results of the plan. Work counts if it has both stored results and
/// missing results. Empty if the experiment allows `mixed_hardware`. Damaged results, and results without a
/// record of their machine, are ignored. Throws ReadError.
std::vector<OtherHardware> other_hardware(const Plan& plan, const Store& store, const Here& here);

/// A sentence for the user: "4 stages of sampling are stored from NVIDIA H200, and 2 are to be run here, on a
/// CPU (x86-64-v4): …"
std::string sentence(const OtherHardware& other, const Here& here);
nlohmann::json as_json(const OtherHardware& other);

}  // namespace trl::interpreter
