#include "verifier/tasks/honest_error.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/operators/domain.hpp"
#include "base/operators/dtype.hpp"
#include "base/operators/einsum.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/tensors/scalar_type.hpp"
#include "verifier/tasks/known_value.hpp"
#include "verifier/tasks/reference.hpp"
#include "verifier/tasks/undecided.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
using Factors = HonestFactors;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double f32_unit = 0x1p-24, tf32_unit = 0x1p-11, f16_unit = 0x1p-11, bf16_unit = 0x1p-8;
constexpr double f32_least = 0x1p-126;  // the smallest normal f32; smaller numbers may be flushed to zero
constexpr double f16_least = 0x1p-24;

using operators::Reach;
using operators::Rounding;
using operators::row;

bool is_exact(Operator op) { return row(op).rounding == Rounding::exact; }

bool is_bilinear(Operator op) { return row(op).reach == Reach::bilinear; }

bool is_product(Operator op) { return is_bilinear(op) || row(op).reach == Reach::attention; }

/// The number of terms of the sum that an operator computes, derived from shapes.
double terms(const Expression& node, const std::vector<Tensor>& args, const Tensor& out) {
  const Tensor& x = args[0];
  const auto in = static_cast<double>(x.numel()),
             of = static_cast<double>(std::max<std::int64_t>(1, out.numel()));
  if (node.op == Operator::batch_norm) return in / static_cast<double>(x.size(1));
  if (node.op == Operator::instance_norm) return in / static_cast<double>(x.size(0) * x.size(1));
  if (node.op == Operator::group_norm)
    return in / (static_cast<double>(x.size(0)) * node.options.at("num_groups").get<double>());
  if (node.op == Operator::cross_entropy) return in;
  if (out.numel() < x.numel()) return in / of;
  double along = 1;
  if (node.axis >= 0) along = static_cast<double>(x.size(node.axis));
  for (const std::int64_t axis : node.axes) along *= static_cast<double>(x.size(axis));
  if (node.options.contains("axis") && node.options.at("axis").is_number())
    along = static_cast<double>(x.size(node.options.at("axis").get<std::int64_t>()));
  return along;
}

double squared(double x) { return x * x; }
Tensor squared(const Tensor& x) { return x * x; }

/// The typical magnitude of the finite values other than zero: their median, which outliers don't change; of
/// an even number of values the lower one.
double typical(const Tensor& x) {
  constexpr std::int64_t sample = 4096;
  Tensor flat = x.reshape({-1});
  if (flat.numel() > sample) flat = flat.slice(0, 0, std::nullopt, flat.numel() / sample);
  flat = flat.to(at::kDouble).contiguous();
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(flat.numel()));
  const auto* const values = flat.const_data_ptr<double>();
  for (std::int64_t i = 0; i < flat.numel(); ++i)
    if (std::isfinite(values[i]) && values[i] != 0) sizes.push_back(std::abs(values[i]));
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// A deviation for each element, of magnitude 0.5 to 1.5 and either sign, from a fixed sequence. With equal
/// magnitudes, the two largest terms of a sum would cancel in every second draw.
class Deviations {
 public:
  Tensor like(const Tensor& x) {
    Tensor out = at::empty(x.sizes(), at::kDouble);
    auto* to = out.data_ptr<double>();
    const std::int64_t count = out.numel();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t bits = next();
      const double size = 0.5 + static_cast<double>(bits >> 32) * 0x1p-32;
      to[i] = bits & 1 ? size : -size;
    }
    return out;
  }

 private:
  // splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

/// For each element: the sum, over pairs of perturbed values, of the larger squared distance of the two from
/// the exact value. Equal infinities and NaNs have distance 0. Every other distance of an infinity or NaN
/// is infinite.
class Furthest {
 public:
  explicit Furthest(const Tensor& exact)
      : exact_(doubles(exact)), squares_(at::zeros(exact.sizes(), at::kDouble)) {}

  void add(const Tensor& up, const Tensor& down) {
    const Tensor high = doubles(up), low = doubles(down);
    const auto *exact = exact_.const_data_ptr<double>(), *above = high.const_data_ptr<double>(),
               *below = low.const_data_ptr<double>();
    auto* squares = squares_.data_ptr<double>();
    const std::int64_t count = exact_.numel();
    for (std::int64_t i = 0; i < count; ++i)
      squares[i] += squared(std::max(distance(above[i], exact[i]), distance(below[i], exact[i])));
  }

  const Tensor& squares() const { return squares_; }

 private:
  static Tensor doubles(const Tensor& x) { return x.to(at::kDouble).contiguous(); }

  static double distance(double one, double other) {
    const double apart = std::abs(one - other);
    if (std::isfinite(apart)) return apart;
    return one == other || (std::isnan(one) && std::isnan(other)) ? 0 : infinity;
  }

  Tensor exact_, squares_;
};

/// The roundings that the task's dtype and the precision allow.
struct Arithmetic {
  double product = 0;  // u of the precision of factors of products; 0: f32
  double between = 0;  // u of the precision of values between operators; 0: f32
  double input = 0;    // u of the precision to which inputs may be rounded before use; 0: none
  double output = f32_unit;
  double least = f32_least;  // smaller numbers may be flushed to zero
};

Arithmetic arithmetic(const std::string& dtype, Precision precision) {
  Arithmetic out;
  if (dtype == "f16") out.between = out.output = f16_unit, out.least = f16_least;
  if (dtype == "bf16") out.between = out.output = bf16_unit;
  if (precision != Precision::task) out.product = tf32_unit;
  if (precision == Precision::half) {
    out.product = out.between = out.input = out.output = bf16_unit;
    out.least = f16_least;
  }
  return out;
}

double largest(const std::string& dtype) {
  const operators::Dtype* row = operators::dtype_called(dtype);
  return row == nullptr ? std::numeric_limits<float>::max() : row->largest;
}

/// Returns where a conversion to integers or to 8 bits has no value that all implementations agree on: beyond
/// the dtype's range, and for NaN.
Tensor without_value(const Expression& node, const Tensor& x) {
  const operators::Dtype& to = *operators::dtype_called(node.options.at("dtype").get<std::string>());
  if (to.storage()) return (x.abs() > to.largest).logical_or(x.isnan());
  // A number less than 1 beyond the range is truncated into it.
  return (x.abs() <= to.largest)
      .logical_or((x > to.smallest - 1).logical_and(x < to.largest + 1))
      .logical_not();
}

