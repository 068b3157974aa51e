#include "runtime/verify/verify.hpp"

#include <algorithm>
#include <utility>

#include "runtime/verify/examination/examination.hpp"
#include "runtime/worker/rows.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

Protocol Protocol::parse(const json& spec) {
  Protocol protocol;
  if (spec.contains("variations")) {
    protocol.variations.clear();
    for (const json& variation : spec["variations"])
      protocol.variations.push_back(Variation::parse(variation));
  }
  if (protocol.variations.empty())
    throw StageError("a verify stage needs at least one variation", "add `original`");
  if (spec.contains("language")) protocol.language = language_of(spec);
  protocol.tiny = field_or(spec, "tiny", false);
  const auto compile = field_or<std::string>(spec, "compile", "after_values");
  if (compile != "all" && compile != "after_values")
    throw StageError("`compile` is " + compile, "it is `all` or `after_values`");
  protocol.compile = compile == "all" ? Compile::all : Compile::after_values;
  protocol.memory_checks = field_or(spec, "memory_checks", false);
  protocol.strict = field_or(spec, "strict", false);
  protocol.precision = parse_precision(field_or<std::string>(spec, "precision", "task"));
  const auto gpu = field_or<std::string>(spec, "modelled_for", "H200");
  const auto model = executor::gpu_model(gpu);
  if (!model) throw StageError("there is no model of a GPU called " + gpu, "H200 is the one there is");
  protocol.gpu = *model;
  if (field_or(spec, "timed", false)) {
    // Without calibrated timing, there is one timed run after one warm-up run.
    const json timing = field_or(spec, "timing", json::object());
    protocol.timing = TimingProtocol{field_or(timing, "warmup", 1), field_or(timing, "trials", 1),
                                     field_or(timing, "trim", 0.0)};
    constexpr double training_budget_ms = 100;
    if (protocol.compile == Compile::after_values) protocol.timing->budget_ms = training_budget_ms;
    if (protocol.timing->warmup < 0 || protocol.timing->trials < 1)
      throw StageError("a timed stage needs at least one trial");
  }
  const json limits = field_or(spec, "limits", json::object());
  protocol.limits.seconds = std::max<std::int64_t>(1, field_or(limits, "seconds", protocol.limits.seconds));
  protocol.limits.memory_bytes = field_or(limits, "memory_bytes", protocol.limits.memory_bytes);
  protocol.budget.cpu_seconds = field_or(limits, "total_seconds", protocol.budget.cpu_seconds);
  protocol.budget.wall_seconds = field_or(limits, "wall_seconds", protocol.budget.wall_seconds);
  if (protocol.budget.cpu_seconds <= 0 || protocol.budget.wall_seconds <= 0)
    throw StageError("a candidate's time budget is zero", "give `limits` seconds above 0");
  return protocol;
}

json Verdict::to_json() const {
  json row = {{"valid", valid},
              {"compiled", or_null(compiled)},
              {"tiny", tiny},
              {"correct", correct},
              {"values", values},
              {"failed", or_null(failed)},
              {"reason", or_null(reason)},
              {"message", or_null(message)},
              {"line", line > 0 ? json(line) : json(nullptr)},
              {"claimed", claimed},
              {"variation", or_null(variation)},
              {"speedup", speedup},
              {"time_us", or_null(time_us)},
              {"reference_us", or_null(reference_us)},
              {"modelled", modelled},
              {"launches", launches}};
  if (launched_us) row["launched_us"] = *launched_us;
  if (compiled_us) row["compiled_us"] = *compiled_us;
  if (paths) row["paths"] = *paths;
  if (!no_evidence.empty()) row["no_evidence"] = no_evidence;
  return row;
}

json ExaminedStep::to_json() const {
  static constexpr const char* outcomes[] = {"passed", "failed", "skipped"};
  json shown = json::array();
  for (const LaunchGeometry& launch : launches)
    shown.push_back({{"kernel", launch.kernel},
                     {"grid", launch.grid},
                     {"block", launch.block},
                     {"num_warps", launch.num_warps},
                     {"line", launch.line}});
  json row = {{"stage", stage},
              {"variation", or_null(variation)},
              {"outcome", outcomes[static_cast<int>(outcome)]},
              {"reason", or_null(reason)},
              {"message", or_null(message)},
              {"line", line > 0 ? json(line) : json(nullptr)},
              {"launches", shown}};
  if (!evidence) row["evidence"] = false;
  return row;
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
    throw StageError("this worker slot has no GPU to time candidates on", "run it where there is one");
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
