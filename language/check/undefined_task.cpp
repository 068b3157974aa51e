#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/formulas/interval.hpp"
#include "base/operators/domain.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/tasks/task.hpp"
#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(undefined_task)
namespace {

using formulas::Interval;
using trl::tasks::InputValues;
using trl::tasks::Operator;

/// The drawn values of an input usually lie within this many standard deviations of their mean.
constexpr double deviations = 2;

/// Returns an interval in which the values of an input usually lie; nothing if it isn't known.
std::optional<Interval> usual_values(const trl::tasks::TaskInput& input) {
  if (input.integers() || input.dtype == "bool" || !input.parameter.empty()) return std::nullopt;
  const InputValues& values = input.values;
  switch (values.kind) {
    case InputValues::Kind::unbounded:
    case InputValues::Kind::normal:
      return formulas::closed(values.mean - deviations * values.deviation,
                              values.mean + deviations * values.deviation);
    case InputValues::Kind::range:
      return formulas::closed(values.low, values.high);
    default:
      return std::nullopt;
  }
}

/// Adds the inputs on which a value depends.
void inputs_of(const trl::tasks::Expression& e, std::set<std::size_t>& out) {
  if (e.is_input()) out.insert(e.input);
  for (const auto& argument : e.args) inputs_of(argument, out);
}

bool independent(const trl::tasks::Expression& a, const trl::tasks::Expression& b) {
  std::set<std::size_t> of_a, of_b;
  inputs_of(a, of_a);
  inputs_of(b, of_b);
  return std::none_of(of_a.begin(), of_a.end(), [&](std::size_t input) { return of_b.contains(input); });
}

/// An argument that is often outside of its operator's domain: the operator, the values that the argument
/// usually has, and the least number of the domain.
struct Outside {
  Operator op;
  Interval values;
  double least = 0;
};

/// Computes the intervals in which a task's values usually lie, and finds operators whose argument is then
/// outside of their domain. For most operators it knows nothing; their values, and values computed from them,
/// have no interval.
class UsualValues {
 public:
  explicit UsualValues(const trl::tasks::Task& task) : task_(task) {}
  std::optional<Outside> outside;

  std::optional<Interval> of(const trl::tasks::Expression& e) {
    if (e.is_constant()) return formulas::closed(e.constant, e.constant);
    if (e.is_input()) return usual_values(task_.inputs.at(e.input));
    std::vector<std::optional<Interval>> args;
    for (const auto& argument : e.args) args.push_back(of(argument));
    examine(e, args);
    const auto& x = args.empty() ? std::optional<Interval>() : args[0];
    if (!x) return std::nullopt;
    if (args.size() == 2) return args[1] ? of_two(e, *x, *args[1]) : std::nullopt;
    switch (e.op) {
      case Operator::relu:
        return formulas::closed(std::max(x->low, 0.0), std::max(x->high, 0.0));
      case Operator::neg:
        return formulas::closed(-x->high, -x->low);
      case Operator::sum:
      case Operator::mean:
        // A mean or a sum of numbers of both signs has both signs, whatever its size.
        return x->low + x->high == 0 ? std::optional(formulas::closed(-1, 1)) : std::nullopt;
      case Operator::sin:
      case Operator::tanh:
      case Operator::erf:
        return x->low < -1 && x->high > 1 ? std::optional(formulas::closed(-0.9, 0.9)) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<Interval> of_two(const trl::tasks::Expression& e, const Interval& x,
                                        const Interval& y) {
    if (!independent(e.args[0], e.args[1])) return std::nullopt;
    switch (e.op) {
      case Operator::add:
        return formulas::closed(x.low + y.low, x.high + y.high);
      case Operator::sub:
        return formulas::closed(x.low - y.high, x.high - y.low);
      case Operator::mul: {
        const auto [low, high] =
            std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
        return formulas::closed(low, high);
      }
      case Operator::div:
        if (e.args[1].is_constant() && y.low > 0) return formulas::closed(x.low / y.low, x.high / y.low);
        return std::nullopt;
      case Operator::matmul:
        if (x.low + x.high == 0 && y.low + y.high == 0) return formulas::closed(-1, 1);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  void examine(const trl::tasks::Expression& e, const std::vector<std::optional<Interval>>& args) {
    const auto& domain = trl::operators::domain_of(e.op);
    if (outside || !std::isfinite(domain.least) || domain.argument >= args.size() || !args[domain.argument])
      return;
    if (domain.whole_powers) {
      const bool fraction =
          args.size() > 1 && e.args[1].is_constant() && e.args[1].constant != std::floor(e.args[1].constant);
      if (!fraction) return;
    }
    const Interval& values = *args[domain.argument];
    // Reported only if more than this share of the interval lies below the domain.
    constexpr double few = 0.1;
    if (!(domain.least - values.low > few * (values.high - values.low))) return;
    outside = Outside{e.op, values, domain.least};
  }

  const trl::tasks::Task& task_;
};

/// Whether a task checks its values before it uses them: `where(isfinite(log(x)), log(x), y)`.
bool chooses(const trl::tasks::Expression& value) {
  bool found = false;
  trl::tasks::each_operator(value, [&](const trl::tasks::Expression& node) {
    const std::string name(name_of(node.op));
    found |= name == "where" || name.starts_with("is") || name.starts_with("nan");
  });
  return found;
}

void check_undefined_task(ProgramInspection& inspection) {
  constexpr FileId program_file = 0;
  for (const ast::Declaration& d : inspection.program.ast.declarations) {
    const auto suite = inspection.suites.find(d.name);
    if (d.kind != "suite" || suite == inspection.suites.end()) continue;
    for (const SuiteTask& task : suite->second) {
      const trl::tasks::Task* typed = task.range.file == program_file ? task.typed() : nullptr;
      if (typed == nullptr || judged_by_module(*typed)) continue;
      const auto allow = std::find_if(task.allows.begin(), task.allows.end(), [](const ast::Allow* one) {
        return one->rule == rules::undefined_task.id;
      });
      if (chooses(typed->value)) continue;
      UsualValues usual(*typed);
      usual.of(typed->value);
      if (!usual.outside) continue;
      if (allow != task.allows.end()) {
        inspection.used.push_back(*allow);
        continue;
      }
      const std::string op(name_of(usual.outside->op));
      auto found_here =
          found(rules::undefined_task, task.range,
                fmt::format("`{}` ({}) is NaN for many of its inputs: `{}` has no value below {:.6g}, and is "
                            "given values around {:.3g} to {:.3g}",
                            task.text(), task.name, op == "pow" ? "^" : op, usual.outside->least,
                            usual.outside->values.low, usual.outside->values.high));
      found_here.note("an input of which nothing more is said has values of normal(0, 1)");
      found_here.helped(
          fmt::format("say which values it has, `x: f32(positive)[…]` or `x: f32(0.1..4)[…]`, or keep "
                      "the argument above {:.6g}: `abs(…) + 0.1`",
                      usual.outside->least));
      inspection.report(std::move(found_here), d);
    }
  }
}

}  // namespace

const Rule rules::undefined_task{"undefined_task",
                                 Severity::warning,
                                 true,
                                 "Where a task is NaN, every answer that gives NaN is right, and training "
                                 "rewards nothing else.",
                                 R"(import example
suite mine { task logs[M = 64, N = 64](x: f32(0.1..4)[M, N]) = log(x) }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)",
                                 R"(import example
suite mine { task logs[M = 64, N = 64](x: f32[M, N]) = log(x) }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)",
                                 nullptr,
                                 check_undefined_task};

}  // namespace trl::language
