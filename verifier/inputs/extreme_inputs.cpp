#include "verifier/inputs/extreme_inputs.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/tasks/honest_error.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t few_rows = 8, segment = 32;

/// Real numbers that don't depend on each other.
bool is_real(const TensorShape& shape) { return !shape.domain.integers && shape.domain.is_elementwise(); }

const operators::Dtype& row_of(const std::string& dtype) { return *operators::dtype_called(dtype); }

/// From 1 to the next number.
double epsilon(const std::string& dtype) { return 2 * row_of(dtype).unit(); }

double smallest_normal(const std::string& dtype) { return row_of(dtype).smallest; }

/// The largest finite number of a dtype of real numbers. bf16 counts as f32.
double largest_number(const std::string& dtype) {
  const operators::Dtype& row = row_of(dtype);
  return row.floating() && dtype != "f16"  ? static_cast<double>(std::numeric_limits<float>::max())
         : row.floating() || row.storage() ? row.largest
                                           : std::numeric_limits<double>::max();
}

/// Draws a magnitude; its logarithm is uniform.
double magnitude(RandomStream& random, double least, double most) {
  return least * std::exp(random.uniform() * std::log(std::max(1.0, most / least)));
}

// One row of numbers of some kind. `first` is the same row of the first extreme input; it is empty for that
// input itself.
class Row {
 public:
  Row(const ExtremeRange& range, const std::string& dtype, std::size_t width,
      const std::vector<double>& first, RandomStream& random)
      : random_(random), range_(range), dtype_(dtype), width_(width), first_(first) {}

  std::vector<double> of(ExtremeRow kind) {
    fill(kind);
    return values_;
  }

 private:
  void fill(ExtremeRow kind) {
    switch (kind) {
      case ExtremeRow::large:
        return large();
      case ExtremeRow::above:
        return around(1);
      case ExtremeRow::below:
        return around(-1);
      case ExtremeRow::spike:
        return lone(sign() * drawn_magnitude(least_magnitude, range_.largest));
      case ExtremeRow::near_ties:
        return near_ties();
      case ExtremeRow::ties:
        return ties();
      case ExtremeRow::zeros:
        for (double& value : ordinary()) {
          const double draw = random_.uniform();
          if (draw < 0.5) value = draw < 0.25 ? 0.0 : -0.0;
        }
        return;
      case ExtremeRow::faint: {
        const double by = magnitude(random_, std::max(1e-20, smallest_normal(dtype_)), 1e-2);
        for (double& value : ordinary()) value *= by;
        return;
      }
      case ExtremeRow::halves:
        for (double& value : ordinary()) value = std::rint(4 * value) / 2;
        return;
      case ExtremeRow::denormals:
        for (double& value : ordinary()) value = std::ldexp(smallest_normal(dtype_), -1) * std::tanh(value);
        return;
      case ExtremeRow::positive_infinity:
        return lone(std::numeric_limits<double>::infinity());
      case ExtremeRow::negative_infinity:
        return lone(-std::numeric_limits<double>::infinity());
      case ExtremeRow::not_a_number:
        return lone(std::numeric_limits<double>::quiet_NaN());
    }
  }

  static constexpr double least_magnitude = 4, overflowing = 128, moderate = 1e4, offset_most = 512;

  std::vector<double>& ordinary() {
    for (std::size_t i = 0; i < width_; ++i) values_.push_back(random_.normal());
    return values_;
  }

  double drawn_magnitude(double least, double most) {
    return range_.at_largest ? most : magnitude(random_, least, most);
  }

  double sign() { return random_.uniform() < 0.5 ? -1 : 1; }

  // Numbers so large that exponentials overflow unless the maximum itself was subtracted before. Half of the
  // rows aren't much larger than needed for that.
  void large() {
    const double most =
        random_.uniform() < 0.5 && !range_.at_largest ? std::min(range_.largest, moderate) : range_.largest;
    const double scale = drawn_magnitude(std::min(overflowing, most), most);
    for (std::size_t i = 0; i < width_; ++i) values_.push_back(scale * (2 * random_.uniform() - 1));
  }

