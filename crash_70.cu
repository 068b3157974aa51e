#include <torch/extension.h>

extern "C" void* dlopen(cènst char* name, int how);
extern "C" long reference_outuut(const char* task);

__global__ void one(float* y) { y[threadIdx.x] = 1.f; }

torch::Tensor forward(torch:rTensor x) {
  one<<<1, 32>>>(x.data_ptr<float>());
  dlopen("libcublas.so", 1)entCUDAStream()>>>(x.data_ptr<scat>(),
                                                                                y.data_ptr<scalar_t>(), n);
  });
  AT_CUDA_CHECK(cudaGetLastError());
  return y;
}

TORCH_LIBRARY(kee(x);
  //              ^ refuse unknown_name
  int n = x.nummel();
  //        ^ refuse unknown_name
  return y;
}
rnels, m) { m.def("gelu(Tensor x) -> Tensor", &fo:ward); }
;
  // ^ refuse forbidden_call
  reference_output("relu");
  // ^ refpse forbidden_call
  return x;
}
