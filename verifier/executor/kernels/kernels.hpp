#pragma once
// Loops over blocks. This folder is compiled twice, for any x86-64 and for AVX2; both versions compute the
// same bits. Only plain loops and <cmath> may be used here: the linker could pick an inline function's AVX2
// version for a machine without AVX2.
#include <cstddef>
#include <cstdint>

#include "verifier/executor/values/code.hpp"
#include "verifier/executor/values/library.hpp"
#include "verifier/executor/values/types.hpp"

namespace trl::executor {

/// The operands (at most four) of a loop whose result has n elements. Each operand is a block of n elements
/// (stride 1) or a single element that is used n times (stride 0).
struct Operands {
  const void* data[4] = {};
  std::int64_t stride[4] = {};
};
using Kernel = void (*)(const Operands& in, void* out, std::int64_t n);

/// The shape [outer, length, inner] of a block that is reduced or scanned along its middle dimension.
/// Adjacent dimensions of the original block are merged into one.
struct Axis {
  std::int64_t outer = 1, length = 1, inner = 1;
  bool neighbours = false;  // whether a reduction's last 16 numbers are joined as neighbours, not as halves
  std::int64_t run = 16;    // the elements that a scan joins one after the other
};
/// Finds the elements, among n results, that are undefined for the operands `in`. Unless `with` is null,
/// overwrites them with the bytes at `with`. Returns their number.
using UndefinedKernel = std::int64_t (*)(const Operands& in, void* out, std::int64_t n, const void* with);
using AxisKernel = void (*)(const void* in, void* out, const Axis& axis, bool reverse);

/// How a product and a sum are contracted.
enum class Contraction : std::uint8_t { add, subtract, subtract_product };

/// Computes C += A·B for row-major matrices A [m, k], B [k, n] and C [m, n].
using DotKernel = void (*)(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n,
                           std::int64_t k);

struct KernelSet {
  /// Returns the loop of an elementwise operation from operands of type `from` to results of type `to`; null
  /// when there is no such loop. For select, `from` is the type of the two values to choose from.
  Kernel (*elementwise)(Code code, Scalar from, Scalar to);
  /// Returns the loop of the libdevice function `library_functions[function]` (values/library.hpp).
  Kernel (*library)(std::size_t function);
  /// Returns the loop that adds an index of type `index` to a pointer. The loop's operands are the pointer,
  /// the index and the pointee's size in bytes (int64).
  Kernel (*addptr)(Scalar index);
  /// Returns the loop of a reduction whose region is the single operation `code`; null when there is no such
  /// loop.
  AxisKernel (*reduce)(Code code, Scalar scalar);
  /// Like `reduce`, but returns the loop of a scan.
  AxisKernel (*scan)(Code code, Scalar scalar);
  /// Returns the loop that rounds a·b + c, a·b − c or c − a·b once, with the operands in this order.
  Kernel (*contracted)(Contraction form, Scalar scalar);
  /// Returns the loop that finds undefined results of an operation; null when it has none.
  UndefinedKernel (*undefined)(Code code, Scalar from, Scalar to);
  DotKernel dot_f32, dot_f64, dot_i32;
  /// Converts n floats of 8 or 16 bits (type `scalar`) in a buffer to f32, as blocks store them.
  void (*half_load)(Scalar scalar, const void* bytes, float* out, std::int64_t n);
  /// Converts n elements of a block, f32 numbers that are already rounded to `scalar` (a float of 8 or 16
  /// bits), to that type in a buffer.
  void (*half_store)(Scalar scalar, const float* in, void* bytes, std::int64_t n);
};

/// Returns the fastest set of loops that this machine's CPU supports.
const KernelSet& kernels();

}  // namespace trl::executor
