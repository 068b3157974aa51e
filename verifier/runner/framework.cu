// Kernels for what PyTorch does between a candidate's launches, on strided views: fill and copy, including
// conversions; and kernels that isolate runs from each other.
//
// framework.ptx is compiled from this file and committed, so that no machine needs a CUDA compiler:
//   clang++-16 -x cuda --cuda-gpu-arch=sm_80 --cuda-feature=+ptx74 --cuda-device-only -nocudainc -nocudalib -O2
//   -std=c++20 -S framework.cu -o framework.ptx
#include "pad.hpp"

#define KERNEL extern "C" __attribute__((global)) void

namespace {

// Must have the order of ElementType in verifier/plan.hpp.
enum class Type : int { f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u64, u32, u16, u8, i1 };

constexpr int max_rank = 8;

// A view of a buffer: extents, and strides in elements.
struct View {
  unsigned char* base;
  long long strides[max_rank];
  Type type;
};

struct Shape {
  long long extents[max_rank];
  long long count;
  int rank;
};

// A value between two types; integers keep all their bits.
struct Number {
  double real;
  long long whole;
  bool is_whole;
};

__attribute__((device)) float from_half(unsigned short bits) {
  float out;
  asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(bits));
  return out;
}

__attribute__((device)) unsigned short to_half(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

__attribute__((device)) unsigned short to_brain(float value) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

__attribute__((device)) Number real(double value) { return {value, static_cast<long long>(value), false}; }
__attribute__((device)) Number whole(long long value) { return {static_cast<double>(value), value, true}; }

__attribute__((device)) Number load(Type type, const unsigned char* from) {
  switch (type) {
    case Type::f64:
      return real(*reinterpret_cast<const double*>(from));
    case Type::f32:
      return real(*reinterpret_cast<const float*>(from));
    case Type::f16:
      return real(from_half(*reinterpret_cast<const unsigned short*>(from)));
    case Type::bf16: {
      const unsigned bits = static_cast<unsigned>(*reinterpret_cast<const unsigned short*>(from)) << 16;
      return real(__builtin_bit_cast(float, bits));
    }
    case Type::i64:
      return whole(*reinterpret_cast<const long long*>(from));
    case Type::i32:
      return whole(*reinterpret_cast<const int*>(from));
    case Type::i16:
      return whole(*reinterpret_cast<const short*>(from));
    case Type::i8:
      return whole(*reinterpret_cast<const signed char*>(from));
    case Type::u64: {
      const auto value = *reinterpret_cast<const unsigned long long*>(from);
      return {static_cast<double>(value), static_cast<long long>(value), true};
    }
    case Type::u32:
      return whole(*reinterpret_cast<const unsigned*>(from));
    case Type::u16:
      return whole(*reinterpret_cast<const unsigned short*>(from));
    case Type::u8:
      return whole(*from);
    case Type::f8e4m3:  // copied, but never converted: DevicePlan refuses that
    case Type::f8e5m2:
      break;
    case Type::i1:
      return whole(*from != 0);
  }
  return {};
}

__attribute__((device)) void store(Type type, const Number& value, unsigned char* to) {
  switch (type) {
    case Type::f64:
      *reinterpret_cast<double*>(to) = value.real;
      break;
    case Type::f32:
      *reinterpret_cast<float*>(to) = static_cast<float>(value.real);
      break;
    case Type::f16:
      *reinterpret_cast<unsigned short*>(to) = to_half(static_cast<float>(value.real));
      break;
    case Type::bf16:
      *reinterpret_cast<unsigned short*>(to) = to_brain(static_cast<float>(value.real));
      break;
    case Type::i64:
      *reinterpret_cast<long long*>(to) = value.whole;
      break;
    case Type::i32:
      *reinterpret_cast<int*>(to) = static_cast<int>(value.whole);
      break;
    case Type::i16:
      *reinterpret_cast<short*>(to) = static_cast<short>(value.whole);
      break;
    case Type::i8:
      *reinterpret_cast<signed char*>(to) = static_cast<signed char>(value.whole);
      break;
    case Type::u64:
      *reinterpret_cast<unsigned long long*>(to) = value.is_whole
                                                       ? static_cast<unsigned long long>(value.whole)
                                                       : static_cast<unsigned long long>(value.real);
      break;
    case Type::u32:
      *reinterpret_cast<unsigned*>(to) = static_cast<unsigned>(value.whole);
      break;
    case Type::u16:
      *reinterpret_cast<unsigned short*>(to) = static_cast<unsigned short>(value.whole);
      break;
    case Type::f8e4m3:
    case Type::f8e5m2:
      break;
    case Type::u8:
      *to = static_cast<unsigned char>(value.whole);
      break;
    case Type::i1:
      *to = value.is_whole ? value.whole != 0 : value.real != 0;
      break;
  }
}

__attribute__((device)) int width(Type type) {
  switch (type) {
    case Type::f64:
    case Type::i64:
    case Type::u64:
      return 8;
    case Type::f32:
    case Type::i32:
    case Type::u32:
      return 4;
    case Type::f16:
    case Type::bf16:
    case Type::i16:
    case Type::u16:
      return 2;
    default:
      return 1;
  }
}

__attribute__((device)) unsigned char* element(const View& view, const Shape& shape, long long index) {
  long long offset = 0;
  for (int d = shape.rank - 1; d >= 0; --d) {
    offset += index % shape.extents[d] * view.strides[d];
    index /= shape.extents[d];
  }
  return view.base + offset * width(view.type);
}

__attribute__((device)) long long first() {
  return static_cast<long long>(__nvvm_read_ptx_sreg_ctaid_x()) * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

__attribute__((device)) long long step() {
  return static_cast<long long>(__nvvm_read_ptx_sreg_nctaid_x()) * __nvvm_read_ptx_sreg_ntid_x();
}

}  // namespace

KERNEL trl_fill(View to, Shape shape, double value) {
  for (long long i = first(); i < shape.count; i += step())
    store(to.type, real(value), element(to, shape, i));
}

KERNEL trl_copy(View to, View from, Shape shape) {
  const int bytes = width(to.type);
  for (long long i = first(); i < shape.count; i += step()) {
    const unsigned char* source = element(from, shape, i);
    unsigned char* target = element(to, shape, i);
    if (to.type != from.type)
      store(to.type, load(from.type, source), target);
    else
      for (int k = 0; k < bytes; ++k) target[k] = source[k];
  }
}

// Counts the bytes that differ from `pattern` and finds the first: found[0] is the count, found[1] the
// offset.
KERNEL trl_changed(const unsigned char* from, long long bytes, int pattern, unsigned long long* found) {
  for (long long i = first(); i < bytes; i += step()) {
    if (from[i] == static_cast<unsigned char>(pattern)) continue;
    __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(found), 1);
    __nvvm_atom_min_gen_ull(found + 1, static_cast<unsigned long long>(i));
  }
}

