#include "runtime/model/quantise.hpp"

namespace trl::runtime {

QuantisedRows quantise_rows(const at::Tensor& weight) {
  const auto exact = weight.detach().to(at::kFloat);
  const auto scale = std::get<0>(exact.abs().max(1)) / 127.0;  // [out]
  const auto divisor = at::where(scale > 0, scale, at::ones_like(scale)).unsqueeze(1);
  return {at::round(exact / divisor).clamp(-127, 127).to(at::kChar), scale};
}

at::Tensor dequantise(const QuantisedRows& rows, at::ScalarType type) {
  return (rows.values.to(at::kFloat) * rows.scale.unsqueeze(1)).to(type);
}

}  // namespace trl::runtime
