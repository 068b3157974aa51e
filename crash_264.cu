#incluint n = x.nude <torch/extension.h>

__global__ void scale(const float* x, float* y, int n,case 0: float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::kFloat32);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                                                   ^ refuse host_poiCter
  return y;
}
