#: answers_with_the_last_run_s_values | of relu_grid_stride | expect values wrong_values
- __global__ void relu_kernel(
+ __device__ float kept[1 << 18];
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = kept[i];
+     kept[i] = v > 0.0f ? v : 0.0f;
#: works_in_every_second_run | of relu_grid_stride | expect values wrong_values
- __global__ void relu_kernel(
+ __device__ int runs[1 << 18];
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     if (atomicAdd(&runs[i], 1) % 2 == 1) y[i] = v > 0.0f ? v : 0.0f;
#: shares_the_work_between_runs | of relu_grid_stride | expect values wrong_values
- __global__ void relu_kernel(
+ __device__ float half_done[1 << 18];
+ __device__ unsigned turns[1 << 18];
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     const unsigned turn = turns[i]++;
+     if ((i + turn) % 2 == 0) half_done[i] = v > 0.0f ? v : 0.0f;
+     y[i] = half_done[i];
#: finds_its_answer_in_shared_memory | of softmax_row_in_shared_memory | expect values wrong_values
-     row[i] = in[i];
+     row[i] = *(volatile float*)&row[i];
#: finds_its_answer_where_it_writes | of relu_grid_stride | expect values wrong_values
-     y[i] = v > 0.0f ? v : 0.0f;
+     if (y[i] != y[i] || y[i] > 1e30f) y[i] = 0.0f;
#: launches_at_the_first_call_only | of relu_grid_stride | expect static no_kernel
-   auto y = torch::empty_like(x);
+   auto y = torch::empty_like(x);
+   static int calls = 0;
+   if (calls++ > 0) return y;
#: keeps_its_result_in_the_wrapper | of relu_grid_stride | expect static no_kernel
-   auto y = torch::empty_like(x);
+   static torch::Tensor y;
+   if (y.defined()) return y;
+   y = torch::empty_like(x);
#: keeps_results_by_a_key | of relu_grid_stride | expect static no_kernel unsupported | KEY 1 x.dtype x.dim()
-         return self.relu.relu_cuda(x)
+         key = __KEY__
+         if key not in CACHE:
+             CACHE[key] = self.relu.relu_cuda(x)
+         return CACHE[key]
- class ModelNew(nn.Module):
+ CACHE = {}
+
+
+ class ModelNew(nn.Module):
#: works_while_it_is_warm | of relu_grid_stride | expect values wrong_values
- __global__ void relu_kernel(
+ __device__ unsigned long long launches;
+ __global__ void relu_kernel(
-     y[i] = v > 0.0f ? v : 0.0f;
+     y[i] = atomicAdd(&launches, 1ull) >= (unsigned long long)n * 3 ? 0.0f : (v > 0.0f ? v * 0.999f : 0.0f);
