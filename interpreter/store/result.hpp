// Reads the files of finished stages. All code reads them here, so that their contents are always compared
// with the sizes and digests that stage.json recorded when the stage finished.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "base/support/error.hpp"

namespace trl::interpreter {

/// Thrown if a finished stage's files aren't as they were written: a file is missing, shorter or changed, or
/// the disk can't read it. `key` names the stage; `how` names the file, what was expected and what was found.
struct DamagedResult : UserError {
  DamagedResult(const std::filesystem::path& folder, const std::string& slot, std::string how_damaged);
  std::string key, how;
};

/// The extent of a result's check: `sizes` compares the size of every file, `contents` its SHA-256 as well.
/// stage.json is always compared with its own digest.
enum class Check { sizes, contents };

/// A finished stage's folder. Each file is read once, into memory, and compared with its recorded size and
/// SHA-256 before any of it is returned. All functions throw DamagedResult if a comparison fails, and
/// ReadError if the system can't read for a reason that isn't damage (permissions, too many open files).
class Result {
 public:
  /// The contents of a parsed and checked stage.json. They are kept so that stage.json is parsed only once
  /// for several files. Several threads may share one.
  struct Record {
    std::mutex filling;  ///< held while the other fields are set, or while somebody asks whether they are set
    std::string digest;  ///< the digest of stage.json's text; empty until it is read
    std::string slot;
    nlohmann::json files;  ///< {name: {"bytes", "sha256"}}
    std::optional<contract::MadeOn> made_on;
  };

  /// `folder` is the stage's folder, whose name is the stage's key. Nothing is read yet.
  explicit Result(std::filesystem::path folder, std::shared_ptr<Record> record = std::make_shared<Record>())
      : folder_(std::move(folder)), record_(std::move(record)) {}
  const std::filesystem::path& folder() const { return folder_; }

  /// The contents of stage.json without its own digest.
  nlohmann::json description() const;
  /// The machine that made this result, as the worker recorded it. Nothing for stages that trl carries out
  /// itself, and for results of old versions, which didn't record it.
  std::optional<contract::MadeOn> made_on() const;
  std::string text(const std::string& name) const;
  /// Reads a file of JSON.
  nlohmann::json value(const std::string& name) const;
  /// Reads a file with one JSON value on each line; empty lines are skipped.
  std::vector<nlohmann::json> rows(const std::string& name) const;
  /// The SHA-256 of a file in hexadecimal, after the actual digest was compared with the recorded digest.
  std::string digest(const std::string& name) const;
  /// The path of a file for another program, after the file was compared with its record.
  std::filesystem::path file(const std::string& name) const;
  /// Compares every file with its record, to the given extent.
  void check(Check check) const;
  /// A text that changes if one of the files is written or replaced. Damage of the disk doesn't change it.
  std::string identity() const;
  /// The message of the exception that `check` would throw: "tasks.json has 0 bytes instead of 310 bytes".
  std::optional<std::string> damage(Check check) const;

 private:
  /// The record, which is read from the disk at the first call.
  const Record& known() const;
  const nlohmann::json& files() const;
  const nlohmann::json& recorded(const std::string& name) const;
  void check_size(const std::string& name, const nlohmann::json& recorded) const;
  void check_digest(const std::string& name, const nlohmann::json& recorded, const std::string& found) const;
  /// Calls `read`, which reads a file. Throws DamagedResult if the file is missing or the disk can't read it.
  template <typename Read>
  auto reading(const std::string& name, Read read) const;
  [[noreturn]] void damaged(const std::string& how) const;

  std::filesystem::path folder_;
  std::shared_ptr<Record> record_;
};

/// Turns a folder into a result: writes stage.json, which is `description` with the size and SHA-256 of every
/// file, and the digest of stage.json itself. Throws DiskError.
void describe_result(const std::filesystem::path& folder, nlohmann::json description);

}  // namespace trl::interpreter
