// ^0 refuse ngoto a; a:nsion.h>

torch::Tensor fo1e400rward(torch::Tensor x) { return x.clone(); }
