#pragma once
// A program in the form that the parser gives to the machine. check() of check.hpp verifies everything that
// the machine relies on (types fit, operands are defined on every path, regions end in the right terminator),
// independently of how the program was made.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/executor/kernels/kernels.hpp"
#include "verifier/executor/values/code.hpp"
#include "verifier/executor/values/types.hpp"

namespace trl::executor::ir {

/// A position in the candidate's source; line 0 means unknown. Lines and columns count from 1.
struct Location {
  int file = -1;  // index into Program::files
  int line = 0;
  int column = 0;
};

struct Operation;

struct Block {
  std::vector<int> arguments;  // indices of values
  std::vector<Operation> operations;
};

struct Region {
  std::vector<Block> blocks;
  /// Whether it consists only of elementwise operations on single elements, so that it can run on whole
  /// blocks (for reduce, scan and map).
  bool elementwise = false;
};

struct Successor {
  int block = 0;
  std::vector<int> operands;
};

enum class Atomic : std::uint8_t { fadd, add, max, min, umax, umin, exchange, and_, or_, xor_ };
enum class Precision : std::uint8_t { ieee, tf32, tf32x3, bf16x3, bf16x6 };

/// One side of a dot_scaled: small floats, with one power of two for each 32 elements along K.
struct ScaledOperand {
  int scale = -1;       // index of the operand; -1: none
  bool fours = false;   // e2m1: two elements per byte, the first in the low half
  bool along_k = true;  // the two are adjacent along K, not along the other dimension
};

/// How elements of a block are moved to another block.
struct Relayout {
  enum class Kind { broadcast, trans, unknown };  // a reshape doesn't change their order
  Kind kind = Kind::unknown;
  std::vector<std::int32_t> from, to;  // shapes
  std::vector<std::int64_t> order;     // for trans
};

/// The mask of a load whose values reach a decision: where it is off, no element of the input was decided.
struct Lanes {
  int mask = -1;               // index of a value
  std::vector<Relayout> ways;  // from the load's elements to the decision's, in turn
};

struct Operation {
  Code code = Code::nothing;
  int location = -1;   // index into Program::locations
  std::size_t at = 0;  // byte offset of the operation in the text
  bool once = false;   // whether it is the same in every program of a launch
  int decision = -1;   // number among the program's decisions (a clamp has two); -1: it is no decision
  std::vector<Lanes> lanes;
  std::vector<int> operands;
  std::vector<int> results;

  Kernel kernel = nullptr;           // for elementwise operations; a simple reduce or scan has axis_kernel
  AxisKernel axis_kernel = nullptr;  // for reduce and scan
  Scalar scalar = Scalar::i32;       // element type of the operands
  Scalar to = Scalar::i32;           // element type of the result, for elementwise operations
  std::int64_t number = 0;           // axis, start of a range, size of the pointee in bytes, callee, axis of
                            // program_id, or the number of elements that a mapped region takes at once
  std::vector<std::int64_t> list;  // order of trans
  std::vector<std::byte> payload;  // elements of a constant, in storage form
  bool has_mask = false, has_other = false, reverse = false, acquires = false, releases = false,
       is_unsigned = false;
  bool is_volatile = false;     // for a load
  bool keeps_layout = false;    // for a reshape: each thread keeps its elements
  bool within_block = false;    // the scope of an atomic is its own program alone (cta)
  bool used = false;            // whether one of its results is used
  std::uint8_t dimensions = 0;  // of the block of a load, store or atomic; 0: a scalar
  Atomic atomic = Atomic::add;
  Precision precision = Precision::ieee;
  ScaledOperand scaled[2];
  std::string text;  // message of a failed assertion
  std::vector<Region> regions;
  std::vector<Successor> successors;
};

struct Value {
  Type type;
  std::int64_t count = 1;  // number of elements of the type
  // Number of elements that the storage must hold: 1 when all are equal for any input.
  std::int64_t capacity = 1;
  int alias = -1;           // the value whose storage it shares, or -1
  bool external = false;    // whether its elements are in the constant itself
  std::int64_t offset = 0;  // byte offset of the storage in the function's arena
  bool invariant = false;   // whether it is the same in every program of a launch
};

struct Function {
  std::string name;
  bool is_public = false;
  // Whether another function calls it; then nothing in it counts as the same in every program.
  bool is_called = false;
  int location = -1;
  std::vector<std::string> parameter_names;
  std::vector<int> parameters;  // indices of values
  std::vector<Type> results;
  std::vector<Value> values;
  Region body;
  std::int64_t arena_bytes = 0;
};

struct Program {
  std::vector<Function> functions;
  std::vector<std::string> files;
  std::vector<Location> locations;
  int decisions = 0;  // the number of decisions
};

/// Assigns each value's storage in the function's arena, reusing storage that is no longer needed, and marks
/// values that are the same in every program of a launch.
void place_values(Function& function);

}  // namespace trl::executor::ir
