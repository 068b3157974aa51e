// Stores results under the hash of everything that they depend on. A result is one folder, which is either
// complete or absent; README.md describes the layout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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

/// A store for reading, which needs neither lock nor index. Several threads may use it at once. A finished
/// stage's files are read through `result`, or by other programs after `checked_folder`, so that damaged
/// files are never used.
class Store {
 public:
  explicit Store(std::filesystem::path root) : root_(std::move(root)) {}
  bool has(const std::string& key) const;
  /// The path of a stage's folder, whether it exists or not. Throws UserError for a text that is no key.
  std::filesystem::path folder(const std::string& key) const;
  /// The path of the folder in which a training stage keeps its checkpoint, whether it exists or not. No
  /// result is read from this folder.
  std::filesystem::path checkpoint_folder(const std::string& key) const;
  /// The keys of the stages that have a checkpoint folder, sorted.
  std::vector<std::string> checkpoints() const;
  /// The result of a finished stage, by which its files are read.
  Result result(const std::string& key) const;
  /// The contents of stage.json without its own digest. Throws DamagedResult if stage.json is damaged or
  /// doesn't exist, and ReadError.
  nlohmann::json stage(const std::string& key) const;
  /// The path of a stage's folder, for another program that reads it. Every file is first compared with its
  /// record; files that didn't change since the last comparison aren't compared again. Throws DamagedResult
  /// and ReadError.
  std::filesystem::path checked_folder(const std::string& key) const;
  /// The damage of a result: "tasks.json has 0 bytes instead of 310 bytes". Nothing if it is complete or
  /// absent. Throws ReadError.
  std::optional<std::string> damage(const std::string& key, Check check) const;
  /// The secret from which random inputs are generated, as 64 hexadecimal digits. Throws UserError if it is
  /// missing or malformed.
  std::string read_secret() const;
  /// The keys of all folders under stages/, sorted.
  std::vector<std::string> keys() const;
  const std::filesystem::path& root() const { return root_; }

 protected:
  /// Clears the cached facts about a result that was replaced or removed.
  void forget(const std::string& key) const;

 private:
  std::filesystem::path root_;
  mutable std::mutex caches_;                                               ///< guards the maps below
  mutable std::map<std::string, std::shared_ptr<Result::Record>> records_;  ///< parsed stage.json, by key
  mutable std::map<std::string, std::string> checked_;  ///< identities of results that were checked, by key
};

/// The right to make a stage's result. Only one process at a time has it.
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

/// A store for writing. Several runs may write to a store at once; each run makes the stages that it claims.
/// Several threads of a run may use it at once; none waits while another one's files are hashed and synced.
class StoreWriter : public Store {
 public:
  /// Called at each step that changes the disk, with the step's name. Tests kill the process at such
  /// steps.
  using OnStep = std::function<void(const char* step)>;

  /// Creates the store if it doesn't exist, takes its locks, removes files that killed runs have left, and
  /// repairs the index. If another process prevents access, waits if `access.wait` does, and otherwise throws
  /// UserError, which names the process. Throws DiskError.
  explicit StoreWriter(const std::filesystem::path& root, OnStep on_step = {}, AccessOptions access = {});

  /// Claims a stage, which is required to call `begin`, `commit` and `put_aside` for the stage. Nothing if
  /// another process has claimed the stage. After a successful claim the result may already exist, since
  /// another process may have just made it.
  std::optional<StageClaim> claim(const Stage& stage);
  /// The process that has claimed a stage; nothing if there is none.
  std::optional<Holder> maker(const std::string& key) const;
  /// Whether other processes use the store at the same time.
  bool has_others() const;
  /// Clears the cached facts about a result, since another process may have made it anew.
  using Store::forget;

  /// Creates an empty folder for a stage's results.
  std::filesystem::path begin(const Stage& stage);
  /// Turns the folder `made` into the stage's result: writes stage.json with every file's size and digest,
  /// syncs and renames the folder, and updates the index. `made_on` is the worker's record of its machine.
  void commit(const Stage& stage, const std::filesystem::path& made, const nlohmann::json& summary,
              double seconds, const std::optional<contract::MadeOn>& made_on = {});
  void abandon(const std::filesystem::path& made);
  /// Moves a damaged result to damaged/ and returns its new path.
  std::filesystem::path put_aside(const std::string& key);
  /// Deletes results. If the process is killed in between, complete results and left-over files remain; the
  /// next writer removes the left-over files.
  void discard(const std::vector<std::string>& keys);
  void log(const std::string& event);
  /// Logs an event about a failure. If logging fails, too, its error isn't reported.
  void log_failure(const std::string& event) noexcept;
  /// Deletes all but the last `count` events.
  void keep_events(int count) { index_->keep_events(count); }
  /// Sentences about the repairs that were made when the store was opened.
  const std::vector<std::string>& notices() const { return notices_; }
  /// The store's secret, as 64 hexadecimal digits.
  const std::string& secret() const { return secret_; }
  /// The number of this run among the runs that use the store, from 1; 0 for a process with exclusive access.
  int number() const { return access_->number(); }
  /// The path of the file with the output of this run's worker on a seat, counted from 0.
  std::filesystem::path worker_log(std::size_t seat = 0) const;

 private:
  /// `step` and `put_aside`, while `writing_` is held.
  void passed(const char* name) const;
  std::filesystem::path move_aside(const std::string& key);
  void step(const char* name) const;
  void remove_leftovers();
  void repair_index();
  void open_secret();
  /// A new temporary path under the root, which no other process uses. The next writer removes it if it is
  /// left over.
  std::filesystem::path temporary(const std::string& name);

  OnStep on_step_;
  mutable std::mutex writing_;  ///< guards the members below, and the steps
  std::unique_ptr<StoreAccess> access_;
  std::optional<Index> index_;
  std::string secret_;
  std::vector<std::string> notices_;
  int temporaries_ = 0;
};

/// The seconds that a stage took, by its stage.json. If the worker measured the time, its measurement is
/// used, since it leaves out the start of processes and the loading of libraries in a run's first stage.
double seconds_of(const nlohmann::json& stage);

}  // namespace trl::interpreter
