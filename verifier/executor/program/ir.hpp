#pragma once
// The intermediate representation of a module, which the parser makes and the machine runs. check() of
// check.hpp verifies everything on which the machine relies (types fit, operands are defined on every path,
// regions end in the right terminator), independently of how the program was made.
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
  /// Whether the region consists only of elementwise operations on scalars, so that the machine can run it on
  /// whole blocks (for reduce, scan and map).
  bool elementwise = false;
};

struct Successor {
  int block = 0;
  std::vector<int> operands;
};

enum class Atomic : std::uint8_t { fadd, add, max, min, umax, umin, exchange, and_, or_, xor_ };
enum class Precision : std::uint8_t { ieee, tf32, tf32x3, bf16x3, bf16x6 };

/// One side of a dot_scaled: floats of few bits, with a scale (a power of two) for each 32 elements along K.
struct ScaledOperand {
  int scale = -1;       // index of the operand with the scales; -1: no scales
  bool fours = false;   // whether elements are 4-bit floats (e2m1): two per byte, the first in the low half
  bool along_k = true;  // the two elements of a byte are adjacent along K, not along the other dimension
};

/// An operation that moves the elements of a block to another block.
struct Relayout {
  enum class Kind { broadcast, trans, unknown };  // a reshape is no relayout: it keeps the order of elements
  Kind kind = Kind::unknown;
  std::vector<std::int32_t> from, to;  // the shapes before and after
  std::vector<std::int64_t> order;     // for trans: the permutation of dimensions
};

/// The mask of a load on whose values a decision depends. Where the mask is off, the decision's element
/// doesn't count, since it is not about an element of the input.
struct Lanes {
  int mask = -1;               // index of the mask's value
  std::vector<Relayout> ways;  // the relayouts between the load's block and the decision's, in this order
};

/// Promises of the text about an integer or a pointer, so that a GPU may access memory in larger pieces. Each
/// is a list of one number per dimension; empty: nothing is promised.
struct Hints {
  std::vector<std::int64_t> divisibility;  // the first number's divisor in each run of consecutive numbers
  std::vector<std::int64_t> constancy;     // the length of runs of equal numbers

  bool any() const { return !divisibility.empty() || !constancy.empty(); }
};

struct Operation {
  Code code = Code::nothing;
  int location = -1;   // index into Program::locations
  std::size_t at = 0;  // byte offset of the operation in the text
  bool once = false;   // whether its results are the same in every program of a launch
  int decision = -1;  // number among the program's decisions (a clamp has two numbers); -1: it is no decision
  std::vector<Lanes> lanes;
  std::vector<int> operands;
  std::vector<int> results;

  Kernel kernel = nullptr;  // the loop of an elementwise operation
  // For a sum or difference of a product, which a compiler may contract: the loop that rounds once, and its
  // operands.
  Kernel contracted = nullptr;
  std::vector<int> factors;
  bool only_contracted = false;  // for a product: whether only sums use it that may be contracted with it
  UndefinedKernel undefined = nullptr;  // finds undefined results
  AxisKernel axis_kernel = nullptr;     // the loop of a reduce or scan whose region is a single operation
  Scalar scalar = Scalar::i32;          // element type of the operands
  Scalar to = Scalar::i32;              // element type of the result, for elementwise operations
  // The meaning depends on `code`, for instance: an axis, the start of a range, the size of the pointee in
  // bytes, the index of the callee, or the number of elements that a mapped region takes at once.
  std::int64_t number = 0;
  std::vector<std::int64_t> list;  // for trans: the permutation of dimensions
  std::vector<std::byte> payload;  // for a constant: the elements, as blocks store them
  bool has_mask = false, has_other = false, reverse = false, acquires = false, releases = false,
       is_unsigned = false;
  bool is_volatile = false;     // for a load: whether it is volatile
  bool reorders = false;        // for a reshape or cat: whether elements may change places
  bool keeps_layout = false;    // for a reshape: whether each thread keeps its elements
  bool within_block = false;    // for an atomic: whether its scope is its own program alone (cta)
  bool used = false;            // whether one of the operation's results is used
  std::uint8_t dimensions = 0;  // for a load, store or atomic: the rank of the block; 0: a scalar
  Atomic atomic = Atomic::add;
  Precision precision = Precision::ieee;
  ScaledOperand scaled[2];
  Hints hints;
  std::string text;  // for an assertion: the message when it fails
  std::vector<Region> regions;
  std::vector<Successor> successors;
};

struct Value {
  Type type;
  std::int64_t count = 1;  // number of elements of the type
  // Number of elements that the storage must hold: 1 when the elements are equal for any input.
  std::int64_t capacity = 1;
  int alias = -1;           // index of the value whose storage this value shares, or -1
  bool external = false;    // whether the elements are in Operation::payload of a constant, not in the arena
  std::int64_t offset = 0;  // byte offset of the storage in the function's arena
  bool invariant = false;   // whether the value is the same in every program of a launch
};

struct Function {
  std::string name;
  bool is_public = false;
  // Whether another function calls this function; then none of its values is marked as invariant.
  bool is_called = false;
  int location = -1;
  std::vector<std::string> parameter_names;
  std::vector<int> parameters;             // indices of values
  std::vector<std::int64_t> divisibility;  // by parameter, as the text promises; 1: nothing is promised
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

/// Assigns storage in the function's arena to each value, reusing storage that is no longer needed, and marks
/// the values that are the same in every program of a launch (Value::invariant).
void place_values(Function& function);

}  // namespace trl::executor::ir
