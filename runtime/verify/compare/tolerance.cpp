#include "runtime/verify/compare/tolerance.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "operators/dtype.hpp"
#include "runtime/tasks/reference.hpp"
#include "runtime/verify/compare/input_tensors.hpp"

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

// The dtype in which the task computes: the output's, or that of the inputs if the output consists of results
// of comparisons.
std::string computed_in(const Task& task, const Variation& variation) {
  const std::string out = output_shape(task, variation).dtype;
  if (operators::is_floating(out)) return out;
  for (const TensorShape& input : input_shapes(task, variation))
    if (operators::is_floating(input.dtype)) return input.dtype;
  return "f32";
}

}  // namespace

Expected::Expected(std::vector<double> values, std::vector<double> tolerances, double largest)
    : values(std::move(values)),
      largest(largest),
      tolerances_(std::make_shared<Tolerances>(Tolerances{{}, std::move(tolerances)})) {}

Expected::Expected(std::vector<double> values, LeastError least, double largest, Measure measure)
    : values(std::move(values)),
      largest(largest),
      least_(least),
      tolerances_(std::make_shared<Tolerances>(Tolerances{std::move(measure), {}})) {}

const std::vector<double>& Expected::tolerances() const {
  static const std::vector<double> none;
  if (!tolerances_) return none;
  if (tolerances_->measure) tolerances_->of_values = std::exchange(tolerances_->measure, {})();
  return tolerances_->of_values;
}

double Expected::tolerance(std::size_t i) const { return tolerances().empty() ? 0 : tolerances()[i]; }

bool Expected::accepts(std::size_t i, double got) const {
  const double size = std::isfinite(values[i]) ? std::abs(values[i]) : 0;
  return within(i, got, least_.relative * size + least_.absolute) || within(i, got, tolerance(i));
}

bool Expected::within(std::size_t i, double got, double tolerance) const {
  const double value = values[i];
  if (std::isinf(tolerance)) return true;
  if (std::isnan(value)) return std::isnan(got);
  if (std::isinf(got) && !std::isinf(value))
    return std::signbit(got) == std::signbit(value) && std::abs(value) + tolerance >= largest;
  if (std::isinf(value)) return got == value;
  return std::abs(got - value) <= tolerance;
}

std::size_t Expected::demanded() const {
  if (exact()) return values.size();
  return static_cast<std::size_t>(
      std::count_if(tolerances().begin(), tolerances().end(), [](double one) { return std::isfinite(one); }));
}

Expected expect(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                Precision precision) {
  std::vector<at::Tensor> tensors = input_tensors(task, variation, inputs);
  const std::string dtype = computed_in(task, variation);
  const at::Tensor own = evaluate(task, exact_inputs(task, tensors)), value = own.to(at::kDouble);
  return {values_of(value),
          own.is_floating_point() ? least_error(value, tensors, dtype, precision) : LeastError{},
          largest_of(output_shape(task, variation).dtype),
          [task, tensors = std::move(tensors), dtype, precision]() -> std::vector<double> {
            const HonestValue honest = honest_value(task, tensors, dtype, precision);
            if (!honest.error.defined()) return {};
            return values_of(honest.error.expand_as(honest.value));
          }};
}

}  // namespace trl::runtime
