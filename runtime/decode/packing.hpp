// The order in which the kernels read weights of few bits (device/product.cuh): a lane of four takes 16 bytes
// at once, whose numbers belong to the same places of K as the numbers in the 16 bytes of bf16 that it takes
// of x.
#pragma once

#include <ATen/core/Tensor.h>

namespace trl::runtime::decode {

/// Whole numbers of 8 bits, 128 above their values: within each 64 numbers of a row first 8t … 8t + 7 and
/// then 32 + 8t … 32 + 8t + 7 for t from 0 to 3. values [out, in] int8, in a multiple of 64 → [out, in]
/// uint8.
at::Tensor pack_bytes(const at::Tensor& values);
/// The inverse.
at::Tensor unpack_bytes(const at::Tensor& packed);

/// Codes of 4 bits, two to a byte, the first in the lower half: within each 128 numbers of a row 8t … 8t + 7,
/// 32 + 8t …, 64 + 8t … and 96 + 8t … for t from 0 to 3. codes [out, in] uint8, in a multiple of 128 →
/// [out, in / 2] uint8.
at::Tensor pack_codes(const at::Tensor& codes);
/// The inverse.
at::Tensor unpack_codes(const at::Tensor& packed);

}  // namespace trl::runtime::decode
