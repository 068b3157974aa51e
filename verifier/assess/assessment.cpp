#include "verifier/assess/assessment.hpp"

#include <ATen/ATen.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "base/operators/operator_ids.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/inputs/extreme_inputs.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/tasks/costs.hpp"
#include "verifier/tasks/honest_error.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
using nlohmann::json;

/// Whether answers without an input or a term are tried at this variation. Casts don't try them: the cast's
/// dtype may round an input's effect to zero, so its absence would prove nothing. Extreme inputs don't,
/// either: they serve another purpose and hold values that occur nowhere else.
bool tries_ablations(const Variation& variation) {
  return variation.kind != Variation::Kind::Cast && variation.kind != Variation::Kind::Extreme;
}

// The factor by which inputs are multiplied to find dependencies that inputs of the usual magnitude don't
// show.
constexpr double far = 64;

// Inputs and their expected outputs.
struct Draw {
  std::vector<Tensor> inputs;
  Expected expected;
};

constexpr const char* output_of_another_draw = "output of another draw";
constexpr const char* arbitrary_part = "an arbitrary part";

bool is_lowered(const std::string& answer) {
  return answer.ends_with(" products") || answer.ends_with(" values");
}

/// Whether the answer computes the task without one input or one term.
bool is_ablation(const std::string& answer) {
  return answer != output_of_another_draw &&
         (answer.ends_with(" as zeros") || answer.ends_with(" as ones") || answer.ends_with(" as a mean") ||
          answer.ends_with(" of another draw"));
}

/// Whether the answer computes nothing, or only a part of the output.
bool is_trivial(const std::string& answer) { return !is_lowered(answer) && !is_ablation(answer); }

bool contains(const std::vector<std::string>& answers, const std::string& answer) {
  return std::find(answers.begin(), answers.end(), answer) != answers.end();
}

/// The text of an expression, as "mul(1e-06, matmul(x, w))". Subexpressions deeper than `depth` become "…".
std::string text_of(const Task& task, const Expression& node, int depth = 2) {
  if (node.kind == Expression::Kind::Input) return task.inputs[node.input].name;
  if (node.kind == Expression::Kind::Constant) return fmt::format("{:g}", node.constant);
  if (depth == 0) return "…";
  std::string args;
  for (const Expression& argument : node.args)
    args += (args.empty() ? "" : ", ") + text_of(task, argument, depth - 1);
  return name_of(node.op) + "(" + args + ")";
}

/// Returns the terms of the sums and differences in an expression, except numbers and whole inputs.
std::vector<Expression*> terms_of(Expression& node) {
  std::vector<Expression*> terms;
  for (Expression& argument : node.args) {
    if ((node.op == Operator::add || node.op == Operator::sub) && argument.kind == Expression::Kind::Operator)
      terms.push_back(&argument);
    const std::vector<Expression*> within = terms_of(argument);
    terms.insert(terms.end(), within.begin(), within.end());
  }
  return terms;
}

Expression times(const Expression& node, double factor) {
  Expression number;
  number.constant = factor;
  Expression product = node;
  product.kind = Expression::Kind::Operator;
  product.op = Operator::mul;
  product.args = {node, number};
  product.axis = -1;
  product.axes.clear();
  product.attributes.clear();
  product.options.clear();
  return product;
}

std::optional<std::vector<double>> flat(const Tensor& value, std::size_t elements) {
  const Tensor all = value.to(at::kDouble).contiguous();
  if (all.numel() != static_cast<std::int64_t>(elements)) return std::nullopt;
  return std::vector<double>(all.data_ptr<double>(), all.data_ptr<double>() + all.numel());
}

/// The names of the answers that no variation has refused yet; without a list, all answers.
struct InQuestion {
  std::optional<std::vector<std::string>> trivial, ablations;
  bool precisions = false;  // whether computations in too low a precision are asked about, too

