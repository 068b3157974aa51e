// Which run uses which GPU of this machine: a lock for each GPU, which ends with the process that holds it.
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

/// The GPUs that a run has for itself, and the GPUs that other runs have.
struct ReservedGpus {
  std::vector<VisibleGpu> gpus;
  std::vector<std::pair<VisibleGpu, Holder>> taken;
  std::vector<FileLock> locks;  ///< the locks of `gpus`, held as long as the run goes on
};

/// The folder of the locks: `$TRL_GPU_LOCKS`, or one of this user's in /tmp. Nothing if the variable is
/// empty, or if another user has made a folder of that name.
std::optional<std::filesystem::path> gpu_lock_folder();

/// Reserves the first `most` of the GPUs that no other process has reserved. A lock that can't be written
/// reserves nothing and takes nothing from anybody.
ReservedGpus reserve_gpus(const std::vector<VisibleGpu>& there, std::size_t most,
                          const std::filesystem::path& folder);

/// "GPU 0 is used by process 12 (trl run a.trl) since …; GPU 1 by …".
std::string taken_text(const std::vector<std::pair<VisibleGpu, Holder>>& taken);

}  // namespace trl::interpreter
