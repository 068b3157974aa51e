#include "base/formulas/formula_functions.hpp"
#include "base/support/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trl::formulas {
namespace {

using Numbers = const std::vector<double>&;
using Intervals = const std::vector<Interval>&;

/// Encloses a function that never decreases.
template <double (*Apply)(double)>
Interval rising(Intervals a) {
  return closed(Apply(a[0].low), Apply(a[0].high));
}

template <double (*Apply)(double)>
double of_one(Numbers a) {
  return Apply(a[0]);
}

// An interval's end may lie outside of a function's domain, so these functions accept every number.
double root_at(double x) { return std::sqrt(std::max(x, 0.0)); }
double log_at(double x) { return x <= 0 ? -infinity : std::log(x); }
double exp_at(double x) { return std::exp(x); }
double floor_at(double x) { return std::floor(x); }
double ceil_at(double x) { return std::ceil(x); }

Interval absolute(Intervals a) {
  const double low = std::abs(a[0].low), high = std::abs(a[0].high);
  const bool spans_zero = a[0].low <= 0 && a[0].high >= 0;
  return closed(spans_zero ? 0 : std::min(low, high), std::max(low, high));
}

Interval largest_of(Intervals a) {
  Interval all = a[0];
  for (const Interval& one : a) all = closed(std::max(all.low, one.low), std::max(all.high, one.high));
  return all;
}

Interval smallest_of(Intervals a) {
  Interval all = a[0];
  for (const Interval& one : a) all = closed(std::min(all.low, one.low), std::min(all.high, one.high));
  return all;
}

Interval clamped(Intervals a) {
  return closed(std::min(std::max(a[0].low, a[1].low), a[2].low),
                std::min(std::max(a[0].high, a[1].high), a[2].high));
}

Interval remainder_of(Intervals a) { return closed(std::min(0.0, a[1].low), std::max(0.0, a[1].high)); }

std::vector<Function> table() {
  constexpr std::size_t any = Function::any;
  const Interval all, not_negative = {0, infinity, false, false}, positive = {0, infinity, true, false};
  return {
      {"abs", "abs(x)", "The absolute value.", 1, 1, [](Numbers a) { return std::abs(a[0]); }, absolute, all,
       "", -1},
      {"ceil", "ceil(x)", "The smallest integer that is not below x.", 1, 1, of_one<ceil_at>, rising<ceil_at>,
       all, "", -1},
      {"clamp", "clamp(x, low, high)", "x, kept between low and high.", 3, 3,
       [](Numbers a) { return std::min(std::max(a[0], a[1]), a[2]); }, clamped, all, "", -1},
      {"exp", "exp(x)", "e to the power x.", 1, 1, of_one<exp_at>, rising<exp_at>, all, "", -1},
      {"floor", "floor(x)", "The largest integer that is not above x.", 1, 1, of_one<floor_at>,
       rising<floor_at>, all, "", -1},
      {"log", "log(x)", "The natural logarithm of a number above 0.", 1, 1, of_one<log_at>, rising<log_at>,
       positive, "a number above 0", -1},
      {"max", "max(x, y, …)", "The largest of its arguments.", 1, any,
       [](Numbers a) { return *std::max_element(a.begin(), a.end()); }, largest_of, all, "", -1},
      {"min", "min(x, y, …)", "The smallest of its arguments.", 1, any,
       [](Numbers a) { return *std::min_element(a.begin(), a.end()); }, smallest_of, all, "", -1},
      {"mod", "mod(a, b)", "The remainder of a divided by b, with the sign of b.", 2, 2,
       [](Numbers a) { return a[0] - a[1] * std::floor(a[0] / a[1]); }, remainder_of, all, "", 1},
      {"sqrt", "sqrt(x)", "The square root of 0 or more.", 1, 1, of_one<root_at>, rising<root_at>,
       not_negative, "0 or more", -1},
  };
}

}  // namespace

std::string Function::takes() const {
  return (least == most ? "" : "at least ") + counted(least, "argument");
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = table();
  return all;
}

const Function* function(const std::string& name) {
  const auto& all = functions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Function& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& one : functions()) names.push_back(one.name);
  return names;
}

}  // namespace trl::formulas
