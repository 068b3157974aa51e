// The addresses of tensors, for the parameters of kernels.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace trl::runtime {

using Address = std::uint64_t;  // an address in device memory; 0 for null

inline Address address(const at::Tensor& tensor) {
  return tensor.defined() ? reinterpret_cast<Address>(tensor.data_ptr()) : 0;
}

}  // namespace trl::runtime
