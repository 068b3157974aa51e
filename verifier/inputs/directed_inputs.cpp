#include "verifier/inputs/directed_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/operators/operator_ids.hpp"

namespace trl::runtime {
namespace {

constexpr std::size_t part = 16;  // one of `part` elements of an input is changed
constexpr double usual = 64;      // magnitudes that no honest kernel has trouble with
constexpr std::size_t most_fills = 6;

ElementType type_of(const TensorShape& shape) { return element_type(shape.dtype).value(); }
bool is_real(const TensorShape& shape) { return !shape.domain.integers && shape.domain.is_elementwise(); }

std::size_t elements(const TensorShape& shape) { return static_cast<std::size_t>(shape.elements()); }

std::byte* element(InputData& input, const TensorShape& shape, std::size_t i) {
  return input.bytes.data() + i * static_cast<std::size_t>(bytes_of(type_of(shape)));
}

/// Changes every real input, element by element.
template <class Change>
void change(std::vector<InputData>& inputs, const std::vector<TensorShape>& shapes, Change change) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_real(shapes[i])) continue;
    for (std::size_t k = 0; k < elements(shapes[i]); ++k) {
      std::byte* const at = element(inputs[i], shapes[i], k);
      store_element(type_of(shapes[i]),
                    shapes[i].domain.admitted(change(load_element(type_of(shapes[i]), at), i, k)), at);
    }
  }
}

/// Whether the task's output is the position of a value (argmax and the like).
bool picks(const Expression& expression) {
  return expression.op == Operator::argmax || expression.op == Operator::argmin ||
         std::any_of(expression.args.begin(), expression.args.end(), picks);
}

}  // namespace

Direction::Direction(const Task& task, const Variation& variation, std::vector<InputData> drawn,
                     std::vector<int> kernels, RandomKey key, bool search)
    : task_(task),
      shapes_(input_shapes(task, variation)),
      drawn_(std::move(drawn)),
      kernels_(std::move(kernels)),
      random_(key),
      search_(search),
      picks_(picks(task.value)) {}

bool Direction::open(const PathCoverage& coverage) const {
  return std::any_of(kernels_.begin(), kernels_.end(), [&](int kernel) { return coverage.open(kernel); });
}

std::optional<DirectedInputs> Direction::next(const PathCoverage& coverage) {
  const bool refused = std::exchange(refused_, false);
  while (phase_ != Phase::done && open(coverage)) {
    std::optional<DirectedInputs> made;
    switch (phase_) {
      case Phase::planted:
        phase_ = Phase::smaller;
        before_ = coverage.ways();
        made = planted(coverage, std::numeric_limits<double>::infinity());
        break;
      case Phase::smaller:
        phase_ = Phase::filled;
        // A second try: with smaller values if large values made the reference infinite, or for branches
        // inside a branch that was entered only now.
        if (refused)
          made = planted(coverage, usual);
        else if (coverage.ways() != before_)
          made = planted(coverage, std::numeric_limits<double>::infinity());
        break;
      case Phase::filled:
        made = filled(coverage);
        if (!made) phase_ = search_ && searchable(coverage) ? Phase::searched : Phase::done;
        break;
      case Phase::searched:
        made = searched();
        if (!made) phase_ = Phase::done;
        break;
      case Phase::done:
        break;
    }
    if (made) return made;
  }
  return std::nullopt;
}

/// Whether some decision that hasn't gone both ways could be turned by other real numbers; false if only
/// indices out of range could turn it.
bool Direction::searchable(const PathCoverage& coverage) const {
  if (picks_) return false;
  const std::vector<TurningValues> values = coverage.turning(kernels_);
  for (const int kernel : kernels_)
    for (int number = 0; coverage.decision(kernel, number) != nullptr; ++number) {
      if (!coverage.open(kernel, number)) continue;
      bool indices = false, reals = false;
      for (const TurningValues& one : values) {
        if (one.kernel != kernel || one.decision != number) continue;
        for (const std::size_t input : targets(one)) (is_real(shapes_[input]) ? reals : indices) = true;
      }
      if (reals || !indices) return true;
    }
  return false;
}

/// Returns the inputs to which the turning values belong; all real inputs if that isn't known.
std::vector<std::size_t> Direction::targets(const TurningValues& values) const {
  std::vector<std::size_t> list;
  for (const int input : values.inputs)
    if (input >= 0 && static_cast<std::size_t>(input) < shapes_.size())
      list.push_back(static_cast<std::size_t>(input));
  for (std::size_t i = 0; values.inputs.empty() && i < shapes_.size(); ++i)
    if (is_real(shapes_[i])) list.push_back(i);
  // An element of a one-hot row, or of offsets, can't change without the other elements.
  std::erase_if(
      list, [&](std::size_t i) { return elements(shapes_[i]) == 0 || !shapes_[i].domain.is_elementwise(); });
  return list;
}

