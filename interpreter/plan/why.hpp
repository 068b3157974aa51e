// The reasons for which a stage has to be run.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The differences between a stage and another of its kind, whose stage.json is `before`: "learning_rate 3e-4
/// -> 1e-4", "input adapter", "version of sample 1 -> 2".
std::vector<std::string> differences(const Stage& stage, const nlohmann::json& before);

/// Finds, for a stage that a store lacks, the stored stage of the same kind with the fewest differences:
/// among the latest ones at the same place of an experiment or, if there is none, the latest ones of the
/// kind. It reads 16 at a time and keeps only a few, so that memory doesn't grow with the store.
class Nearest {
 public:
  explicit Nearest(const Store& store);
  /// The stage.json of the nearest stage; null if the store has none of the kind.
  const nlohmann::json* to(const Stage& stage);

 private:
  std::vector<std::string> candidates(const Stage& stage) const;
  const nlohmann::json& described(const std::string& key);

  const Store& store_;
  std::unique_ptr<Index> index_;
  std::vector<IndexEntry> entries_;  ///< read from the folders if there is no index
  std::map<std::string, nlohmann::json> cached_;
};

/// The changes of a value: "learning_rate 1e-5 -> 3e-4", "data: 3 of 40 entries differ".
std::vector<std::string> value_differences(const nlohmann::json& before, const nlohmann::json& now);

/// Why a missing stage has to be run.
struct Reason {
  std::string text;     ///< the changes against the most similar stored stage, or that there is none
  std::string against;  ///< the slot of that one, if it is another
  /// The key of a missing stage, if nothing changed but that its result is used.
  std::string follows;
};
Reason reason_for(const Stage& stage, const Plan& plan, const Store& store, Nearest& nearest);

}  // namespace trl::interpreter
