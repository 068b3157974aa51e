#include "verifier/examination/protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/contract/protocol.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/words.hpp"
#include "base/stage/contract.hpp"
#include "base/support/error.hpp"

namespace trl::runtime {

using nlohmann::json;

Protocol Protocol::parse(const json& written) {
  const auto spec = spec_as<contract::Protocol>(written);
  Protocol protocol;
  protocol.variations.clear();
  for (const contract::Variation& variation : spec.variations)
    protocol.variations.push_back(Variation::parse(variation.write()));
  if (protocol.variations.empty())
    throw UserError("a verify stage needs at least one variation", "add `original`");
  if (spec.language) protocol.language = kernel_language(contract::word(*spec.language));
  protocol.tiny = spec.tiny;
  protocol.compile = spec.compile == contract::Compile::all ? Compile::all : Compile::after_values;
  protocol.memory_checks = spec.memory_checks;
  protocol.strict = spec.strict;
  protocol.precision = parse_precision(contract::word(spec.precision));
  protocol.epilogue = spec.framework == contract::Framework::epilogue;
  if (protocol.epilogue && protocol.strict)
    throw UserError("an exam leaves PyTorch nothing to compute", "leave `framework` out of a strict spec");
  const auto gpu = spec.modelled_for.empty() ? "H200" : spec.modelled_for;
  const auto model = executor::gpu_model(gpu);
  if (!model) throw UserError("times can't be modelled for the GPU " + gpu, "set `modelled_for` to H200");
  protocol.gpu = *model;
  if (spec.timed) {
    const auto timing = spec.timing.value_or(contract::Timing{});
    protocol.timing = TimingProtocol{timing.warmup, timing.trials, timing.trim};
    constexpr double training_budget_ms = 100;
    if (protocol.compile == Compile::after_values) protocol.timing->budget_ms = training_budget_ms;
    if (protocol.timing->warmup < 0 || protocol.timing->trials < 1)
      throw UserError("a timed stage needs at least one trial, and `warmup` of at least 0",
                      "set `trials` of `timing` to 1 or more");
  }
  protocol.compiled_reference = spec.second_baseline == contract::SecondBaseline::compiled;
  protocol.also_by_kernelbench = spec.also_by == contract::OtherProtocol::kernelbench;
  protocol.judge_reasoning = spec.judge_reasoning;
  protocol.limits.seconds = std::max<std::int64_t>(1, spec.limits.seconds);
  protocol.limits.memory_bytes = spec.limits.memory_bytes;
  protocol.budget.cpu_seconds = spec.limits.total_seconds;
  protocol.budget.asleep_seconds = spec.limits.wall_seconds;
  if (protocol.budget.cpu_seconds <= 0 || protocol.budget.asleep_seconds <= 0)
    throw UserError("the limits leave a candidate no time",
                    "set `total_seconds` and `wall_seconds` of `limits` above 0");
  return protocol;
}

}  // namespace trl::runtime
