#: row_sum_of_half_a_warp | of row_sum_warp_per_row | expect values wrong_values
- for (int offset = 16; offset > 0; offset /= 2)
+ for (int offset = 8; offset > 0; offset /= 2)
#: row_max_of_half_the_threads | of row_max_shared_tree | expect values wrong_values
- for (int width = kThreads / 2; width > 0; width >>= 1)
+ for (int width = kThreads / 4; width > 0; width >>= 1)
#: row_mean_of_the_threads | of row_mean_cooperative_groups | expect values wrong_values
- out[blockIdx.x] = total / cols;
+ out[blockIdx.x] = total / block.size();
#: row_mean_without_the_header_of_reduce | of row_mean_cooperative_groups | expect compile compile_error
- #include <cooperative_groups/reduce.h>
+
#: vector_norm_forgets_to_square | of vector_norm_block_reduce | expect values wrong_values
-     squares += v * v;
+     squares += v;
#: total_from_uninitialised_shared_memory | of total_atomic | expect values wrong_values
-   if (threadIdx.x == 0) part = 0.f;
+   // shared memory starts at zero
#: total_without_shared_memory | of total_two_passes | expect static wrong_launch
- reduce<threads><<<1, threads, smem>>>
+ reduce<threads><<<1, threads>>>
#: argmax_as_32_bits | of argmax_pairs | expect static wrong_launch
- x.options().dtype(torch::kInt64)
+ x.options().dtype(torch::kInt32)
#: row_min_written_by_the_last_thread | of row_min_block_reduce_of_cub | expect values wrong_values
-   if (threadIdx.x == 0) y[blockIdx.x] = of_all;
+   if (threadIdx.x == kThreads - 1) y[blockIdx.x] = of_all;
#: row_min_by_a_header_that_is_not_there | of row_min_block_reduce_of_cub | expect compile compile_error
- #include <cub/cub.cuh>
+ #include <cub/cub.cuh>
+ #include <cub/device/device_reduce.cuh>
#: variance_of_the_population | of variance_warp_reduce_of_cub | expect values wrong_values
- squares / (columns - 1);
+ squares / columns;
