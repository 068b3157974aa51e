// Where tensors live and in what precision matrices are multiplied.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <string>

namespace trl::runtime {

/// "cpu", "cuda" or "cuda:N". The first "cuda" loads libtorch_cuda.so. Throws UserError when the machine has
/// no such GPU or the library is missing.
c10::Device open_device(const std::string& name);

/// Loads libtorch_cuda.so on a machine with an NVIDIA driver. Called before any tensor is made; elsewhere it
/// costs nothing.
void load_cuda_where_there_is_a_gpu();

/// The type of matrix products: f32 on the CPU whatever `precision` says (a CPU without bf16 units would
/// crawl), on a GPU bf16 unless `precision` is "f32". Throws UserError for another word.
c10::ScalarType compute_type(const c10::Device& device, const std::string& precision);

}  // namespace trl::runtime
