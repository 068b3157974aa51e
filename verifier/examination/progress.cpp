#include "verifier/examination/progress.hpp"

#include <algorithm>

namespace trl::runtime {

ExaminedStep& Progress::step(std::string_view stage) {
  return *std::find_if(steps.begin(), steps.end(), [&](const auto& one) { return one.stage == stage; });
}

ExaminedStep& Progress::step_on(const Variation& variation) {
  return *std::find_if(steps.begin(), steps.end(),
                       [&](const auto& one) { return one.variation == variation.label(); });
}

void Progress::note(ExaminedStep& step, ExaminedStep::Outcome outcome, const ReplayFinding& finding) const {
  step.outcome = outcome;
  step.reason = finding.kind;
  step.message = finding.message;
  step.line = known(finding.line);
}

bool Progress::fail(const std::string& stage, const ReplayFinding& finding) {
  if (verdict.failed.empty()) fail_instead(stage, finding);
  return false;
}

void Progress::fail_instead(const std::string& stage, const ReplayFinding& finding) {
  verdict.failed = stage;
  verdict.reason = finding.kind;
  verdict.message = finding.message;
  verdict.line = known(finding.line);
}

bool Progress::fail_step(const std::string& stage, const ReplayFinding& finding) {
  note(step(stage), ExaminedStep::Outcome::failed, finding);
  return fail(stage, finding);
}

bool Progress::affords(ExaminedStep& step, const std::string& stage) {
  if (!budget.used_up()) return true;
  const ReplayFinding timeout{"timeout", budget.explain()};
  note(step, ExaminedStep::Outcome::failed, timeout);
  return fail(stage, timeout);
}

bool passed(ExaminedStep& step) {
  step.outcome = ExaminedStep::Outcome::passed;
  return true;
}

}  // namespace trl::runtime
