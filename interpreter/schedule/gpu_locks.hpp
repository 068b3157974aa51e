// Locks that record which run uses which GPU of this machine: one lock for each GPU. The system releases it
// when the process ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/schedule/worker_seats.hpp"
#include "interpreter/store/lock.hpp"

namespace trl::interpreter {

/// The GPUs that this run has reserved, and the GPUs that other runs have.
struct ReservedGpus {
  std::vector<VisibleGpu> gpus;
  std::vector<std::pair<VisibleGpu, Holder>> taken;
  std::vector<FileLock> locks;  ///< the locks of `gpus`, held as long as the run goes on
};

/// The folder of the locks: `$TRL_GPU_LOCKS` or, if it isn't set, a folder of this user in /tmp. Nothing if
/// the variable is empty, or if the folder in /tmp belongs to another user.
std::optional<std::filesystem::path> gpu_lock_folder();

/// Reserves the first GPUs, at most `most`, that no other process has reserved. If a lock can't be written,
/// its GPU is used without being reserved.
ReservedGpus reserve_gpus(const std::vector<VisibleGpu>& there, std::size_t most,
                          const std::filesystem::path& folder);

/// "GPU 0 is used by process 12 (trl run a.trl) since …; GPU 1 by …".
std::string taken_text(const std::vector<std::pair<VisibleGpu, Holder>>& taken);

}  // namespace trl::interpreter
