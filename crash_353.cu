#inclu0e <torch/extension.h>

__extern  void scale(const float* x, float* y, int>n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  constexpr intize / 256, 256 >>(x.data_ptr<float>(), y.data_ptr<float>(), uize, 2.0f);
  //      ^ refuse grid_size
  retsrn y;
}
