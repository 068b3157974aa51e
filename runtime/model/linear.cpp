#include "runtime/model/linear.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "ground/machine.hpp"

namespace trl::runtime {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using Reorder = at::Tensor(const at::Tensor&, std::optional<std::int64_t>);
using Product = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                           std::string_view, c10::List<std::optional<at::Scalar>>,
                           std::optional<std::string_view>);

bool has_onednn() {
  static const bool found = at::hasMKLDNN() &&
                            c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""}) &&
                            c10::Dispatcher::singleton().findSchema({"mkldnn::_reorder_linear_weight", ""});
  return found;
}

at::Tensor pack(const at::Tensor& weight, std::int64_t rows) {
  static const auto reorder =
      c10::Dispatcher::singleton().findSchemaOrThrow("mkldnn::_reorder_linear_weight", "").typed<Reorder>();
  return reorder.call(weight.contiguous(), rows);
}

at::Tensor packed_product(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias) {
  static const auto product =
      c10::Dispatcher::singleton().findSchemaOrThrow("mkldnn::_linear_pointwise", "").typed<Product>();
  return product.call(x.contiguous(), packed, bias.defined() ? std::optional(bias) : std::nullopt, "none",
                      c10::List<std::optional<at::Scalar>>(), "");
}

struct Packed {
  // `bias` may be undefined, which a tensor argument of an autograd function may not be.
  at::Tensor weight, transpose, bias;
};

struct PackedProduct : torch::autograd::Function<PackedProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Packed& packed) {
    context->saved_data["transpose"] = packed.transpose;
    return packed_product(x, packed.weight, packed.bias);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {packed_product(gradients[0], context->saved_data["transpose"].toTensor(), {}), {}};
  }
};

}  // namespace

Linear Linear::frozen(at::Tensor weight, at::Tensor bias, std::int64_t rows, bool differentiable) {
  Linear linear(std::move(weight), std::move(bias));
  if (!linear.weight_.device().is_cpu() || linear.weight_.scalar_type() != at::kFloat || !has_onednn())
    return linear;
  const at::NoGradGuard no_grad;
  linear.packed_ = pack(linear.weight_, rows);
  if (differentiable) linear.packed_transpose_ = pack(linear.weight_.t(), rows);
  return linear;
}

at::Tensor Linear::each_row(const at::Tensor& x) const {
  // For another number of rows, oneDNN may choose another order of summation. With AVX-512 it keeps to one
  // for multiples of 16; with AVX2 it doesn't (seen at 32 rows beside 16, 48 and 64), so that all products
  // have 16 rows there.
  constexpr std::int64_t kRows = 16;
  if (!packed_.defined() || vector_level() == VectorLevel::v4 || x.size(0) <= kRows) return (*this)(x);
  auto out = at::empty({x.size(0), weight_.size(0)}, x.options());
  for (std::int64_t row = 0; row < x.size(0); row += kRows) {
    const auto rows = std::min(kRows, x.size(0) - row);
    out.narrow(0, row, rows).copy_(packed_product(x.narrow(0, row, rows), packed_, bias_));
  }
  return out;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  if (packed_.defined()) {
    if (!at::GradMode::is_enabled() || !x.requires_grad()) return packed_product(x, packed_, bias_);
    if (packed_transpose_.defined())
      return PackedProduct::apply(x, Packed{packed_, packed_transpose_, bias_});
  }
  const auto type = x.scalar_type();
  return at::linear(x, weight_.to(type), bias_.defined() ? std::optional(bias_.to(type)) : std::nullopt);
}

}  // namespace trl::runtime
