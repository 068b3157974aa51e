// What a run is doing, in a file of the store, for `trl status`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/schedule/progress.hpp"

namespace trl::interpreter {

/// Writes DIR/progress.json for this process, and removes it in the end. That nothing can be written there
/// stops no run.
class ProgressFile {
 public:
  explicit ProgressFile(const std::filesystem::path& store) : file_(store / "progress.json") {}
  ~ProgressFile();
  ProgressFile(const ProgressFile&) = delete;
  ProgressFile& operator=(const ProgressFile&) = delete;

  void write(const ProgressSnapshot& snapshot) const;

 private:
  std::filesystem::path file_;
};

/// The progress of the process with this number: {"number", "total", "stage", "done", "all", "unit",
/// "seconds", "left", "run_left", "metric"}, null where it isn't known. Nothing if it has written none, or
/// another process has.
std::optional<nlohmann::json> read_progress(const std::filesystem::path& store, int process);

}  // namespace trl::interpreter
