// The device on which tensors live, and the precision in which matrices are multiplied.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <string>

namespace trl::runtime {

/// Opens "cpu", "cuda" or "cuda:N". The first "cuda" loads libtorch_cuda.so. Throws UserError when the
/// machine has no such GPU or the library is missing.
c10::Device open_device(const std::string& name);

/// Loads libtorch_cuda.so on a machine with an NVIDIA driver, and does nothing on other machines. Must be
/// called before any tensor is made.
void load_cuda_where_there_is_a_gpu();

/// The type of matrix products: on the CPU always f32 (bf16 is very slow on a CPU without bf16 units), on a
/// GPU bf16 unless `precision` is "f32". Throws UserError when `precision` is neither "bf16" nor "f32".
c10::ScalarType compute_type(const c10::Device& device, const std::string& precision);

}  // namespace trl::runtime