  void keep(const Variation& variation, const VariationEvidence& one) {
    const auto only = [&](std::optional<std::vector<std::string>>& left, bool of_kind(const std::string&)) {
      if (!left) left = one.passes;
      std::erase_if(*left, [&](const std::string& answer) {
        return !of_kind(answer) || !contains(one.passes, answer);
      });
    };
    only(trivial, is_trivial);
    if (tries_ablations(variation)) only(ablations, is_ablation);
  }
  bool none() const { return trivial && trivial->empty() && ablations && ablations->empty(); }
  std::string first() const {
    if (trivial && !trivial->empty()) return trivial->front();
    return ablations && !ablations->empty() ? ablations->front() : "";
  }
};

class Trials {
 public:
  Trials(const Task& task, const Variation& variation, Precision precision)
      : task_(task), variation_(variation), precision_(precision) {
    if (task.module && !has_value(task, variation))
      throw UserError("the task's module has no value at these sizes");
    const int count = draws(task, variation);
    for (int i = 0; i < count; ++i) {
      draws_.push_back(draw(i));
    }
    // This draw is never judged; the answers "of another draw" take their inputs from it.
    other_ = input_tensors(task_, variation_, drawn(count));
  }

  /// Tries all answers, or the answers that are still in question, and returns which of them pass.
  VariationEvidence evidence(const InQuestion& wanted) {
    wanted_ = wanted;
    out_.label = variation_.label();
    const std::size_t size = draws_.front().expected.values.size();
    judge("zeros", [&](const Draw&) { return std::vector<double>(size, 0.0); });
    if (in_question("constant")) note("constant", a_constant_passes());
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) try_copy(i);
    if (tries_ablations(variation_)) try_ablations();
    if (!task_.inputs.empty())
      judge(output_of_another_draw, [&](const Draw&) { return flat(reference(task_, other_), size); });
    if (size > 1) try_tiles(size);
    count_free();
    const std::vector<TensorShape> results = output_shapes(task_, variation_);
    const bool single = std::all_of(results.begin(), results.end(),
                                    [](const TensorShape& one) { return one.dtype == "f32"; });
    if (wanted_.precisions && precision_ == Precision::task && single) try_lowered(size);
    return std::move(out_);
  }

 private:
  using Answer = std::function<std::optional<std::vector<double>>(const Draw&)>;

  std::vector<InputData> drawn(int number) const {
    return draw_inputs(task_, variation_, "assessment", task_.key, number);
  }

  Draw draw(int number) const {
    const std::vector<InputData> inputs = drawn(number);
    return {input_tensors(task_, variation_, inputs), expect(task_, variation_, inputs, precision_)};
  }

  void note(const std::string& answer, bool passes) {
    (passes ? out_.passes : out_.refuses).push_back(answer);
  }

  bool in_question(const std::string& answer) const {
    const auto& asked = is_ablation(answer) ? wanted_.ablations : wanted_.trivial;
    return !asked || contains(*asked, answer);
  }

  // An answer that can't be computed for these shapes is neither refused nor passed.
  void judge(const std::string& name, const Answer& answer) {
    if (!in_question(name)) return;
    for (const Draw& draw : draws_) {
      const auto values = answer(draw);
      if (!values) return;
      for (std::size_t i = 0; i < values->size(); ++i)
        if (!draw.expected.accepts(i, (*values)[i])) return note(name, false);
    }
    note(name, true);
  }

  // Whether one number lies within the tolerances of all elements at once, or NaN is right everywhere.
  bool a_constant_passes() const {
    double least = -std::numeric_limits<double>::infinity(), most = -least;
    bool nan = true, number = true;
    for (const Draw& draw : draws_)
      for (std::size_t i = 0; i < draw.expected.values.size(); ++i) {
        const double value = draw.expected.values[i];
        nan = nan && draw.expected.accepts(i, std::numeric_limits<double>::quiet_NaN());
        if (!draw.expected.demands(i)) continue;
        number = number && !std::isnan(value);
        least = std::max(least, value - draw.expected.tolerance(i));
        most = std::min(most, value + draw.expected.tolerance(i));
      }
    return nan || (number && least <= most);
  }

  // Computes the share of the output's elements for which nearly any value is right.
  void count_free() {
    std::size_t free = 0, all = 0;
    for (const Draw& draw : draws_) {
      const double typical = draw.expected.typical();
      for (std::size_t i = 0; i < draw.expected.size(); ++i) free += draw.expected.proves_little(i, typical);
      all += draw.expected.size();
    }
    out_.free = static_cast<double>(free) / static_cast<double>(std::max<std::size_t>(all, 1));
    if (in_question(arbitrary_part)) note(arbitrary_part, out_.free > most_free);
  }

  void try_copy(std::size_t i) {
    const std::vector<std::int64_t> out = output_shape(task_, variation_).extents;
    judge("copy of " + task_.inputs[i].name, [&](const Draw& draw) -> std::optional<std::vector<double>> {
      const std::size_t size = draw.expected.values.size();
      const Tensor& x = draw.inputs[i];
      if (x.numel() == static_cast<std::int64_t>(size)) return flat(x, size);
      if (!at::is_expandable_to(x.sizes(), out)) return std::nullopt;
      return flat(x.expand(out), size);
    });
  }

  using Value = std::function<Tensor(const std::vector<Tensor>& inputs)>;

  // Notes an answer that leaves out an input or a term and passes, although the function depends on that
  // part. If the function doesn't depend on it (a bias before a norm), nothing is noted, because leaving the
  // part out is right. With inputs `far` times as large, the function may show a dependency that the usual
  // inputs hide, and the answer may fail.
  void judge_ablation(const std::string& name, const Value& without, const std::vector<Tensor>& far_inputs) {
    if (!in_question(name)) return;
    bool depends = false;
    for (const Draw& draw : draws_) {
      const auto values = flat(without(draw.inputs), draw.expected.size());
      if (!values) return;
      for (std::size_t i = 0; i < values->size(); ++i)
        if (!draw.expected.accepts(i, (*values)[i])) return note(name, false);
      depends = depends || differs(*values, draw.expected.values, 1);
    }
    const std::size_t size = draws_.front().expected.size();
    if (depends || differs(*flat(without(far_inputs), size), *flat(reference(task_, far_inputs), size), far))
      note(name, true);
  }

  // Whether values differ by more than f64 rounding explains. Terms may cancel, so values may be much smaller
  // than their terms, one of which was made `times` times as large.
  static bool differs(const std::vector<double>& values, const std::vector<double>& exact, double times) {
    constexpr double rounding = 1e-13;
    double squares = 0;
    std::size_t finite = 0;
    for (const double value : exact)
      if (std::isfinite(value)) squares += value * value, ++finite;
    const double rms = finite == 0 ? 0 : std::sqrt(squares / static_cast<double>(finite));
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const bool alike = values[i] == exact[i] || (std::isnan(values[i]) && std::isnan(exact[i]));
      if (!alike && !(std::abs(values[i] - exact[i]) <= rounding * times * rms)) return true;
    }
    return false;
  }

  std::vector<Tensor> far_inputs(std::optional<std::size_t> only = std::nullopt) const {
    std::vector<Tensor> inputs = draws_.front().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if ((!only || only == i) && is_free(i)) inputs[i] = inputs[i] * far;
    return inputs;
  }

  /// Whether an input may hold any real number.
  bool is_free(std::size_t i) const {
    const InputValues::Kind kind = task_.inputs[i].values.kind;
    return !task_.inputs[i].integers() &&
           (kind == InputValues::Kind::unbounded || kind == InputValues::Kind::normal);
  }

  void try_ablations() {
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) try_without(i);
    Task without = task_;
    const std::size_t terms = terms_of(without.value).size();
    for (std::size_t number = 0; number < terms; ++number) {
      without = task_;
      Expression& term = *terms_of(without.value)[number];
      const std::string name = text_of(task_, term) + " as zeros";
      term = times(term, 0);
      judge_ablation(
          name, [&](const std::vector<Tensor>& inputs) { return reference(without, inputs); }, far_inputs());
    }
  }

  void try_without(std::size_t i) {
    const std::string& name = task_.inputs[i].name;
    const auto with = [&](const std::string& label, const std::function<Tensor(const Tensor&)>& instead) {
      judge_ablation(
          label,
          [&](std::vector<Tensor> inputs) {
            inputs[i] = instead(inputs[i]);
            return reference(task_, inputs);
          },
          far_inputs(i));
    };
    with(name + " as zeros", [](const Tensor& x) { return at::zeros_like(x); });
    if (is_free(i)) {
      with(name + " as ones", [](const Tensor& x) { return at::ones_like(x); });
      // A linear function of an input can be computed from the input's mean.
      with(name + " as a mean", [&](const Tensor& x) {
        return at::full_like(x, at::nan_to_num(other_[i], 0, 0, 0).mean().item<double>());
      });
    }
    with(name + " of another draw", [&](const Tensor&) { return other_[i]; });
  }

  void try_tiles(std::size_t size) {
    constexpr std::size_t tile = 1024, part = 16;
    const auto keeping = [&](const std::string& name, std::size_t kept) {
      judge(name, [kept](const Draw& draw) {
        std::vector<double> values = draw.expected.values;
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(kept), values.end(), 0.0);
        return std::optional(values);
      });
    };
    keeping("first tile alone", std::min(tile, size / 2));
    keeping("last tile missing", size - std::max<std::size_t>(1, size / part));
  }

  void try_lowered(std::size_t size) {
    constexpr int tf32 = 11, f16 = 11, bf16 = 8;
    const auto lowered = [&](const std::string& name, Lowered what, int bits) {
      judge(name,
            [&](const Draw& draw) { return flat(lowered_value(task_, draw.inputs, what, bits), size); });
    };
    if (uses_products(task_.value)) {
      lowered("tf32 products", Lowered::products, tf32);
      lowered("bf16 products", Lowered::products, bf16);
    }
    lowered("f16 values", Lowered::everything, f16);
    lowered("bf16 values", Lowered::everything, bf16);
  }

  const Task& task_;
  const Variation& variation_;
  Precision precision_;
  std::vector<Draw> draws_;
  std::vector<Tensor> other_;
  InQuestion wanted_;
  VariationEvidence out_;
};

