// Explains why a stage has to be run.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The differences between a stage and an earlier stage of the same kind, whose stage.json is `before`:
/// "learning_rate 3e-4 → 1e-4", "input adapter", "version of sample 1 → 2".
std::vector<std::string> differences(const Stage& stage, const nlohmann::json& before);

/// Finds, for a stage that a store lacks, the stored stage of the same kind with the fewest differences:
/// among the latest stages with the same slot or, if there are none, the latest stages of this kind. It reads
/// at most 16 stages for each search and caches only a few, so that memory doesn't grow with the store.
class Nearest {
 public:
  explicit Nearest(const Store& store);
  /// The stage.json of the nearest stage; null if the store has no stage of this kind.
  const nlohmann::json* to(const Stage& stage);

 private:
  std::vector<std::string> candidates(const Stage& stage) const;
  const nlohmann::json& described(const std::string& key);

  const Store& store_;
  std::unique_ptr<Index> index_;
  std::vector<IndexEntry> entries_;  ///< the stages, read from their folders if there is no index
  std::map<std::string, nlohmann::json> cached_;
};

/// The shortest text of a number, as people write it: "3e-4", "0.05", "16".
std::string number_text(double value);

/// The differences between two JSON values: "learning_rate 1e-5 → 3e-4", "data: 3 of 40 entries differ".
std::vector<std::string> value_differences(const nlohmann::json& before, const nlohmann::json& now);

/// The reason why a missing stage has to be run.
struct Reason {
  /// The differences from the most similar stored stage, or a text that no such stage is stored.
  std::string text;
  std::string against;  ///< the slot of the most similar stage, if it differs from this stage's slot
  /// The key of the missing input stage that is the only cause; empty if there are other causes.
  std::string follows;
};
Reason reason_for(const Stage& stage, const Plan& plan, const Store& store, Nearest& nearest);

}  // namespace trl::interpreter
