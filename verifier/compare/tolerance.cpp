#include "verifier/compare/tolerance.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/operators/dtype.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

std::vector<double> values_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

double largest_of(const std::string& dtype) {
  const operators::Dtype* row = operators::dtype_called(dtype);
  return row != nullptr && (row->floating() || row->storage()) ? row->largest
                                                               : std::numeric_limits<double>::infinity();
}

// The dtype in which a result is computed: its own, or that of the inputs if it consists of results of
// comparisons.
std::string computed_in(const std::string& result, const std::vector<TensorShape>& inputs) {
  if (operators::is_floating(result)) return result;
  for (const TensorShape& input : inputs)
    if (operators::is_floating(input.dtype)) return input.dtype;
  return "f32";
}

}  // namespace

Expected::Expected(std::vector<double> values, std::vector<double> tolerances, double largest)
    : values(std::move(values)),
      parts_{{0, {}, largest}},
      tolerances_(std::make_shared<Tolerances>(Tolerances{{}, std::move(tolerances)})) {}

Expected::Expected(std::vector<double> values, LeastError least, double largest, Measure measure)
    : values(std::move(values)),
      parts_{{0, least, largest}},
      tolerances_(std::make_shared<Tolerances>(Tolerances{std::move(measure), {}})) {}

Expected Expected::joined(std::vector<Expected> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Expected out;
  for (const Expected& part : parts) {
    for (Part own : part.parts_) {
      own.begin += out.values.size();
      out.parts_.push_back(own);
    }
    out.values.insert(out.values.end(), part.values.begin(), part.values.end());
  }
  out.tolerances_ = std::make_shared<Tolerances>();
  out.tolerances_->measure = [parts = std::move(parts)] {
    std::vector<double> all;
    for (const Expected& part : parts)
      for (std::size_t i = 0; i < part.size(); ++i) all.push_back(part.tolerance(i));
    return all;
  };
  return out;
}

const Expected::Part& Expected::part_of(std::size_t i) const {
  const auto behind =
      std::partition_point(parts_.begin(), parts_.end(), [&](const Part& part) { return part.begin <= i; });
  return *(behind - 1);
}

double Expected::largest_at(std::size_t i) const { return part_of(i).largest; }

const std::vector<double>& Expected::tolerances() const {
  static const std::vector<double> none;
  if (!tolerances_) return none;
  if (tolerances_->measure) tolerances_->of_values = std::exchange(tolerances_->measure, {})();
  return tolerances_->of_values;
}

double Expected::tolerance(std::size_t i) const { return tolerances().empty() ? 0 : tolerances()[i]; }

bool Expected::accepts(std::size_t i, double got) const {
  const double size = std::isfinite(values[i]) ? std::abs(values[i]) : 0;
  const LeastError& least = part_of(i).least;
  return within(i, got, least.relative * size + least.absolute) || within(i, got, tolerance(i));
}

bool Expected::within(std::size_t i, double got, double tolerance) const {
  const double value = values[i];
  if (std::isinf(tolerance)) return true;
  if (std::isnan(value)) return std::isnan(got);
  if (std::isinf(got) && !std::isinf(value))
    return std::signbit(got) == std::signbit(value) && std::abs(value) + tolerance >= largest_at(i);
  if (std::isinf(value)) return got == value;
  return std::abs(got - value) <= tolerance;
}

std::size_t Expected::demanded() const {
  if (exact()) return values.size();
  return static_cast<std::size_t>(
      std::count_if(tolerances().begin(), tolerances().end(), [](double one) { return std::isfinite(one); }));
}

namespace {

/// `result`: the dtype of the task's one result; `dtype`: that in which it is computed.
Expected expect_one(const Task& task, const std::string& result, const std::string& dtype,
                    std::vector<at::Tensor> tensors, Precision precision) {
  const at::Tensor own = evaluate(task, exact_inputs(task, tensors)), value = own.to(at::kDouble);
  return {values_of(value),
          own.is_floating_point() ? least_error(value, tensors, dtype, precision) : LeastError{},
          largest_of(result),
          [task, tensors = std::move(tensors), dtype, precision]() -> std::vector<double> {
            const HonestValue honest = honest_value(task, tensors, dtype, precision);
            if (!honest.error.defined()) return {};
            return values_of(honest.error.expand_as(honest.value));
          }};
}

}  // namespace

Expected expect(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                Precision precision) {
  const std::vector<at::Tensor> tensors = input_tensors(task, variation, inputs);
  const std::vector<TensorShape> results = output_shapes(task, variation),
                                 shapes = input_shapes(task, variation);
  std::vector<Expected> parts;
  for (const Task& one : single_results(task)) {
    const std::string& result = results[parts.size()].dtype;
    parts.push_back(expect_one(one, result, computed_in(result, shapes), tensors, precision));
  }
  return Expected::joined(std::move(parts));
}

}  // namespace trl::runtime
