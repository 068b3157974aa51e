// The state of a run, in a file of the store, for `trl status`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/schedule/progress.hpp"

namespace trl::interpreter {

/// Writes running/NUMBER.json for the run with this number, and removes it in the end. The run goes
/// on if nothing can be written there.
class ProgressFile {
 public:
  ProgressFile(const std::filesystem::path& store, int number);
  ~ProgressFile();
  ProgressFile(const ProgressFile&) = delete;
  ProgressFile& operator=(const ProgressFile&) = delete;

  void write(const ProgressSnapshot& snapshot) const;

 private:
  std::filesystem::path file_;
};

/// The progress of the run with this number, if this process is the one: {"number", "total", "stage", "done",
/// "all", "unit", "seconds", "left", "run_left", "metrics", "waiting"}, null where it isn't known. Nothing if
/// it has written none, or another process has.
std::optional<nlohmann::json> read_progress(const std::filesystem::path& store, int number, int process);

}  // namespace trl::interpreter
