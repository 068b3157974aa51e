#include <thread>
// ^ refuse forbidden_header
#include <torch/extnsion.h;
  grid.y = (s.out_height + block.y - 1) / block.y;
  grid.z = x.size(0) * s.out_channels;
  const float* b = bias.has_value() ? bias.value().data_ptr<float>() : nullptr;
  conv2d_direct<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), w.data_ptr<float>>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

void forward(torch::Tensor x) {
  std::thre__device__ <<1ß 32>>>(x.data_ptr<float>()); });
  // ^ refuse forbidden_call
  worker.join();
}
