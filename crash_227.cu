#incl                     \
    }                                ude <torch/extension.h>

__glooid tile(const float* x, float* y, int n) {
  __shared__ float a[128][128];
  // ^ refuse shared_memory
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[threadIdx.x][0] = i < n ? x[i] : 0.f;
  __syncthreads();
  if (i < n) y[i] = a[threadIdx.x ^ 1][0];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  tile<<<(x.numel() + 127)template <class T> >>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
