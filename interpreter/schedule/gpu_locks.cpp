#include "interpreter/schedule/gpu_locks.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;

std::optional<fs::path> gpu_lock_folder() {
  if (const char* named = std::getenv("TRL_GPU_LOCKS")) {
    if (!*named) return std::nullopt;
    std::error_code ignored;
    fs::create_directories(named, ignored);
    return named;
  }
  const fs::path folder = "/tmp/trl-gpus-" + std::to_string(::getuid());
  ::mkdir(folder.c_str(), S_IRWXU);
  // Anybody may have made this folder in /tmp first, to redirect writes by links. So it must be a real folder
  // of this user.
  struct stat made {};
  if (::lstat(folder.c_str(), &made) != 0 || !S_ISDIR(made.st_mode) || made.st_uid != ::getuid())
    return std::nullopt;
  return folder;
}

ReservedGpus reserve_gpus(const std::vector<VisibleGpu>& there, std::size_t most, const fs::path& folder) {
  ReservedGpus out;
  for (const auto& gpu : there) {
    if (out.gpus.size() == most) break;
    auto name = gpu.id;
    for (char& byte : name)
      if (byte == '/') byte = '_';
    const auto file = folder / name;
    try {
      if (auto lock = FileLock::take(file, FileLock::Mode::exclusive)) {
        lock->describe();
        out.locks.push_back(std::move(*lock));
      } else {
        out.taken.emplace_back(gpu, FileLock::holder(file).value_or(Holder()));
        continue;
      }
    } catch (const DiskError&) {
      // If the lock can't be written, the GPU is used without a reservation.
    }
    out.gpus.push_back(gpu);
  }
  return out;
}

std::string taken_text(const std::vector<std::pair<VisibleGpu, Holder>>& taken) {
  std::string text;
  for (const auto& [gpu, holder] : taken)
    text += (text.empty() ? gpu_name(gpu.entry) + " is used by " : "; " + gpu_name(gpu.entry) + " by ") +
            holder_text(holder);
  return text;
}

}  // namespace trl::interpreter
