// Results by the name of what made them. A stage is one folder, complete or absent.
//
//   stages/3f/3fa9…/   the stage's files and stage.json (key, kind, implementation, spec, inputs, summary,
//   seconds) tmp-3fa9…/         a stage in the making; left over by a crash, the next writer removes it
//   index.sqlite       rebuilt from the folders when missing or broken
//   secret             32 bytes that inputs are drawn from; made once, readable by its owner alone
//   lock               one writer at a time
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/plan/stage.hpp"
#include "interpreter/store/index.hpp"
#include "interpreter/store/lock.hpp"

namespace trl::interpreter {

/// Reading needs no lock and no index: what is there is whole.
class Store {
 public:
  explicit Store(std::filesystem::path root) : root_(std::move(root)) {}
  bool has(const std::string& key) const;
  /// The stage's folder, whether it exists or not.
  std::filesystem::path folder(const std::string& key) const;
  /// stage.json. Throws UserError when the stage is missing.
  nlohmann::json stage(const std::string& key) const;
  /// A file of a result. Throws UserError when it isn't there.
  std::filesystem::path file(const std::string& key, const std::string& name) const;
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

/// The one writer.
class StoreWriter : public Store {
 public:
  /// Called after each step that touches the disk, with its name. Tests kill the process there.
  using OnStep = std::function<void(const char* step)>;

  /// Creates the store when it doesn't exist, takes the lock, removes left-overs, mends the index.
  explicit StoreWriter(const std::filesystem::path& root, OnStep on_step = {});

  /// A new empty folder for a stage to write to.
  std::filesystem::path begin(const Stage& stage);
  /// Makes the folder the stage's result: synced, renamed, indexed.
  void commit(const Stage& stage, const std::filesystem::path& made, const nlohmann::json& summary,
              double seconds);
  void abandon(const std::filesystem::path& made);
  void log(const std::string& event);
  /// 64 hexadecimal digits.
  const std::string& secret() const { return secret_; }
  std::filesystem::path worker_log() const { return root() / "worker.log"; }

 private:
  void step(const char* name) const {
    if (on_step_) on_step_(name);
  }
  void remove_leftovers();
  void mend_index();
  void open_secret();

  OnStep on_step_;
  std::unique_ptr<Lock> lock_;
  std::optional<Index> index_;
  std::string secret_;
};

}  // namespace trl::interpreter
