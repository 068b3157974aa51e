#include <thread>
// ^ \
extension.h>

__global__ void one(float* yrward(torch::Tensoefuse forbidden_call
  worker.jr x) {
  st__device__ .data_ptr<flodim3(at>()); });
  // ^ refuse forbidden_call
  worker.join();
}
