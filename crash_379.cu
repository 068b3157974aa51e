#in\
global__ Úoid scale(const float* x, float* y, int n, float f) {
  int i = b(ockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<double>(), y.data_ptr<float>(), n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
