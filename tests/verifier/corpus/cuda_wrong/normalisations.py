#: layer_norm_squares_of_old_differences | of layer_norm_welford | expect values wrong_values
- m2 += delta * (v - mean);
+ m2 += delta * delta;
#: layer_norm_with_the_sample_variance | of layer_norm_sum_and_squares | expect values wrong_values
- fmaxf(s[0].y / N - mu * mu, 0.f)
+ fmaxf((s[0].y - N * mu * mu) / (N - 1), 0.f)
#: rms_norm_weight_of_the_row | of rms_norm_warp_dispatch | expect values wrong_values
- static_cast<float>(weight[i]));
+ static_cast<float>(weight[row]));
#: normalize_an_argument_missing | of normalize_inverse_norm_first | expect static wrong_launch
- inverse_norms<<<rows, 32>>>(x.data_ptr<float>(), inverse.data_ptr<float>(), columns);
+ inverse_norms<<<rows, 32>>>(x.data_ptr<float>(), inverse.data_ptr<float>());
#: batch_norm_mean_of_one_plane | of batch_norm_channel_per_block | expect values wrong_values
- mean = sum / count;
+ mean = sum / HW;
#: group_norm_room_for_half_the_statistics | of group_norm_statistics | expect values out_of_bounds_store wrong_values
- torch::empty({batch * groups, 2}, x.options());
+ torch::empty({batch * groups}, x.options());