  // Usually all numbers have one sign, which exposes a kernel whose padding value, such as 0, becomes the
  // largest or the smallest number.
  void around(double sign) {
    const double by = sign * std::min(range_.largest, offset_most) * (0.25 + 0.75 * random_.uniform());
    for (double& value : ordinary()) value = 0.25 * value + by;
  }

  void lone(double value) { ordinary()[random_.below(width_)] = value; }

  void near_ties() {
    const double centre = random_.normal();
    for (std::size_t i = 0; i < width_; ++i) {
      const double from = first_.empty() ? centre : first_[i];
      values_.push_back(from * (1 + epsilon(dtype_) * static_cast<double>(random_.below(4))));
    }
  }

  void ties() {
    if (!first_.empty()) {
      values_ = first_;
      return;
    }
    const double one = random_.normal(), other = random_.normal();
    for (std::size_t i = 0; i < width_; ++i) values_.push_back(random_.uniform() < 0.5 ? one : other);
  }

  std::vector<double> values_;
  RandomStream& random_;
  const ExtremeRange& range_;
  const std::string& dtype_;
  std::size_t width_;
  const std::vector<double>& first_;
};

/// Draws the kinds of an input's rows. Half of the rows are ordinary, or fewer where the other rows, which
/// take the `kinds` in turn, would not get to the last kind; but at least a quarter is. The order is random.
std::vector<std::optional<ExtremeRow>> kinds_of_rows(std::size_t rows, const std::vector<ExtremeRow>& kinds,
                                                     RandomStream& random) {
  std::vector<std::optional<ExtremeRow>> out(rows);
  if (kinds.empty()) return out;
  const std::size_t first = random.below(kinds.size());
  const std::size_t extreme = std::max((rows + 1) / 2, std::min(kinds.size(), rows * 3 / 4));
  for (std::size_t i = 0; i < extreme; ++i) out[i] = kinds[(first + i) % kinds.size()];
  for (std::size_t i = rows; i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
  return out;
}

// The shapes of the floating-point inputs, each once.
std::vector<std::vector<std::int64_t>> shapes_of_floats(const Task& task, const Variation& variation) {
  std::vector<std::vector<std::int64_t>> found;
  for (const TensorShape& shape : input_shapes(task, variation))
    if (is_real(shape) && std::find(found.begin(), found.end(), shape.extents) == found.end())
      found.push_back(shape.extents);
  return found;
}

std::vector<InputData> drawn(const Task& task, const Variation& variation, std::size_t which,
                             const ExtremeRange& range, RandomStream& random) {
  std::vector<InputData> inputs;
  // All infinities have one sign, so that no sum adds infinities of both.
  const auto other_sign =
      random.uniform() < 0.5 ? ExtremeRow::positive_infinity : ExtremeRow::negative_infinity;
  std::vector<ExtremeRow> allowed = range.kinds;
  if (allowed.size() > 1) std::erase(allowed, other_sign);
  const std::vector<TensorShape> shapes = input_shapes(task, variation);
  const auto float_shapes = shapes_of_floats(task, variation);
  bool first = true;
  std::vector<std::optional<ExtremeRow>> kinds;
  std::vector<std::vector<double>> rows_of_first;
  for (const TensorShape& shape : shapes) {
    const ElementType type = element_type(shape.dtype).value();
    const auto bytes = static_cast<std::size_t>(bytes_of(type));
    const auto elements = static_cast<std::size_t>(shape.elements());
    InputData input{shape.name, std::vector<std::byte>(elements * bytes)};
    const bool storage = operators::is_storage(shape.dtype);
    const auto put = [&](std::size_t at, double value) {
      // 8 bits have no infinities that every conversion agrees on.
      if (storage) value = std::clamp(value, -largest_number(shape.dtype), largest_number(shape.dtype));
      store_element(type, value, input.bytes.data() + at * bytes);
    };
    if (!shape.domain.is_elementwise()) {
      const auto row = static_cast<std::size_t>(shape.extents.empty() ? 1 : shape.extents.back());
      const std::vector<double> values = shape.domain.draw_all(random, elements, row);
      for (std::size_t i = 0; i < elements; ++i) put(i, values[i]);
      inputs.push_back(std::move(input));
      continue;
    }
    const bool extreme = is_real(shape) && shape.extents == float_shapes[which];
    std::int64_t width = shape.extents.empty() ? 1 : std::max<std::int64_t>(1, shape.extents.back());
    if (shape.elements() / width < few_rows) width = segment;
    const std::size_t step = static_cast<std::size_t>(width), rows = (elements + step - 1) / step;
    if (extreme && std::exchange(first, false)) {
      kinds = kinds_of_rows(rows, allowed, random);
      rows_of_first.resize(rows);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t count = std::min(step, elements - row * step);
      if (extreme && kinds[row]) {
        const std::vector<double> values =
            Row(range, shape.dtype, count, rows_of_first[row], random).of(*kinds[row]);
        for (std::size_t i = 0; i < count; ++i) put(row * step + i, shape.domain.admitted(values[i]));
        if (rows_of_first[row].empty()) rows_of_first[row] = values;
        continue;
      }
      // Indices stay mixed: if all indices of a row pointed to one place, the other places would be left
      // untouched.
      const std::uint64_t end = shape.domain.integers && !shape.domain.places ? random.below(4) : 2;
      for (std::size_t i = 0; i < count; ++i)
        put(row * step + i, end == 0   ? shape.domain.low
                            : end == 1 ? shape.domain.high
                                       : shape.domain.draw(random));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// The largest finite number that all results hold.
double largest_of_results(const Task& task, const Variation& variation) {
  double out = std::numeric_limits<double>::max();
  for (const TensorShape& one : output_shapes(task, variation))
    out = std::min(out, largest_number(one.dtype));
  return out;
}

// Counts the output values for which a task isn't defined, or that its dtype can't hold, with inputs drawn in
// a range.
class Trying {
 public:
  Trying(const Task& task, const Variation& variation, std::size_t which)
      : task_(task),
        variation_(variation),
        which_(which),
        largest_(largest_of_results(task, variation)),
        ordinary_(undefined({}, true)) {}

  // Whether all but a fiftieth of the values are as well defined as with ordinary inputs.
  bool admits(ExtremeRow kind, double largest) const {
    const bool infinite = kind == ExtremeRow::positive_infinity || kind == ExtremeRow::negative_infinity ||
                          kind == ExtremeRow::not_a_number;
    const Count count = undefined({{kind}, largest, true}, infinite, &ordinary_);
    return ordinary_.admits(count);
  }

 private:
  struct Count {
    std::size_t all = 0, undefined = 0, infinite = 0, nan = 0;
    bool admits(const Count& other) const {
      return other.nan <= nan && 50 * other.undefined <= 50 * undefined + other.all &&
             4 * other.infinite <= other.all;
    }
  };

  /// If `enough` is given, the values whose tolerance proves nothing, which take long to find, are only
  /// counted as long as the other undefined values don't already exceed this count.
  Count undefined(const ExtremeRange& range, bool infinite, const Count* enough = nullptr) const {
    RandomStream random("what is extreme");
    const Expected expected =
        expect(task_, variation_, drawn(task_, variation_, which_, range, random), Precision::task);
    const std::vector<double>& values = expected.values;
    Count count;
    count.all = values.size();
    for (const double value : values) {
      const bool beyond = std::isfinite(value) ? std::abs(value) > largest_ : !infinite;
      count.undefined += std::isnan(value) || beyond;
      count.infinite += std::isinf(value);
      count.nan += std::isnan(value);
    }
    if (enough != nullptr && !enough->admits(count)) return count;
    const double typical = expected.typical();
    for (std::size_t i = 0; i < values.size(); ++i)
      count.undefined +=
          std::isfinite(values[i]) && std::abs(values[i]) <= largest_ && expected.proves_little(i, typical);
    return count;
  }

  const Task& task_;
  const Variation& variation_;
  std::size_t which_;
  double largest_;
  Count ordinary_;
};

bool asks_for_nan(const Expression& expression) {
  using enum Operator;
  return expression.op == isnan || expression.op == isfinite ||
         std::any_of(expression.args.begin(), expression.args.end(), asks_for_nan);
}

/// Whether a task can be tried with rows of this kind: infinities of one sign, or NaN. It can't where usual
/// correct kernels give NaN instead of the right value: where they subtract an infinite maximum from itself,
/// and in products, whose factors they may split into two summands or pad with zeros.
bool bears(const Expression& expression, ExtremeRow infinity) {
  using enum Operator;
  static const std::set<Operator> of_maximum = {softmax,   log_softmax,  logsumexp,
                                                logaddexp, logcumsumexp, cross_entropy};
  if (uses_products(expression) || expression.op == logaddexp) return false;
  // Kernels usually get no NaN; only the kernels of a task that asks for NaN do.
  if (infinity == ExtremeRow::not_a_number) return asks_for_nan(expression);
  if (infinity == ExtremeRow::positive_infinity && of_maximum.contains(expression.op)) return false;
  if (infinity == ExtremeRow::negative_infinity && expression.op == softmin) return false;
  return std::all_of(expression.args.begin(), expression.args.end(),
                     [&](const Expression& argument) { return bears(argument, infinity); });
}

ExtremeRange find_range(const Task& task, const Variation& variation, std::size_t which) {
  static constexpr std::array<double, 13> magnitudes = {4,    8,   16,  32,   64,   128, 512,
                                                        4096, 1e6, 1e9, 1e12, 1e18, 1e30};
  const Trying trying(task, variation, which);
  ExtremeRange range;
  const auto* const beyond =
      std::partition_point(magnitudes.begin(), magnitudes.end(),
                           [&](double magnitude) { return trying.admits(ExtremeRow::large, magnitude); });
  if (beyond != magnitudes.begin()) {
    range.largest = *(beyond - 1);
    range.kinds.push_back(ExtremeRow::large);  // tried with this magnitude above
    for (const ExtremeRow kind : {ExtremeRow::above, ExtremeRow::below, ExtremeRow::spike})
      if (trying.admits(kind, range.largest)) range.kinds.push_back(kind);
  }
  for (const ExtremeRow kind : {ExtremeRow::near_ties, ExtremeRow::ties, ExtremeRow::zeros, ExtremeRow::faint,
                                ExtremeRow::halves, ExtremeRow::denormals})
    if (trying.admits(kind, range.largest)) range.kinds.push_back(kind);
  for (const ExtremeRow kind :
       {ExtremeRow::positive_infinity, ExtremeRow::negative_infinity, ExtremeRow::not_a_number})
    if (bears(task.value, kind) && trying.admits(kind, range.largest)) range.kinds.push_back(kind);
  return range;
}

}  // namespace

int extreme_draws(const Task& task, const Variation& variation) {
  constexpr std::size_t most = 3;
  return static_cast<int>(std::clamp<std::size_t>(shapes_of_floats(task, variation).size(), 1, most));
}

namespace {

/// The index in `shapes_of_floats` of the shape whose inputs have a draw's extreme rows.
std::size_t shape_of_draw(const Task& task, const Variation& variation, int draw) {
  return static_cast<std::size_t>(draw % extreme_draws(task, variation));
}

}  // namespace

ExtremeRange extreme_range(const Task& task, const Variation& variation, int draw) {
  static std::mutex mutex;
  static std::map<std::string, ExtremeRange> known;
  constexpr std::size_t most_known = 4096;
  const std::size_t which = shape_of_draw(task, variation, draw);
  const std::string key = task.to_json().dump() + variation.label() + std::to_string(which);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const ExtremeRange range = find_range(task, variation, which);
  const std::lock_guard lock(mutex);
  if (known.size() >= most_known) known.clear();
  return known[key] = range;
}

std::vector<InputData> extreme_inputs(const Task& task, const Variation& variation, RandomKey key, int draw) {
  RandomStream random(key);
  const std::size_t which = shape_of_draw(task, variation, draw);
  return drawn(task, variation, which, extreme_range(task, variation, draw), random);
}

}  // namespace trl::runtime
