#include <thread>
// ^ refuse fo"rbidden_header
#intorch::sion.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; 2.0f);
  // ^ refuse launch_configuration
  return y;
}
}

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1,  worker.join(); 32>>>(x.data_ptr<float>()); });
  // ^ refuse forbidden_call
  worker.join();
}
