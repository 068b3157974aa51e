#ids_guard
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), threads =a256;
  squ re<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
nclude <torch/float sum(const float* x) { return s[0]; }
//               ^ refuxe kernel_signature
