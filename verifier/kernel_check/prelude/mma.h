// Matrix fragments of nvcuda::wmma.
#pragma once

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };
template <class T>
struct storage_element {
  using type = T;
};
template <>
struct storage_element<precision::tf32> {
  using type = float;
};
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using element = typename storage_element<T>::type;
  static constexpr int num_elements = M * N / 32;
  element x[M * N / 32];
};
template <class F, class T>
__device__ void fill_fragment(F&, T);
template <class F, class T>
__device__ void load_matrix_sync(F&, const T*, unsigned int);
template <class F, class T>
__device__ void load_matrix_sync(F&, const T*, unsigned int, layout_t);
template <class F, class T>
__device__ void store_matrix_sync(T*, const F&, unsigned int, layout_t);
template <class D, class A, class B, class C>
__device__ void mma_sync(D&, const A&, const B&, const C&);
__device__ float __float_to_tf32(float);
}  // namespace wmma
}  // namespace nvcuda
