#include "runtime/verify/examination/examination.hpp"

#include <algorithm>
#include <utility>

#include "runtime/random.hpp"
#include "runtime/verify/answer/source.hpp"
#include "runtime/verify/assess/assessment.hpp"
#include "runtime/verify/inputs/inputs.hpp"
#include "runtime/verify/inputs/other_sizes.hpp"
#include "runtime/verify/plan/seal.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json shape_of(const Task& task, const Variation& variation) {
  json inputs = json::array();
  for (const TensorShape& shape : input_shapes(task, variation))
    inputs.push_back({{"name", shape.name}, {"dtype", shape.dtype}, {"shape", shape.extents}});
  return {{"label", variation.label()}, {"inputs", inputs}, {"outputs", 1}};
}

/// Of a recorder's answer, which may be anything.
bool is_cuda(const json& recorded) {
  if (!recorded.contains("kernels") || !recorded["kernels"].is_array()) return false;
  return std::any_of(recorded["kernels"].begin(), recorded["kernels"].end(), [](const json& kernel) {
    return kernel.is_object() && kernel.contains("language") && kernel["language"] == "cuda";
  });
}

}  // namespace

Examined Examination::run(const std::string& answer) {
  choose_trials();
  if (answer.size() > most_answer_bytes) {
    recorded_ = {{"ok", false},
                 {"reason", "too_large"},
                 {"message", "the answer has " + std::to_string(answer.size()) + " bytes, more than " +
                                 std::to_string(most_answer_bytes)}};
  } else {
    const Stopwatch watch(verdict_.spent, Work::record);
    const Source source = extract_source(answer);
    lines_ = static_cast<int>(std::count(source.text.begin(), source.text.end(), '\n')) + 1;
    recorded_ = recorder_.record(source, shapes_, protocol_.limits, cancelled_, &budget_);
    recorded_["lines"] = lines_;
    checked_ = recorder_.checked();
  }
  return judge_recorded();
}

Examined Examination::run_recorded(const json& recorded) {
  choose_trials();
  recorded_ = recorded;
  if (recorded_.contains("lines") && recorded_["lines"].is_number_unsigned())
    lines_ = static_cast<int>(std::min<std::uint64_t>(recorded_["lines"].get<std::uint64_t>(), 1'000'000));
  return judge_recorded();
}

Examined Examination::judge_recorded() {
  judge_steps();
  if (protocol_.tiny) confirm_stages();
  executor_.end();
  std::string seal = recording_.seal;
  return {std::move(verdict_), std::move(steps_),     std::move(recorded_),
          std::move(seal),     std::move(recording_), budget_.to_json()};
}

void Examination::confirm_stages() {
  const bool full = verdict_.failed == "full";
  if (!full && verdict_.failed != "tiny") return;
  if (!verdict_.compiled) {
    if (const std::optional<ReplayFinding> error =
            compile_plan(plan_to_compile(), CompileTo::verdict, Configurations::launched)) {
      verdict_.compiled = false;
      verdict_.tiny = verdict_.claimed = false;
      verdict_.variation.clear();
      note(step("compile"), Outcomes::failed, *error);
      return fail_instead("compile", *error);
    }
    verdict_.compiled = passed(step("compile"));
  }
  if (full && other_sizes_) confirm_tiny();
}

std::size_t Examination::plan_to_compile() const {
  std::vector<std::size_t> plans = {0};
  if (verdict_.failed == "full") {
    plans.push_back(trials_.front().plan);
    if (other_sizes_) plans.push_back(other_sizes_->plan);
  }
  RandomStream draw(input_key(secret_, recording_.seal, "plan to compile"));
  return plans[draw.below(plans.size())];
}

void Examination::fail_instead(const std::string& stage, const ReplayFinding& finding) {
  verdict_.failed.clear();
  fail(stage, finding.kind, finding.message, finding.line);
}

void Examination::judge_steps() {
  // What only a GPU can run is compiled before anything is said about its values.
  compile_first_ = protocol_.compile == Protocol::Compile::all || is_cuda(recorded_);
  lay_out_steps();
  if (protocol_.strict) mark_evidence();
  if (!read_recorded()) return;
  if (compile_first_ && !compile()) return;
  do {
    replaced_ = false;
    verdict_.tiny = false;
    if (!parse_kernels() || !try_values() || !try_directed()) return;
    if (!compile_first_ && !compile()) {
      verdict_.values = true;
      return;
    }
  } while (replaced_);  // another configuration is the launch: its values count
  verdict_.values = true;
  if (!verdict_.failed.empty() || !task_says_something()) return;
  if (protocol_.timing && !try_on_gpu()) return;
  verdict_.correct = true;
  verdict_.tiny = true;
  verdict_.speedup = *verdict_.reference_us / *verdict_.time_us;
  passed(step("timed"));
}