Tensor rounded_to(const Tensor& x, const std::string& dtype) {
  if (!x.is_floating_point()) return x;
  if (dtype != "f16" && dtype != "bf16") return x.to(at::kFloat);
  return x.to(scalar_type(dtype)).to(at::kFloat);
}

class ErrorPropagation {
 public:
  ErrorPropagation(const Task& task, std::vector<Tensor> exact, std::string dtype, Precision precision)
      : task_(task),
        inputs_(std::move(exact)),
        dtype_(std::move(dtype)),
        one_dtype_(has_one_dtype(task)),
        precision_(precision),
        allowed_(arithmetic(dtype_, precision)),
        sizes_(sizes_of(task, inputs_)) {}

  Known of(const Expression& node, bool last) {
    if (node.kind == Expression::Kind::Input) return input(inputs_[node.input]);
    if (node.kind == Expression::Kind::Constant) return constant(node.constant);
    std::vector<Known> known;
    for (const Expression& argument : node.args) known.push_back(of(argument, false));
    return value(node, known, last);
  }

 private:
  Known input(const Tensor& x) const {
    if (!x.is_floating_point()) return {x, {}, x};
    Tensor error;
    if (allowed_.input > 0) error = Factors::rounded * rounding_of(x, allowed_.input, allowed_.least);
    return {x, error, x.to(at::kFloat)};
  }

  // A constant that the dtype can't represent is rounded before use.
  Known constant(double number) const {
    const Tensor x = at::scalar_tensor(number, at::kDouble);
    const Tensor stored = rounded_to(x.to(at::kFloat), one_dtype_ ? dtype_ : "f32");
    Tensor error;
    if (stored.item<double>() != number)
      error = at::scalar_tensor(std::abs(stored.item<double>() - number), at::kDouble);
    return {x, error, x.to(at::kFloat)};
  }

  /// The dtype of a node's real numbers: the variation's if the task has one dtype, else the node's own.
  std::string dtype_at(const Expression& node) const {
    if (one_dtype_) return dtype_;
    if (!part_dtype_.empty()) return part_dtype_;
    const std::string own = dtype_of(task_, node);
    return operators::is_floating(own) ? own : "f32";
  }

  Known value(const Expression& node, std::vector<Known> args, bool last) {
    allowed_ = arithmetic(dtype_at(node), precision_);
    const bool follows = row(node.op).reach == Reach::pointwise || takes_elements(node.op);
    if (const auto index = index_of(node); index && is_undecided(args[*index]))
      args[*index] = with_neighbours(args[*index], places(node, args));
    std::size_t others = 0;
    for (const Known& argument : args) others += argument.others.size();
    for (Known& argument : args)
      if (others > most_others || (!follows && argument.exact.is_floating_point()))
        argument = collapsed(argument);
    std::vector<Tensor> exact, eager;
    for (const Known& argument : args) {
      exact.push_back(argument.exact);
      eager.push_back(argument.eager);
    }
    Known out{operator_value(node, exact, sizes_),
              {},
              rounded_to(as_on_gpu(node, eager, operator_value(node, eager, sizes_)), dtype_at(node))};
    Tensor variance = passed_on(node, args, exact, out);
    add(variance, of_others(node, args, exact, follows, out));
    if (!is_exact(node.op)) add(variance, own(node, out.exact));
    if (node.op == Operator::pow) add(variance, of_logarithm(exact, out.exact));
    if (node.op == Operator::to) variance = undecided(variance, node, exact[0]);
    if (const Tensor any = overflowing(node, exact[0]); any.defined())
      variance = (variance.defined() ? variance : at::zeros_like(out.exact)).masked_fill(any, infinity);
    if (!out.exact.is_floating_point()) {
      if (variance.defined() && (variance > 0).any().item<bool>()) out.error = variance.sqrt();
      return out;
    }
    if (!last && allowed_.between > 0 && !is_exact(node.op))
      add(variance, squared(Factors::rounded * rounding_of(out.exact, allowed_.between, allowed_.least)));
    if (variance.defined()) out.error = at::nan_to_num(variance.sqrt(), infinity, infinity);
    if (out.others.empty()) mark_failures(out);
    return out;
  }

  /// Returns the number of the argument that names places of another argument; none for other operators.
  static std::optional<std::size_t> index_of(const Expression& node) {
    switch (node.op) {
      case Operator::embedding:
        return 0;
      case Operator::gather:
      case Operator::index_select:
      case Operator::index_add:
      case Operator::scatter_add:
      case Operator::cross_entropy:
      case Operator::nll_loss:
        return 1;
      default:
        return std::nullopt;
    }
  }

  /// Returns how many places the argument that index_of returns may name.
  static std::int64_t places(const Expression& node, const std::vector<Known>& args) {
    if (node.op == Operator::embedding) return args[1].exact.size(0);
    if (row(node.op).family == operators::Family::losses)
      return args[0].exact.size(args[0].exact.dim() > 1 ? 1 : 0);
    return args[0].exact.size(node.options.at("axis").get<std::int64_t>());
  }

  /// Passes on the other values that the arguments may have. Where the operator `follows` the elements of its
  /// arguments one by one, or where a value is infinite or NaN, the results become other values of `out`;
  /// elsewhere they become a variance, which is returned.
  Tensor of_others(const Expression& node, const std::vector<Known>& args, const std::vector<Tensor>& exact,
                   bool follows, Known& out) const {
    std::size_t most = 0, with = 0;
    for (const Known& argument : args) {
      most = std::max(most, argument.others.size());
      with += !argument.others.empty();
    }
    if (most == 0 || node.op == Operator::index_add || node.op == Operator::scatter_add) return {};
    Tensor variance;
    // First all arguments change at once, since their undecided values may have one cause; then each argument
    // changes by itself.
    for (std::size_t turn = 0; turn < (with > 1 ? args.size() + 1 : 1); ++turn) {
      if (turn > 0 && args[turn - 1].others.empty()) continue;
      std::vector<Tensor> pair;
      for (std::size_t k = 0; k < most; ++k) {
        std::vector<Tensor> other = exact;
        for (std::size_t i = 0; i < args.size(); ++i)
          if (k < args[i].others.size() && (turn == 0 || turn == i + 1)) other[i] = args[i].others[k];
        Tensor got = operator_value(node, other, sizes_);
        if (!follows) {
          const Tensor apart = distance(got, out.exact), measured = apart.isfinite();
          add(variance, squared(apart.masked_fill(measured.logical_not(), 0)));
          got = at::where(measured, out.exact, got);
        }
        pair.push_back(got);
        if (pair.size() == 2) add_pair(out.others, out.exact, pair[0], pair[1]), pair.clear();
      }
    }
    return variance;
  }

