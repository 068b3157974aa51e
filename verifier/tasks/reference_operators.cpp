#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "base/tensors/scalar_type.hpp"
#include "verifier/tasks/reference.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
using nlohmann::json;

/// A node and the values of its arguments.
struct Node {
  const Expression& expression;
  const std::vector<Tensor>& args;
  const Sizes& sizes;

  const Tensor& operator[](std::size_t i) const { return args.at(i); }
  /// An optional argument.
  std::optional<Tensor> maybe(std::size_t i) const {
    return i < args.size() ? std::optional<Tensor>(args[i]) : std::nullopt;
  }
  const json& option(const char* name) const { return expression.options.at(name); }
  std::int64_t integer(const char* name) const { return parse_extent(option(name)).at(sizes); }
  bool flag(const char* name) const { return option(name).get<bool>(); }
  /// An option that the task leaves out if it has its default value.
  std::int64_t quiet_integer(const char* name) const {
    return expression.options.contains(name)
               ? integer(name)
               : operators::row(expression.op).parameter(name)->default_value.get<std::int64_t>();
  }
  bool quiet_flag(const char* name) const { return expression.options.contains(name) && flag(name); }
  std::string word(const char* name) const { return option(name).get<std::string>(); }
  std::vector<std::int64_t> list(const char* name) const {
    std::vector<std::int64_t> out;
    const json& own = option(name);
    for (const json& item : own.is_array() ? own : json::array({own}))
      out.push_back(parse_extent(item).at(sizes));
    return out;
  }
  double number(const char* name) const { return attribute(expression, name); }
  /// An optional number.
  std::optional<double> given(const char* name) const {
    const auto found = expression.attributes.find(name);
    return found == expression.attributes.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<at::Scalar> bound(const char* name) const {
    const auto own = given(name);
    return own ? std::optional<at::Scalar>(scalar(*own)) : std::nullopt;
  }
  /// A number in the kind of x's numbers: an integer if x has integers.
  at::Scalar scalar(double number) const {
    if (at::isIntegralType(args[0].scalar_type(), /*includeBool=*/false))
      return static_cast<std::int64_t>(number);
    return number;
  }
  /// Only operators of Form::Stated have their axis among the options; others have it in `axis`.
  bool stated() const { return form_of(expression.op) == Form::Stated; }
  std::int64_t axis() const { return stated() ? integer("axis") : expression.axis; }
  std::vector<std::int64_t> axes() const {
    if (stated()) return list("axis");
    return expression.axis >= 0 ? std::vector<std::int64_t>{expression.axis} : expression.axes;
  }
  bool keepdim() const { return stated() ? flag("keepdim") : expression.keepdim; }
  /// Returns the axis of a reduction over one axis; nothing if the reduction is over all axes.
  std::optional<std::int64_t> one_axis() const {
    if (option("axis").is_array()) return std::nullopt;
    return axis();
  }
  std::int64_t reduction() const {
    const std::string name = option("reduction").get<std::string>();
    return name == "none" ? at::Reduction::None : name == "mean" ? at::Reduction::Mean : at::Reduction::Sum;
  }
};

/// x * weight + bias, where weight and bias are optional.
Tensor weighted(const Tensor& x, const Node& n) {
  if (n.args.size() == 1) return x;
  return n.args.size() == 2 ? x * n[1] : x * n[1] + n[2];
}

Tensor layer_norm(const Node& n) {
  const Tensor centred = n[0] - at::mean(n[0], n.axes(), true);
  return weighted(centred * at::rsqrt(at::mean(centred * centred, n.axes(), true) + n.number("eps")), n);
}

/// Throws UserError for a norm over single values, which PyTorch's modules refuse, too: the variance is 0,
/// and any rounding would be divided by the root of eps.
void several_values(const Node& n, std::int64_t count) {
  if (count == 1)
    throw UserError(fmt::format("{} is over one value, which PyTorch refuses", name_of(n.expression.op)),
                    "take sizes with which it is over several");
}

Tensor transpose(const Node& n) {
  const bool named = n.expression.options.contains("axis0");
  return n[0].transpose(named ? n.integer("axis0") : 0, named ? n.integer("axis1") : 1).contiguous();
}

Tensor prod(const Node& n) {
  const auto axis = n.one_axis();
  return axis ? at::prod(n[0], *axis, n.keepdim()) : at::prod(n[0]);
}

Tensor kl_div(const Node& n) {
  const Tensor loss = at::kl_div(n[0], n[1], n.reduction(), n.flag("log_target"));
  return n.option("reduction") == "batchmean" ? loss / n[0].size(0) : loss;
}

/// Passes the arguments of a convolution or transposed convolution to `function` in ATen's order.
template <typename Function>
Tensor convolved(const Node& n, Function function) {
  return function(n[0], n[1], n.maybe(2), n.list("stride"), n.list("padding"), n.list("dilation"),
                  n.integer("groups"));
}

template <typename Function>
Tensor transposed(const Node& n, Function function) {
  return function(n[0], n[1], n.maybe(2), n.list("stride"), n.list("padding"), n.list("output_padding"),
                  n.integer("groups"), n.list("dilation"));
}

template <typename Function>
Tensor largest(const Node& n, Function function) {
  return function(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"), n.list("dilation"));
}

/// Converts to the option's dtype. Storage types of 8 bits and integers round here. f16 and bf16 don't, since
/// a computation may keep more bits (honest_error.hpp).
Tensor converted(const Node& n) {
  const std::string dtype = n.word("dtype");
  if (operators::is_storage(dtype)) {
    const Tensor x = n[0].is_floating_point() ? n[0] : n[0].to(at::kDouble);
    return x.to(scalar_type(dtype)).to(x.scalar_type());
  }
  if (operators::is_floating(dtype)) return n[0].is_floating_point() ? n[0] : n[0].to(at::kDouble);
  return n[0].to(exact_type(dtype));
}

/// Pairs (a, b) become (a cos − b sin, b cos + a sin).
Tensor rotary(const Node& n) {
  const Tensor &x = n[0], &cos = n[1], &sin = n[2];
  const bool interleaved = n.flag("interleaved");
  const Tensor pairs = interleaved ? x.unflatten(-1, {-1, 2}) : x.unflatten(-1, {2, -1});
  const std::int64_t axis = interleaved ? -1 : -2;
  const Tensor a = pairs.select(axis, 0), b = pairs.select(axis, 1);
  return at::stack({a * cos - b * sin, b * cos + a * sin}, axis).flatten(-2);
}

/// All elements of several tensors in f64.
Tensor one_after_another(const std::vector<Tensor>& all) {
  std::vector<Tensor> flat;
  for (const Tensor& one : all) flat.push_back(one.reshape({-1}).to(at::kDouble));
  return at::cat(flat);
}

Tensor segments(const Node& n) {
  return at::segment_reduce(n[0], n.word("reduce"), std::nullopt, std::nullopt, n[1], 0, /*unsafe=*/true);
}

// Without `default`: an operator of the table that has no reference doesn't compile.
Tensor computed(const Node& n) {
  switch (n.expression.op) {
    case Operator::abs:
      return at::abs(n[0]);
    case Operator::isfinite:
      return at::isfinite(n[0]);
    case Operator::isinf:
      return at::isinf(n[0]);
    case Operator::isnan:
      return at::isnan(n[0]);
    case Operator::to:
      return converted(n);
    case Operator::ceil:
      return at::ceil(n[0]);
    case Operator::celu:
      return at::celu(n[0], n.number("alpha"));
    case Operator::clamp:
      return at::clamp(n[0], n.bound("min"), n.bound("max"));
    case Operator::cos:
      return at::cos(n[0]);
    case Operator::cosh:
      return at::cosh(n[0]);
    case Operator::deg2rad:
      return at::deg2rad(n[0]);
    case Operator::elu:
      return at::elu(n[0], n.number("alpha"));
    case Operator::erf:
      return at::erf(n[0]);
    case Operator::exp:
      return at::exp(n[0]);
    case Operator::exp2:
      return at::exp2(n[0]);
    case Operator::expm1:
      return at::expm1(n[0]);
    case Operator::floor:
      return at::floor(n[0]);
    case Operator::gelu:
      return at::gelu(n[0], n.expression.options.contains("approximate") ? "tanh" : "none");
    case Operator::hardshrink:
      return at::hardshrink(n[0], n.number("lambd"));
    case Operator::hardsigmoid:
      return at::hardsigmoid(n[0]);
    case Operator::hardswish:
      return at::hardswish(n[0]);
    case Operator::hardtanh:
      return at::clamp(n[0], n.number("min_val"), n.number("max_val"));
    case Operator::leaky_relu:
      return at::leaky_relu(n[0], n.number("negative_slope"));
    case Operator::log:
      return at::log(n[0]);
    case Operator::log1p:
      return at::log1p(n[0]);
    case Operator::log2:
      return at::log2(n[0]);
    case Operator::logsigmoid:
      return at::log_sigmoid(n[0]);
    case Operator::mish:
      return at::mish(n[0]);
    case Operator::neg:
      return at::neg(n[0]);
    case Operator::reciprocal:
      return at::reciprocal(n[0]);
    case Operator::relu:
      return at::relu(n[0]);
    case Operator::relu6:
      return at::clamp(n[0], 0, 6);
    case Operator::rsqrt:
      return at::rsqrt(n[0]);
    case Operator::selu:
      return at::selu(n[0]);
    case Operator::sigmoid:
      return at::sigmoid(n[0]);
    case Operator::sign:
      return at::sign(n[0]);
    case Operator::silu:
      return at::silu(n[0]);
    case Operator::sin:
      return at::sin(n[0]);
    case Operator::sinh:
      return at::sinh(n[0]);
    // PyTorch's softplus is x above its threshold of 20; in f64 the difference is 2e-9.
    case Operator::softplus:
      return at::softplus(n[0]);
    case Operator::softshrink:
      return at::softshrink(n[0], n.number("lambd"));
    case Operator::softsign:
      return n[0] / (at::abs(n[0]) + 1);
    case Operator::sqrt:
      return at::sqrt(n[0]);
    case Operator::square:
      return at::square(n[0]);
    case Operator::tanh:
      return at::tanh(n[0]);
    case Operator::tanhshrink:
      return n[0] - at::tanh(n[0]);
    case Operator::asinh:
      return at::asinh(n[0]);
    case Operator::atan:
      return at::atan(n[0]);
    case Operator::erfc:
      return at::erfc(n[0]);
    case Operator::frac:
      return at::frac(n[0]);
    case Operator::log10:
      return at::log10(n[0]);
    case Operator::logical_not:
      return at::logical_not(n[0]);
    case Operator::prelu:
      return at::prelu(n[0], n[1]);
    case Operator::round:
      return at::round(n[0]);
    case Operator::sinc:
      return at::sinc(n[0]);
    case Operator::tan:
      return at::tan(n[0]);
    case Operator::threshold:
      return at::threshold(n[0], n.number("threshold"), n.number("value"));
    case Operator::trunc:
      return at::trunc(n[0]);
    case Operator::add:
      return n[0] + n[1];
    case Operator::div:
      return n[0] / n[1];
    case Operator::hypot:
      return at::hypot(n[0], n[1]);
    case Operator::lerp:
      return at::lerp(n[0], n[1], n.number("weight"));
    case Operator::logaddexp:
      return at::logaddexp(n[0], n[1]);
    case Operator::maximum:
      return at::maximum(n[0], n[1]);
    case Operator::minimum:
      return at::minimum(n[0], n[1]);
    case Operator::mul:
      return n[0] * n[1];
    case Operator::sub:
      return n[0] - n[1];
    case Operator::atan2:
      return at::atan2(n[0], n[1]);
    case Operator::eq:
      return at::eq(n[0], n[1]);
    case Operator::ge:
      return at::ge(n[0], n[1]);
    case Operator::gt:
      return at::gt(n[0], n[1]);
    case Operator::le:
      return at::le(n[0], n[1]);
    case Operator::logical_and:
      return at::logical_and(n[0], n[1]);
    case Operator::logical_or:
      return at::logical_or(n[0], n[1]);
    case Operator::lt:
      return at::lt(n[0], n[1]);
    case Operator::masked_fill:
      return at::masked_fill(n[0], n[1], n.scalar(n.number("value")));
    case Operator::ne:
      return at::ne(n[0], n[1]);
    case Operator::pow:
      return at::pow(n[0], n[1]);
    case Operator::remainder:
      return at::remainder(n[0], n[1]);
    case Operator::where:
      return at::where(n[0], n[1], n[2]);
    case Operator::amax:
      return at::amax(n[0], n.axes(), n.keepdim());
    case Operator::amin:
      return at::amin(n[0], n.axes(), n.keepdim());
    case Operator::logsumexp:
      return at::logsumexp(n[0], n.axes(), n.keepdim());
    case Operator::mean:
      return at::mean(n[0], n.axes(), n.keepdim());
    case Operator::std:
      return at::std(n[0], n.axes(), 1, n.keepdim());
    case Operator::sum:
      return at::sum(n[0], n.axes(), n.keepdim());
    case Operator::var:
      return at::var(n[0], n.axes(), 1, n.keepdim());
    case Operator::vector_norm:
      return at::linalg_vector_norm(n[0], 2, n.axes(), n.keepdim());
    case Operator::all:
      return at::all(n[0], n.axes(), n.keepdim());
    case Operator::any:
      return at::any(n[0], n.axes(), n.keepdim());
    case Operator::argmax:
      return at::argmax(n[0], n.one_axis(), n.keepdim());
    case Operator::argmin:
      return at::argmin(n[0], n.one_axis(), n.keepdim());
    case Operator::prod:
      return prod(n);
    case Operator::cumsum:
      return at::cumsum(n[0], n.axis());
    case Operator::layer_norm:
      return layer_norm(n);
    case Operator::log_softmax:
      return at::log_softmax(n[0], n.axis());
    case Operator::normalize:
      return n[0] / at::clamp_min(at::linalg_vector_norm(n[0], 2, n.axes(), true), n.number("eps"));
    case Operator::rms_norm:
      return weighted(n[0] * at::rsqrt(at::mean(n[0] * n[0], n.axes(), true) + n.number("eps")), n);
    case Operator::softmax:
      return at::softmax(n[0], n.axis());
    case Operator::softmin:
      return at::softmax(-n[0], n.axis());
    case Operator::cummax:
      return std::get<0>(at::cummax(n[0], n.axis()));
    case Operator::cummin:
      return std::get<0>(at::cummin(n[0], n.axis()));
    case Operator::cumprod:
      return at::cumprod(n[0], n.axis());
    case Operator::flip:
      return at::flip(n[0], n.axes());
    case Operator::glu:
      return at::glu(n[0], n.axis());
    case Operator::logcumsumexp:
      return at::logcumsumexp(n[0], n.axis());
    case Operator::roll:
      return at::roll(n[0], n.integer("shifts"), n.axis());
    case Operator::sort:
      return std::get<0>(at::sort(n[0], n.axis(), n.flag("descending")));
    case Operator::argsort:
      return at::argsort(n[0], /*stable=*/true, n.axis(), n.flag("descending"));
    case Operator::topk:
      return std::get<0>(at::topk(n[0], n.integer("k"), n.axis()));
    case Operator::tril:
      return at::tril(n[0], n.integer("diagonal"));
    case Operator::triu:
      return at::triu(n[0], n.integer("diagonal"));
    case Operator::transpose:
      return transpose(n);
    case Operator::cat:
      return at::cat(n.args, n.axis());
    case Operator::expand:
      return n[0].expand(n.list("shape"));
    case Operator::flatten:
      return at::flatten(n[0], n.integer("start_axis"), n.integer("end_axis"));
    case Operator::pad:
      return at::constant_pad_nd(n[0], n.list("pad"), n.scalar(n.number("value")));
    case Operator::permute:
      return at::permute(n[0], n.list("axes"));
    case Operator::repeat_interleave:
      return at::repeat_interleave(n[0], n.integer("repeats"), n.axis());
    case Operator::reshape:
      return at::reshape(n[0], n.list("shape"));
    case Operator::squeeze:
      return at::squeeze(n[0], n.axis());
    case Operator::stack:
      return at::stack(n.args, n.axis());
    case Operator::unsqueeze:
      return at::unsqueeze(n[0], n.axis());
    case Operator::arange:
      return at::arange(n.integer("size"), exact_type(n.word("dtype")));
    case Operator::size:
      return at::scalar_tensor(n.integer("size"), exact_type(n.expression.dtype));
    case Operator::results:
      return one_after_another(n.args);
    case Operator::module_output:
      throw UserError("only the module of the task's file computes its values", "judge it on a GPU");
    case Operator::zeros:
      return at::zeros(n.list("shape"), exact_type(n.word("dtype")));
    case Operator::index_add:
      return at::index_add(n[0], n.axis(), n[1], n[2]);
    case Operator::scatter_add:
      return at::scatter_add(n[0], n.axis(), n[1], n[2]);
    case Operator::segment_reduce:
      return segments(n);
    case Operator::embedding:
      return at::embedding(n[1], n[0]);
    case Operator::gather:
      return at::gather(n[0], n.axis(), n[1]);
    case Operator::index_select:
      return at::index_select(n[0], n.axis(), n[1]);
    case Operator::narrow:
      return at::narrow(n[0], n.axis(), n.integer("start"), n.integer("length"));
    case Operator::select:
      return at::select(n[0], n.axis(), n.integer("index"));
    case Operator::matmul:
      return at::matmul(n[0], n[1]);
    case Operator::einsum:
      return at::einsum(n.word("equation"), {n[0], n[1]});
    case Operator::rotary_embedding:
      return rotary(n);
    case Operator::linear:
      return at::linear(n[0], n[1], n.maybe(2));
    case Operator::outer:
      return at::outer(n[0], n[1]);
    case Operator::scaled_dot_product_attention:
      return at::scaled_dot_product_attention(n[0], n[1], n[2], n.maybe(3), 0.0, n.flag("is_causal"),
                                              n.given("scale"), n.quiet_flag("enable_gqa"));
    case Operator::batch_norm:
      several_values(n, n[0].numel() / std::max<std::int64_t>(1, n[0].size(1)));
      return at::batch_norm(n[0], n.maybe(1), n.maybe(2), {}, {}, true, 0.1, n.number("eps"), false);
    case Operator::group_norm:
      several_values(n, n[0].numel() / std::max<std::int64_t>(1, n[0].size(0) * n.integer("num_groups")));
      return at::group_norm(n[0], n.integer("num_groups"), n.maybe(1), n.maybe(2), n.number("eps"), false);
    case Operator::instance_norm:
      several_values(n, n[0].numel() / std::max<std::int64_t>(1, n[0].size(0) * n[0].size(1)));
      return at::instance_norm(n[0], n.maybe(1), n.maybe(2), {}, {}, true, 0.1, n.number("eps"), false);
    case Operator::conv1d:
      return convolved(n, [](const auto&... all) { return at::conv1d(all...); });
    case Operator::conv2d:
      return convolved(n, [](const auto&... all) { return at::conv2d(all...); });
    case Operator::conv3d:
      return convolved(n, [](const auto&... all) { return at::conv3d(all...); });
    case Operator::conv_transpose1d:
      return transposed(n, [](const auto&... all) { return at::conv_transpose1d(all...); });
    case Operator::conv_transpose2d:
      return transposed(n, [](const auto&... all) { return at::conv_transpose2d(all...); });
    case Operator::conv_transpose3d:
      return transposed(n, [](const auto&... all) { return at::conv_transpose3d(all...); });
    case Operator::adaptive_avg_pool1d:
      return at::adaptive_avg_pool1d(n[0], n.list("output_size"));
    case Operator::adaptive_avg_pool2d:
      return at::adaptive_avg_pool2d(n[0], n.list("output_size"));
    case Operator::adaptive_avg_pool3d:
      return at::adaptive_avg_pool3d(n[0], n.list("output_size"));
    case Operator::adaptive_max_pool1d:
      return std::get<0>(at::adaptive_max_pool1d(n[0], n.list("output_size")));
    case Operator::adaptive_max_pool2d:
      return std::get<0>(at::adaptive_max_pool2d(n[0], n.list("output_size")));
    case Operator::adaptive_max_pool3d:
      return std::get<0>(at::adaptive_max_pool3d(n[0], n.list("output_size")));
    case Operator::avg_pool1d:
      return at::avg_pool1d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
    case Operator::avg_pool2d:
      return at::avg_pool2d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
    case Operator::avg_pool3d:
      return at::avg_pool3d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
    case Operator::max_pool1d:
      return largest(n, [](const auto&... all) { return at::max_pool1d(all...); });
    case Operator::max_pool2d:
      return largest(n, [](const auto&... all) { return at::max_pool2d(all...); });
    case Operator::max_pool3d:
      return largest(n, [](const auto&... all) { return at::max_pool3d(all...); });
    case Operator::binary_cross_entropy_with_logits:
      return at::binary_cross_entropy_with_logits(n[0], n[1], {}, {}, n.reduction());
    case Operator::cosine_similarity:
      return at::cosine_similarity(n[0], n[1], n.axis(), n.number("eps"));
    case Operator::cross_entropy:
      return at::cross_entropy_loss(n[0], n[1], n.maybe(2), n.reduction(), n.quiet_integer("ignore_index"),
                                    n.number("label_smoothing"));
    case Operator::hinge_embedding_loss:
      return at::hinge_embedding_loss(n[0], n[1], n.number("margin"), n.reduction());
    case Operator::huber_loss:
      return at::huber_loss(n[0], n[1], n.reduction(), n.number("delta"));
    case Operator::kl_div:
      return kl_div(n);
    case Operator::l1_loss:
      return at::l1_loss(n[0], n[1], n.reduction());
    case Operator::margin_ranking_loss:
      return at::margin_ranking_loss(n[0], n[1], n[2], n.number("margin"), n.reduction());
    case Operator::mse_loss:
      return at::mse_loss(n[0], n[1], n.reduction());
    case Operator::nll_loss:
      return at::nll_loss_nd(n[0], n[1], n.maybe(2), n.reduction(), n.quiet_integer("ignore_index"));
    case Operator::pairwise_distance:
      return at::pairwise_distance(n[0], n[1], n.number("p"), n.number("eps"));
    case Operator::smooth_l1_loss:
      return at::smooth_l1_loss(n[0], n[1], n.reduction(), n.number("beta"));
    case Operator::soft_margin_loss:
      return at::soft_margin_loss(n[0], n[1], n.reduction());
    case Operator::triplet_margin_loss:
      return at::triplet_margin_loss(n[0], n[1], n[2], n.number("margin"), n.number("p"), n.number("eps"),
                                     false, n.reduction());
      // Aliases of operators.
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
      break;
  }
  throw UserError(fmt::format("no task has the operator {}", name_of(n.expression.op)));
}

}  // namespace

namespace {

/// A constant, or a dimension as a number.
bool is_plain_number(const Expression& node) {
  return node.kind == Expression::Kind::Constant ||
         (node.kind == Expression::Kind::Operator && node.op == Operator::size);
}

/// Plain numbers that the expression combines with integers are integers, as PyTorch takes them.
std::vector<Tensor> beside_integers(const Expression& node, std::vector<Tensor> args) {
  const auto is_number = [&](std::size_t i) { return i < node.args.size() && is_plain_number(node.args[i]); };
  bool integers = false;
  for (std::size_t i = 0; i < args.size(); ++i)
    integers =
        integers || (!is_number(i) && at::isIntegralType(args[i].scalar_type(), /*includeBool=*/false));
  for (std::size_t i = 0; integers && i < args.size(); ++i)
    if (is_number(i)) args[i] = args[i].to(at::kLong);
  return args;
}

}  // namespace

Tensor operator_value(const Expression& node, const std::vector<Tensor>& args, const Sizes& sizes) {
  const bool numbers = std::any_of(node.args.begin(), node.args.end(), is_plain_number);
  const Tensor out =
      numbers ? computed({node, beside_integers(node, args), sizes}) : computed({node, args, sizes});
  if (form_of(node.op) != Form::Stated) return out;
  // The shape that the task states must be the shape of the value.
  if (const auto wanted = extents(node.shape, sizes); out.sizes() != at::IntArrayRef(wanted))
    throw UserError(fmt::format("{} gives [{}] where the task says [{}]", name_of(node.op),
                                fmt::join(out.sizes(), ", "), fmt::join(wanted, ", ")),
                    "the program that wrote the task and this one differ in version: rebuild both");
  return out;
}

}  // namespace trl::runtime
