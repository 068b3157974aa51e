// On which machines a study's results were made, and which rows therefore can't be compared.
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

/// Why rows can't be compared: sampling, training or timing was done on several kinds of hardware within a
/// pair of them, and by both rows. `pairs` has numbers of rows in the plan; the order in a pair doesn't
/// matter. The sentence names the rows and the hardware, and says how to mend it. Nothing if the hardware is
/// alike, if it isn't recorded, or if the experiment allows `mixed_hardware`. Stages that both rows of a pair
/// share count for neither, since they can't make a difference. Stages that the store lacks are passed over.
/// Rows whose seeds were spread over machines in the same way are refused, too: that this is fair is for the
/// experiment to say. Throws DamagedResult and ReadError.
std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::pair<std::size_t, std::size_t>> pairs);
/// The same of every two of these rows.
std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::size_t> rows);

/// Results that were made on one machine.
struct MachineShare {
  std::optional<contract::MadeOn> made_on;  ///< without threads and versions; none: not recorded
  std::set<int> threads;
  std::map<std::string, std::string> versions;  ///< of libraries; several of one are joined by ", "
  std::map<std::string, int> stages;            ///< how many of each kind
};
/// The machines of a list of stages, stages without a record last. Stages that trl carries out itself are
/// left out, since they are the same everywhere. All stages must be in the store. Throws DamagedResult and
/// ReadError.
std::vector<MachineShare> machines_of(const std::vector<const Stage*>& stages, const Store& store);
std::vector<MachineShare> machines_of(const Plan& plan, const Store& store);

/// "AMD EPYC, AVX512, x86-64-v4, 2 threads, libtorch 2.11.0: 3 finetune, 4 sample".
std::string machine_text(const MachineShare& share);
nlohmann::json as_json(const MachineShare& share);

}  // namespace trl::interpreter
