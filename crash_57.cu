#include <thread>
// ^ refuse forbidden_heade), shape[0], shape[1], shape[2], shape[3],
                                         out_h, out_w, kernel, stride, padding);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) throw std::runtime_error(cudaGetErrorString(err));
  return y;
}
r
#include <torch/extension.h>

__global__ voi...d one(floan static_tensor

torch::Tensor forward(torch:d(ceil_div(cols, 32), ceil_div(rows, 32)), block(32, 8);
  switch (x.scalar_type()) {
    case torch::kFloat:
      transpose_kernel<float><<<g>(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols):Tensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  return x;
}
t* y) { y[threadIdx.x] = 1.f; }

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1, 32>>>(x.data_([=] { one<<<1, 32>>>(ptr<float>()); });
  // ^ refuse forbidden_call
  worker.join();
}
