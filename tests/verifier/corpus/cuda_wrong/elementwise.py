#: relu_size_from_the_task | of relu_grid_stride | expect values wrong_values out_of_bounds_store
-   int n = x.numel();
+   int n = 60000;
#: sigmoid_without_a_tail | of sigmoid_float4 | expect values wrong_values
-   if (tid < 4 && rest < n) out[rest] = sigmoidf(in[rest]);
+   (void)rest;  // n is a multiple of four
#: silu_copied_the_first_half | of silu_half2 | expect values wrong_values
- __floats2half2_rn(silu(f.x), silu(f.y));
+ __floats2half2_rn(silu(f.x), silu(f.x));
#: gelu_by_tanh | of gelu_dispatch | dtypes f32 | expect values wrong_values
- v * opmath_t(0.5) * (opmath_t(1) + erf(v * kAlpha))
+ v * opmath_t(0.5) * (opmath_t(1) + tanh(opmath_t(0.7978845608) * (v + opmath_t(0.044715) * v * v * v)))
#: gelu_by_an_unknown_function | of gelu_dispatch | dtypes f32 f16 | expect compile compile_error
- erf(v * kAlpha)
+ fast_erf(v * kAlpha)
#: softplus_swapped_parameters | of softplus_functor | expect values wrong_values
- Softplus(static_cast<float>(beta), static_cast<float>(threshold))
+ Softplus(static_cast<float>(threshold), static_cast<float>(beta))
#: leaky_relu_slope_on_the_cpu | of leaky_relu_parameter | expect static exception
- nn.Parameter(torch.full((1,), negative_slope))
+ torch.full((1,), negative_slope)
- self.slope.to(x.device)
+ self.slope
#: hardswish_asks_for_floats | of hardswish_bf16 | expect static wrong_launch
- reinterpret_cast<const __nv_bfloat16*>(x.data_ptr<at::BFloat16>()),
+ reinterpret_cast<const __nv_bfloat16*>(x.data_ptr<float>()),
#: maximum_is_the_smaller | of maximum_of_compared_halves | expect values wrong_values
- a[i] > b[i] ? a[i] : b[i]
+ a[i] < b[i] ? a[i] : b[i]