// Masks bytes by a one-time pad, so that an output that has been read leaves nothing that a later run could
// copy; and computes a checksum under another key, by which equal outputs are recognised. Bytes behind the
// last one count as zero.
KERNEL trl_mask(unsigned long long* words, long long bytes, unsigned long long key, unsigned long long sum_key,
                unsigned long long* sum) {
  unsigned long long own = 0;
  for (long long i = first(); 8 * i < bytes; i += step()) {
    unsigned long long word = words[i];
    if (const long long left = bytes - 8 * i; left < 8) word &= ~0ull >> (8 * (8 - left));
    own += trl::runner::pad(sum_key ^ word, static_cast<unsigned long long>(i));
    words[i] = word ^ trl::runner::pad(key, static_cast<unsigned long long>(i));
  }
  __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(sum), static_cast<long long>(own));
}

// Overwrites the shared memory and the registers of every multiprocessor, with one block of 1024 threads and
// all its shared memory on each. So many values are live at once that a thread needs 64 registers.
KERNEL __attribute__((launch_bounds(1024, 1))) trl_scrub(int words) {
  extern __attribute__((shared)) volatile int memory[];
  constexpr int alive = 58;
  const int thread = static_cast<int>(__nvvm_read_ptx_sreg_tid_x());
  for (int i = thread; i < words; i += 1024) memory[i] = 0x7B7B7B7B;
  int values[alive];
#pragma unroll
  for (int i = 0; i < alive; ++i) values[i] = memory[thread + i];
#pragma unroll
  for (int i = 0; i < alive; ++i) memory[thread + i] = values[i];
}

// Overwrites `bytes` bytes of each thread's stack. The blocks together are all threads that a GPU can run at
// once. The words are read again at an index that is unknown at compile time, so that the compiler keeps the
// writes.
template <int bytes>
__attribute__((device)) void scrub_stack(int word, int at, int* nowhere) {
  constexpr int words = bytes / static_cast<int>(sizeof(int));
  volatile int frame[words];
#pragma unroll 1
  for (int i = 0; i < words; ++i) frame[i] = word ^ i;
  if (frame[at % words] == ~word) *nowhere = 0;
}

KERNEL __attribute__((launch_bounds(512))) trl_scrub_small_stack(int word, int at, int* nowhere) {
  scrub_stack<1 << 10>(word, at, nowhere);
}
KERNEL __attribute__((launch_bounds(512))) trl_scrub_large_stack(int word, int at, int* nowhere) {
  scrub_stack<1 << 14>(word, at, nowhere);
}

// Gives the L2 cache lines of this memory their ordinary priority. Lines that a kernel loaded or stored with
// `evict_last` otherwise stay in the cache, however much other memory is written (PTX ISA, "applypriority").
KERNEL trl_demote(const unsigned char* from, long long bytes) {
  constexpr long long line = 128;
  for (long long i = first() * line; i < bytes; i += step() * line)
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(from + i) : "memory");
}

// Reads this memory with the highest priority in the L2 cache, which drives everything else out of it: lines that
// a kernel loaded or stored with `evict_last`, too.
KERNEL trl_occupy(const unsigned char* from, long long bytes, int* nowhere) {
  constexpr long long line = 128;
  int sum = 0;
  unsigned long long keep;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
  for (long long i = first() * line; i < bytes; i += step() * line) {
    int word;
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(word) : "l"(from + i), "l"(keep) : "memory");
    sum |= word;
  }
  if (sum == 0x12345678) *nowhere = 0;
}
