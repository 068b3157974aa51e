#: reads_the_absent_operand | of null_for_an_absent_operand | CALL False | expect values illegal_access gpu_error wrong_values
-   if (scale) v *= scale[0];
+   v *= scale[0];
#: the_macro_of_another_flag | of macros_and_libraries_of_a_build | DEFINED "-DTHREADS=96" | expect values wrong_values
-   if (i < n) y[i] = x[i] > ZERO ? x[i] : ZERO;
+   if (i < n) y[i] = x[i] > FAST ? x[i] : ZERO;
#: a_slope_of_a_pair | of tuples_and_arrays_as_arguments | expect values wrong_values
-         return ops.rectified(x, x.shape, (32, 0.0), (0.0, 0))
+         return ops.rectified(x, x.shape, (32, 0.125), (0.0, 0))
#: a_tuple_of_another_size | of tuples_and_arrays_as_arguments | expect static wrong_arguments
-         return ops.rectified(x, x.shape, (32, 0.0), (0.0, 0))
+         return ops.rectified(x, x.shape, (32, 0.0, 1), (0.0, 0))
#: the_last_lane_is_left_out | of limits_of_half_types | expect values wrong_values
-   for (int i = 1; i < 32; ++i) m = fmaxf(m, most[i]);
+   for (int i = 1; i < 31; ++i) m = fmaxf(m, most[i]);
#: the_other_branch | of branches_for_other_devices | expect static framework_compute
-   if (!x.is_cuda()) return torch::relu(x);
+   if (x.is_cuda()) return torch::relu(x);
#: the_smallest_for_the_largest | of branches_for_other_devices | expect values wrong_values
-   if (i < n) y[i] = x[i] > 0.f ? x[i] : 0.f;
+   if (i < n) y[i] = x[i] < 0.f ? x[i] : 0.f;
#: shared_memory_of_two_types | of instances_of_one_type | expect compile compile_error
-   extern __shared__ __align__(8) unsigned char room[];
-   scalar_t* held = reinterpret_cast<scalar_t*>(room);
+   extern __shared__ scalar_t held[];
#: an_instance_that_no_launch_needs | of instances_of_one_type | expect compile compile_error
-   scalar_t* held = reinterpret_cast<scalar_t*>(room);
+   scalar_t* held = reinterpret_cast<scalar_t*>(room);
+   float* also = held;
#: names_a_function_of_its_module | of branches_for_other_devices | expect static missing_function
- ops = load_inline(name="rectified", cpp_sources="", cuda_sources=source)
+ ops = load_inline(name="rectified", cpp_sources="", cuda_sources=source, functions=["rectify_all"])