bool is_extreme(const Variation& variation) { return variation.kind == Variation::Kind::Extreme; }

/// The variations that decide whether a task may be asked: all but `extreme`, if there are others.
std::vector<Variation> counting(std::vector<Variation> variations) {
  const std::vector<Variation> all = variations;
  std::erase_if(variations, is_extreme);
  return variations.empty() ? all : variations;
}

}  // namespace

bool VariationEvidence::counts() const {
  return skipped.empty() && std::none_of(passes.begin(), passes.end(), [](const std::string& answer) {
           return is_trivial(answer) && answer != arbitrary_part && !answer.ends_with(" tile alone") &&
                  !answer.ends_with(" tile missing");
         });
}

json Assessment::to_json() const {
  json rows = json::array();
  for (const VariationEvidence& one : variations) {
    json row = {{"label", one.label}, {"refuses", one.refuses}, {"passes", one.passes}};
    if (one.free > 0) row["free"] = std::ceil(1e4 * one.free) / 1e4;
    if (!one.skipped.empty()) row["skipped"] = one.skipped;
    rows.push_back(std::move(row));
  }
  return {{"variations", rows},
          {"degenerate", degenerate()},
          {"passes", passes.empty() ? json(nullptr) : json(passes)}};
}

namespace {

/// If an answer passes for one of several results while the other results are right, returns its name, as
/// "zeros as result 2"; else an empty text.
std::string passing_for_one(const Task& task, const std::function<std::string(const Task&)>& passes) {
  if (task.results.empty()) return "";
  const std::vector<Task> all = single_results(task);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const std::string answer = passes(all[i]); !answer.empty())
      return fmt::format("{} as result {}", answer, i + 1);
  return "";
}

}  // namespace

