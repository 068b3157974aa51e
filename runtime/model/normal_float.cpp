#include "runtime/model/normal_float.hpp"

namespace trl::runtime {

QuantisedBlocks quantise_blocks(const at::Tensor& weight) {
  const auto out = weight.size(0), in = weight.size(1);
  const auto exact = weight.detach().to(at::kFloat).reshape({out, in / kNormalFloatBlock, kNormalFloatBlock});
  const auto scale = std::get<0>(exact.abs().max(2));  // [out, in / 64]
  const auto divisor = at::where(scale > 0, scale, at::ones_like(scale)).unsqueeze(2);
  // The borders lie halfway between neighbouring values.
  std::vector<float> borders;
  for (std::size_t i = 0; i + 1 < kNormalFloats.size(); ++i)
    borders.push_back((kNormalFloats[i] + kNormalFloats[i + 1]) / 2);
  const auto edges = at::tensor(borders, at::kFloat).to(exact.device());
  const auto codes = at::searchsorted(edges, (exact * divisor.reciprocal()).contiguous(), /*out_int32=*/true);
  return {codes.to(at::kByte).view({out, in}), scale};
}

at::Tensor dequantise(const QuantisedBlocks& blocks, at::ScalarType type) {
  const auto out = blocks.codes.size(0), in = blocks.codes.size(1);
  const auto values = at::tensor(at::ArrayRef<float>(kNormalFloats.data(), kNormalFloats.size()), at::kFloat)
                          .to(blocks.codes.device());
  const auto exact = values.index_select(0, blocks.codes.view({-1}).to(at::kInt))
                         .view({out, in / kNormalFloatBlock, kNormalFloatBlock});
  return (exact * blocks.scale.unsqueeze(2)).view({out, in}).to(type);
}

}  // namespace trl::runtime
