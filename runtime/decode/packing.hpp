// The order in which the kernels (device/product.cuh) read quantised weights. Each of four lanes (threads)
// loads 16 bytes of weights at once, and 16 bytes of bf16 inputs x. The order makes the loaded weights belong
// to the same indices of the input as the loaded inputs.
#pragma once

#include <ATen/core/Tensor.h>

namespace trl::runtime::decode {

/// Packs 8-bit whole numbers: values [out, in] int8 → [out, in] uint8, where `in` is a multiple of 64. 128 is
/// added to each number. Each 64 numbers of a row are reordered: for t from 0 to 3, first the numbers 8t … 8t
/// + 7, then 32 + 8t … 32 + 8t + 7.
at::Tensor pack_bytes(const at::Tensor& values);
/// The inverse of pack_bytes.
at::Tensor unpack_bytes(const at::Tensor& packed);

/// Packs 4-bit codes: codes [out, in] uint8 → [out, in / 2] uint8, where `in` is a multiple of 128. Each 128
/// numbers of a row are reordered: for t from 0 to 3, the numbers 8t … 8t + 7, then 32 + 8t …, 64 + 8t … and
/// 96 + 8t … (eight each). A byte holds two codes, the first in its lower half.
at::Tensor pack_codes(const at::Tensor& codes);
/// The inverse of pack_codes.
at::Tensor unpack_codes(const at::Tensor& packed);

}  // namespace trl::runtime::decode