bool too_large_to_assess(const Task& task, const std::vector<Variation>& variations) {
  if (!task.module) return false;
  if (tasks::judged_by_module(task)) return true;
  Variation own;
  if (!variations.empty()) own.dims = variations.front().dims;
  constexpr double most_operations = 2e8, most_bytes = 2e8;
  double operations = 0, bytes = 0;
  for (const OperatorCost& cost : operator_costs(task, own))
    operations += cost.flops, bytes += static_cast<double>(cost.bytes_in + cost.bytes_out);
  return operations > most_operations || bytes > most_bytes;
}

Assessment assess(const Task& task, const std::vector<Variation>& variations, Precision precision) {
  Assessment out;
  const bool extreme_counts = counting(variations).size() == variations.size();
  InQuestion left;
  for (const Variation& variation : variations) {
    try {
      out.variations.push_back(
          Trials(task, variation, precision).evidence({std::nullopt, left.ablations, true}));
    } catch (const UserError& error) {
      out.variations.push_back({variation.label(), {}, {}, 0, error.what()});
      continue;
    }
    if (extreme_counts || !is_extreme(variation)) left.keep(variation, out.variations.back());
  }
  out.passes = left.first();
  if (out.passes.empty())
    out.passes =
        passing_for_one(task, [&](const Task& one) { return assess(one, variations, precision).passes; });
  return out;
}

