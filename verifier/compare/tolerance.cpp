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

// The dtype in which a result is computed: the result's own dtype if it is a floating-point type; otherwise,
// as for results of comparisons, the first floating-point dtype of an input, or f32 if no input has one.
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
      bounds_(std::make_shared<Measured>(Measured{{}, {std::move(tolerances), {}}})) {}

Expected::Expected(std::vector<double> values, LeastError least, double largest, Measure measure)
    : values(std::move(values)),
      parts_{{0, least, largest}},
      bounds_(std::make_shared<Measured>(Measured{std::move(measure), {}})) {}

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
  out.bounds_ = std::make_shared<Measured>();
  out.bounds_->measure = [parts = std::move(parts)] {
    Bounds all;
    std::size_t most = 0;
    for (const Expected& part : parts) most = std::max(most, part.bounds().others.size());
    all.others.resize(most);
    for (const Expected& part : parts) {
      for (std::size_t i = 0; i < part.size(); ++i) all.tolerances.push_back(part.tolerance(i));
      for (std::size_t k = 0; k < most; ++k) {
        const auto& own = part.bounds().others;
        const std::vector<double>& from = k < own.size() ? own[k] : part.values;
        all.others[k].insert(all.others[k].end(), from.begin(), from.end());
      }
    }
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

const Expected::Bounds& Expected::bounds() const {
  static const Bounds none;
  if (!bounds_) return none;
  if (bounds_->measure) bounds_->bounds = std::exchange(bounds_->measure, {})();
  return bounds_->bounds;
}

double Expected::tolerance(std::size_t i) const {
  return bounds().tolerances.empty() ? 0 : bounds().tolerances[i];
}

bool Expected::accepts(std::size_t i, double got) const {
  const double size = std::isfinite(values[i]) ? std::abs(values[i]) : 0;
  const LeastError& least = part_of(i).least;
  if (within(i, values[i], got, least.relative * size + least.absolute)) return true;
  const double own = tolerance(i);
  if (within(i, values[i], got, own)) return true;
  const std::vector<std::vector<double>>& others = bounds().others;
  for (std::size_t k = 0; k + 1 < others.size(); k += 2) {
    const auto [low, high] = std::minmax(others[k][i], others[k + 1][i]);
    if (std::isfinite(values[i]) || !std::isfinite(low) || !std::isfinite(high)) {
      for (const double value : {others[k][i], others[k + 1][i]})
        if (within(i, value, got, own)) return true;
    } else {
      const double rounding = least.relative * std::max(std::abs(low), std::abs(high)) + least.absolute + own;
      if (got >= low - rounding && got <= high + rounding) return true;
    }
  }
  return false;
}

bool Expected::within(std::size_t i, double value, double got, double tolerance) const {
  if (std::isinf(tolerance)) return true;
  if (std::isnan(value)) return std::isnan(got);
  if (std::isinf(got) && !std::isinf(value))
    return std::signbit(got) == std::signbit(value) && std::abs(value) + tolerance >= largest_at(i);
  if (std::isinf(value)) return got == value;
  return std::abs(got - value) <= tolerance;
}

bool Expected::demands(std::size_t i) const {
  return !std::isinf(tolerance(i)) &&
         std::all_of(bounds().others.begin(), bounds().others.end(), [&](const std::vector<double>& other) {
           return std::isfinite(other[i]) || other[i] == values[i] ||
                  (std::isnan(other[i]) && std::isnan(values[i]));
         });
}

std::size_t Expected::demanded() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) count += demands(i);
  return count;
}

double Expected::typical() const {
  std::vector<double> sizes;
  for (const double value : values)
    if (std::isfinite(value) && value != 0) sizes.push_back(std::abs(value));
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

bool Expected::proves_little(std::size_t i, double typical) const {
  if (!demands(i)) return true;
  const double size = std::isfinite(values[i]) ? std::abs(values[i]) : 0, error = tolerance(i);
  return error > size + typical && error > 0x1p-100;
}

namespace {

/// `result`: the dtype of the task's one result; `dtype`: the dtype in which it is computed.
Expected expect_one(const Task& task, const std::string& result, const std::string& dtype,
                    std::vector<at::Tensor> tensors, Precision precision) {
  const at::Tensor own = evaluate(task, exact_inputs(task, tensors)), value = own.to(at::kDouble);
  return {values_of(value),
          own.is_floating_point() ? least_error(value, tensors, dtype, precision) : LeastError{},
          largest_of(result), [task, tensors = std::move(tensors), dtype, precision]() -> Expected::Bounds {
            const HonestValue honest = honest_value(task, tensors, dtype, precision);
            if (!honest.error.defined()) return {};
            Expected::Bounds bounds{values_of(honest.error.expand_as(honest.value)), {}};
            for (const at::Tensor& other : honest.others) bounds.others.push_back(values_of(other));
            return bounds;
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
