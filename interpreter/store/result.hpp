// Reads the files of finished stages. No other code does: their contents are compared with the record that
// stage.json made when the stage finished.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "base/support/error.hpp"

namespace trl::interpreter {

/// Thrown if a finished stage can't be read as it was written: a file is missing, shorter or changed, or the
/// disk can't read it. `key` names the stage; `how` names the file, what was expected and what was found.
struct DamagedResult : UserError {
  DamagedResult(const std::filesystem::path& folder, const std::string& slot, std::string how_damaged);
  std::string key, how;
};

/// How a result is checked: every file's size only, or its SHA-256 as well. stage.json is always compared
/// with its own digest.
enum class Check { sizes, contents };

/// A finished stage's folder. Each file is read once, into memory, and compared with its recorded size and
/// SHA-256 before any of it is returned. All functions throw DamagedResult if that fails, and ReadError if
/// the system refuses for a reason that doesn't concern the file (permissions, too many open files).
class Result {
 public:
  /// The parsed stage.json after a successful check, so that a caller who reads several files doesn't parse
  /// it again.
  struct Record {
    std::string digest;  ///< of stage.json's text; empty until it is read
    std::string slot;
    nlohmann::json files;  ///< {name: {"bytes", "sha256"}}
    std::optional<contract::MadeOn> made_on;
  };

  /// The folder's name is the stage's key. Reads nothing yet.
  explicit Result(std::filesystem::path folder, std::shared_ptr<Record> record = std::make_shared<Record>())
      : folder_(std::move(folder)), record_(std::move(record)) {}
  const std::filesystem::path& folder() const { return folder_; }

  /// The contents of stage.json without its own digest.
  nlohmann::json description() const;
  /// The worker's record of the machine that made this. None for the stages that trl carries out itself, and
  /// for results from before there was such a record.
  std::optional<contract::MadeOn> made_on() const;
  std::string text(const std::string& name) const;
  /// Reads a file of JSON.
  nlohmann::json value(const std::string& name) const;
  /// Reads a file with one JSON value on each line; empty lines are skipped.
  std::vector<nlohmann::json> rows(const std::string& name) const;
  /// A file's SHA-256 in hexadecimal; the recorded and the actual one are equal.
  std::string digest(const std::string& name) const;
  /// The path of a file for another program, after it was compared.
  std::filesystem::path file(const std::string& name) const;
  /// Compares every file; throws as above.
  void check(Check check) const;
  /// A text that changes if one of the files is written or replaced. It doesn't show that a disk lost a bit.
  std::string identity() const;
  /// The message of the exception that `check` would throw: "tasks.json has 0 bytes instead of 310 bytes".
  std::optional<std::string> damage(Check check) const;

 private:
  const nlohmann::json& files() const;
  const nlohmann::json& recorded(const std::string& name) const;
  void check_size(const std::string& name, const nlohmann::json& recorded) const;
  void check_digest(const std::string& name, const nlohmann::json& recorded, const std::string& found) const;
  /// Calls `read`, which reads a file, and reports a loss by the disk as damage.
  template <typename Read>
  auto reading(const std::string& name, Read read) const;
  [[noreturn]] void damaged(const std::string& how) const;

  std::filesystem::path folder_;
  std::shared_ptr<Record> record_;
};

/// Turns a folder into a result: writes stage.json, which is `description` with the size and SHA-256 of every
/// file, and its own. Throws DiskError.
void describe_result(const std::filesystem::path& folder, nlohmann::json description);

}  // namespace trl::interpreter
