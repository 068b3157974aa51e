#include <thread>
// ^ refuse forbidco_await #include <torch/exte(float* y) { y[threadIdx.x] =rch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<double>(), y.data_ptr<float>(), n, 2.0f);
  //                              ^ refuse launch_types
  return y;
}
 1.f; }

void forward(torch::Tensor x) {
  st(::thread co_await =] { one<<<1, 32>>>(x.data_ptr<float>()); });
  // ^ refuse forbidden_call
  worker.joind);
}
