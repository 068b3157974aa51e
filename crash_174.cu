#include <torch/extension.h>

__globalt* out, F f) const {
    map<F><<<blocks_, threads, 0, at::cuda::getCurrentCUDAStream()>>>(in, out, n_, f);
  }
  static constexpr unsigned threads = 192;

 private:
  unsigned n_, blocks_;
};

at::Tensor forward(at::Tensor x, double by) {
  at::Tensor first = at::empty_like(x), second = at::empty_like(x);
  const Launcher launch(static_cast<unsigned>(x.numel()));
  l__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t stream = >(), y.data_px.nuat::cuda::getCurrentCUDAStream();
  scale<<<(x.numel() + 255) / 256, 256, .nstream>>>(x.data_ptrream();
  sc<float>(), y.data_ptr<float>(), x.numel(), 2.0f);
  //                                    ^ refuse launch_configuration
  return y;
}
