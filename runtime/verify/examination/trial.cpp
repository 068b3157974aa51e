#include "runtime/verify/examination/trial.hpp"

#include <algorithm>
#include <utility>

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

// The number of the plan for a variation's sizes and dtypes; variations of the same share it.
std::size_t plan_for(const Task& task, const Variation& variation, Trials& trials) {
  const json shape = shape_of(task, variation);
  for (std::size_t i = 0; i < trials.shapes.size(); ++i)
    if (trials.shapes[i]["inputs"] == shape["inputs"]) return i;
  trials.shapes.push_back(shape);
  std::vector<std::int64_t> bytes;
  for (const TensorShape& input : input_shapes(task, variation))
    bytes.push_back(input.elements() * bytes_of(element_type(input.dtype).value()));
  trials.input_bytes.push_back(bytes);
  return trials.shapes.size() - 1;
}

// Drawn sizes; in training those of a variation, where there is one, which are recorded in any case.
std::optional<Variation> second_sizes(const Question& question) {
  const auto& [task, protocol, secret] = question;
  const auto resize = std::find_if(protocol.variations.begin(), protocol.variations.end(),
                                   [](const Variation& one) { return one.kind == Variation::Kind::Resize; });
  if (resize == protocol.variations.end()) return draw_other_sizes(task, secret);
  if (!protocol.strict) return *resize;
  return draw_other_sizes(task, secret, Parity::mixed);  // those of a resize are odd
}

}  // namespace

void Trial::draw(const Question& question, const std::string& seal, Timings& timings) {
  if (std::exchange(drawn, true)) return;
  const Stopwatch watch(timings, Work::draw);
  inputs = draw_inputs(question.task, variation, question.secret, seal);
  expected = expect(question.task, variation, inputs, question.protocol.precision);
}

void Trial::forget() {
  drawn = false;
  inputs = {};
  expected = {};
}

bool Trials::has(const Variation& variation) const {
  return std::any_of(all.begin(), all.end(),
                     [&](const Trial& one) { return one.variation.label() == variation.label(); });
}

Trials choose_trials(const Question& question) {
  const Protocol& protocol = question.protocol;
  Trials trials;
  const auto plan = [&](const Variation& variation) { return plan_for(question.task, variation, trials); };
  // The task's own sizes are those whose plan makes a candidate valid: plan 0, whatever is tried first.
  plan(Variation{});
  if (protocol.tiny) {
    Variation tiny;
    tiny.kind = Variation::Kind::Tiny;
    trials.all.push_back({tiny, "tiny", plan(tiny)});
    if (const auto other = second_sizes(question)) {
      trials.other_sizes = Trial{*other, "tiny", plan(*other)};
      // An exam asks everybody.
      if (protocol.strict) trials.all.push_back(*trials.other_sizes);
    }
  }
  for (const Variation& variation : protocol.variations)
    trials.all.push_back({variation, "full", plan(variation)});
  return trials;
}

std::vector<ExaminedStep> lay_out_steps(const Trials& trials, bool compile_first) {
  std::vector<ExaminedStep> steps;
  const auto add = [&](std::string stage, std::string variation = "") {
    steps.emplace_back();
    steps.back().stage = std::move(stage);
    steps.back().variation = std::move(variation);
  };
  add("syntax");
  if (compile_first) add("compile");
  for (const Trial& trial : trials.all) add(trial.stage, trial.variation.label());
  if (trials.other_sizes && !trials.has(trials.other_sizes->variation))
    add("tiny", trials.other_sizes->variation.label());
  add("full", directed_label);
  if (!compile_first) add("compile");
  add("timed");
  return steps;
}

std::uint64_t program_order(const Question& question, const std::string& seal, const Variation& variation,
                            const char* purpose) {
  return input_key(question.secret, seal, variation.label() + "/" + purpose).value | 1;
}

}  // namespace trl::runtime
