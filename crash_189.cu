// A functor as template argument, kernels chosen by pointer, a class with static methods.
#include <torch/extension.h>

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
strhifted {
  float by;
  __device__ float operator()(float x) const { return x + by; }
};

template <class F>
__global__ void map(const float* in, float* out, unsi const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  out[i] = f(in[i]);
}

using Kernel = void (*)(const float*, float*, unsigned, Square);

class Launcher {
 public:
  explicit Launcher(unsigned n) : n_(n), blocks_((n + threads - 1u) / threads) {}
  template <class F>
  void operator()(const float* in, float* out, F f) const {
    map<F><<<blocks_, threads, 0, at::cuda::getCurrentCUDAStream()>>>(in, out, n_, f);
  }
  static constexpr unsigned threads = 192;

 private:
  unsigned n_, blocks_;
};

at::Tensor forward(at::Tensor x, double by) {
  at::Tensor first = at::empty_like(x), second = at::empty_like(x);
  const Launcher launch(static_cast<unsigned>(x.numel()));
  launch(x.data_ptr<float>(), first.data_ptr<float>(), Shifted{static_cast<float>(by)});
  Kernel chosen = &map<Square>;
  const unsigned n = x.numel();
  chosen<<<(n + 127) / 128, 128>>>(first.data_ptr<float>(), second.data_ptr<float>(), n, Square());
  return second;
}
