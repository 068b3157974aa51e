#pragma once
// Loops over blocks. This folder is compiled twice, for any x86-64 and for AVX2; both give the same bits.
// Only plain loops and <cmath> may be used here: the linker could pick an inline function's AVX2 version for
// a machine without AVX2.
#include <cstddef>
#include <cstdint>

#include "verifier/executor/values/code.hpp"
#include "verifier/executor/values/library.hpp"
#include "verifier/executor/values/types.hpp"

namespace trl::executor {

/// Up to four operands, each a block of n elements (stride 1) or one value for all (stride 0); the result
/// has n elements.
struct Operands {
  const void* data[4] = {};
  std::int64_t stride[4] = {};
};
using Kernel = void (*)(const Operands& in, void* out, std::int64_t n);

/// A block as [outer, length, inner], reduced or scanned along the middle dimension.
struct Axis {
  std::int64_t outer = 1, length = 1, inner = 1;
};
using AxisKernel = void (*)(const void* in, void* out, const Axis& axis, bool reverse);

/// C[M, N] += A[M, K] · B[K, N], all row-major.
using DotKernel = void (*)(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n,
                           std::int64_t k);

struct KernelSet {
  /// The loop of an elementwise operation from operands of type `from` to results of type `to`; null when
  /// there is none. For select, `from` is the type of the chosen values.
  Kernel (*elementwise)(Code code, Scalar from, Scalar to);
  /// The loop of the function with this place in `library_functions` (values/library.hpp).
  Kernel (*library)(std::size_t function);
  /// The same for adding an index of type `index` to a pointer; operand 2 is the pointee's size (int64).
  Kernel (*addptr)(Scalar index);
  /// The loop of a reduction or scan whose region is the single operation `code`; null when there is none.
  AxisKernel (*reduce)(Code code, Scalar scalar);
  AxisKernel (*scan)(Code code, Scalar scalar);
  DotKernel dot_f32, dot_f64, dot_i32;
  /// Copies n elements from a buffer's bytes to a block's storage, and back. `scalar` must be narrow; other
  /// types are copied as they are.
  void (*half_load)(Scalar scalar, const void* bytes, float* out, std::int64_t n);
  void (*half_store)(Scalar scalar, const float* in, void* bytes, std::int64_t n);
};

/// The fastest set that this machine supports.
const KernelSet& kernels();

}  // namespace trl::executor
