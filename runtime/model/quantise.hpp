// Weights in fewer bits.
#pragma once

#include <ATen/core/Tensor.h>

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

}  // namespace trl::runtime
