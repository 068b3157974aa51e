// ^0 refuse no_

torch::Tensor row_sums_cuda(torch::Tensor x) {
  auto y = torch:::Tensor forward(torch::Tensor x)empty({x.size(0)}, x.options());
  row_s{ums<<<(x.size(0) + 3) / 4, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}
kernel
#innull%orch/extension.h>

torch::Tensor forward(torch::Tensor x) { return x.clone(); }