  /// Returns `out`, the values of an operator on a CPU, as a GPU computes them. For variances, standard
  /// deviations and the norms in `overflowing`, PyTorch adds squares in f64 on a CPU but in f32 on a GPU.
  /// Where they overflow f32, variances and standard deviations become infinite, and norms NaN.
  static Tensor as_on_gpu(const Expression& node, const std::vector<Tensor>& args, const Tensor& out) {
    const Tensor& x = args[0];
    if (node.op == Operator::var || node.op == Operator::std) {
      const auto n =
          static_cast<double>(x.numel()) / static_cast<double>(std::max<std::int64_t>(1, out.numel()));
      const Tensor values = out.to(at::kDouble),
                   variance = node.op == Operator::std ? squared(values) : values;
      return out.masked_fill(variance * (n - 1) > largest("f32"), infinity);
    }
    const Tensor failed = overflowing(node, x);
    return failed.defined() ? out.masked_fill(failed, std::numeric_limits<double>::quiet_NaN()) : out;
  }

  /// Returns where the squares of a norm over the batch, an instance or a group overflow f32. The norm's
  /// value may be anything there: NaN, as in PyTorch on a GPU, or the bias, if the result is divided by the
  /// root of an infinite variance. An undefined tensor means nowhere.
  static Tensor overflowing(const Expression& node, const Tensor& x) {
    if (node.op != Operator::batch_norm && node.op != Operator::instance_norm &&
        node.op != Operator::group_norm)
      return {};
    const bool of_batch = node.op == Operator::batch_norm;
    const std::int64_t groups = of_batch ? x.size(1)
                                : node.op == Operator::instance_norm
                                    ? x.size(0) * x.size(1)
                                    : x.size(0) * node.options.at("num_groups").get<std::int64_t>();
    const Tensor first = of_batch ? x.transpose(0, 1).contiguous() : x.contiguous();
    const Tensor values = first.to(at::kDouble).reshape({groups, -1});
    const Tensor overflows =
        at::sum(squared(values - at::mean(values, {1}, true)), {1}, true) > largest("f32");
    if (!overflows.any().item<bool>()) return {};
    const Tensor failed = overflows.expand_as(values).reshape(first.sizes());
    return of_batch ? failed.transpose(0, 1) : failed;
  }

  /// Where PyTorch's own f32 gives a wrong number (as in a row whose norm overflows), replaces it by NaN, so
  /// that no later operator, such as a mean over rows, hides the failure. Infinite values are kept, because
  /// they may still lead to a right value, as in 1 / inf.
  static void mark_failures(Known& known) {
    constexpr double wrong = 0.5, beyond_rounding = 64;
    const Tensor exact = known.exact.contiguous(), eager = known.eager.contiguous(),
                 error = known.error.defined() ? known.error.expand_as(exact).contiguous() : Tensor();
    const auto* right = exact.const_data_ptr<double>();
    const auto* got = eager.const_data_ptr<float>();
    const auto* allowed = error.defined() ? error.const_data_ptr<double>() : nullptr;
    const auto failed = [&](std::int64_t i) {
      const double missed = std::abs(static_cast<double>(got[i]) - right[i]);
      return missed > wrong * std::abs(right[i]) && std::isfinite(missed) &&
             missed > beyond_rounding * (allowed != nullptr ? allowed[i] : f32_least);
    };
    Tensor marked;
    for (std::int64_t i = 0; i < exact.numel(); ++i) {
      if (!failed(i)) continue;
      if (!marked.defined()) marked = eager.clone();
      marked.data_ptr<float>()[i] = std::numeric_limits<float>::quiet_NaN();
    }
    if (marked.defined()) known.eager = marked;
  }

  /// Returns the variance with infinity wherever a conversion to integers or 8 bits has no defined value,
  /// since it may give anything there.
  static Tensor undecided(Tensor variance, const Expression& node, const Tensor& x) {
    const std::string dtype = node.options.at("dtype").get<std::string>();
    if (!x.is_floating_point() || operators::is_floating(dtype) || dtype == "bool") return variance;
    const Tensor anything = without_value(node, x);
    if (!anything.any().item<bool>()) return variance;
    if (!variance.defined()) variance = at::zeros_like(x);
    return variance.masked_fill(anything, infinity);
  }

  // The variance that an operator's value inherits from its arguments' errors and from the rounding of its
  // arguments.
  Tensor passed_on(const Expression& node, const std::vector<Known>& args, const std::vector<Tensor>& exact,
                   Known& known) {
    const Tensor& out = known.exact;
    if (node.op == Operator::argsort || node.op == Operator::argmax || node.op == Operator::argmin) {
      const Known places = other_places(node, collapsed(args[0]), out);
      known.others = places.others;
      return places.error;
    }
    if (std::any_of(args.begin(), args.end(), is_undecided) && row(node.op).reach != Reach::pointwise)
      return of_integers(node, args, exact, known);
    // Integers of integers are exact.
    if (!out.is_floating_point() && std::none_of(args.begin(), args.end(), [](const Known& argument) {
          return argument.error.defined();
        }))
      return {};
    if (is_bilinear(node.op)) return of_product(node, args, exact, out);
    if (row(node.op).reach == Reach::attention) {
      std::vector<Known> plain = args;
      for (Known& argument : plain) argument.others.clear();
      return of_attention(node, plain, out);
    }
    if (node.op == Operator::sum || node.op == Operator::mean) return of_sum(node, args[0], out);
    if (node.op == Operator::index_add || node.op == Operator::scatter_add)
      return of_scattered(node, args, out);
    if (node.op == Operator::rotary_embedding) return of_rotary(node, args, out);
    if (node.op == Operator::segment_reduce &&
        (node.options.at("reduce") == "sum" || node.options.at("reduce") == "mean"))
      return of_segments(node, args, out);
    if (node.op == Operator::cumsum) return of_running_sum(node, args[0], out);
    std::vector<Tensor> off(args.size());
    bool any = false;
    for (std::size_t i = 0; i < args.size(); ++i) {
      off[i] = deviation(node, i, args[i]);
      any = any || off[i].defined();
    }
    if (!any) return {};
    return row(node.op).reach == Reach::pointwise ? pointwise(node, args, exact, off, known)
                                                  : mixing(node, exact, off, out);
  }

