#include "verifier/examination/test_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/inputs/stretched_sizes.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json shape_of(const Task& task, const Variation& variation) {
  json inputs = json::array();
  for (const TensorShape& shape : input_shapes(task, variation)) {
    inputs.push_back({{"name", shape.name}, {"dtype", shape.dtype}, {"shape", shape.extents}});
    if (const std::string& own = task.inputs[inputs.size() - 1].parameter; !own.empty())
      inputs.back()["parameter"] = own;
  }
  json out = {
      {"label", variation.label()}, {"inputs", inputs}, {"outputs", output_shapes(task, variation).size()}};
  if (task.module) {
    const Sizes at = sizes(task, variation);
    out["arguments"] = task.module->arguments_at(at);
    out["keywords"] = task.module->keywords_at(at);
    if (!task.module->forward.empty()) out["forward"] = task.module->forward_at(at);
    // The recorder compares which weights the module and the answer draw under one seed.
    if (variation.kind == Variation::Kind::Original)
      out["module"] = {{"code", task.module->code}, {"entry", task.module->entry}};
  }
  return out;
}

// Returns the number of the plan for a variation's sizes and dtypes, which variations with the same ones
// share.
std::size_t plan_for(const Task& task, const Variation& variation, TestCases& test_cases) {
  const json shape = shape_of(task, variation);
  for (std::size_t i = 0; i < test_cases.shapes.size(); ++i)
    if (test_cases.shapes[i]["inputs"] == shape["inputs"]) return i;
  test_cases.shapes.push_back(shape);
  std::vector<std::int64_t> bytes;
  for (const TensorShape& input : input_shapes(task, variation))
    bytes.push_back(input.elements() * bytes_of(input.dtype));
  test_cases.input_bytes.push_back(bytes);
  test_cases.limits.emplace_back();
  return test_cases.shapes.size() - 1;
}

// Whether a cast changes nothing about a task. That is so if the task has no floats, has the cast's dtype
// already, or isn't generic in its dtype (such as a task that converts between dtypes by a function,
// verifier/tasks/variation.hpp).
bool leaves_alone(const Task& task, const Variation& variation) {
  if (variation.kind != Variation::Kind::Cast) return false;
  const auto dtypes = [&](const Variation& under) {
    std::vector<std::string> all{output_shape(task, under).dtype};
    for (const TensorShape& input : input_shapes(task, under)) all.push_back(input.dtype);
    return all;
  };
  return dtypes(variation) == dtypes(Variation{});
}

// Says why a variation is no test case of a task; empty if it is one.
std::string why_left_alone(const Task& task, const Variation& variation) {
  using Kind = Variation::Kind;
  if (tasks::judged_by_module(task) && variation.kind != Kind::Original && variation.kind != Kind::Scale &&
      variation.kind != Kind::Reseed)
    return "the task is judged by its module, at the file's own sizes and in its dtype";
  if (task.module && variation.kind == Variation::Kind::Cast)
    return "the task's file says the dtype of its inputs, so that a cast leaves it alone";
  if (leaves_alone(task, variation)) return "the task says its dtypes itself, so that a cast leaves it alone";
  if (task.module && variation.kind == Variation::Kind::Resize && !has_value(task, variation))
    return "the task's module has no value at these sizes";
  return {};
}

// Whether the task at a variation's sizes is too large to be carried out as a whole. A GPU may hold more than
// the host, but extreme values are only drawn on the CPU.
bool too_large(const Question& question, const Variation& variation) {
  const Protocol& protocol = question.protocol;
  return (!protocol.timing || variation.kind == Variation::Kind::Extreme) &&
         oversized(question.task, variation, protocol.held_bytes);
}

// Returns sizes that the secret draws. In training, the sizes of a resize among the variations are taken if
// they aren't too large, since their plan is recorded anyway.
std::optional<Variation> second_sizes(const Question& question) {
  const auto& [task, protocol, secret, own_module] = question;
  const auto resize = std::find_if(protocol.variations.begin(), protocol.variations.end(),
                                   [](const Variation& one) { return one.kind == Variation::Kind::Resize; });
  if (resize == protocol.variations.end() || (!protocol.strict && too_large(question, *resize)))
    return draw_other_sizes(task, secret);
  if (!protocol.strict) return *resize;
  return draw_other_sizes(task, secret, Parity::mixed);  // a resize has odd sizes, so these may be even
}

}  // namespace

std::int64_t footprint_bytes(const Task& task, const Variation& variation) {
  std::int64_t bytes = 0;
  for (const std::vector<TensorShape>& shapes :
       {input_shapes(task, variation), output_shapes(task, variation)})
    for (const TensorShape& shape : shapes) bytes += shape.elements() * bytes_of(shape.dtype);
  return bytes;
}

bool oversized(const Task& task, const Variation& variation, std::int64_t most_bytes) {
  return tasks::judged_by_module(task) || footprint_bytes(task, variation) > most_bytes;
}

bool TestCase::smaller() const {
  using Kind = Variation::Kind;
  return variation.kind != Kind::Tiny && variation.kind != Kind::Stretched && !variation.dims.empty();
}

void TestCase::draw(const Question& question, const std::string& commitment, Timings& timings) {
  if (std::exchange(drawn, true)) return;
  const Stopwatch watch(timings, Work::draw);
  inputs = draw_inputs(question.task, variation, question.secret, commitment);
  expected = expect(question.task, variation, inputs, question.protocol.precision);
}

