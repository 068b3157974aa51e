#: cumulative_sum_of_each_piece | of cumulative_sum_block_scan | expect values wrong_values
- y[base + start + t] = carry + buffer[in][t];
+ y[base + start + t] = buffer[in][t];
#: cumulative_sum_adds_its_own | of cumulative_sum_warp_shuffles | expect values wrong_values
- if (lane >= delta) v += before;
+ v += before;
#: mean_squared_error_not_divided | of mean_squared_error_atomic | expect values wrong_values
- atomicAdd(loss, sum / n);
+ atomicAdd(loss, sum);
#: mean_squared_error_counter_not_zero | of mean_squared_error_last_block | expect values wrong_values
- auto done = torch::zeros({1}
+ auto done = torch::empty({1}
#: cross_entropy_target_of_the_thread | of cross_entropy_row_then_mean | expect values wrong_values
- row[targets[blockIdx.x]]
+ row[targets[threadIdx.x]]
#: attention_values_not_rescaled | of attention_online_softmax | expect values wrong_values
- acc[j] = acc[j] * shrink + weight
+ acc[j] = acc[j] + weight
#: largest_four_loses_what_it_moves | of largest_four_by_insertion | expect values wrong_values
-       v = other;
+       break;
#: cumulative_sum_without_what_came_before | of cumulative_sum_block_scan_of_cub | expect values wrong_values
-     before += all;
+     before = all;