  /// Returns the variance that comes from integers and conditions decided by rounding, in an operator that
  /// combines several elements.
  Tensor of_integers(const Expression& node, const std::vector<Known>& args, const std::vector<Tensor>& exact,
                     Known& known) {
    const Tensor& out = known.exact;
    const auto compute = [&](const std::vector<Tensor>& of) { return operator_value(node, of, sizes_); };
    const auto index = index_of(node);
    if (!index &&
        std::none_of(exact.begin(), exact.end(), [](const Tensor& one) { return one.is_floating_point(); })) {
      std::vector<Known> all;
      for (const Known& argument : args) all.push_back(collapsed(argument));
      return squared(error_of_integers(all, out, compute));
    }
    if (!index) return of_conditions(node, args, exact, known);
    const Known& places = args[*index];
    std::vector<Known> decided = args;
    decided[*index] = {places.exact, {}, places.eager};
    Tensor variance = std::any_of(decided.begin(), decided.end(), is_undecided)
                          ? squared(error_of_integers(decided, out, compute))
                          : passed_on(node, decided, exact, known);
    const Tensor any =
        places.error.defined() ? places.error.isinf() : at::zeros_like(places.exact, at::kBool);
    if (takes_elements(node.op)) {
      if (!variance.defined()) variance = at::zeros(out.sizes(), at::kDouble);
      return variance.masked_fill(elements_behind(node, any, out), infinity);
    }
    if (any.any().item<bool>()) return at::full(out.sizes(), infinity, at::kDouble);
    if (node.op == Operator::index_add || node.op == Operator::scatter_add)
      add(variance, squared(moved_terms(node, places, exact)));
    return variance;
  }

