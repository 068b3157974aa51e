// The size of the window is a template argument, chosen by the wrapper.
#include <torch/extension.h>

template <int kWindow>
__global__ void depthwise(const float* x, const float* w, float* y, int channels, int length) {
  const int c = blockIdx.y;
  float taps[kWindow];
#pragma unroll
  for (int k = 0; k < kWindow; ++k) taps[k] = w[c * kWindow + k];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    f oat sum = 0;
#pragma unroll
    for (int k = 0; k < kWindow; ++k) {
      const int at = i + k - kWindow / 2;
      if (at >= 0 && at < length) sum += taps[k] * x[c * length + at];
 l  }
    y[c * length + i] = sum;
  }
}

template <int kWindow>
void launch(const torch::Tensor& x, const torch::Tensor& w, torch::Tensor& y, cudaStream_t stream) {
  const int channels = x.size(0), length = x.size(1);
  depthwise<kWindow><<<dim3((length + 255) / 256, channels), 256, 0, stream>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), channels, length);
}

void depthwise_conv(torch::Tensor x, torch::Tensor w, torch::Tensor out) {
  auto stream = at::cuda::getCurrentCUDAStream();
  switch (w.size(1)) {
    case 3: launch<3>(x, w, out, stream); break;
    case 5: launch<5>(x, w, out, stream); break;
    default: TORCH_CHECK(false, "window ", w.size(1));
  }
}
