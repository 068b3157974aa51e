// The one place through which files of finished stages are read: what they hold is compared with what
// stage.json recorded when the stage finished, as it is read.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ground/error.hpp"

namespace trl::interpreter {

/// A finished stage that can no longer be read as it was written: a file is gone, shorter, changed, or the
/// disk fails to give it. `key` names the stage, `how` says which file, what was expected and what was found.
struct DamagedResult : UserError {
  DamagedResult(const std::filesystem::path& folder, const std::string& slot, std::string how_damaged);
  std::string key, how;
};

/// How closely a result is looked at: every file's size, or its SHA-256 too. stage.json is always compared
/// with its own digest.
enum class Check { sizes, contents };

/// A finished stage's folder. Each file is read once, into memory, and compared with its recorded size and
/// SHA-256 before anything of it is returned. Everything throws DamagedResult where that fails, and ReadError
/// where the system refuses for a reason that says nothing of the file (permissions, too many open files).
class Result {
 public:
  /// What was read of a stage.json that was whole: whoever reads several files of a result, or one again,
  /// needn't parse it again.
  struct Record {
    std::string digest;  ///< of the text of stage.json; empty until it is read
    std::string slot;
    nlohmann::json files;  ///< {name: {"bytes", "sha256"}}
  };

  /// Named by its folder's name. Reads nothing yet.
  explicit Result(std::filesystem::path folder, std::shared_ptr<Record> record = std::make_shared<Record>())
      : folder_(std::move(folder)), record_(std::move(record)) {}
  const std::filesystem::path& folder() const { return folder_; }

  /// stage.json without its own digest.
  nlohmann::json description() const;
  std::string text(const std::string& name) const;
  /// A file of JSON.
  nlohmann::json value(const std::string& name) const;
  /// A file of one JSON value a line; empty lines are skipped.
  std::vector<nlohmann::json> rows(const std::string& name) const;
  /// SHA-256 of a file, hexadecimal, as recorded and as it is.
  std::string digest(const std::string& name) const;
  /// A file for another program to read, compared already.
  std::filesystem::path file(const std::string& name) const;
  /// Compares every file.
  void check(Check check) const;
  /// What changes when one of its files is written to or replaced; not what shows that a disk lost a bit.
  std::string identity() const;
  /// What `check` would throw, as words: "tasks.json has 0 bytes instead of 310 bytes".
  std::optional<std::string> damage(Check check) const;

 private:
  const nlohmann::json& files() const;
  const nlohmann::json& recorded(const std::string& name) const;
  void check_size(const std::string& name, const nlohmann::json& recorded) const;
  void check_digest(const std::string& name, const nlohmann::json& recorded, const std::string& found) const;
  /// Carries out what reads a file. Where the disk has lost it, that is damage.
  template <typename Read>
  auto reading(const std::string& name, Read read) const;
  [[noreturn]] void damaged(const std::string& how) const;

  std::filesystem::path folder_;
  std::shared_ptr<Record> record_;
};

/// Makes a folder's files a result: writes stage.json, which is `description` with size and SHA-256 of every
/// file, and of itself. Throws DiskError.
void describe_result(const std::filesystem::path& folder, nlohmann::json description);

}  // namespace trl::interpreter
