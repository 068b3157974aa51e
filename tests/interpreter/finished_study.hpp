// The fixture's study, run with the fake worker once for all tests of a program.
#pragma once

#include <nlohmann/json.hpp>

#include "interpreter/plan/plan.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/store/store.hpp"
#include "tests/interpreter/fixture.hpp"

namespace trl::interpreter::testing {

/// Gives a new store a fixed secret, so that the fake worker's results are always the same.
std::filesystem::path write_secret(const std::filesystem::path& store);

struct FinishedStudy {
  explicit FinishedStudy(nlohmann::json resolved = study());
  Scratch scratch;
  nlohmann::json document;
  StoreWriter store;
  Plan plan;
  Evidence evidence{plan, store};
  Inference inference{evidence};
  Report report() const;

 private:
  Plan carried_out();
};

/// The study of `study()`: 8 distinct cells, 2 controls, the baseline.
FinishedStudy& finished_study();

}  // namespace trl::interpreter::testing
