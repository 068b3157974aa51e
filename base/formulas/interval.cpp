#include "base/formulas/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "base/formulas/formula_functions.hpp"

namespace trl::formulas {
namespace {

/// The number of cells that a proof may visit; formulas of a few names need a handful.
constexpr int cell_budget = 4096;
constexpr int deepest_split = 20;
constexpr std::size_t corner_points = 8, grid_points = 20000;

/// A domain for each unknown of the formula: `c.speedup`, `accuracy(level1)`, `c.correct`.
using Cell = std::map<std::string, Domain>;

Interval hull(const Interval& a, const Interval& b) {
  return closed(std::min(a.low, b.low), std::max(a.high, b.high));
}

Interval intersect(const Interval& a, const Interval& b) {
  Interval both = a;
  if (b.low > both.low || (b.low == both.low && b.low_open)) both.low = b.low, both.low_open = b.low_open;
  if (b.high < both.high || (b.high == both.high && b.high_open))
    both.high = b.high, both.high_open = b.high_open;
  return both;
}

/// The product of two ends of intervals. An infinite end is never reached, so 0 · ∞ is 0.
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval multiply(const Interval& a, const Interval& b) {
  const double corners[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                            times(a.high, b.high)};
  return closed(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

double plus(double a, double b, double undefined) {
  const double sum = a + b;
  return std::isnan(sum) ? undefined : sum;
}

Interval add(const Interval& a, const Interval& b) {
  return closed(plus(a.low, b.low, -infinity), plus(a.high, b.high, infinity));
}

/// An enclosure of a value and, if there is one, the value's linear form constant + Σ factor · term. With the
/// linear form, a − a is 0.
struct Enclosed {
  Interval range;
  double constant = 0;
  std::map<std::string, double> terms;
};

/// Evaluates a formula over a cell: for all combinations of values in the cell's domains at once.
class Analysis {
 public:
  Analysis(const Ranges& ranges, const Cell& cell) : ranges_(ranges), cell_(cell) {}

  /// Denominators that may be 0 in this cell.
  std::vector<const Expression*> zero;
  /// Roots, logarithms and powers that may be undefined or overflow in this cell.
  std::vector<const Expression*> undefined;

  Enclosed value(const Expression& e) {
    return std::visit([&](const auto& form) { return of(form, e); }, e.node().form);
  }

 private:
  static Enclosed constant(double number) { return {closed(number, number), number, {}}; }

  Enclosed unknown(const Expression& e) { return whole(e, Interval{}); }
  Enclosed whole(const Expression& e, const Interval& range) { return term(formula_text(e), range); }

  Enclosed known(const Expression& e) {
    const std::string text = formula_text(e);
    const auto found = cell_.find(text);
    return term(text, found == cell_.end() ? Interval{} : found->second.interval);
  }

  Enclosed term(const std::string& text, const Interval& range) {
    if (range.low == range.high) return constant(range.low);
    term_ranges_[text] = range;
    return {range, 0, {{text, 1.0}}};
  }

  Enclosed linear(const Enclosed& a, double factor_a, const Enclosed& b, double factor_b) {
    Enclosed sum{add(scale(a.range, factor_a), scale(b.range, factor_b)),
                 a.constant * factor_a + b.constant * factor_b,
                 {}};
    for (const auto& [text, factor] : a.terms) sum.terms[text] += factor * factor_a;
    for (const auto& [text, factor] : b.terms) sum.terms[text] += factor * factor_b;
    std::erase_if(sum.terms, [](const auto& entry) { return std::abs(entry.second) < 1e-15; });
    Interval tight = closed(sum.constant, sum.constant);
    for (const auto& [text, factor] : sum.terms) tight = add(tight, scale(term_ranges_.at(text), factor));
    sum.range = intersect(sum.range, tight);
    return sum;
  }

  static Interval scale(const Interval& range, double factor) {
    return multiply(range, closed(factor, factor));
  }

  Enclosed of(const Number& number, const Expression&) { return constant(number.value); }
  Enclosed of(const Boolean& boolean, const Expression&) { return constant(boolean.value ? 1 : 0); }
  Enclosed of(const Word&, const Expression& e) { return unknown(e); }
  Enclosed of(const Name&, const Expression& e) { return known(e); }
  Enclosed of(const Member&, const Expression& e) { return known(e); }

  Enclosed of(const Choice& choice, const Expression& e) {
    const Interval condition = value(choice.condition).range;
    if (condition.low == 1) return value(choice.then);
    if (condition.high == 0) return value(choice.otherwise);
    const Enclosed then = value(choice.then), otherwise = value(choice.otherwise);
    return whole(e, hull(then.range, otherwise.range));
  }

  Enclosed of(const Call& call, const Expression& e) {
    if (ranges_.functions.contains(call.function)) return known(e);
    std::vector<Interval> ranges;
    for (const Expression& argument : call.arguments) ranges.push_back(value(argument).range);
    const Function* built_in = function(call.function);
    if (built_in == nullptr || !built_in->accepts(ranges.size())) return unknown(e);
    if (built_in->divisor >= 0) {
      const auto divisor = static_cast<std::size_t>(built_in->divisor);
      if (can_be_zero(ranges[divisor])) zero.push_back(&call.arguments[divisor]);
    }
    const Interval range = built_in->enclose(ranges);
    const bool defined = within(ranges[0], built_in->domain);
    if (!defined || (overflows(range, ranges) && !approaches(ranges[0], built_in->domain)))
      undefined.push_back(&e);
    return whole(e, range);
  }

  /// Whether the function is infinite only in the limit, at an open end of its domain that the argument
  /// doesn't reach. Example: log at 0.
  static bool approaches(const Interval& argument, const Interval& domain) {
    return domain.low_open && argument.low_open && argument.low == domain.low;
  }

  static bool finite(const Interval& a) { return std::isfinite(a.low) && std::isfinite(a.high); }
  static bool overflows(const Interval& result, const std::vector<Interval>& of) {
    return !finite(result) && std::all_of(of.begin(), of.end(), finite);
  }

  static bool within(const Interval& a, const Interval& b) {
    return (a.low > b.low || (a.low == b.low && (a.low_open || !b.low_open))) &&
           (a.high < b.high || (a.high == b.high && (a.high_open || !b.high_open)));
  }

  static bool can_be_zero(const Interval& range) { return range.contains(0); }

  static Interval boolean(bool can_be_true, bool can_be_false) {
    return closed(can_be_false ? 0 : 1, can_be_true ? 1 : 0);
  }

  Enclosed of(const Negative& negative, const Expression&) {
    return linear(value(negative.of), -1, constant(0), 0);
  }

  Enclosed of(const Negation& negation, const Expression& e) {
    return whole(e, inverted(value(negation.of).range));
  }

  Enclosed of(const Binary& binary, const Expression& e) {
    const Enclosed left = value(binary.left);
    // The right side of an `and` or `or` that is decided by its left side is never evaluated.
    if (binary.op == Operator::conjunction && left.range.high == 0) return constant(0);
    if (binary.op == Operator::disjunction && left.range.low == 1) return constant(1);
    const Enclosed right = value(binary.right);
    const Interval &a = left.range, &b = right.range;
    switch (binary.op) {
      case Operator::conjunction:
        return whole(e, closed(std::min(a.low, b.low), std::min(a.high, b.high)));
      case Operator::disjunction:
        return whole(e, closed(std::max(a.low, b.low), std::max(a.high, b.high)));
      case Operator::plus:
        return linear(left, 1, right, 1);
      case Operator::minus:
        return linear(left, 1, right, -1);
      case Operator::times:
        if (right.terms.empty() && b.low == b.high) return linear(left, b.low, constant(0), 0);
        if (left.terms.empty() && a.low == a.high) return linear(right, a.low, constant(0), 0);
        if (formula_text(binary.left) == formula_text(binary.right)) return whole(e, power(a, 2));
        return whole(e, multiply(a, b));
      case Operator::divided:
        if (can_be_zero(b)) {
          zero.push_back(&binary.right);
          return unknown(e);
        }
        if (right.terms.empty() && b.low == b.high) return linear(left, 1 / b.low, constant(0), 0);
        return whole(e, multiply(a, reciprocal(b)));
      case Operator::power: {
        const Interval range = raised(a, b, binary.left, e);
        if (overflows(range, {a, b})) undefined.push_back(&e);
        return whole(e, range);
      }
      case Operator::less:
        return whole(e, less(a, b));
      case Operator::greater:
        return whole(e, less(b, a));
      case Operator::at_most:
        return whole(e, inverted(less(b, a)));
      case Operator::at_least:
        return whole(e, inverted(less(a, b)));
      case Operator::equal:
        return whole(e, equal(a, b));
      case Operator::unequal:
        return whole(e, inverted(equal(a, b)));
    }
    return unknown(e);
  }

  static Interval equal(const Interval& a, const Interval& b) {
    const bool can_differ = a.low != a.high || b.low != b.high || a.low != b.low;
    return boolean(!intersect(a, b).empty(), can_differ);
  }

  /// The reciprocal of an interval that doesn't contain 0, but may have 0 as an open end.
  static Interval reciprocal(const Interval& a) {
    return closed(a.high == 0 ? -infinity : 1 / a.high, a.low == 0 ? infinity : 1 / a.low);
  }

  Interval raised(const Interval& a, const Interval& b, const Expression& base, const Expression& e) {
    if (b.low < 0 && can_be_zero(a)) {
      zero.push_back(&base);
      return {};
    }
    const bool integer = b.low == b.high && b.low == std::floor(b.low) && std::abs(b.low) <= 64;
    if (integer) {
      const auto exponent = static_cast<int>(b.low);
      if (exponent >= 0) return power(a, exponent);
      return reciprocal(power(a, -exponent));
    }
    if (a.low < 0) {
      undefined.push_back(&e);
      return {};
    }
    const double corners[] = {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                              std::pow(a.high, b.high)};
    return closed(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
  }

  static Interval less(const Interval& a, const Interval& b) {
    const bool always = a.high < b.low || (a.high == b.low && (a.high_open || b.low_open));
    return boolean(a.low < b.high, !always);
  }

  static Interval inverted(const Interval& truth_value) {
    return closed(1 - truth_value.high, 1 - truth_value.low);
  }

  static Interval power(const Interval& a, int exponent) {
    if (exponent == 0) return closed(1, 1);
    const double low = std::pow(a.low, exponent), high = std::pow(a.high, exponent);
    if (exponent % 2 == 1) return closed(low, high);
    return closed(a.low <= 0 && a.high >= 0 ? 0 : std::min(low, high), std::max(low, high));
  }

  const Ranges& ranges_;
  const Cell& cell_;
  std::map<std::string, Interval> term_ranges_;
};

/// Collects a formula's unknowns, and the numbers in it, since the formula may compare unknowns with them.
class Survey {
 public:
  Survey(const Expression& expression, const Ranges& ranges) : ranges_(ranges) {
    visit(expression);
    // The condition of an implication about an unknown is an unknown as well.
    for (bool grown = true; grown;) {
      grown = false;
      for (const Implication& implication : ranges.implications) {
        const auto condition = ranges.values.find(implication.condition);
        if (condition == ranges.values.end() || !cell.contains(implication.then)) continue;
        grown |= cell.emplace(implication.condition, condition->second).second;
      }
    }
  }

  Cell cell;
  std::set<double> cuts;

 private:
  void visit(const Expression& e) {
    if (const auto* number = e.as<Number>()) cuts.insert(number->value);
    if (const auto* call = e.as<Call>())
      if (const auto function = ranges_.functions.find(call->function); function != ranges_.functions.end()) {
        cell.emplace(formula_text(e), function->second);
        return;
      }
    if (e.as<Name>() == nullptr && e.as<Member>() == nullptr)
      return each_part(e.node(), [&](const Expression& part) { visit(part); });
    const std::string text = formula_text(e);
    const auto known = ranges_.values.find(text);
    cell.emplace(text, known == ranges_.values.end() ? Domain{} : known->second);
  }

  const Ranges& ranges_;
};

/// Narrows a cell by the implications whose conditions are decided in it. Returns false when the cell becomes
/// empty.
bool narrow(Cell& cell, const Ranges& ranges) {
  for (std::size_t round = 0; round <= ranges.implications.size(); ++round)
    for (const Implication& implication : ranges.implications) {
      const auto condition = cell.find(implication.condition);
      const auto then = cell.find(implication.then);
      if (condition == cell.end() || then == cell.end()) continue;
      const Interval& outcome = condition->second.interval;
      if (outcome.low != outcome.high || (outcome.low == 1) != implication.value) continue;
      then->second.interval = intersect(then->second.interval, implication.domain);
      if (then->second.interval.empty()) return false;
    }
  return true;
}

/// Calls `visit` for each consistent choice of the cell's booleans; stops when it returns false.
void each_assignment(const Cell& cell, const Ranges& ranges, const std::function<bool(const Cell&)>& visit) {
  std::vector<std::string> names;
  for (const auto& [name, domain] : cell)
    if (domain.boolean) names.push_back(name);
  if (names.size() > 12) names.resize(12);
  for (unsigned choice = 0; choice < 1u << names.size(); ++choice) {
    Cell decided = cell;
    bool consistent = true;
    for (std::size_t i = 0; i < names.size() && consistent; ++i) {
      const double outcome = choice >> i & 1;
      consistent = decided[names[i]].interval.contains(outcome);
      decided[names[i]].interval = closed(outcome, outcome);
    }
    if (consistent && narrow(decided, ranges) && !visit(decided)) return;
  }
}

/// The points of a cell at which the formula is tried: `corners` are some of the cell's corners; `many` are
/// the ends of the intervals, the formula's numbers, and points between them.
enum class Points { corners, many };

/// Returns the numbers in an interval at which the formula is tried.
std::vector<double> trials(const Interval& interval, const std::set<double>& cuts, Points which) {
  std::vector<double> points;
  const auto offer = [&](double point) {
    if (std::isfinite(point) && interval.contains(point) &&
        std::find(points.begin(), points.end(), point) == points.end())
      points.push_back(point);
  };
  const bool bounded = std::isfinite(interval.low) && std::isfinite(interval.high);
  offer(interval.low);
  offer(interval.high);
  if (which == Points::corners && !points.empty()) return points;
  for (const double cut : cuts)
    for (const double step : {0.0, -1e-3, 1e-3}) offer(cut + step);
  if (bounded)
    for (int i = 1; i < 16; ++i) offer(interval.low + (interval.high - interval.low) * i / 16);
  else
    for (const double step : {0.0, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6}) {
      offer((std::isfinite(interval.low) ? interval.low : 0) + step);
      offer((std::isfinite(interval.high) ? interval.high : 0) - step);
    }
  return points;
}

/// Calls `visit` with concrete assignments of a cell; stops when it returns false.
void each_assignment(const Cell& cell, const std::set<double>& cuts, Points which,
                     const std::function<bool(const Record&)>& visit) {
  std::vector<std::pair<std::string, std::vector<double>>> axes;
  Record assignment;
  double total = 1;
  for (const auto& [name, domain] : cell) {
    if (domain.boolean) {
      assignment[name] = domain.interval.low == 1;
      continue;
    }
    axes.emplace_back(name, trials(domain.interval, cuts, which));
    if (axes.back().second.empty()) return;
    total *= static_cast<double>(axes.back().second.size());
  }
  const std::size_t most = which == Points::corners ? corner_points : grid_points;
  const bool all = total <= static_cast<double>(most);
  const std::size_t count = all ? static_cast<std::size_t>(total) : most;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (const auto& [name, points] : axes) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::size_t digit = all ? rest % points.size() : (state >> 33) % points.size();
      rest /= points.size();
      assignment[name] = points[digit];
    }
    if (!visit(assignment)) return;
  }
}

Bindings bindings_of(const Record& assignment, const Ranges& ranges) {
  Bindings bindings;
  for (const auto& [text, value] : assignment) {
    if (text.find('(') != std::string::npos) continue;
    const std::size_t dot = text.find('.');
    if (dot == std::string::npos)
      bindings.names[text] = value;
    else
      bindings.records[text.substr(0, dot)][text.substr(dot + 1)] = value;
  }
  for (const auto& [function, domain] : ranges.functions)
    bindings.functions[function] = [&assignment, function = function](const std::vector<Value>& arguments) {
      std::string text;
      for (const Value& argument : arguments) text += (text.empty() ? "" : ", ") + value_text(argument);
      return assignment.at(function + "(" + text + ")");
    };
  return bindings;
}

/// Branch and bound for one choice of the booleans.
class Search {
 public:
  Search(const Expression& expression, const Ranges& ranges) : expression_(expression), ranges_(ranges) {}

  /// Whether the value is proven to lie within the bounds, without a division by an expression that can be 0.
  /// Splits the cell if necessary.
  bool settle(const Cell& cell, double low, double high, int depth = 0) {
    --budget_;
    Analysis analysis(ranges_, cell);
    const Interval range = analysis.value(expression_).range;
    const bool within = range.low >= low && range.high <= high && analysis.zero.empty() &&
                        !(needs_value && !analysis.undefined.empty());
    if (within || depth == deepest_split || budget_ <= 0 || !split(cell, low, high, depth)) {
      enclosure = enclosure ? hull(*enclosure, range) : range;
      for (const Expression* node : analysis.zero)
        if (std::find(zero.begin(), zero.end(), node) == zero.end()) zero.push_back(node);
      if (!within && undefined == nullptr && !analysis.undefined.empty())
        undefined = analysis.undefined.front();
      return within;
    }
    return children_settled_;
  }

  std::optional<Interval> enclosure;
  std::vector<const Expression*> zero;    ///< denominators that may be 0, each once
  const Expression* undefined = nullptr;  ///< a part that may have no value, which keeps a cell from a proof

 private:
  bool split(const Cell& cell, double low, double high, int depth) {
    const std::string* widest = nullptr;
    double width = 1e-6;
    for (const auto& [name, domain] : cell) {
      const double own = domain.interval.high - domain.interval.low;
      if (own > width) width = own, widest = &name;
    }
    if (!widest) return false;
    const Interval whole = cell.at(*widest).interval;
    // If a closed end of the interval is a number in the formula, it becomes a cell by itself, as x = 0 does
    // for `if x > 0 then 1 / x else 0`.
    for (const bool at_low : {true, false}) {
      const double end = at_low ? whole.low : whole.high;
      if ((at_low ? whole.low_open : whole.high_open) || !cuts.contains(end)) continue;
      Cell point = cell, rest = cell;
      point[*widest].interval = closed(end, end);
      (at_low ? rest[*widest].interval.low_open : rest[*widest].interval.high_open) = true;
      const bool first = settle(point, low, high, depth + 1), second = settle(rest, low, high, depth + 1);
      children_settled_ = first && second;
      return true;
    }
    double middle = (whole.low + whole.high) / 2;
    if (!std::isfinite(width)) {
      if (depth >= 8) return false;
      const double from = std::isfinite(whole.low) ? whole.low : std::isfinite(whole.high) ? whole.high : 0;
      middle = !std::isfinite(whole.low) && !std::isfinite(whole.high)
                   ? 0
                   : from + (std::isfinite(whole.low) ? 1 : -1) * std::max(1.0, std::abs(from));
    }
    // A cell is split at a number of the formula if possible, since the formula may change there.
    double nearest = infinity;
    for (const double cut : cuts)
      if (whole.low < cut && cut < whole.high && std::abs(cut - middle) < std::abs(nearest - middle))
        nearest = cut;
    const bool at_cut = std::isfinite(nearest);
    if (at_cut) middle = nearest;
    Cell below = cell, at = cell, above = cell;
    below[*widest].interval.high = middle;
    below[*widest].interval.high_open = at_cut;
    above[*widest].interval.low = middle;
    above[*widest].interval.low_open = true;
    at[*widest].interval = closed(middle, middle);
    bool settled = settle(below, low, high, depth + 1);
    if (at_cut) settled &= settle(at, low, high, depth + 1);
    settled &= settle(above, low, high, depth + 1);
    children_settled_ = settled;
    return true;
  }

 public:
  std::set<double> cuts;
  bool needs_value = false;  ///< a cell in which a root or a logarithm may be undefined isn't proven

 private:
  const Expression& expression_;
  const Ranges& ranges_;
  int budget_ = cell_budget;
  bool children_settled_ = true;
};

bool evaluates_to_zero(const Expression& expression, const Record& assignment, const Ranges& ranges) {
  try {
    return evaluate_number(expression, bindings_of(assignment, ranges)) == 0;
  } catch (const EvaluationError&) {
    return false;
  }
}

bool divides(const Expression& e) {
  const auto* binary = e.as<Binary>();
  if (binary != nullptr && (binary->op == Operator::divided || binary->op == Operator::power)) return true;
  if (const auto* call = e.as<Call>())
    if (const Function* of = function(call->function); of != nullptr && of->divisor >= 0) return true;
  bool found = false;
  each_part(e.node(), [&](const Expression& part) { found = found || divides(part); });
  return found;
}

/// The part of the formula that has no value for these values of its variables; nothing if it isn't found.
std::optional<Expression> undefined_at(const Expression& expression, const Ranges& ranges,
                                       const Record& assignment) {
  Cell point;
  for (const auto& [name, value] : assignment) {
    const auto* boolean = std::get_if<bool>(&value);
    const double number = boolean != nullptr ? *boolean : std::get<double>(value);
    point[name] = {closed(number, number), boolean != nullptr};
  }
  Analysis analysis(ranges, point);
  analysis.value(expression);
  if (analysis.undefined.empty()) return std::nullopt;
  return *analysis.undefined.front();
}

double slack(double limit) { return 1e-9 * std::max(1.0, std::isfinite(limit) ? std::abs(limit) : 1.0); }

}  // namespace

Interval bound(const Expression& expression, const Ranges& ranges) {
  const Survey survey(expression, ranges);
  std::optional<Interval> range;
  each_assignment(survey.cell, ranges, [&](const Cell& cell) {
    const Interval own = Analysis(ranges, cell).value(expression).range;
    range = range ? hull(*range, own) : own;
    return true;
  });
  return range.value_or(Interval{});
}

Proof prove_within(const Expression& expression, const Ranges& ranges, double low, double high) {
  Proof proof;
  const Survey survey(expression, ranges);
  const double least = low - slack(low), most = high + slack(high);
  const auto refuted = [&](Points points) {
    each_assignment(survey.cell, ranges, [&](const Cell& cell) {
      each_assignment(cell, survey.cuts, points, [&](const Record& assignment) {
        try {
          const Bindings bindings = bindings_of(assignment, ranges);
          const Value value = evaluate(expression, bindings);
          const auto* boolean = std::get_if<bool>(&value);
          const double number = boolean != nullptr ? *boolean : std::get<double>(value);
          if (number >= least && number <= most) return true;
          proof.value = number;
        } catch (const EvaluationError& error) {
          proof.no_value = error.what();
        }
        proof.verdict = Proof::Verdict::Refuted;
        proof.witness = assignment;
        return false;
      });
      return proof.verdict != Proof::Verdict::Refuted;
    });
    if (proof.verdict != Proof::Verdict::Refuted) return false;
    proof.enclosure = bound(expression, ranges);
    if (!proof.no_value.empty()) proof.undefined = undefined_at(expression, ranges, proof.witness);
    return true;
  };
  // Most formulas are refuted at a corner or proven with a few cells, so the long search comes last.
  if (refuted(Points::corners)) return proof;
  Search search(expression, ranges);
  search.cuts = survey.cuts;
  search.needs_value = true;
  bool settled = true;
  each_assignment(survey.cell, ranges, [&](const Cell& cell) {
    settled &= search.settle(cell, least, most);
    return true;
  });
  proof.enclosure = search.enclosure.value_or(Interval{});
  if (settled) {
    proof.verdict = Proof::Verdict::Proven;
    return proof;
  }
  if (refuted(Points::many)) return proof;
  if (search.undefined != nullptr) proof.undefined = *search.undefined;
  if (!search.zero.empty()) {
    const std::string text = formula_text(*search.zero.front());
    proof.hint = fmt::format("`{}` can be zero: divide by max({}, …) instead", text, text);
  } else {
    const bool under = proof.enclosure.low<least, over = proof.enclosure.high> most;
    proof.hint = under && over ? fmt::format("clamp(…, {}, {})", low, high)
                 : under       ? fmt::format("max(…, {})", low)
                 : over        ? fmt::format("min(…, {})", high)
                               : "";
  }
  return proof;
}

std::vector<ZeroDenominator> zero_denominators(const Expression& expression, const Ranges& ranges) {
  if (!divides(expression)) return {};
  const Survey survey(expression, ranges);
  Search search(expression, ranges);
  search.cuts = survey.cuts;
  each_assignment(survey.cell, ranges, [&](const Cell& cell) {
    search.settle(cell, -infinity, infinity);
    return true;
  });
  std::vector<ZeroDenominator> found;
  for (const Expression* node : search.zero) {
    ZeroDenominator zero{*node, false, {}};
    each_assignment(survey.cell, ranges, [&](const Cell& cell) {
      each_assignment(cell, survey.cuts, Points::many, [&](const Record& assignment) {
        try {
          evaluate(expression, bindings_of(assignment, ranges));
        } catch (const EvaluationError& error) {
          const std::string message = error.what();
          if (message.starts_with("division by zero") && evaluates_to_zero(*node, assignment, ranges)) {
            zero.certain = true;
            zero.witness = assignment;
            return false;
          }
        }
        return true;
      });
      return !zero.certain;
    });
    found.push_back(std::move(zero));
  }
  return found;
}

}  // namespace trl::formulas