  /// Returns the variance that comes from undecided conditions among real numbers, such as a computed mask.
  /// The effect of undecided integers has no bound there.
  Tensor of_conditions(const Expression& node, const std::vector<Known>& args,
                       const std::vector<Tensor>& exact, Known& known) {
    const Tensor& out = known.exact;
    std::vector<Known> decided = args;
    std::vector<Tensor> other = exact;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (!is_undecided(args[i])) continue;
      if (exact[i].scalar_type() != at::kBool) return at::full(out.sizes(), infinity, at::kDouble);
      const Known all = collapsed(args[i]);
      decided[i] = {all.exact, {}, all.eager};
      other[i] = moved(all.exact, all.error);
    }
    Tensor variance = passed_on(node, decided, exact, known);
    add(variance, squared(distance(operator_value(node, other, sizes_), out)));
    return variance;
  }

  /// Returns the sum of the terms that index_add or scatter_add may add to another place than the exact
  /// computation does.
  Tensor moved_terms(const Expression& node, const Known& index, const std::vector<Tensor>& exact) const {
    const Tensor source = finite_abs(exact[2]);
    Tensor sum = at::zeros(exact[0].sizes(), source.options());
    for (const Tensor& other : index.others) {
      Tensor open = other != index.exact;
      if (node.op == Operator::index_add) {
        std::vector<std::int64_t> shape(static_cast<std::size_t>(source.dim()), 1);
        shape.at(node.options.at("axis").get<std::size_t>()) = -1;
        open = open.reshape(shape);
      }
      const Tensor moved = source * open;
      for (const Tensor& place : {index.exact, other})
        sum = operator_value(node, {sum, place, moved}, sizes_);
    }
    return sum.to(at::kDouble);
  }

  Tensor deviation(const Expression& node, std::size_t number, const Known& argument) const {
    if (is_exact(node.op) || !argument.exact.is_floating_point()) return argument.error;
    // A conversion to integers or 8 bits converts the computed value without more rounding.
    if (node.op == Operator::to && !operators::is_floating(node.options.at("dtype").get<std::string>()))
      return argument.error;
    // An exponent isn't perturbed, because powers of negative numbers need it to be an integer.
    if (node.op == Operator::pow && number == 1) return argument.error;
    const Tensor off = rounding_of(argument.exact, Factors::computed * f32_unit, f32_least);
    return argument.error.defined() ? (squared(off) + squared(argument.error)).sqrt() : off;
  }

  static Tensor moved(const Tensor& x, const Tensor& by) {
    if (x.scalar_type() == at::kBool) return x.logical_xor(by != 0);
    if (x.is_floating_point()) return x + by;
    // No integer is infinitely far away, so infinite errors are left out here; `pointwise` handles integers
    // that may be any number.
    return x + by.masked_fill(by.isinf(), 0).round().to(x.scalar_type());
  }

  /// Returns an argument that rounding has moved: inside the operator's domain if it was inside before.
  static Tensor within_domain(const Expression& node, std::size_t number, const std::vector<Tensor>& exact,
                              const Tensor& moved) {
    const operators::Domain& domain = operators::domain_of(node.op);
    if (domain.argument != number || !std::isfinite(domain.least)) return moved;
    return at::where(in_domain(node, exact), moved.clamp_min(domain.least), moved);
  }

  /// Returns where an argument lies in the operator's domain, although nearby numbers might not.
  static Tensor in_domain(const Expression& node, const std::vector<Tensor>& exact) {
    const operators::Domain& domain = operators::domain_of(node.op);
    const Tensor in = exact[domain.argument] >= domain.least;
    return domain.whole_powers ? in.logical_and(exact[1] != exact[1].round()) : in;
  }

  // Perturbs each argument by itself, up and down. Since a value depends on one element of each argument, the
  // differences belong to that element.
  Tensor pointwise(const Expression& node, const std::vector<Known>& args, const std::vector<Tensor>& exact,
                   const std::vector<Tensor>& off, Known& out) const {
    const bool floats = out.exact.is_floating_point();
    Perturbed perturbed(out.exact, floats ? operators::domain_of(node.op).step : 0);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (!off[i].defined()) continue;
      const auto with = [&](const Tensor& x) {
        std::vector<Tensor> all = exact;
        all[i] = x;
        return operator_value(node, all, sizes_);
      };
      const auto off_by = [&](const Tensor& by) {
        return with(within_domain(node, i, exact, moved(exact[i], by)));
      };
      const Tensor any = off[i].isinf();
      const bool real = exact[i].is_floating_point(), free = any.any().item<bool>(),
                 discrete = floats && !real && (off[i] <= 1).all().item<bool>();
      perturbed.add(off_by(off[i]), off_by(-off[i]), discrete, free && real ? any : Tensor());
      if (free && !real) perturbed.add_anything(any);
      if (!floats || !real) continue;
      constexpr double nearer = 0x1p-10;
      if (perturbed.left_the_numbers())
        perturbed.add_nearer(off_by(nearer * off[i]), off_by(-nearer * off[i]));
      at_the_edge(node, i, args[i], off[i], with, out);
    }
    for (std::size_t i = 0; i < perturbed.others().size(); i += 2)
      add_pair(out.others, out.exact, perturbed.others()[i], perturbed.others()[i + 1]);
    return perturbed.squares();
  }

  /// Adds the other values of elements whose argument may lie on the edge of the operator's domain or behind
  /// it.
  template <typename With>
  void at_the_edge(const Expression& node, std::size_t number, const Known& x, const Tensor& off,
                   const With& with, Known& out) const {
    const operators::Domain& domain = operators::domain_of(node.op);
    if (domain.argument != number) return;
    if (domain.zero) {
      const Tensor touches = x.exact.abs() <= off;
      if (touches.any().item<bool>())
        for (const double zero : {0.0, -0.0}) {
          const Tensor got = with(x.exact.masked_fill(touches, zero));
          const Tensor other = got.isinf().logical_or((got - out.exact).abs() >= jump(domain.step));
          const Tensor kept = at::where(other, got, out.exact);
          add_pair(out.others, out.exact, kept, kept);
        }
    }
    if (!std::isfinite(domain.least)) return;
    const Tensor outside = (x.exact < domain.least).logical_and(x.exact + off >= domain.least);
    if (outside.any().item<bool>()) {
      const Tensor got = with(x.exact.masked_fill(outside, domain.least));
      add_pair(out.others, out.exact, got, got);
    }
    // NaN is an honest result if the argument was computed and if PyTorch's f32 leaves the domain, too.
    if (!x.error.defined()) return;
    const Tensor leaves = (x.exact >= domain.least).logical_and(x.exact - x.error < domain.least);
    if (!leaves.logical_and(x.eager < domain.least).any().item<bool>()) return;
    const Tensor got = with(x.exact.masked_fill(leaves, domain.least - 1));
    add_pair(out.others, out.exact, got, got);
  }

  static double jump(double step) { return step > 0 ? step / 2 : infinity; }

  // Perturbs all elements of all arguments at once, each up or down at random, which gives the sum of their
  // effects. A few draws are a poor estimate for a single value, so no value's error is taken to be less than
  // the typical one.
  Tensor mixing(const Expression& node, const std::vector<Tensor>& exact, const std::vector<Tensor>& off,
                const Tensor& out) {
    constexpr std::int64_t few = 64;
    const int draws = out.numel() < few ? 8 : 4;
    Furthest furthest(out);
    for (int draw = 0; draw < draws; ++draw) {
      std::vector<Tensor> up = exact, down = exact;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        if (!off[i].defined()) continue;
        const Tensor by = deviations_.like(exact[i]) * off[i];
        up[i] = within_domain(node, i, exact, moved(exact[i], by));
        down[i] = within_domain(node, i, exact, moved(exact[i], -by));
      }
      furthest.add(operator_value(node, up, sizes_), operator_value(node, down, sizes_));
    }
    Tensor variance = furthest.squares() / draws;
    if (!out.is_floating_point() || is_exact(node.op)) return variance;
    const double scale = typical(out);
    const Tensor size = finite_abs(out) + scale;
    const Tensor error = variance.sqrt();
    const Tensor typically = typical(error / finite_abs(out)) * finite_abs(out);
    variance = squared(at::maximum(error, at::clamp_min(typically, typical(error))));
    const double n = terms(node, exact, out);
    add(variance, squared(Factors::summed * 0.42 * f32_unit * std::sqrt(n / 3) * size));
    if (allowed_.between > 0) add(variance, in_task_precision(n, at::zeros_like(size), size));
    return variance;
  }

  // Factors are rounded, and so are partial sums as they grow. After j of n terms t, the sum is about j/n of
  // the total S, with a deviation of the root of j mean squares, so n roundings give the variance n (S²/3 +
  // Σt²/2) u².
  Tensor of_product(const Expression& node, const std::vector<Known>& args, const std::vector<Tensor>& exact,
                    const Tensor& out) const {
    // Squares overflow f32 before the values do.
    const double a = scale_of(exact[0]), b = scale_of(exact[1]);
    constexpr double ordinary = 1e6;
    const bool wide = a > ordinary * typical(exact[0]) || b > ordinary * typical(exact[1]);
    const at::ScalarType type = wide ? at::kDouble : at::kFloat;
    const auto product = [&](const Tensor& x, const Tensor& y) {
      return operator_value(node, {finite(x).to(type), finite(y).to(type)}, sizes_).to(at::kDouble);
    };
    const Tensor a2 = squared(finite(exact[0]) / a), b2 = squared(finite(exact[1]) / b);
    const Tensor squares = product(a2, b2) * (a * a * b * b);
    const double factor = Factors::computed * f32_unit + Factors::rounded * allowed_.product;
    const double n = terms_of_product(node, exact);
    const double rounding = Factors::summed * 0.42 * f32_unit;
    Tensor variance = (2 * factor * factor + rounding * rounding * n / 2) * squares +
                      (rounding * rounding * n / 3 + factor * factor) * squared(finite_abs(out));
    if (allowed_.between > 0) add(variance, in_task_precision(n, squares, finite_abs(out)));
    if (args[0].error.defined()) add(variance, product(squared(args[0].error / a), b2) * (a * a * b * b));
    if (args[1].error.defined()) add(variance, product(a2, squared(args[1].error / b)) * (a * a * b * b));
    for (const std::size_t i : {0, 1}) {
      if (!args[i].error.defined() || !args[i].error.isinf().any().item<bool>()) continue;
      std::vector<Tensor> reached = {at::ones_like(a2), at::ones_like(b2)};
      reached[i] = args[i].error.isinf().to(at::kDouble).expand_as(reached[i]);
      variance = variance.masked_fill(product(reached[0], reached[1]) > 0, infinity);
    }
    // If a product overflows f32, methods that add it up from several products, such as tf32x3, give NaN.
    variance = variance.masked_fill(finite_abs(out) > std::numeric_limits<float>::max(), infinity);
    if (args.size() > 2 && args[2].exact.defined()) {
      // A bias lies along the last axis of a linear layer and along the second axis of a convolution.
      Tensor bias = squared(Factors::computed * f32_unit * finite_abs(exact[2]));
      if (args[2].error.defined()) bias = bias + squared(args[2].error);
      if (node.op != Operator::linear) {
        std::vector<std::int64_t> shape(static_cast<std::size_t>(out.dim()), 1);
        shape[1] = -1;
        bias = bias.reshape(shape);
      }
      add(variance, bias.expand_as(out));
    }
    return variance;
  }

  // Attention errs as its parts would if a task wrote them one by one: the scores, their softmax, and the
  // product of its weights with the values. A kernel rounds the weights, and often query * scale, to the
  // inputs' dtype before each product; the parts are rounded in the same way here.
  Tensor of_attention(const Expression& node, const std::vector<Known>& args, const Tensor& out) {
    part_dtype_ = dtype_at(node);
    const auto found = node.attributes.find("scale");
    const double scale = found != node.attributes.end()
                             ? found->second
                             : 1 / std::sqrt(static_cast<double>(args[0].exact.size(-1)));
    const Known keys = for_heads_of(args[0], args[1]), values = for_heads_of(args[0], args[2]);
    Known scores = value(part(Operator::matmul), {args[0], transposed(keys)}, false);
    scores = value(part(Operator::mul), {scores, constant(scale)}, false);
    Tensor hidden;  // where a mask hides the scores
    if (args.size() > 3 && args[3].exact.is_floating_point())
      scores = value(part(Operator::add), {scores, args[3]}, false);
    else if (args.size() > 3)
      hidden = args[3].exact.logical_not();
    if (node.options.at("is_causal").get<bool>())
      hidden = at::ones_like(scores.exact, at::kBool).tril().logical_not();
    Expression softmax = part(Operator::softmax);
    softmax.axis = static_cast<int>(scores.exact.dim()) - 1;
    Known weights = value(softmax, {without(scores, hidden, -infinity)}, false);
    weights = without(weights, hidden, 0);
    allowed_ = arithmetic(part_dtype_, precision_);
    part_dtype_.clear();
    return of_product(part(Operator::matmul), {weights, values}, {weights.exact, values.exact}, out);
  }

  /// Returns the variance of a sum at each place, computed from the terms' squares, their number, and the
  /// squares of their errors. `sum` adds up tensors of the arguments' shapes as the operator does. Partial
  /// sums grow with the sum and with the root of the squares. In half precision, atomic additions round each
  /// partial sum.
  template <typename Sum>
  Tensor of_additions(const std::vector<const Known*>& terms, const Tensor& out, Sum sum) const {
    std::vector<Tensor> squares, ones, errors;
    bool any = false;
    for (const Known* term : terms) {
      squares.push_back(squared(finite(term->exact)));
      ones.push_back(at::ones_like(term->exact));
      errors.push_back(term->error.defined() ? squared(term->error) : at::zeros_like(term->exact));
      any = any || term->error.defined();
    }
    const Tensor total = sum(squares), count = sum(ones), size = squared(finite_abs(out));
    const double rounding = squared(Factors::summed * 0.42 * f32_unit),
                 factor = squared(Factors::computed * f32_unit);
    Tensor variance = (rounding / 2 * count + factor) * total + (rounding / 3 * count + factor) * size;
    if (allowed_.between > 0)
      add(variance,
          squared(Factors::accumulated * allowed_.between) * (count / 2 * total + (count / 3 + 2) * size));
    if (any) add(variance, sum(errors));
    return variance;
  }

  /// index_add and scatter_add.
  Tensor of_scattered(const Expression& node, const std::vector<Known>& args, const Tensor& out) const {
    return of_additions({&args[0], &args[2]}, out, [&](const std::vector<Tensor>& of) {
      return operator_value(node, {of[0], args[1].exact, of[1]}, sizes_);
    });
  }

  /// Returns the variance of sums and means of segments. A mean is a sum divided by a number, so the variance
  /// of the sum is divided by the square of that number.
  Tensor of_segments(const Expression& node, const std::vector<Known>& args, const Tensor& out) const {
    Expression sums = node;
    sums.options["reduce"] = "sum";
    const auto sum = [&](const std::vector<Tensor>& of) {
      return operator_value(sums, {of[0], args[1].exact}, sizes_);
    };
    if (node.options.at("reduce") == "sum") return of_additions({&args[0]}, out, sum);
    const Tensor lengths = sum({at::ones_like(args[0].exact)});
    return finite(of_additions({&args[0]}, out * lengths, sum) / squared(lengths));
  }

  /// Each of the two products of a turned pair is rounded.
  Tensor of_rotary(const Expression& node, const std::vector<Known>& args, const Tensor& out) const {
    const auto products = [&](const Tensor& x, const Tensor& cos, const Tensor& sin) {
      const Tensor zeros = at::zeros_like(cos);
      return operator_value(node, {x, cos, zeros}, sizes_).abs() +
             operator_value(node, {x, zeros, sin}, sizes_).abs();
    };
    const Tensor x = squared(finite(args[0].exact)), cos = squared(finite(args[1].exact)),
                 sin = squared(finite(args[2].exact));
    const double factor = Factors::computed * f32_unit + Factors::rounded * allowed_.between;
    Tensor variance =
        squared(factor) * products(x, cos, sin) + squared(Factors::computed * f32_unit * finite_abs(out));
    const auto error = [&](std::size_t i) { return squared(args[i].error); };
    if (args[0].error.defined()) add(variance, products(error(0), cos, sin));
    if (args[1].error.defined()) add(variance, products(x, error(1), at::zeros_like(sin)));
    if (args[2].error.defined()) add(variance, products(x, at::zeros_like(cos), error(2)));
    return variance;
  }

  static Expression part(Operator op) {
    Expression node;
    node.kind = Expression::Kind::Operator;
    node.op = op;
    return node;
  }

  // Repeats the keys or values for each head of the query if several of its heads share one.
  static Known for_heads_of(const Known& query, Known x) {
    const std::int64_t heads = query.exact.size(-3), own = x.exact.size(-3);
    if (heads == own || own == 0) return x;
    for (Tensor* const one : {&x.exact, &x.error, &x.eager})
      if (one->defined()) *one = one->repeat_interleave(heads / own, -3);
    return x;
  }

  static Known transposed(Known x) {
    for (Tensor* const one : {&x.exact, &x.error, &x.eager})
      if (one->defined()) *one = one->transpose(-2, -1);
    return x;
  }

  // Returns `x` with an exact number in place of its value where `hidden` holds.
  static Known without(Known x, const Tensor& hidden, double number) {
    if (!hidden.defined()) return x;
    x.exact = x.exact.masked_fill(hidden, number);
    x.eager = x.eager.masked_fill(hidden, number);
    if (x.error.defined()) x.error = x.error.masked_fill(hidden, 0);
    return x;
  }

  static double terms_of_product(const Expression& node, const std::vector<Tensor>& exact) {
    if (node.op == Operator::matmul) return static_cast<double>(exact[0].size(-1));
    if (node.op == Operator::linear) return static_cast<double>(exact[1].size(-1));
    if (node.op == Operator::einsum) {
      const auto equation = operators::parse_einsum(node.options.at("equation").get<std::string>()).value();
      double terms = 1;
      for (const char letter : equation.summed()) {
        const std::size_t of_x = equation.x.find(letter);
        terms *= static_cast<double>(of_x != std::string::npos
                                         ? exact[0].size(static_cast<std::int64_t>(of_x))
                                         : exact[1].size(static_cast<std::int64_t>(equation.y.find(letter))));
      }
      return terms;
    }
    const Tensor& w = exact[1];
    return static_cast<double>(w.numel()) /
           static_cast<double>(
               w.size(row(node.op).family == operators::Family::transposed_convolutions ? 1 : 0));
  }

  // The largest finite magnitude, or 1 if there is none.
  static double scale_of(const Tensor& x) {
    const double most = finite_abs(x).max().item<double>();
    return most > 0 ? most : 1;
  }

  // The variance of a sum of n terms in the task's own half precision, as `tl.sum` of loaded f16 computes it:
  // the terms of a thread one after another, then by halves. Each level rounds partial sums of j terms, whose
  // squares add up to j/n of the total's square and the squares of the terms.
  Tensor in_task_precision(double n, const Tensor& squares, const Tensor& out) const {
    const double one_after_another = std::max(8.0, n / 32);  // threads of a block side by side
    const double unit = Factors::accumulated * allowed_.between;
    return unit * unit * ((one_after_another + std::log2(std::max(n, 1.0))) * squares + 2 * squared(out));
  }

  Tensor of_sum(const Expression& node, const Known& x, const Tensor& out) const {
    const double n =
        static_cast<double>(x.exact.numel()) / static_cast<double>(std::max<std::int64_t>(1, out.numel()));
    const bool mean = node.op == Operator::mean;
    const auto total = [&](const Tensor& terms) { return operator_value(node, {terms}, sizes_); };
    const double whole = mean ? 1 / n : 1;  // `total` of a mean divides by n once, and a variance needs n²
    const double rounding = Factors::summed * 0.42 * f32_unit;
    const double factor = Factors::computed * f32_unit;
    Tensor variance =
        (rounding * rounding * n / 2 + factor * factor) * whole * total(squared(finite(x.exact))) +
        rounding * rounding * n / 3 * squared(finite_abs(out));
    if (allowed_.between > 0)
      add(variance, in_task_precision(n, whole * total(squared(finite(x.exact))), finite_abs(out)));
    if (x.error.defined()) add(variance, whole * total(squared(x.error)));
    add(variance, squared(Factors::eager / (mean ? n : 1) * serial_error(node, x.exact, out)));
    return variance;
  }

  // Returns the errors of f32 sums that add one term after another. If many terms are equal, as in the rows
  // of a small table, their roundings don't average out.
  static Tensor serial_error(const Expression& node, const Tensor& x, const Tensor& out) {
    std::vector<bool> reduced(static_cast<std::size_t>(x.dim()), node.axis < 0 && node.axes.empty());
    if (node.axis >= 0) reduced[static_cast<std::size_t>(node.axis)] = true;
    for (const int axis : node.axes) reduced[static_cast<std::size_t>(axis)] = true;
    std::vector<std::int64_t> order;
    for (const bool last : {false, true})
      for (std::size_t axis = 0; axis < reduced.size(); ++axis)
        if (reduced[axis] == last) order.push_back(static_cast<std::int64_t>(axis));
    const Tensor terms = finite(x).to(at::kDouble).permute(order).contiguous(),
                 errors = at::zeros(out.sizes(), at::kDouble);
    const std::int64_t sums = out.numel(), n = sums > 0 ? terms.numel() / sums : 0;
    const double* term = terms.const_data_ptr<double>();
    double* error = errors.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < sums; ++i) {
      float serial = 0;
      double exact = 0;
      for (std::int64_t k = 0; k < n; ++k, ++term) serial += static_cast<float>(*term), exact += *term;
      error[i] = std::abs(serial - exact);
    }
    return at::clamp_min(finite(errors), typical(errors));
  }

  Tensor of_running_sum(const Expression& node, const Known& x, const Tensor& out) const {
    const auto total = [&](const Tensor& terms) { return operator_value(node, {terms}, sizes_); };
    const double rounding = Factors::summed * 0.42 * f32_unit;
    Tensor variance = squared(rounding) * total(squared(finite_abs(out)));
    if (allowed_.between > 0) {
      const Tensor size = finite_abs(out) + typical(out);
      add(variance, in_task_precision(static_cast<double>(x.exact.numel()), squared(size), size));
    }
    if (x.error.defined()) add(variance, total(squared(x.error)));
    add(variance, squared(Factors::eager * serial_running_error(node, x.exact)));
    return variance;
  }

  // Returns the largest errors so far of f32 running sums that add one term after another. Recursive
  // summation may err by (n - 1) u times the sum of magnitudes (Higham, "Accuracy and Stability of Numerical
  // Algorithms", 4.2), and it does so if the roundings have one sign, as for equal terms. The standard
  // deviation above assumes independent roundings.
  static Tensor serial_running_error(const Expression& node, const Tensor& x) {
    const Tensor terms = finite(x).to(at::kDouble).movedim(node.axis, -1).contiguous(),
                 errors = at::zeros(terms.sizes(), at::kDouble);
    const std::int64_t n = terms.size(-1), sums = n > 0 ? terms.numel() / n : 0;
    const double* term = terms.const_data_ptr<double>();
    double* error = errors.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < sums; ++i) {
      float serial = 0;
      double exact = 0, most = 0;
      for (std::int64_t k = 0; k < n; ++k, ++term, ++error) {
        serial += static_cast<float>(*term), exact += *term;
        *error = most = std::max(most, std::abs(serial - exact));
      }
    }
    return finite(errors).movedim(-1, node.axis);
  }

  // The variance that an operator's own arithmetic adds.
  Tensor own(const Expression& node, const Tensor& out) const {
    if (!out.is_floating_point()) return {};
    const double unit = Factors::computed * f32_unit;
    double floor = squared(unit * typical(out)) + squared(f32_least);
    if (row(node.op).rounding == Rounding::beside_one) floor += squared(Factors::beside_one * f32_unit);
    return squared(unit * finite_abs(out)) + floor;
  }

  // x^y is computed as 2^(y log2 x), whose exponent is rounded relative to its magnitude.
  static Tensor of_logarithm(const std::vector<Tensor>& exact, const Tensor& out) {
    const Tensor exponent = finite(exact[1] * at::log(exact[0].abs()));
    return squared(Factors::computed * f32_unit * exponent * finite_abs(out));
  }

  /// Returns how far rounding moves a number if numbers below `least` may become 0. For 0 this is 0.
  static Tensor rounding_of(const Tensor& x, double unit, double least) {
    const Tensor size = finite_abs(x);
    return unit * size + size.clamp_max(least);
  }

  static Tensor distance(const Tensor& one, const Tensor& other) {
    return (one.to(at::kDouble) - other.to(at::kDouble)).abs();
  }

  static Tensor finite(const Tensor& x) { return at::nan_to_num(x, 0, 0, 0); }
  static Tensor finite_abs(const Tensor& x) { return finite(x).abs(); }

  static void add(Tensor& variance, const Tensor& more) {
    if (more.defined()) variance = variance.defined() ? variance + more : more;
  }

  static constexpr std::size_t most_others = 16;

  const Task& task_;
  std::vector<Tensor> inputs_;
  std::string dtype_;
  bool one_dtype_;
  std::string part_dtype_;  // the dtype of the operator whose parts are being computed; empty outside of one
  Precision precision_;
  Arithmetic allowed_;  // the arithmetic allowed for the node whose value is being computed
  Sizes sizes_;
  Deviations deviations_;
};