/// A number between two bounds that the input may hold.
std::optional<double> Direction::drawn(std::size_t input, double low, double high) {
  const Domain& domain = shapes_[input].domain;
  if (domain.integers || domain.kind == InputValues::Kind::range) {
    low = std::max(domain.integers ? std::ceil(low) : low, domain.low);
    high = std::min(domain.integers ? std::floor(high) : high, domain.high);
  } else if (domain.kind == InputValues::Kind::positive) {
    low = std::max(low, domain.least);
  }
  if (low > high) return std::nullopt;
  if (!domain.integers) return low == high ? low : low + (high - low) * random_.uniform();
  return low + static_cast<double>(random_.below(static_cast<std::uint64_t>(high - low) + 1));
}

std::optional<DirectedInputs> Direction::planted(const PathCoverage& coverage, double most) {
  std::vector<TurningValues> values = coverage.turning(kernels_);
  std::erase_if(values, [&](const TurningValues& one) {
    return one.everywhere || std::min(std::abs(one.low), std::abs(one.high)) > most || targets(one).empty();
  });
  if (values.empty()) return std::nullopt;
  DirectedInputs made{drawn_, {}, ""};
  for (const TurningValues& one : values) {
    const std::vector<std::size_t> inputs = targets(one);
    std::size_t largest = 0;
    for (const std::size_t i : inputs) largest = std::max(largest, elements(shapes_[i]));
    const std::size_t count = picks_ ? 1 : std::max<std::size_t>(1, largest / (part * values.size()));
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t place = random_.below(largest);
      const std::optional<double> value = drawn(inputs.front(), one.low, one.high);
      if (!value) break;
      for (const std::size_t i : inputs) {
        // Smaller inputs match the last dimensions of larger inputs, as in broadcasting.
        const std::size_t at = place % elements(shapes_[i]);
        std::byte* const to = element(made.inputs[i], shapes_[i], at);
        store_element(type_of(shapes_[i]), shapes_[i].domain.admitted(*value), to);
        made.planted.push_back({i, at, load_element(type_of(shapes_[i]), to), one.kernel, one.decision});
      }
    }
  }
  if (made.planted.empty()) return std::nullopt;
  return made;
}

std::optional<DirectedInputs> Direction::filled(const PathCoverage& coverage) {
  if (picks_) return std::nullopt;
  if (!fills_) {
    fills_ = coverage.turning(kernels_);
    std::erase_if(*fills_, [&](const TurningValues& one) { return !one.everywhere || targets(one).empty(); });
    if (fills_->size() > most_fills) fills_->resize(most_fills);
  }
  std::erase_if(*fills_, [&](const TurningValues& one) { return !coverage.open(one.kernel, one.decision); });
  if (fills_->empty()) return std::nullopt;
  const TurningValues one = fills_->front();
  fills_->erase(fills_->begin());
  DirectedInputs made{drawn_, {}, ""};
  for (const std::size_t i : targets(one)) {
    const std::optional<double> value = drawn(i, one.low, one.high);
    if (!value) continue;
    const bool exact = one.low == one.high || !is_real(shapes_[i]);
    for (std::size_t k = 0; k < elements(shapes_[i]); ++k)
      store_element(type_of(shapes_[i]),
                    exact ? *value : shapes_[i].domain.admitted(*value * (1 + 0.05 * random_.normal())),
                    element(made.inputs[i], shapes_[i], k));
    made.how += fmt::format("{}all of {} is {}{:.6g}", made.how.empty() ? "" : " and ", shapes_[i].name,
                            exact ? "" : "about ", *value);
  }
  return made;
}

std::optional<DirectedInputs> Direction::searched() {
  DirectedInputs made{drawn_, {}, ""};
  switch (searches_++) {
    case 0:
      made.how = "its inputs are 30 times as large";
      change(made.inputs, shapes_, [](double value, std::size_t, std::size_t) { return 30 * value; });
      return made;
    case 1:
      made.how = "its inputs are all positive";
      change(made.inputs, shapes_,
             [](double value, std::size_t, std::size_t) { return 4 * std::abs(value) + 1; });
      return made;
    case 2:
      made.how = "its inputs are all negative";
      change(made.inputs, shapes_,
             [](double value, std::size_t, std::size_t) { return -4 * std::abs(value) - 1; });
      return made;
    case 3:
      made.how = "its inputs are a thousandth as large";
      change(made.inputs, shapes_, [](double value, std::size_t, std::size_t) { return value / 1024; });
      return made;
    case 4:
      made.how = "each value of its inputs occurs several times";
      change(made.inputs, shapes_, [](double value, std::size_t, std::size_t) { return std::round(value); });
      return made;
    case 5:
      made.how = "a sixteenth of its inputs is 100 times as large";
      change(made.inputs, shapes_, [&](double value, std::size_t, std::size_t) {
        return random_.below(part) == 0 ? 100 * value : value;
      });
      return made;
    default:
      return std::nullopt;
  }
}

}  // namespace trl::runtime
