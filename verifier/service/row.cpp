#include "verifier/service/row.hpp"

#include <utility>

#include "base/contract/reasons.hpp"
#include "base/tensors/made_on.hpp"
#include "verifier/examination/made_on.hpp"

namespace trl::runtime {

using nlohmann::json;

Machine::Machine(const Installation& installation, std::shared_ptr<ExclusiveGpu> gpu, int threads)
    : gpu_(std::move(gpu)), here_(made_here(threads)) {
  note_packages(here_, installation);
}

json Machine::of(const Verdict& verdict) {
  if (verdict.modelled || !gpu_) return here_.write();
  std::call_once(named_, [&] { note_gpu(with_gpu_ = here_, gpu_->gpu()); });
  return with_gpu_.write();
}

json row_of(const Examined& examined, Machine& machine) {
  json row = examined.verdict.to_json();
  for (const ExaminedStep& step : examined.steps) row["stages"].push_back(step.to_json());
  row["budget"] = examined.budget;
  row["made_on"] = machine.of(examined.verdict);
  return row;
}

json unjudged_row(const std::string& why, Machine& machine) {
  Examined examined;
  examined.verdict.reason = contract::not_judged, examined.verdict.message = why;
  return row_of(examined, machine);
}

}  // namespace trl::runtime