class Lowering {
 public:
  Lowering(const Task& task, std::vector<Tensor> inputs, Lowered what, int significand)
      : inputs_(std::move(inputs)), what_(what), bits_(significand), sizes_(sizes_of(task, inputs_)) {}

  Tensor of(const Expression& node, bool last = true) const {
    const bool all = what_ == Lowered::everything;
    if (node.kind == Expression::Kind::Input)
      return lowered(inputs_[node.input], all || what_ == Lowered::inputs);
    if (node.kind == Expression::Kind::Constant) return at::scalar_tensor(node.constant, at::kDouble);
    const bool factors = what_ == Lowered::products || what_ == Lowered::truncated_products || all;
    std::vector<Tensor> args;
    for (const Expression& argument : node.args)
      args.push_back(lowered(of(argument, false), factors && is_product(node.op)));
    return lowered(operator_value(node, args, sizes_), all || (last && what_ == Lowered::output));
  }

 private:
  // Veltkamp's splitting rounds to the nearest number with `bits_` bits, by adding a multiple and subtracting
  // it again.
  Tensor lowered(const Tensor& x, bool yes) const {
    if (!yes || !x.is_floating_point()) return x;
    const int dropped = std::numeric_limits<double>::digits - bits_;
    if (what_ == Lowered::truncated_products)
      return x.contiguous().view(at::kLong).bitwise_and(-(std::int64_t{1} << dropped)).view(at::kDouble);
    const Tensor shifted = x * (std::ldexp(1, dropped) + 1);
    return at::where(shifted.isfinite(), shifted - (shifted - x), x);
  }

