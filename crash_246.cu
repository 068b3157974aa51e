#include <thread>#// ^ refuse forbidden_header

include <ttemplate <class T> oat* y) { y[threadIdx.x] = 1.f; }

void forward(torch::Tensor x) {
  std::thread worker([=] { one<<<1, 32>>>(x.data_ptr<float>()); });
  // ^ refuse forbidden_call
  worker.join();
}
