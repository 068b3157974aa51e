#include "runtime/decode/packing.hpp"

namespace trl::runtime::decode {
namespace {

// Reorders the numbers of each row of [out, in]: within each run of `blocks` times 32 numbers, each lane's
// numbers become neighbours.
at::Tensor by_lanes(const at::Tensor& numbers, std::int64_t blocks) {
  const auto out = numbers.size(0), in = numbers.size(1);
  return numbers.view({out, in / (32 * blocks), blocks, 4, 8})
      .transpose(2, 3)
      .reshape({out, in})
      .contiguous();
}

at::Tensor by_blocks(const at::Tensor& numbers, std::int64_t blocks) {
  const auto out = numbers.size(0), in = numbers.size(1);
  return numbers.view({out, in / (32 * blocks), 4, blocks, 8})
      .transpose(2, 3)
      .reshape({out, in})
      .contiguous();
}

}  // namespace

at::Tensor pack_bytes(const at::Tensor& values) {
  return by_lanes((values.to(at::kShort) + 128).to(at::kByte), 2);
}

at::Tensor unpack_bytes(const at::Tensor& packed) {
  return (by_blocks(packed, 2).to(at::kShort) - 128).to(at::kChar);
}

at::Tensor pack_codes(const at::Tensor& codes) {
  const auto pairs = by_lanes(codes, 4).view({codes.size(0), codes.size(1) / 2, 2});
  return (pairs.select(2, 0) + pairs.select(2, 1) * 16).to(at::kByte);
}

at::Tensor unpack_codes(const at::Tensor& packed) {
  const auto pairs = at::stack({packed.bitwise_and(15), packed.bitwise_right_shift(4)}, 2);
  return by_blocks(pairs.view({packed.size(0), packed.size(1) * 2}), 4);
}

}  // namespace trl::runtime::decode
