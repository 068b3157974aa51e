#: transpose_guard_of_the_input | of transpose_tiled | expect values out_of_bounds_store wrong_values
- if (x < height && y + j < width) odata
+ if (x < width && y + j < height) odata
#: permute_strides_of_the_input | of permute_strides_argument | expect values wrong_values
- shape.strides[d] = x.stride(axes[d]);
+ shape.strides[d] = x.stride(d);
#: embedding_indices_as_32_bits | of embedding_rows | expect values wrong_values
- const int64_t row = tokens[blockIdx.x];
+ const int64_t row = reinterpret_cast<const int*>(tokens)[blockIdx.x];
#: concatenate_offset_forgotten | of concatenate_columns | expect values wrong_values
- b[row * k + col - n]
+ b[row * k + col]
#: flip_by_one_too_many | of flip_rows_from_a_file | expect values out_of_bounds_store wrong_values
- (cols - 1 - col)
+ (cols - col)
#: gather_rows_of_the_input | of gather_columns_bounds_asserted | expect values wrong_values
- x[i / to * from + column]
+ x[i / from * from + column]
#: lower_triangle_without_its_diagonal | of lower_triangle | expect values wrong_values
- column > row)
+ column >= row)
