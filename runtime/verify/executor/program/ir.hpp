#pragma once
// A program: what the parser hands to the machine. Everything the machine relies on (types fit, operands are
// defined on every path, regions end in the right terminator) is what check() of check/check.hpp looks at,
// whoever made the program.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/verify/executor/kernels/kernels.hpp"
#include "runtime/verify/executor/values/code.hpp"
#include "runtime/verify/executor/values/types.hpp"

namespace trl::executor::ir {

/// A place in the candidate's source; line 0 means unknown. Lines and columns count from 1.
struct Location {
  int file = -1;  // into Program::files
  int line = 0;
  int column = 0;
};

struct Operation;

struct Block {
  std::vector<int> arguments;  // values
  std::vector<Operation> operations;
};

struct Region {
  std::vector<Block> blocks;
  /// Made of elementwise operations on single elements alone, so that it runs on whole blocks (for reduce,
  /// scan and map).
  bool elementwise = false;
};

struct Successor {
  int block = 0;
  std::vector<int> operands;
};

enum class Atomic : std::uint8_t { fadd, add, max, min, umax, umin, exchange, and_, or_, xor_ };
enum class Precision : std::uint8_t { ieee, tf32, tf32x3, bf16x3, bf16x6 };

/// One side of a dot_scaled: small floats, each 32 along K with one power of two.
struct ScaledOperand {
  int scale = -1;       // which of the operation's operands; -1: none
  bool fours = false;   // e2m1, two to a byte, the first in its low half
  bool along_k = true;  // the two stand side by side along K, not along the other dimension
};

/// How a block's elements come to stand in another one's places.
struct Relayout {
  enum class Kind { broadcast, trans, unknown };  // a reshape leaves them in their order
  Kind kind = Kind::unknown;
  std::vector<std::int32_t> from, to;  // shapes
  std::vector<std::int64_t> order;     // of trans
};

/// The mask of a load whose values reach a decision: where it is off, nothing of the input was decided.
struct Lanes {
  int mask = -1;               // a value
  std::vector<Relayout> ways;  // from the load's elements to the decision's, in turn
};

struct Operation {
  Code code = Code::nothing;
  int location = -1;   // into Program::locations
  std::size_t at = 0;  // where it begins in the text, bytes
  bool once = false;   // the same in every program of a launch
  int decision = -1;   // its number among the program's decisions (a clamp has two); -1: it is none
  std::vector<Lanes> lanes;
  std::vector<int> operands;
  std::vector<int> results;

  Kernel kernel = nullptr;           // elementwise; the combination of a simple reduce or scan is axis_kernel
  AxisKernel axis_kernel = nullptr;  // reduce, scan
  Scalar scalar = Scalar::i32;       // element type that it works on
  Scalar to = Scalar::i32;           // element type that it gives: elementwise ones
  std::int64_t number = 0;  // axis, start of a range, pointee's bytes, callee, axis of program_id, elements
                            // that a mapped region takes at once
  std::vector<std::int64_t> list;  // order of trans
  std::vector<std::byte> payload;  // elements of a constant, as stored
  bool has_mask = false, has_other = false, reverse = false, acquires = false, releases = false,
       is_unsigned = false;
  bool is_volatile = false;     // of a load
  bool keeps_layout = false;    // of a reshape: each thread keeps its elements
  bool within_block = false;    // an atomic's scope is its own program (cta), no other one
  bool used = false;            // one of its results is
  std::uint8_t dimensions = 0;  // of the block of a load, store or atomic; 0: a scalar
  Atomic atomic = Atomic::add;
  Precision precision = Precision::ieee;
  ScaledOperand scaled[2];
  std::string text;  // what a failed assertion says
  std::vector<Region> regions;
  std::vector<Successor> successors;
};

struct Value {
  Type type;
  std::int64_t count = 1;     // elements of the type
  std::int64_t capacity = 1;  // elements that the storage must hold: 1 when all are equal whatever the input
  int alias = -1;             // the value whose storage it shares, or -1
  bool external = false;      // its elements are in the constant itself
  std::int64_t offset = 0;    // of the storage in the function's arena, bytes
  bool invariant = false;     // the same in every program of a launch
};

struct Function {
  std::string name;
  bool is_public = false;
  bool is_called = false;  // by another function, so that nothing in it is the same in every program
  int location = -1;
  std::vector<std::string> parameter_names;
  std::vector<int> parameters;  // values
  std::vector<Type> results;
  std::vector<Value> values;
  Region body;
  std::int64_t arena_bytes = 0;
};

struct Program {
  std::vector<Function> functions;
  std::vector<std::string> files;
  std::vector<Location> locations;
  int decisions = 0;  // how many
};

/// Gives each value its place in the function's arena, reusing what is no longer needed, and marks what is
/// the same in every program of a launch.
void place_values(Function& function);

}  // namespace trl::executor::ir
