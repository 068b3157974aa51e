#: wrapper_of_check_macros_one_too_many | of wrapper_of_check_macros | expect values out_of_bounds_store
- if (idx < size)
+ if (idx <= size)
#: wrapper_of_occupancy_always_vectors | of wrapper_of_occupancy | expect values wrong_values
- const bool vector = n % 4 == 0;
+ const bool vector = true;
#: wrapper_that_chooses_a_block_size_adds_half | of wrapper_that_chooses_a_block_size | expect values wrong_values
- unsigned half = kBlock / 2;
+ unsigned half = kBlock / 4;
#: wrapper_that_chooses_a_block_without_a_kernel | of wrapper_that_chooses_a_block_size | dims M=25 N=30 | expect static exception
-     LAUNCH(32)
+
#: wrapper_of_tuples_forgets_the_logarithm | of wrapper_of_tuples_and_options | expect values wrong_values
- shifted - __logf(sums[row])
+ shifted - sums[row]
#: wrapper_of_tuples_passes_another_type | of wrapper_of_tuples_and_options | expect static wrong_arguments
- kind="log")
+ kind=1)
#: wrapper_of_two_extensions_bias_of_the_row | of wrapper_of_two_extensions | expect values wrong_values
- b[i % columns]
+ b[i / columns]
#: wrapper_of_asynchronous_copies_of_the_first_block | of wrapper_of_asynchronous_copies | expect values wrong_values
- __pipeline_memcpy_async(right + at, b + first + at, 16);
+ __pipeline_memcpy_async(right + at, b + at, 16);
#: wrapper_of_a_functor_doubles | of wrapper_of_a_functor | expect values wrong_values
- return v * v;
+ return v + v;
#: wrapper_of_ordered_atomics_by_blocks | of wrapper_of_ordered_atomics | expect values wrong_values
- atomicMaxFloat(y + blockIdx.y,
+ atomicMaxFloat(y + blockIdx.x,
#: wrapper_of_accumulate_types_half_rounded_down | of wrapper_of_accumulate_types | expect values wrong_values
- const int half = (left + 1) >> 1;
+ const int half = left >> 1;
#: wrapper_of_vector_types_without_the_rest | of wrapper_of_vector_types | expect values wrong_values
-   if (n % 8 != 0) {
+   if (n < 8) {
#: wrapper_of_votes_by_the_other_bit | of wrapper_of_votes_and_switches | expect values wrong_values
- words[i >> 5] >> (i & 31) & 1u
+ words[i >> 5] >> (31 - (i & 31)) & 1u
