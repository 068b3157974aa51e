// The machines on which a study's results were made, and the rows that can't be compared because their
// machines differ.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/made_on.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Returns a sentence if rows can't be compared, since for some pair the sampling, training or timing of its
/// two rows was done on several kinds of hardware. The sentence names the rows, the hardware and the remedy.
/// `pairs` has pairs of row numbers in the plan; the order in a pair doesn't matter. Returns nothing if the
/// hardware is alike or isn't recorded, or if the experiment allows `mixed_hardware`. Stages that both rows
/// of a pair share don't count, since they can't make a difference. Stages that the store lacks are ignored.
/// Two rows also can't be compared if the seeds of both were spread over machines in the same way, unless the
/// experiment allows it. Throws DamagedResult and ReadError.
std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::pair<std::size_t, std::size_t>> pairs);
/// Like the function above, for all pairs of these rows.
std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::size_t> rows);

/// Results that were made on one machine.
struct MachineShare {
  /// The machine, without threads and versions; nothing if no machine was recorded.
  std::optional<contract::MadeOn> made_on;
  std::set<int> threads;
  /// The versions of libraries, by name; several versions of one library are joined by ", ".
  std::map<std::string, std::string> versions;
  std::map<std::string, int> stages;  ///< the number of stages, by kind
};
/// Groups stages by the machine that made them; stages without a recorded machine come last. Stages that trl
/// carries out itself are left out, since they are the same everywhere. All stages must be in the store.
/// Throws DamagedResult and ReadError.
std::vector<MachineShare> machines_of(const std::vector<const Stage*>& stages, const Store& store);
std::vector<MachineShare> machines_of(const Plan& plan, const Store& store);

/// A machine and its stages as text: "AMD EPYC, AVX512, x86-64-v4, 2 threads, libtorch 2.11.0: 3 finetune, 4
/// sample".
std::string machine_text(const MachineShare& share);
nlohmann::json as_json(const MachineShare& share);

}  // namespace trl::interpreter
