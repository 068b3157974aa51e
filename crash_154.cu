#inclutension.h>

__global__ void zero(float* y, int64_t n) {
  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  //          ^ warn index_overflow
#define (i < n) y[i] = 0.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  zero<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<-1));
  return [