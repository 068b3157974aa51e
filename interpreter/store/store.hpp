// Stores results by the hash of everything that they depend on. A result is one folder, complete or absent;
// README.md describes the layout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "interpreter/stage/stage.hpp"
#include "interpreter/store/access.hpp"
#include "interpreter/store/index.hpp"
#include "interpreter/store/lock.hpp"
#include "interpreter/store/result.hpp"

namespace trl::interpreter {

/// Reading needs neither lock nor index. A finished stage's files are read through `result`, or by other
/// programs after `checked_folder`, so that damaged files are never used.
class Store {
 public:
  explicit Store(std::filesystem::path root) : root_(std::move(root)) {}
  bool has(const std::string& key) const;
  /// The path of a stage's folder, whether it exists or not.
  std::filesystem::path folder(const std::string& key) const;
  /// The path of the folder in which a stage that trains keeps its checkpoint, whether it exists or not. No
  /// result is read from it.
  std::filesystem::path checkpoint_folder(const std::string& key) const;
  /// The keys of the stages that have such a folder, sorted.
  std::vector<std::string> checkpoints() const;
  /// Reads a finished stage's files.
  Result result(const std::string& key) const;
  /// The contents of stage.json without its own digest. Throws DamagedResult, also if it doesn't exist, and
  /// ReadError.
  nlohmann::json stage(const std::string& key) const;
  /// The folder, for another program that reads it. Every file is compared first, and again only after a
  /// change. Throws DamagedResult and ReadError.
  std::filesystem::path checked_folder(const std::string& key) const;
  /// The damage of a result: "tasks.json has 0 bytes instead of 310 bytes". Nothing if it is complete or
  /// absent. Throws ReadError.
  std::optional<std::string> damage(const std::string& key, Check check) const;
  /// The secret from which inputs are drawn, as 64 hexadecimal digits. Throws UserError if it is missing or
  /// malformed.
  std::string read_secret() const;
  /// The keys of all folders under stages/, sorted.
  std::vector<std::string> keys() const;
  const std::filesystem::path& root() const { return root_; }

 protected:
  /// Forgets cached knowledge about a result that was replaced or removed.
  void forget(const std::string& key) const;

 private:
  std::filesystem::path root_;
  mutable std::map<std::string, std::shared_ptr<Result::Record>> records_;  ///< parsed stage.json, by key
  mutable std::map<std::string, std::string> checked_;  ///< identities of results that were checked, by key
};

/// The right to make a stage's result, which one process has at a time.
class StageClaim {
 public:
  explicit StageClaim(FileLock lock) : lock_(std::move(lock)) {}
  StageClaim(StageClaim&&) noexcept = default;
  StageClaim& operator=(StageClaim&&) noexcept = default;
  ~StageClaim() { lock_.remove_file(); }
  void describe(const std::map<std::string, std::string>& details) { lock_.describe(details); }

 private:
  FileLock lock_;
};

/// A process that may write to a store. Several runs may at once; each makes the stages that it claims.
class StoreWriter : public Store {
 public:
  /// Called at each step that touches the disk, with its name. Tests kill the process there.
  using OnStep = std::function<void(const char* step)>;

  /// Creates the store if it doesn't exist, takes its locks, removes left-overs of runs that were killed, and
  /// corrects the index. Throws UserError naming the process that excludes this one, unless
  /// `access.wait` waits for it; DiskError.
  explicit StoreWriter(const std::filesystem::path& root, OnStep on_step = {}, AccessOptions access = {});

  /// Claims a stage, and with it the right to call `begin`, `commit` and `put_aside` for it. Nothing while
  /// another process has it. The result may have come into being meanwhile.
  std::optional<StageClaim> claim(const Stage& stage);
  /// The process that has claimed a stage.
  std::optional<Holder> maker(const std::string& key) const;
  /// Whether other processes use the store, too.
  bool has_others() const;
  /// Forgets the cached files of a result, since another process may have made it anew.
  using Store::forget;

  /// Creates an empty folder for a stage's results.
  std::filesystem::path begin(const Stage& stage);
  /// Makes the folder the stage's result: writes its description with every file's size and digest, syncs and
  /// renames it, and updates the index. `made_on` is the worker's record of its machine.
  void commit(const Stage& stage, const std::filesystem::path& made, const nlohmann::json& summary,
              double seconds, const std::optional<contract::MadeOn>& made_on = {});
  void abandon(const std::filesystem::path& made);
  /// Moves a damaged result to damaged/ and returns its new path.
  std::filesystem::path put_aside(const std::string& key);
  /// Deletes results. If the process is killed meanwhile, only complete results and left-overs remain, which
  /// the next writer removes.
  void discard(const std::vector<std::string>& keys);
  void log(const std::string& event);
  /// Logs an event after another failure: a disk error here isn't reported.
  void log_failure(const std::string& event) noexcept;
  /// Deletes all but the last `count` events.
  void keep_events(int count) { index_->keep_events(count); }
  /// The corrections that were made when the store was opened, in sentences.
  const std::vector<std::string>& notices() const { return notices_; }
  /// 64 hexadecimal digits.
  const std::string& secret() const { return secret_; }
  /// The number that this run has among those that use the store, from 1; 0 if it has the store alone.
  int number() const { return access_->number(); }
  /// The output of this run's worker.
  std::filesystem::path worker_log() const;

 private:
  void step(const char* name) const;
  void remove_leftovers();
  void repair_index();
  void open_secret();
  /// A name under the root that the next writer removes, and that no earlier process uses.
  std::filesystem::path temporary(const std::string& name);

  OnStep on_step_;
  std::unique_ptr<StoreAccess> access_;
  std::optional<Index> index_;
  std::string secret_;
  std::vector<std::string> notices_;
  int temporaries_ = 0;
};

/// The seconds of a stage, by its record in the store: the worker's own timing if there is one, which leaves
/// out the costs of a run's first stage (starting processes and loading libraries).
double seconds_of(const nlohmann::json& stage);

}  // namespace trl::interpreter
