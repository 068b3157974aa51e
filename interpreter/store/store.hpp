// Results by the name of what made them. A stage is one folder, complete or absent; README.md has the layout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stage/stage.hpp"
#include "interpreter/store/index.hpp"
#include "interpreter/store/lock.hpp"
#include "interpreter/store/result.hpp"

namespace trl::interpreter {

/// Reading needs no lock and no index. What a finished stage's files hold is read through `result`, or after
/// `checked_folder` by other programs, so that nothing that was damaged since is taken for what was made.
class Store {
 public:
  explicit Store(std::filesystem::path root) : root_(std::move(root)) {}
  bool has(const std::string& key) const;
  /// The stage's folder, whether it exists or not: for naming, moving and measuring it.
  std::filesystem::path folder(const std::string& key) const;
  /// What reads a finished stage's files.
  Result result(const std::string& key) const;
  /// stage.json without its own digest. Throws DamagedResult, also where there is none, and ReadError.
  nlohmann::json stage(const std::string& key) const;
  /// The folder, for a program that reads it itself. Every file is compared, once while none of them changes.
  /// Throws DamagedResult and ReadError.
  std::filesystem::path checked_folder(const std::string& key) const;
  /// What is wrong with a result: "tasks.json has 0 bytes instead of 310 bytes". Nothing when it is whole or
  /// absent. Throws ReadError.
  std::optional<std::string> damage(const std::string& key, Check check) const;
  /// The secret that inputs are drawn from: 64 hexadecimal digits. Throws UserError where it is missing or
  /// isn't that.
  std::string read_secret() const;
  /// The keys of all folders under stages/, sorted.
  std::vector<std::string> keys() const;
  const std::filesystem::path& root() const { return root_; }

 protected:
  /// What was known of a result that is replaced or gone.
  void forget(const std::string& key) const;

 private:
  std::filesystem::path root_;
  mutable std::map<std::string, std::shared_ptr<Result::Record>> records_;  ///< by key
  mutable std::map<std::string, std::string> checked_;  ///< identities of results that were compared, by key
};

/// The one writer.
class StoreWriter : public Store {
 public:
  /// Called at each step that touches the disk, with its name. Tests kill the process there.
  using OnStep = std::function<void(const char* step)>;

  /// Creates the store when it doesn't exist, takes the lock, removes left-overs, mends the index. Throws
  /// UserError naming the holder when another writes to it and `wait`, if any, gives up; DiskError.
  explicit StoreWriter(const std::filesystem::path& root, OnStep on_step = {}, const Lock::Wait& wait = {});

  /// A new empty folder for a stage to write to.
  std::filesystem::path begin(const Stage& stage);
  /// Makes the folder the stage's result: described with every file's size and digest, synced, renamed,
  /// indexed.
  void commit(const Stage& stage, const std::filesystem::path& made, const nlohmann::json& summary,
              double seconds);
  void abandon(const std::filesystem::path& made);
  /// Moves a damaged result to damaged/, where nothing looks for it. Returns its new place.
  std::filesystem::path put_aside(const std::string& key);
  /// Removes results for good. Killed within, it leaves whole results and what the next writer removes.
  void discard(const std::vector<std::string>& keys);
  void log(const std::string& event);
  /// The same, where something else has failed already: a disk that refuses this too isn't reported.
  void log_failure(const std::string& event) noexcept;
  /// Forgets all events but the last.
  void keep_events(int count) { index_->keep_events(count); }
  /// What opening the store found to mend, one sentence each.
  const std::vector<std::string>& notices() const { return notices_; }
  /// 64 hexadecimal digits.
  const std::string& secret() const { return secret_; }
  std::filesystem::path worker_log() const { return root() / "worker.log"; }

 private:
  void step(const char* name) const;
  void remove_leftovers();
  void mend_index();
  void open_secret();
  /// A name under the root that the next writer removes, and that no earlier process writes to.
  std::filesystem::path temporary(const std::string& name);

  OnStep on_step_;
  std::unique_ptr<Lock> lock_;
  std::optional<Index> index_;
  std::string secret_;
  std::vector<std::string> notices_;
  int temporaries_ = 0;
};

}  // namespace trl::interpreter
