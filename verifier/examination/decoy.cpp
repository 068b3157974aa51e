#include "verifier/examination/decoy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/operators/operator_ids.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/inputs/inputs.hpp"

namespace trl::runtime {
namespace {

// A count of output elements, and how many of them the plan computes without its kernels.
struct Share {
  std::size_t all = 0, right = 0;
  // `own`: the elements that are neither right because of a fill nor right because an input has the same
  // value in the same place, as an in-place function leaves it. `moved`: how many of these elements the
  // framework moved to their place.
  std::size_t own = 0, moved = 0;

  bool everything() const { return right == all; }
  // Whether the framework moved more than half of the elements, by three standard deviations of a fair coin:
  // a relu in place leaves half of the elements as it finds them.
  bool most() const {
    return 2.0 * static_cast<double>(moved) >
           static_cast<double>(own) + 3.0 * std::sqrt(static_cast<double>(own));
  }
};

bool writes_output(const Plan& plan) {
  const auto to_output = [&](const auto& step) {
    if constexpr (requires { step.to; })
      return plan.returns(step.to.buffer);
    else
      return false;
  };
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [&](const Step& step) { return std::visit(to_output, step); });
}

// Whether a view covers each byte of its buffer exactly once.
bool covers(const Plan& plan, const BufferView& view) {
  if (view.offset != 0 ||
      view.elements() * bytes_of(view.type) != plan.buffers[static_cast<std::size_t>(view.buffer)].bytes)
    return false;
  std::vector<std::size_t> dims(view.shape.size());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  std::sort(dims.begin(), dims.end(),
            [&](std::size_t a, std::size_t b) { return view.strides[a] < view.strides[b]; });
  std::int64_t stride = 1;
  for (const std::size_t d : dims) {
    if (view.shape[d] == 1) continue;
    if (view.strides[d] != stride) return false;
    stride *= view.shape[d];
  }
  return true;
}

// Whether a copy leaves every element in its place, as a clone or a cast does.
bool keeps_order(const Plan& plan, const CopyStep& copy) {
  if (!covers(plan, copy.from) || !covers(plan, copy.to)) return false;
  for (std::size_t d = 0; d < copy.to.shape.size(); ++d)
    if (copy.to.shape[d] != 1 && copy.to.strides[d] != copy.from.strides[d]) return false;
  return true;
}

// The plan without copies that bring elements to other places.
Plan without_moves(Plan plan) {
  std::erase_if(plan.steps, [&](const Step& step) {
    const auto* copy = std::get_if<CopyStep>(&step);
    return copy != nullptr && !keeps_order(plan, *copy);
  });
  return plan;
}

// The plan with PyTorch's operations, but without the candidate's own kernels.
Plan without_own_launches(Plan plan) {
  std::erase_if(plan.steps, [](const Step& step) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    return launch != nullptr && launch->framework.empty();
  });
  return plan;
}

bool moves_data(const Expression& node) {
  using enum Operator;
  static constexpr Operator moves[] = {transpose, permute, reshape, flatten, unsqueeze, squeeze,
                                       expand,    pad,     cat,     stack,   narrow,    select,
                                       flip,      roll,    tril,    triu};
  if (node.kind != Expression::Kind::Operator) return true;
  return std::find(std::begin(moves), std::end(moves), node.op) != std::end(moves) &&
         std::all_of(node.args.begin(), node.args.end(), moves_data);
}

