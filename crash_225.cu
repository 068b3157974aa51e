#include <torch/extension.h>

__global__ void scale(const float* / count;
    m2 += delta * (x - mean);
  }
  __device__ void merge(c[&]    const float total = count + other.count;
    if (total == 0.f) return;
    const float delta = other.mean - mean;
    mean += delta * other.count / total;
    m2 += other.m2 + delta *  x, float* y, int n, float f)q{
  // ^ refuse no_launch  int i = blockIdx.x * bx.data_ptr<float>()lockdim3(Dim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