  std::vector<Tensor> inputs_;
  Lowered what_;
  int bits_;
  Sizes sizes_;
};

}  // namespace

OutputRounding output_rounding(const std::string& dtype, Precision precision) {
  const Arithmetic allowed = arithmetic(dtype, precision);
  // Operators that round nothing may still be computed by operators that do, and their values are rounded
  // when they are stored.
  const double unit = Factors::computed * f32_unit;
  return {unit + (allowed.output > f32_unit ? 1.01 * allowed.output : 0), unit, allowed.least};
}

LeastError least_error(const Tensor& value, const std::vector<Tensor>& inputs, const std::string& dtype,
                       Precision precision) {
  const OutputRounding rounding = output_rounding(dtype, precision);
  LeastError least{rounding.relative, rounding.computed * typical(value) + rounding.least};
  // If all values are zero, there is no typical magnitude. Numbers that are this much smaller than the inputs
  // then count as zero.
  double inputs_typical = 0;
  for (const Tensor& input : inputs)
    if (input.is_floating_point()) inputs_typical = std::max(inputs_typical, typical(input));
  least.absolute += std::pow(rounding.computed, 3) * inputs_typical;
  return least;
}

HonestValue honest_value(const Task& task, const std::vector<Tensor>& inputs, const std::string& dtype,
                         Precision precision) {
  const Known known =
      ErrorPropagation(task, exact_inputs(task, inputs), dtype, precision).of(task.value, true);
  const Tensor exact = known.exact.to(at::kDouble);
  std::vector<Tensor> others;
  for (const Tensor& other : known.others) others.push_back(other.to(at::kDouble).expand_as(exact));
  if (!known.exact.is_floating_point())
    return {exact, others.empty() || known.error.defined() ? known.error : at::zeros_like(exact), others};
  const Arithmetic allowed = arithmetic(dtype, precision);
  const LeastError least = least_error(exact, inputs, dtype, precision);
  const Tensor size = at::nan_to_num(exact, 0, 0, 0).abs();
  Tensor error = least.relative * size + least.absolute;
  if (known.error.defined()) error = error + known.error;
  // If PyTorch itself gives NaN or an infinity on the same inputs, other implementations may, too. PyTorch's
  // error in half precision is rounding, which is bounded above; in f32, its order of computation is only one
  // of many.
  const Tensor eager = known.eager.to(at::kDouble);
  const Tensor missed = (eager - exact).abs();
  // A value beyond the dtype's range rounds to infinity.
  const Tensor beyond = eager.isinf().logical_and(size * (1 + f16_unit) > largest(dtype));
  const Tensor fails = differ(eager, exact).logical_and(missed.isfinite().logical_or(beyond).logical_not());
  if (fails.any().item<bool>()) {
    const auto instead = [&](const Tensor& other) { return at::where(fails, other, exact); };
    add_pair(others, exact, instead(eager), instead(eager));
    for (const double other : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
      const Tensor got = exact.masked_fill(fails.logical_and(eager.isfinite().logical_not()), other);
      add_pair(others, exact, got, got);
    }
  }
  const double times = allowed.output > f32_unit ? 1 : Factors::eager;
  error = at::maximum(error, times * missed.masked_fill(missed.isfinite().logical_not(), 0));
  return {exact, at::nan_to_num(error, infinity, infinity, infinity), others};
}

Tensor lowered_value(const Task& task, const std::vector<Tensor>& inputs, Lowered what, int significand) {
  return Lowering(task, exact_inputs(task, inputs), what, significand).of(task.value).to(at::kDouble);
}

bool uses_products(const Expression& expression) {
  return (expression.kind == Expression::Kind::Operator && is_product(expression.op)) ||
         std::any_of(expression.args.begin(), expression.args.end(), uses_products);
}

}  // namespace trl::runtime
