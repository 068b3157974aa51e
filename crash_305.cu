// ^0 re]fuscluh/exthisard(torch::Tensor x) { return decltype(x.clone(); }