namespace {

/// Returns the result of `find` for a task, its variations and a precision. Results are cached.
template <typename Found, typename Find>
Found remembered(const Task& task, const std::vector<Variation>& variations, Precision precision,
                 const Find& find) {
  static std::mutex mutex;
  static std::map<std::string, Found> known;
  constexpr std::size_t most_known = 4096;
  std::string key = task.to_json().dump() + name(precision);
  for (const Variation& variation : variations)
    key += fmt::format(" {}[{}]", variation.label(), fmt::join(variation.dims, ","));
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const Found found = find();
  const std::lock_guard lock(mutex);
  if (known.size() >= most_known) known.clear();
  return known[key] = found;
}

}  // namespace

std::string passing_answer(const Task& task, const std::vector<Variation>& variations, Precision precision) {
  if (too_large_to_assess(task, variations)) return {};
  return remembered<std::string>(task, variations, precision, [&] {
    InQuestion left;
    for (const Variation& variation : counting(variations)) {
      try {
        left.keep(variation, Trials(task, variation, precision).evidence(left));
      } catch (const UserError&) {
        continue;  // the task allows no such sizes, so no candidate is tried at them either
      }
      if (left.none()) break;
    }
    const std::string first = left.first();
    if (!first.empty()) return first;
    return passing_for_one(task, [&](const Task& one) { return passing_answer(one, variations, precision); });
  });
}

std::vector<std::string> no_evidence(const Task& task, const std::vector<Variation>& variations,
                                     Precision precision) {
  if (too_large_to_assess(task, variations)) return {};
  return remembered<std::vector<std::string>>(task, variations, precision, [&] {
    std::vector<std::string> labels;
    for (const Variation& variation : variations) try {
        if (task.module && !has_value(task, variation)) continue;  // it is no test case
        const std::vector<std::string> no_ablations;
        if (!Trials(task, variation, precision).evidence({std::nullopt, no_ablations}).counts())
          labels.push_back(variation.label());
      } catch (const UserError&) {
        labels.push_back(variation.label());
      }
    return labels;
  });
}

int draws(const Task& task, const Variation& variation) {
  constexpr std::int64_t most = 8, enough = 4, enough_of_half = 64;
  const TensorShape out = output_shape(task, variation);
  const std::int64_t wanted = out.dtype == "f32" ? enough : enough_of_half;
  const std::int64_t elements = std::max<std::int64_t>(1, out.elements());
  const auto count = static_cast<int>(std::clamp<std::int64_t>((wanted + elements - 1) / elements, 1, most));
  return variation.kind == Variation::Kind::Extreme ? std::max(count, extreme_draws(task, variation)) : count;
}

}  // namespace trl::runtime
