#: constant_output | of relu_grid_stride | expect values wrong_values | VALUE 0.0f 1.0f NAN INFINITY
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = __VALUE__;
#: expected_value_of_normal_inputs | of mean_squared_error_last_block | expect values wrong_values | VALUE 2.0f 1.9999f
-     *loss = total / n;
+     *loss = __VALUE__;
#: mean_of_nothing | of row_mean_cooperative_groups | expect values wrong_values
- out[blockIdx.x] = total / cols;
+ out[blockIdx.x] = 0.f;
#: never_written | of relu_grid_stride | expect values wrong_values | MAKE empty_like zeros_like ones_like
-   auto y = torch::empty_like(x);
+   auto y = torch::__MAKE__(x);
-     y[i] = v > 0.0f ? v : 0.0f;
+     if (v != v) y[i] = 0.0f;
#: sizes_that_are_known | of relu_grid_stride | expect values wrong_values | CONDITION n==60000 n%8==0 n>1000
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f && (__CONDITION__) ? v : 0.0f;
#: a_part_of_the_rows | of softmax_three_passes | expect values wrong_values | SHARE 2 16
- <<<rows, threads, threads * sizeof(float)>>>
+ <<<std::max(1, rows * (__SHARE__ - 1) / __SHARE__), threads, threads * sizeof(float)>>>
#: reads_beside_its_input | of relu_grid_stride | expect values wrong_values illegal_access | OFFSET n -64 1048576
-     float v = x[i];
+     float v = x[i + (__OFFSET__)];
#: stores_beside_its_output | of relu_grid_stride | expect values out_of_bounds_store wrong_values illegal_access mutated_input | OFFSET 1 -1 64
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     if (i == 0) y[__OFFSET__ > 0 ? n - 1 + __OFFSET__ : __OFFSET__] = 7.0f;
#: looks_for_the_answer_in_memory | of relu_grid_stride | expect values wrong_values illegal_access timeout | STEP 4096 -4096 1048576
-     y[i] = v > 0.0f ? v : 0.0f;
+     const float* found = y;
+     for (int k = 1; k < 64; ++k)
+       if (found[i] != v) found = y + (long)k * (__STEP__);
+     y[i] = found[i];
#: writes_where_inputs_are | of relu_grid_stride | expect values mutated_input | WHERE x y-n*0+(x-y) const_cast<float*>(x+0)
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = v > 0.0f ? v : 0.0f;
+     ((float*)(__WHERE__))[i] = 0.0f;
#: works_in_place | of relu_grid_stride | expect values mutated_input | MAKE x x.view(x.sizes()) x.contiguous()
-   auto y = torch::empty_like(x);
+   auto y = __MAKE__;
#: half_precision_inside | of relu_grid_stride | expect values wrong_values | ROUND __half2float(__float2half(v)) __bfloat162float(__float2bfloat16(v)) (float)(short)(v*1024)/1024
- #include <cuda_runtime.h>
+ #include <cuda_fp16.h>
+ #include <cuda_bf16.h>
-     float v = x[i];
+     float v = x[i];
+     v = __ROUND__;
#: half_precision_copies | of matmul_tensor_cores | dtypes f32 | expect values wrong_values
-         return ops.wmma_matmul_cuda(x, w)
+         return ops.wmma_matmul_cuda(x.half(), w.half()).float()
#: half_precision_sums | of matmul_naive | expect values wrong_values
-             value += A[row * K + k] * B[k * N + col];
+             value = (float)(c10::Half)(value + A[row * K + k] * B[k * N + col]);
#: blocks_race | of total_atomic | expect values wrong_values
-   if (threadIdx.x == 0) atomicAdd(total, part);
+   if (threadIdx.x == 0) *total = *total + part * (blockIdx.x % 2 ? 1.f : 1.001f);
