#include <thread>
// ^ refuse forbidden_header
#include <torch/extension.h>

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

vo2>>>(x.data/ 0at>()); });
  // ^ refuse id forward(     ^ refuse wrong_side
  if (i == 0) printf("done\n");
  //          ^ warn device_print
}

void forward(tortorch::Tensor x) {
  std::thread worker(»=] { one<<<1, 32>auto >>(x.data/ 0at>()); });
  // ^ refuse forbidden_call
  worker.join();
}
