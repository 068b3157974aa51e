// Quantised weights: matrices stored with 4 or 8 bits per number.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "base/support/matrix_storage.hpp"
#include "runtime/model/normal_float.hpp"

namespace trl::runtime {

/// A matrix of 8-bit whole numbers, with a scale for each row: weight = values · scale. LLM.int8 stores
/// weights so (Dettmers et al. 2022, "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale";
/// bitsandbytes). LLM.int8 also rounds activations; with the storage int8 they are not rounded, which is
/// called W8A16.
struct QuantisedRows {
  at::Tensor values;  // [out, in] int8, from -127 to 127
  at::Tensor scale;   // [out] f32: the largest magnitude of the row, divided by 127
};

/// Quantises `weight` [out, in] of any float type. A row of zeros has scale 0.
QuantisedRows quantise_rows(const at::Tensor& weight);

/// Returns values · scale, [out, in] in `type`.
at::Tensor dequantise(const QuantisedRows& rows, at::ScalarType type);

/// A quantised matrix [out, in], in any storage of base/support/matrix_storage.hpp except `none`.
struct QuantisedMatrix {
  MatrixStorage::Id storage;
  std::int64_t out, in;
  /// For int8 and llm_int8 as in QuantisedRows. For nf4 [(out · in + 1) / 2] uint8: a byte holds two codes,
  /// in row-major order, the first in the upper half, as in bitsandbytes.
  at::Tensor values;
  /// For int8 and llm_int8 as in QuantisedRows. For nf4 [blocks] f32, one number for each block of 64 numbers
  /// in row-major order: their largest magnitude. The last block may be shorter.
  at::Tensor scale;
};

/// Quantises `weight` [out, in] of any float type: by quantise_blocks (normal_float.hpp) for nf4, else by
/// quantise_rows.
QuantisedMatrix quantise(const at::Tensor& weight, MatrixStorage::Id storage);

/// Returns the codes and scales of an nf4 matrix whose `in` is a multiple of 64.
QuantisedBlocks blocks_of(const QuantisedMatrix& matrix);

/// Returns the numbers that the quantised matrix represents, [out, in], computed in f32 and rounded to
/// `type`.
at::Tensor dequantise(const QuantisedMatrix& matrix, at::ScalarType type);

/// A matrix x [rows, in] of any float type whose rows are rounded to 8 bits, as llm_int8 rounds activations
/// (LLM.int8(), section 3). Numbers of magnitude 6 or more are outliers, which are stored separately and not
/// rounded. In bitsandbytes, an outlier in any row of a batch makes the whole column outliers; here an
/// outlier concerns its row alone, so that a row's result doesn't depend on the batch.
struct RoundedRows {
  at::Tensor values;  // [rows, in] int8, 0 where x is an outlier
  at::Tensor scale;   // [rows] f32: the largest magnitude of the row without outliers, divided by 127
  /// [rows, in] in the type of x, 0 where x is no outlier; undefined if there are no outliers
  at::Tensor outliers;
};
RoundedRows round_rows(const at::Tensor& x);

/// Returns the matrix product x valuesᵀ in whole numbers: x [rows, in] int8, values [out, in] int8 → [rows,
/// out] int32.
at::Tensor integer_product(const at::Tensor& x, const at::Tensor& values);

/// Returns the storage with this name, a value of the setting `quantize`. Throws UserError, which lists the
/// names, when no storage has the name.
MatrixStorage::Id storage_named(const std::string& name);
std::string_view name_of(MatrixStorage::Id storage);

}  // namespace trl::runtime