void Examination::lay_out_steps() {
  const auto add = [&](std::string stage, std::string variation = "") {
    steps_.emplace_back();
    steps_.back().stage = std::move(stage);
    steps_.back().variation = std::move(variation);
  };
  add("syntax");
  if (compile_first_) add("compile");
  for (const Trial& trial : trials_) add(trial.stage, trial.variation.label());
  if (other_sizes_ && !is_trial(other_sizes_->variation)) add("tiny", other_sizes_->variation.label());
  add("full", directed_label);
  if (!compile_first_) add("compile");
  add("timed");
}

void Examination::mark_evidence() {
  const Stopwatch watch(verdict_.spent, Work::draw);
  verdict_.no_evidence = no_evidence(task_, protocol_.variations, protocol_.precision);
  for (const std::string& label : verdict_.no_evidence)
    for (ExaminedStep& one : steps_)
      if (one.stage == "full" && one.variation == label) one.evidence = false;
}

ExaminedStep& Examination::step(std::string_view stage) {
  return *std::find_if(steps_.begin(), steps_.end(), [&](const auto& one) { return one.stage == stage; });
}

bool Examination::passed(ExaminedStep& step) {
  step.outcome = Outcomes::passed;
  return true;
}

bool Examination::fail_step(std::string_view at, const std::string& stage, const std::string& reason,
                            const std::string& message, int line) {
  note(step(at), Outcomes::failed, ReplayFinding{reason, message, line});
  return fail(stage, reason, message, line);
}

bool Examination::affords(ExaminedStep& step, const std::string& stage) {
  if (!budget_.used_up()) return true;
  note(step, Outcomes::failed, ReplayFinding{"timeout", budget_.explain()});
  return fail(stage, "timeout", budget_.explain());
}

void Examination::note(ExaminedStep& step, Outcomes outcome, const ReplayFinding& finding) const {
  step.outcome = outcome;
  step.reason = finding.kind;
  step.message = finding.message;
  step.line = known(finding.line);
}

void Examination::choose_trials() {
  // The task's own sizes are those whose plan makes a candidate valid: plan 0, whatever is tried first.
  plan_for(Variation{});
  if (protocol_.tiny) {
    Variation tiny;
    tiny.kind = Variation::Kind::Tiny;
    trials_.push_back({tiny, "tiny", plan_for(tiny)});
    if (const auto other = second_sizes()) {
      other_sizes_ = Trial{*other, "tiny", plan_for(*other)};
      // An exam asks everybody.
      if (protocol_.strict) trials_.push_back(*other_sizes_);
    }
  }
  for (const Variation& variation : protocol_.variations)
    trials_.push_back({variation, "full", plan_for(variation)});
}

std::optional<Variation> Examination::second_sizes() const {
  const auto resize = std::find_if(protocol_.variations.begin(), protocol_.variations.end(),
                                   [](const Variation& one) { return one.kind == Variation::Kind::Resize; });
  if (resize == protocol_.variations.end()) return draw_other_sizes(task_, secret_);
  if (!protocol_.strict) return *resize;
  return draw_other_sizes(task_, secret_, Parity::mixed);  // those of a resize are odd
}

bool Examination::is_trial(const Variation& variation) const {
  return std::any_of(trials_.begin(), trials_.end(),
                     [&](const Trial& one) { return one.variation.label() == variation.label(); });
}

std::size_t Examination::plan_for(const Variation& variation) {
  const json shape = shape_of(task_, variation);
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i]["inputs"] == shape["inputs"]) return i;
  shapes_.push_back(shape);
  std::vector<std::int64_t> bytes;
  for (const TensorShape& input : input_shapes(task_, variation))
    bytes.push_back(input.elements() * bytes_of(element_type(input.dtype).value()));
  input_bytes_.push_back(bytes);
  return shapes_.size() - 1;
}

bool Examination::fail(std::string stage, std::string reason, std::string message, int line) {
  if (!verdict_.failed.empty()) return false;  // the first failure is the verdict's
  verdict_.failed = std::move(stage);
  verdict_.reason = std::move(reason);
  verdict_.message = std::move(message);
  verdict_.line = known(line);
  return false;
}

}  // namespace trl::runtime