/// The place of one output's values among the values of all outputs.
struct Segment {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

std::vector<Segment> segments_of(const Plan& plan) {
  std::vector<Segment> out;
  for (const BufferView& one : plan.outputs) {
    const std::size_t begin = out.empty() ? 0 : out.back().end;
    out.push_back({begin, begin + static_cast<std::size_t>(one.elements())});
  }
  return out;
}

ReplayFinding decoy(std::string message) { return {"decoy_kernel", std::move(message)}; }

// Random inputs may hide the work of kernels: a clamp leaves small numbers unchanged. So if the framework's
// steps alone give too much of the output, the plan is run again with other signs and magnitudes of the
// inputs. It is a decoy if the framework gives too much in every case.
std::optional<ReplayFinding> check_framework_alone(const Question& question, const Plan& plan,
                                                   const TestCase& test_case,
                                                   const std::vector<Writer>& writers, const Segment& segment,
                                                   const RunPlan& run,
                                                   const std::function<bool()>& cancelled) {
  if (!writes_output(plan)) return std::nullopt;
  const std::vector<TensorShape> shapes = input_shapes(question.task, test_case.variation);
  const auto share = [&](const std::vector<InputData>& inputs, const Expected& expected) {
    const auto accepts = [&](std::size_t i, double got) { return expected.accepts(i, got); };
    ReplayOptions options;
    options.launches = false;
    options.cancelled = cancelled;
    const ReplayResult without = replay(plan, {}, {}, inputs, options);  // nothing of the candidate runs
    const auto in_place = [&](std::size_t i) {
      for (std::size_t k = 0; k < shapes.size(); ++k) {
        const ElementType type = element_type(shapes[k].dtype).value();
        const std::size_t at = i - segment.begin;
        if (static_cast<std::size_t>(shapes[k].elements()) == segment.size() &&
            accepts(i, load_element(type, &inputs[k].bytes[at * static_cast<std::size_t>(bytes_of(type))])))
          return true;
      }
      return false;
    };
    Share counted;
    counted.all = counted.own = segment.size();
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      if (!expected.demands(i)) {  // too much is right here
        --counted.all;
        --counted.own;
        continue;
      }
      if (without.writers[i] == Writer::nobody || !accepts(i, without.output[i])) continue;
      ++counted.right;
      if (without.writers[i] == Writer::host || in_place(i))
        --counted.own;
      else
        ++counted.moved;
    }
    return counted;
  };
  const auto untouched =
      writers.empty() ? 0
                      : static_cast<std::size_t>(std::count(
                            writers.begin() + static_cast<std::ptrdiff_t>(segment.begin),
                            writers.begin() + static_cast<std::ptrdiff_t>(segment.end), Writer::input));
  const auto too_much = [&](const Share& one) {
    return one.everything() || one.most() ||
           // A kernel that corrects only a few values of a copy owes the rest to the copy.
           (4 * untouched >= 3 * one.all && 4 * one.right >= 3 * one.all);
  };
  const Share drawn = share(test_case.inputs, test_case.expected);
  if (drawn.all == 0 || !too_much(drawn)) return std::nullopt;
  for (const double factor : {-1.0, 1024.0, -1024.0, 1.0 / 1024}) {
    const std::vector<InputData> inputs =
        scaled_inputs(question.task, test_case.variation, test_case.inputs, factor);
    const Expected expected = expect(question.task, test_case.variation, inputs, question.protocol.precision);
    if (too_much(share(inputs, expected))) continue;
    if (!drawn.everything()) return std::nullopt;
    // The drawn inputs don't show what the kernels do, but these inputs do.
    ReplayResult ran = run(plan, inputs);
    std::optional<ReplayFinding> wrong = judge_values(plan, ran, expected);
    if (wrong) wrong->message += fmt::format(", with inputs {} times as large", factor);
    return wrong;
  }
  return decoy(fmt::format("{} of {} output values are right without any kernel", drawn.right, drawn.all));
}

// If a task only moves data, the framework's copies could do all the work and a kernel pass it on. So the
// kernels alone, without copies that move elements, must give half of the output.
std::optional<ReplayFinding> check_moves(const Expression& value, const Plan& plan, const TestCase& test_case,
                                         const Segment& segment, const RunPlan& run,
                                         const std::function<bool()>& cancelled) {
  if (!moves_data(value)) return std::nullopt;
  const Plan own = without_moves(plan);
  if (own.steps.size() == plan.steps.size()) return std::nullopt;
  ReplayOptions options;
  options.launches = false;
  options.cancelled = cancelled;
  const ReplayResult without = replay(own, {}, {}, test_case.inputs, options);
  const ReplayResult with = run(own, test_case.inputs);
  std::size_t all = 0, right = 0;
  for (std::size_t i = segment.begin; i < segment.end; ++i) {
    const auto accepts = [&](const ReplayResult& one) {
      return one.writers[i] != Writer::nobody && test_case.expected.accepts(i, one.output[i]);
    };
    // A fill that no later step overwrites isn't counted.
    if (without.writers[i] == Writer::host && accepts(without)) continue;
    ++all;
    right += accepts(with);
  }
  if (2 * right >= all) return std::nullopt;
  return decoy(
      fmt::format("the task only moves data, and {} of {} output values come to their places by the "
                  "framework's copies, not by a kernel",
                  all - right, all));
}

}  // namespace

std::optional<ReplayFinding> find_decoy(const Question& question, const Plan& plan, const TestCase& test_case,
                                        const std::vector<Writer>& writers, const RunPlan& run,
                                        const std::function<bool()>& cancelled) {
  const std::vector<Segment> segments = segments_of(plan);
  const Task& task = question.task;
  if (const Plan part = without_own_launches(plan); part.launches() > 0) {
    const ReplayResult without = run(part, test_case.inputs);
    if (!judge_values(part, without, test_case.expected))
      return decoy("what PyTorch finishes is right without any kernel of the answer");
  }
  // Each result has to be a kernel's work. Judged together, an easier result could make up for another one.
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    const auto begin = writers.begin() + static_cast<std::ptrdiff_t>(writers.empty() ? 0 : segment.begin),
               end = writers.begin() + static_cast<std::ptrdiff_t>(writers.empty() ? 0 : segment.end);
    std::optional<ReplayFinding> found;
    if (begin != end && std::find(begin, end, Writer::kernel) == end)
      found = decoy("the output does not come from a kernel");
    else if (plan.buffers[static_cast<std::size_t>(plan.outputs[i].buffer)].input >= 0)
      found = decoy("the output is an input of the task, which no kernel made");
    if (!found) found = check_framework_alone(question, plan, test_case, writers, segment, run, cancelled);
    if (!found)
      found = check_moves(task.results.empty() ? task.value : task.value.args.at(i), plan, test_case, segment,
                          run, cancelled);
    if (!found) continue;
    if (segments.size() > 1) found->message += fmt::format(" (result {})", i + 1);
    return found;
  }
  return std::nullopt;
}

}  // namespace trl::runtime
