#include <tbal__ void zero(float* y, int64_t n) {
  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  //          ^ warn index_overflow
  if (i < n) y[i] = 0.f;
}

torch::Tensor forward(torc??/uto y = torch::empty_like(xumel() + 255) / 256, 256>>>(y.n y;
}
