// Why a stage has to be carried out.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// What differs between a stage and one of its kind: "learning_rate 3e-4 -> 1e-4", "input adapter",
/// "version of sample 1 -> 2". `before` is a stage.json.
std::vector<std::string> differences(const Stage& stage, const nlohmann::json& before);

/// Finds, for stages that a store lacks, the stored stage of the same kind that is nearest: of the latest at
/// the same place of an experiment, or else of the latest of the kind, the one with the fewest differences.
/// Looks at 16 at a time and keeps no more than a few, so that memory doesn't grow with the store.
class Nearest {
 public:
  explicit Nearest(const Store& store);
  /// Its stage.json; null when none of the kind is stored.
  const nlohmann::json* to(const Stage& stage);

 private:
  std::vector<std::string> candidates(const Stage& stage) const;
  const nlohmann::json& described(const std::string& key);

  const Store& store_;
  std::unique_ptr<Index> index_;
  std::vector<IndexEntry> entries_;  ///< of the folders, where there is no index
  std::map<std::string, nlohmann::json> cached_;
};

/// Why a stage that isn't done has to be made: what changed against the nearest, or that there is none.
std::string reason_for(const Stage& stage, const Plan& plan, const Store& store, Nearest& nearest);

}  // namespace trl::interpreter
