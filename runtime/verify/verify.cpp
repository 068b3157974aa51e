#include "runtime/verify/verify.hpp"

#include <algorithm>
#include <utility>

#include "contract/protocol.hpp"
#include "contract/verdict.hpp"
#include "runtime/verify/examination/examination.hpp"
#include "runtime/worker/contract.hpp"

namespace trl::runtime {

using nlohmann::json;

Protocol Protocol::parse(const json& said) {
  const auto spec = spec_as<contract::Protocol>(said);
  Protocol protocol;
  protocol.variations.clear();
  for (const contract::Variation& variation : spec.variations)
    protocol.variations.push_back(Variation::parse(variation.write()));
  if (protocol.variations.empty())
    throw StageError("a verify stage needs at least one variation", "add `original`");
  if (spec.language) protocol.language = kernel_language(contract::word(*spec.language));
  protocol.tiny = spec.tiny;
  protocol.compile = spec.compile == contract::Compile::all ? Compile::all : Compile::after_values;
  protocol.memory_checks = spec.memory_checks;
  protocol.strict = spec.strict;
  protocol.precision = parse_precision(contract::word(spec.precision));
  const auto gpu = spec.modelled_for.empty() ? "H200" : spec.modelled_for;
  const auto model = executor::gpu_model(gpu);
  if (!model) throw StageError("there is no model of a GPU called " + gpu, "H200 is the one there is");
  protocol.gpu = *model;
  if (spec.timed) {
    const auto timing = spec.timing.value_or(contract::Timing{});
    protocol.timing = TimingProtocol{timing.warmup, timing.trials, timing.trim};
    constexpr double training_budget_ms = 100;
    if (protocol.compile == Compile::after_values) protocol.timing->budget_ms = training_budget_ms;
    if (protocol.timing->warmup < 0 || protocol.timing->trials < 1)
      throw StageError("a timed stage needs at least one trial");
  }
  protocol.limits.seconds = std::max<std::int64_t>(1, spec.limits.seconds);
  protocol.limits.memory_bytes = spec.limits.memory_bytes;
  protocol.budget.cpu_seconds = spec.limits.total_seconds;
  protocol.budget.wall_seconds = spec.limits.wall_seconds;
  if (protocol.budget.cpu_seconds <= 0 || protocol.budget.wall_seconds <= 0)
    throw StageError("a candidate's budget of time is nothing", "give `limits` seconds above 0");
  return protocol;
}

json Verdict::to_json() const {
  contract::Verdict row;
  row.valid = valid, row.compiled = compiled, row.tiny = tiny, row.correct = correct, row.values = values;
  row.failed = failed, row.reason = reason, row.message = message, row.line = std::max(line, 0);
  row.claimed = claimed, row.variation = variation;
  row.speedup = speedup, row.time_us = time_us, row.reference_us = reference_us, row.modelled = modelled;
  row.launched_us = launched_us, row.compiled_us = compiled_us, row.launches = launches;
  row.paths = paths, row.no_evidence = no_evidence;
  return row.write();
}

json ExaminedStep::to_json() const {
  contract::Step row{stage,  variation, static_cast<contract::Step::Outcome>(outcome),
                     reason, message,   std::max(line, 0),
                     {},     evidence};
  for (const LaunchGeometry& launch : launches)
    row.launches.push_back({launch.kernel,
                            {launch.grid.begin(), launch.grid.end()},
                            {launch.block.begin(), launch.block.end()},
                            launch.num_warps,
                            launch.line});
  return row.write();
}

Verifier::Verifier(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> compiled)
    : recorder_(installation, sandbox),
      executor_(installation, sandbox),
      compiler_(installation, sandbox, std::move(compiled)) {}

void Verifier::ready(const std::function<bool()>& cancelled) {
  recorder_.ready(cancelled);
  executor_.ready(cancelled);
  compiler_.ready(cancelled);
  if (gpu_) gpu_->ready(cancelled);
}

void Verifier::require_gpu(const Protocol& protocol) const {
  if (protocol.timing && !gpu_)
    throw StageError("this lane has no GPU to time candidates on", "run it where there is one");
}

Verdict Verifier::verify(const Task& task, const std::string& answer, const Protocol& protocol,
                         const std::string& secret, const std::function<bool()>& cancelled) {
  return examine(task, answer, protocol, secret, cancelled).verdict;
}

Examined Verifier::examine(const Task& task, const std::string& answer, const Protocol& protocol,
                           const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination(task, protocol, secret, recorder_, executor_, compiler_, cancelled, threads_, gpu_.get())
      .run(answer);
}

Examined Verifier::examine_recorded(const Task& task, const json& recorded, const Protocol& protocol,
                                    const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination(task, protocol, secret, recorder_, executor_, compiler_, cancelled, threads_, gpu_.get())
      .run_recorded(recorded);
}

}  // namespace trl::runtime
