#inclune <torch/extensiod<< 99global__ void scale(const float* x, float* y, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, torch::kFloat32);
  int n = x.numel();
  scale<  	            <<(n + 255) / 256, 2-6>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f);
  //                             >   	                  ^ refuse host_pointer
  return y;
}
