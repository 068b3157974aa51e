#include "runtime/model/linear.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "base/support/machine.hpp"

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
  // `bias` is a member because it may be undefined. A tensor argument of an autograd function may not.
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

// For other numbers of rows, oneDNN may choose another order of summation. With AVX-512 the order is the same
// for all multiples of 16; with AVX2 it isn't (32 rows differed from 16, 48 and 64).
constexpr std::int64_t kRows = 16;

// Computes the product of each 16 rows by itself. x [rows, in] → [rows, out].
template <typename Product>
at::Tensor by_sixteen(const at::Tensor& x, std::int64_t out_size, const Product& product) {
  if (x.size(0) <= kRows) return product(x);
  auto out = at::empty({x.size(0), out_size}, x.options());
  for (std::int64_t row = 0; row < x.size(0); row += kRows) {
    const auto rows = std::min(kRows, x.size(0) - row);
    out.narrow(0, row, rows).copy_(product(x.narrow(0, row, rows)));
  }
  return out;
}

// Multiplies x [rows, in] by the numbers for which a quantised matrix stands. With `each_row`, the result of
// a row doesn't depend on the other rows.
at::Tensor dequantised_product(const at::Tensor& x, const QuantisedMatrix& matrix, bool each_row) {
  const auto weight = dequantise(matrix, x.scalar_type());
  if (!each_row) return at::linear(x, weight);
  const bool packs = x.device().is_cpu() && x.scalar_type() == at::kFloat && has_onednn();
  const auto packed = packs ? pack(weight, kRows) : weight;
  return by_sixteen(x, matrix.out, [&](const at::Tensor& rows) {
    return packs ? packed_product(rows, packed, {}) : at::linear(rows, packed);
  });
}

// x [..., in] → [..., out] in the type of x.
at::Tensor quantised_product(const at::Tensor& x, const QuantisedMatrix& matrix, const at::Tensor& bias,
                             bool each_row) {
  const at::NoGradGuard no_grad;
  const auto flat = x.reshape({-1, matrix.in});
  at::Tensor y;
  if (matrix.storage == MatrixStorage::Id::llm_int8) {
    const auto rounded = round_rows(flat);
    y = integer_product(rounded.values, matrix.values).to(at::kFloat) *
        (rounded.scale.unsqueeze(1) * matrix.scale);
    if (rounded.outliers.defined()) y = y + dequantised_product(rounded.outliers, matrix, each_row);
  } else {
    y = dequantised_product(flat, matrix, each_row);
  }
  if (bias.defined()) y = y + bias.to(y.scalar_type());
  auto sizes = x.sizes().vec();
  sizes.back() = matrix.out;
  return y.to(x.scalar_type()).view(sizes);
}

struct QuantisedProduct : torch::autograd::Function<QuantisedProduct> {
  // `bias` is a member because it may be undefined. A tensor argument of an autograd function may not.
  struct Matrix {
    std::shared_ptr<const QuantisedMatrix> quantised;
    at::Tensor bias;
  };

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Matrix& matrix) {
    const auto& quantised = *matrix.quantised;
    context->saved_data["storage"] = static_cast<std::int64_t>(quantised.storage);
    context->saved_data["out"] = quantised.out;
    context->saved_data["in"] = quantised.in;
    context->saved_data["values"] = quantised.values;
    context->saved_data["scale"] = quantised.scale;
    return quantised_product(x, quantised, matrix.bias, false);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    auto& saved = context->saved_data;
    const QuantisedMatrix matrix{static_cast<MatrixStorage::Id>(saved["storage"].toInt()),
                                 saved["out"].toInt(), saved["in"].toInt(), saved["values"].toTensor(),
                                 saved["scale"].toTensor()};
    return {at::matmul(gradients[0], dequantise(matrix, gradients[0].scalar_type())), {}};
  }
};

}  // namespace

Linear Linear::quantised(QuantisedMatrix matrix, at::Tensor bias) {
  Linear linear({}, std::move(bias));
  linear.quantised_ = std::make_shared<const QuantisedMatrix>(std::move(matrix));
  return linear;
}

at::Tensor Linear::weight() const { return quantised_ ? dequantise(*quantised_, at::kFloat) : weight_; }

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
  if (quantised_) return quantised_product(x, *quantised_, bias_, true);
  if (!packed_.defined() || vector_level() == VectorLevel::v4) return (*this)(x);
  return by_sixteen(x, weight_.size(0),
                    [&](const at::Tensor& rows) { return packed_product(rows, packed_, bias_); });
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  if (quantised_) {
    if (at::GradMode::is_enabled() && x.requires_grad())
      return QuantisedProduct::apply(x, QuantisedProduct::Matrix{quantised_, bias_});
    return quantised_product(x, *quantised_, bias_, false);
  }
  if (packed_.defined()) {
    if (!at::GradMode::is_enabled() || !x.requires_grad()) return packed_product(x, packed_, bias_);
    if (packed_transpose_.defined())
      return PackedProduct::apply(x, Packed{packed_, packed_transpose_, bias_});
  }
  const auto type = x.scalar_type();
  return at::linear(x, weight_.to(type), bias_.defined() ? std::optional(bias_.to(type)) : std::nullopt);
}

}  // namespace trl::runtime
