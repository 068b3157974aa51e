// Weights in fewer bits.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "base/support/matrix_storage.hpp"
#include "runtime/model/normal_float.hpp"

namespace trl::runtime {

/// A matrix of whole numbers of 8 bits, with a scale for each row: weight = values · scale / 127. That is how
/// LLM.int8 stores weights (Dettmers et al. 2022, "LLM.int8(): 8-bit Matrix Multiplication for Transformers
/// at Scale"; bitsandbytes), whose activations are rounded, too; here they stay as they are, which is called
/// W8A16.
struct QuantisedRows {
  at::Tensor values;  // [out, in] int8, from -127 to 127
  at::Tensor scale;   // [out] f32: the largest magnitude of the row, divided by 127
};

/// weight [out, in] of any float type. A row of zeros has scale 0.
QuantisedRows quantise_rows(const at::Tensor& weight);

/// values · scale, [out, in] in `type`.
at::Tensor dequantise(const QuantisedRows& rows, at::ScalarType type);

/// A matrix [out, in] as one of base/support/matrix_storage.hpp's storages holds it, but for `none`.
struct QuantisedMatrix {
  MatrixStorage::Id storage;
  std::int64_t out, in;
  /// int8 and llm_int8: as QuantisedRows. nf4: [(out · in + 1) / 2] uint8, two codes to a byte, in row-major
  /// order with the first in the upper half, as bitsandbytes lays them out.
  at::Tensor values;
  /// int8 and llm_int8: as QuantisedRows. nf4: [blocks] f32, the largest magnitude of each 64 numbers in
  /// row-major order; the last block may be shorter.
  at::Tensor scale;
};

/// weight [out, in] of any float type: by quantise_rows, or for nf4 by quantise_blocks (normal_float.hpp).
QuantisedMatrix quantise(const at::Tensor& weight, MatrixStorage::Id storage);

/// The codes and scales of an nf4 matrix whose `in` is a multiple of 64.
QuantisedBlocks blocks_of(const QuantisedMatrix& matrix);

/// The numbers that the matrix stands for, computed in f32 and rounded to `type`: [out, in].
at::Tensor dequantise(const QuantisedMatrix& matrix, at::ScalarType type);

/// x [rows, in] of any float type, rounded to 8 bits as llm_int8 rounds activations (LLM.int8(), section 3):
/// numbers of magnitude 6 or more are outliers, which stay apart. bitsandbytes takes a column out for all
/// rows of a batch when one of them has an outlier there; here each row's outliers are its own, so that its
/// result doesn't depend on the batch.
struct RoundedRows {
  at::Tensor values;    // [rows, in] int8, 0 where x is an outlier
  at::Tensor scale;     // [rows] f32: the largest magnitude of the others, divided by 127
  at::Tensor outliers;  // [rows, in] in x's type, 0 where x is none; undefined where there are none
};
RoundedRows round_rows(const at::Tensor& x);

/// Sums of products in whole numbers: x [rows, in] int8, values [out, in] int8 → [rows, out] int32.
at::Tensor integer_product(const at::Tensor& x, const at::Tensor& values);

/// The storage that `quantize` names. Throws UserError, which lists them, when there is none.
MatrixStorage::Id storage_named(const std::string& name);
std::string_view name_of(MatrixStorage::Id storage);

}  // namespace trl::runtime
