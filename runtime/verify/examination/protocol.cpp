#include "runtime/verify/examination/protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "ground/error.hpp"
#include "runtime/spec.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {

using nlohmann::json;

Protocol Protocol::parse(const json& spec) {
  Protocol protocol;
  if (spec.contains("variations")) {
    protocol.variations.clear();
    for (const json& variation : spec["variations"])
      protocol.variations.push_back(Variation::parse(variation));
  }
  if (protocol.variations.empty())
    throw UserError("a verify stage needs at least one variation", "add `original`");
  if (spec.contains("language")) protocol.language = language_of(spec);
  protocol.tiny = field_or(spec, "tiny", false);
  const auto compile = field_or<std::string>(spec, "compile", "after_values");
  if (compile != "all" && compile != "after_values")
    throw UserError("`compile` is " + compile, "it is `all` or `after_values`");
  protocol.compile = compile == "all" ? Compile::all : Compile::after_values;
  protocol.memory_checks = field_or(spec, "memory_checks", false);
  protocol.strict = field_or(spec, "strict", false);
  protocol.precision = parse_precision(field_or<std::string>(spec, "precision", "task"));
  const auto gpu = field_or<std::string>(spec, "modelled_for", "H200");
  const auto model = executor::gpu_model(gpu);
  if (!model) throw UserError("there is no model of a GPU called " + gpu, "H200 is the one there is");
  protocol.gpu = *model;
  if (field_or(spec, "timed", false)) {
    // Without calibrated timing, there is one timed run after one warm-up run.
    const json timing = field_or(spec, "timing", json::object());
    protocol.timing = TimingProtocol{field_or(timing, "warmup", 1), field_or(timing, "trials", 1),
                                     field_or(timing, "trim", 0.0)};
    constexpr double training_budget_ms = 100;
    if (protocol.compile == Compile::after_values) protocol.timing->budget_ms = training_budget_ms;
    if (protocol.timing->warmup < 0 || protocol.timing->trials < 1)
      throw UserError("a timed stage needs at least one trial");
  }
  const json limits = field_or(spec, "limits", json::object());
  protocol.limits.seconds = std::max<std::int64_t>(1, field_or(limits, "seconds", protocol.limits.seconds));
  protocol.limits.memory_bytes = field_or(limits, "memory_bytes", protocol.limits.memory_bytes);
  protocol.budget.cpu_seconds = field_or(limits, "total_seconds", protocol.budget.cpu_seconds);
  protocol.budget.wall_seconds = field_or(limits, "wall_seconds", protocol.budget.wall_seconds);
  if (protocol.budget.cpu_seconds <= 0 || protocol.budget.wall_seconds <= 0)
    throw UserError("a candidate's budget of time is nothing", "give `limits` seconds above 0");
  return protocol;
}

}  // namespace trl::runtime
