#include "verifier/examination/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "verifier/assess/assessment.hpp"
#include "verifier/inputs/inputs.hpp"

namespace trl::runtime {

namespace {

/// Finds a mistake in the form of one output. `which` names the output if there are several, as " as result
/// 2".
std::optional<ReplayFinding> check_output(const BufferView& output, const TensorShape& shape,
                                          const Variation& variation, const std::string& which) {
  if (output.shape != shape.extents)
    return ReplayFinding{"wrong_shape",
                         fmt::format("forward returns shape [{}]{}, the task's is [{}]",
                                     fmt::join(output.shape, ", "), which, fmt::join(shape.extents, ", "))};
  if (name(output.type) == (shape.dtype == "bool" ? "i1" : shape.dtype)) return std::nullopt;
  std::string message =
      fmt::format("forward returns {}{}, the task's output is {}", name(output.type), which, shape.dtype);
  if (variation.kind == Variation::Kind::Cast)
    message += fmt::format(
        ", as its inputs are under {0}; who wants answers in one type alone leaves {0} out of `variations`",
        variation.label());
  return ReplayFinding{"wrong_dtype", std::move(message)};
}

}  // namespace

std::optional<ReplayFinding> check_form(const Plan& plan, const Task& task, const Variation& variation) {
  const std::vector<TensorShape> shapes = output_shapes(task, variation);
  if (plan.outputs.size() != shapes.size())
    return ReplayFinding{"wrong_shape", fmt::format("forward returns {} tensor{}, the task has {} result{}",
                                                    plan.outputs.size(), plan.outputs.size() == 1 ? "" : "s",
                                                    shapes.size(), shapes.size() == 1 ? "" : "s")};
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (auto wrong = check_output(plan.outputs[i], shapes[i], variation,
                                  shapes.size() == 1 ? "" : fmt::format(" as result {}", i + 1)))
      return wrong;
  return std::nullopt;
}

std::optional<ReplayFinding> judge_values(const Plan& plan, const ReplayResult& result,
                                          const Expected& expected) {
  for (const ReplayFinding& finding : result.findings)
    if (!finding.memory) return finding;
  std::size_t wrong = 0, first = 0, unwritten = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    unwritten += result.writers[i] == Writer::nobody;
    if (expected.accepts(i, result.output[i]) && result.writers[i] != Writer::nobody) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::nullopt;
  if (unwritten > 0)
    return ReplayFinding{"unwritten_output",
                         fmt::format("{} of {} output values are never written, the first at {}", unwritten,
                                     expected.size(), plan.place_of(first))};
  return ReplayFinding{
      "wrong_values",
      fmt::format("{} of {} values are wrong; at {} it is {} instead of {}", wrong, expected.size(),
                  plan.place_of(first), text_of(result.output[first]), text_of(expected.values[first]))};
}

std::optional<ReplayFinding> judge_more_draws(const Question& question, const std::string& commitment,
                                              const Variation& variation, const JudgeDraw& judge) {
  const auto& [task, protocol, secret, own_module] = question;
  for (int draw = 1; draw < draws(task, variation); ++draw) {
    const std::vector<InputData> inputs = draw_inputs(task, variation, secret, commitment, draw);
    const Expected expected = expect(task, variation, inputs, protocol.precision);
    if (auto wrong = judge(inputs, expected)) return wrong;
  }
  return std::nullopt;
}

ReplayFinding most_telling(const std::vector<ReplayFinding>& findings) {
  for (const ReplayFinding& finding : findings)
    if (!finding.memory) return finding;
  return findings.front();
}

std::string text_of(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

std::string where(std::size_t flat, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> index(extents.size());
  auto left = static_cast<std::int64_t>(flat);
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = left % extents[d];
    left /= extents[d];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace trl::runtime