void TestCase::forget() {
  drawn = false;
  inputs = {};
  expected = {};
}

bool TestCases::has(const Variation& variation) const {
  return std::any_of(all.begin(), all.end(),
                     [&](const TestCase& one) { return one.variation.label() == variation.label(); });
}

TestCases choose_test_cases(const Question& question) {
  const Protocol& protocol = question.protocol;
  TestCases test_cases;
  const auto plan = [&](const Variation& variation) {
    return plan_for(question.task, variation, test_cases);
  };
  // Plan 0 has the task's own sizes, whichever test case comes first: it decides whether a candidate is
  // valid.
  plan(Variation{});
  if (too_large(question, Variation{})) test_cases.limits.front() = PlanLimits::of_pages();
  if (protocol.tiny) {
    if (const auto tiny = smallest_sizes(question.task))
      test_cases.all.push_back({*tiny, "tiny", plan(*tiny)});
    if (const auto other = second_sizes(question)) {
      test_cases.other_sizes = TestCase{*other, "tiny", plan(*other)};
      // In an exam every candidate has this test case. Elsewhere it only confirms credit.
      if (protocol.strict) test_cases.all.push_back(*test_cases.other_sizes);
    }
  }
  // Returns the variation at sizes that the CPU can carry out; nothing if the task has no value at such
  // sizes. A cast to a shorter dtype may fit at sizes that don't fit in the task's own dtype, but all
  // variations get the same sizes.
  const auto held = [&](const Variation& variation) -> std::optional<Variation> {
    if (!oversized(question.task, variation, protocol.held_bytes) &&
        !oversized(question.task, Variation{}, protocol.held_bytes))
      return variation;
    if (tasks::judged_by_module(question.task)) return std::nullopt;
    constexpr std::int64_t most_elements = 1 << 16, bytes_each = 32;  // of some tensors' elements together
    auto smaller =
        at_smaller_sizes(question.task, variation, std::min(most_elements, protocol.held_bytes / bytes_each));
    return smaller && !oversized(question.task, *smaller, protocol.held_bytes) ? smaller : std::nullopt;
  };
  const auto sized = [&](const Variation& variation) -> std::optional<Variation> {
    if (tasks::judged_by_module(question.task)) return variation;
    return too_large(question, variation) || too_large(question, Variation{}) ? held(variation) : variation;
  };
  bool full = false;
  for (const Variation& asked : protocol.variations) {
    const std::optional<Variation> variation = sized(asked);
    if (const auto small = held(asked)) test_cases.variations.push_back(*small);
    const std::string why =
        variation ? why_left_alone(question.task, *variation)
                  : fmt::format(
                        "its {} bytes are too many for a machine without a GPU, and the task has no value "
                        "at smaller sizes",
                        footprint_bytes(question.task, asked));
    if (!why.empty()) {
      test_cases.left_alone.push_back({asked.label(), why});
      continue;
    }
    test_cases.all.push_back({*variation, "full", plan(*variation)});
    full = true;
  }
  if (const auto own = sized(Variation{}); !full && (own || test_cases.all.empty()))
    test_cases.all.push_back({own.value_or(Variation{}), "full", plan(own.value_or(Variation{}))});
  if (too_large(question, Variation{})) test_cases.own_sizes = TestCase{Variation{}, "full", 0};
  for (const StretchedDim& dim : draw_stretched_sizes(question.task, question.secret)) {
    TestCases::Stretched& stretched = test_cases.stretched.emplace_back();
    stretched.dim = dim.name;
    for (const Variation& variation : dim.variations) {
      const std::size_t known = test_cases.shapes.size();
      stretched.sizes.push_back({variation, "full", plan(variation)});
      if (test_cases.shapes.size() == known) continue;
      test_cases.shapes.back()["stretched"] = true;
      if (stretched.sizes.size() > 1) test_cases.shapes.back()["instead_of"] = stretched.sizes.front().plan;
    }
  }
  return test_cases;
}

std::vector<ExaminedStep> lay_out_steps(const TestCases& test_cases, bool compile_first) {
  std::vector<ExaminedStep> steps;
  const auto add = [&](std::string stage, std::string variation = "") {
    steps.emplace_back();
    steps.back().stage = std::move(stage);
    steps.back().variation = std::move(variation);
  };
  add("syntax");
  if (compile_first) add("compile");
  for (const TestCase& test_case : test_cases.all) add(test_case.stage, test_case.variation.label());
  if (test_cases.other_sizes && !test_cases.has(test_cases.other_sizes->variation))
    add("tiny", test_cases.other_sizes->variation.label());
  if (test_cases.own_sizes) add("full", own_sizes_label);
  for (const auto& [label, why] : test_cases.left_alone) {
    add("full", label);
    steps.back().message = why;
  }
  for (const TestCases::Stretched& one : test_cases.stretched)
    add("full", one.sizes.front().variation.label());
  add("full", directed_label);
  if (!compile_first) add("compile");
  add("timed");
  return steps;
}

std::uint64_t program_order(const Question& question, const std::string& commitment,
                            const Variation& variation, const char* purpose) {
  return input_key(question.secret, commitment, variation.label() + "/" + purpose).value | 1;
}

}  // namespace trl::runtime
