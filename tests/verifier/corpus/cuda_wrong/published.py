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
