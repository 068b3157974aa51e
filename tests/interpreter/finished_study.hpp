// The fixture's study carried out by the fake worker, once for all tests of a program.
#pragma once

#include <nlohmann/json.hpp>

#include "interpreter/plan/plan.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/store/store.hpp"
#include "tests/interpreter/fixture.hpp"

namespace trl::interpreter::testing {

/// Gives a store that isn't made yet a secret of ours: what the fake worker makes up is the same each time.
std::filesystem::path write_secret(const std::filesystem::path& store);

struct FinishedStudy {
  explicit FinishedStudy(nlohmann::json resolved = study());
  Scratch scratch;
  nlohmann::json document;
  StoreWriter store;
  Plan plan;
  Report report() const;
};

/// The study of `study()`: 8 distinct cells, 2 controls, the base.
FinishedStudy& finished_study();

}  // namespace trl::interpreter::testing
