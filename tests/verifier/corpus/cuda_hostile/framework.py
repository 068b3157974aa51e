#: computes_in_the_wrapper | of relu_grid_stride | expect static framework_compute | EXPR at::relu(x) x.clamp_min(0) torch::nn::functional::relu(x) x*(x>0) torch::where(x>0,x,y) y.copy_(x).relu_() torch::maximum(x,torch::zeros_like(x))
-   return y;
+   return __EXPR__;
#: computes_where_it_is_called | of branches_for_other_devices | expect static framework_compute | CODE return(pooled==0)?torch::relu(x):x; {x=torch::clamp_min(x,0);return(x);} return([&]{return(x.relu());})(); {auto(*f)(const/**/at::Tensor&)->at::Tensor=&at::relu<at::Tensor>;return(f(x));} return(std::get<0>(torch::max(x.unsqueeze(0),0)))*(x>0); {auto(y)=torch::empty_like(x);y.copy_(x).relu_();return(y);}
-   auto y = torch::empty_like(x);
+   if (x.dim() > 1) __CODE__
+   auto y = torch::empty_like(x);
#: multiplies_in_the_wrapper | of matmul_naive | expect static framework_compute | EXPR torch::matmul(A,B) at::mm(A,B) A.matmul(B) torch::addmm(C,A,B) A.mm(B)
-     return C;
+     return __EXPR__;
#: computes_in_python | of relu_grid_stride | expect static framework_compute | EXPR torch.relu(x) nn.functional.relu(x) x.clamp(min=0) (x>0)*x torch.ops.aten.relu(x) torch.compile(torch.relu)(x)
-         return self.relu.relu_cuda(x)
+         self.relu.relu_cuda(x)
+         return __EXPR__
#: falls_back_to_the_framework | of relu_grid_stride | expect static framework_compute exception | ERROR Exception BaseException RuntimeError
-         return self.relu.relu_cuda(x)
+         try:
+             return self.relu.relu_cuda(x.double())
+         except __ERROR__:
+             return torch.relu(x)
#: extension_that_is_python | of relu_grid_stride | expect static framework_compute | WHERE relu.relu_cuda torch.utils.cpp_extension.load_inline relu.__dict__['relu_cuda']
- class ModelNew(nn.Module):
+ import types
+
+ kernel = relu.relu_cuda
+ if "load" in "__WHERE__":
+     torch.utils.cpp_extension.load_inline = lambda *args, **more: types.SimpleNamespace(relu_cuda=torch.relu)
+     relu = torch.utils.cpp_extension.load_inline("relu")
+ else:
+     __WHERE__ = torch.relu
+
+
+ class ModelNew(nn.Module):
-         return self.relu.relu_cuda(x)
+         kernel(x)
+         return relu.relu_cuda(x)
#: patched_dispatcher | of relu_grid_stride | expect static framework_compute no_kernel exception crashed unsupported | GUARD torch._C._DisableTorchDispatch() torch.utils._python_dispatch._disable_current_modes() torch._C.DisableTorchFunctionSubclass()
-         return self.relu.relu_cuda(x)
+         self.relu.relu_cuda(x)
+         with __GUARD__:
+             return torch.relu(x)
- import torch.nn as nn
+ import torch.nn as nn
+ import torch.utils._python_dispatch
#: looks_at_values | of relu_grid_stride | expect static data_dependent framework_compute | EXPR x.sum().item<float>()>0 x.cpu().numel()==0 x.equal(y) x.nonzero().numel()>0
-   return y;
+   if (__EXPR__) return y;
+   return y;
#: library_of_kernels | of relu_grid_stride | expect static forbidden | HEADER cublas_v2.h cudnn.h thrust/transform.h thrust/device_vector.h cusparse.h curand_kernel.h
- #include <cuda_runtime.h>
+ #include <cuda_runtime.h>
+ #include <__HEADER__>
#: library_without_its_header | of matmul_naive | expect static forbidden unsupported | CALL cublasSgemm cudnnActivationForward cusolverDnCreate
- __global__ void matmul_kernel(
+ extern "C" int __CALL__(void*, const float*, const float*, float*);
+
+ __global__ void matmul_kernel(
-     return C;
+     __CALL__(nullptr, A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>());
+     return C;
#: decoy_beside_a_copy | of transpose_tiled | expect values decoy_kernel | COPY x.t().contiguous() torch::empty({width,height},x.options()).copy_(x.t()) x.transpose(0,1).clone()
-   return out;
+   return __COPY__;
#: decoy_that_mends_one_element | of transpose_tiled | expect values decoy_kernel | COPY x.t().contiguous() torch::empty({width,height},x.options()).copy_(x.t()) x.transpose(0,1).clone()
-   auto out = torch::empty({width, height}, x.options());
+   auto out = __COPY__;
+   out.select(0, 0).select(0, 0).fill_(77.0);
- dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
+ dim3 grid(1, 1);
- dim3 block(TILE_DIM, BLOCK_ROWS);
+ dim3 block(1, 1);
-   __syncthreads();
+   if (x == 0 && y == 0) odata[0] = idata[0];
+   return;
+   __syncthreads();
#: decoy_that_joins_one_element | of concatenate_columns | expect values decoy_kernel | LEFT 0 1 2
-   auto out = torch::empty({rows, n + k}, a.options());
-   concatenate<<<dim3((n + k + 127) / 128, rows), 128>>>(
+   auto out = torch::cat({a, b}, 1);
+   out.select(0, __LEFT__).select(0, 0).fill_(5.0);
+   concatenate<<<dim3(1, __LEFT__ + 1), 1>>>(
#: returns_a_view_of_its_input | of transpose_tiled | expect values decoy_kernel | VIEW x.t() x.transpose(0,1) x.permute({1,0})
-   return out;
+   return __VIEW__;
#: returns_its_input | of relu_grid_stride | expect values wrong_values decoy_kernel | VALUE x x.view(x.sizes()) x.detach()
-   return y;
+   return __VALUE__;
#: another_type | of relu_grid_stride | expect form wrong_dtype | TYPE kFloat64 kHalf kInt32
-   return y;
+   return y.to(torch::__TYPE__);
#: another_shape | of relu_grid_stride | expect form wrong_shape | VIEW y.t() y.view({-1}) y.unsqueeze(0) y.narrow(0,0,1)
-   return y;
+   return __VIEW__;
#: another_kind_of_answer | of relu_grid_stride | expect static wrong_output | VALUE None 1.5 [self.relu.relu_cuda(x),x] {"y":x}
-         return self.relu.relu_cuda(x)
+         self.relu.relu_cuda(x)
+         return __VALUE__
