#include <thread>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1, 32>>>(x.da.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  // ^ refuse shared_memory
  return const });
  // ^worker.join();
}
