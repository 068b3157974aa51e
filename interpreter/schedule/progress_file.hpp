// The file of the store in which a run records its state for `trl status`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/schedule/progress.hpp"

namespace trl::interpreter {

/// Writes the file running/NUMBER.json for the run with this number; the destructor removes the file. Errors
/// in writing are ignored, so that the run continues.
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

/// Reads the progress of the run with this number: {"number", "total", "stage", "done", "all", "unit",
/// "seconds", "left", "run_left", "metrics", "waiting"}, with null for unknown values; while training goes on
/// also "curves", by metric as `Curve::as_json` writes them, and "key", the stage's key; in a run with
/// several seats "seats", their names, "where" ("GPU 1") and, if several stages run, "running", which has
/// such an object for each. Nothing if there is no file, or if it was written by another process than
/// `process`.
std::optional<nlohmann::json> read_progress(const std::filesystem::path& store, int number, int process);

}  // namespace trl::interpreter
