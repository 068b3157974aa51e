#: conv1d_one_output_too_few | of conv1d_direct | expect values wrong_values
- const int out_len = L - K + 1;
+ const int out_len = L - K;
#: conv1d_window_without_its_edge | of conv1d_shared_window | expect values wrong_values
- for (int i = threadIdx.x; i < kWidth + kTaps - 1; i += kWidth)
+ for (int i = threadIdx.x; i < kWidth; i += kWidth)
#: conv2d_padding_forgotten | of conv2d_padded | expect values wrong_values
- int ih = oh + kh - pad;
+ int ih = oh + kh;
#: conv2d_depthwise_taps_of_the_batch | of conv2d_depthwise_halo | expect values wrong_values
- w[(plane % C) * 9 + tid]
+ w[(plane / C) * 9 + tid]
#: max_pool2d_starts_at_zero | of max_pool2d_windows | expect values wrong_values
- float best = -FLT_MAX;
+ float best = 0.f;
#: avg_pool1d_rows_of_the_input | of avg_pool1d_pairs | expect values out_of_bounds_store wrong_values
- y[row * half + i]
+ y[row * length + i]
#: global_average_with_twice_the_threads | of global_average_pool | expect values wrong_values illegal_access
- x.size(1), 128>>>
+ x.size(1), 256>>>
