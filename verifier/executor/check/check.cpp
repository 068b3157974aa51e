#include "verifier/executor/check/check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "verifier/executor/kernels/kernels.hpp"
#include "verifier/executor/program/failure.hpp"

namespace trl::executor {
namespace {

using ir::Operation;

constexpr int deepest_region = 64;

Type scalar_type(Scalar scalar) {
  Type type;
  type.scalar = scalar;
  return type;
}

Type element_of(const Type& block) {
  Type type = block;
  type.tensor = false;
  type.shape.clear();
  return type;
}

bool same_element(const Type& a, const Type& b) { return a.scalar == b.scalar && a.pointee == b.pointee; }
bool same_shape(const Type& a, const Type& b) { return a.tensor == b.tensor && a.shape == b.shape; }
bool ends_block(Code code) {
  return code == Code::ret || code == Code::yield || code == Code::condition || code == Code::branch ||
         code == Code::branch_if;
}
bool within(Code code, Code first, Code last) { return code >= first && code <= last; }

/// The required form of a region.
struct Form {
  std::vector<Type> arguments;  // the arguments of the region's first block
  Code terminator = Code::yield;
  std::vector<Type> yields;  // the values that the terminator passes on, after a condition's own operand
  bool graph = false;        // whether several blocks with branches are allowed
};

class Checker {
 public:
  Checker(const ir::Program& program, const ir::Function& function)
      : program_(program), function_(function) {}

  void run() {
    check_values();
    Form form;
    for (const int parameter : function_.parameters) form.arguments.push_back(type(parameter));
    form.terminator = Code::ret;
    form.yields = function_.results;
    form.graph = true;
    require(function_.parameter_names.size() == function_.parameters.size() &&
                function_.divisibility.size() == function_.parameters.size() &&
                !function_.body.blocks.empty() &&
                function_.body.blocks.front().arguments == function_.parameters,
            "a function's parameters aren't its first block's");
    region(function_.body, form);
    check_dominance(function_);
  }

 private:
  void require(bool good, const char* what) const {
    if (!good) throw Failure{what, at_};
  }

  bool known(int value) const {
    return value >= 0 && static_cast<std::size_t>(value) < function_.values.size();
  }
  const Type& type(int value) const {
    require(known(value), "there is no such value");
    return function_.values[static_cast<std::size_t>(value)].type;
  }
  const Type& operand(const Operation& op, std::size_t i) const {
    require(i < op.operands.size(), "an operand is missing");
    return type(op.operands[i]);
  }
  const Type& result(const Operation& op, std::size_t i = 0) const {
    require(i < op.results.size(), "a result is missing");
    return type(op.results[i]);
  }
  void counts(const Operation& op, std::size_t operands, std::size_t results) const {
    require(op.operands.size() == operands, "the number of operands is wrong");
    require(op.results.size() == results, "the number of results is wrong");
  }
  void types(const std::vector<int>& values, std::size_t skip, const std::vector<Type>& wanted,
             const char* what) const {
    require(values.size() == skip + wanted.size(), what);
    for (std::size_t i = 0; i < wanted.size(); ++i) require(type(values[skip + i]) == wanted[i], what);
  }
  std::vector<Type> types_of(const std::vector<int>& values, std::size_t skip = 0) const {
    std::vector<Type> list;
    for (std::size_t i = skip; i < values.size(); ++i) list.push_back(type(values[i]));
    return list;
  }

  void check_values() const {
    constexpr std::int64_t most_elements = 1 << 20;
    for (const ir::Value& value : function_.values) {
      std::int64_t count = 1;
      for (const std::int32_t extent : value.type.shape) {
        require(extent >= 1 && extent <= most_elements, "a block's extent is wrong");
        count = std::min(count * extent, most_elements + 1);
      }
      require(count <= most_elements && count == value.count && value.capacity >= 1 &&
                  value.capacity <= most_elements && (value.type.tensor || value.type.shape.empty()),
              "a value's size is wrong");
      if (value.alias < 0) continue;
      require(known(value.alias), "there is no such value");
      const ir::Value& root = function_.values[static_cast<std::size_t>(value.alias)];
      require(root.alias < 0 && storage_bytes(root.type.scalar) == storage_bytes(value.type.scalar),
              "a value shares another's storage that it doesn't fit");
    }
  }

  // ---- regions ----

  void region(const ir::Region& region, const Form& form) {
    require(++depth_ <= deepest_region, "regions are nested too deeply");
    require(!region.blocks.empty(), "a region has no block");
    require(form.graph || region.blocks.size() == 1, "a region has more than one block");
    types(region.blocks.front().arguments, 0, form.arguments, "a region's arguments are wrong");
    for (const ir::Block& block : region.blocks) {
      require(!block.operations.empty(), "a block has no terminator");
      for (const Operation& op : block.operations) {
        at_ = op.at;
        const bool last = &op == &block.operations.back();
        require(last == ends_block(op.code), last ? "a block has no terminator" : "a terminator isn't last");
        if (last)
          terminator(op, region, form);
        else
          operation(op);
      }
    }
    if (region.elementwise) elementwise_region(region);
    --depth_;
  }

  /// In a region that runs on whole blocks, each value stands for `lanes` elements, so only elementwise
  /// operations are allowed in it.
  void elementwise_region(const ir::Region& region) const {
    require(region.blocks.size() == 1, "a region on whole blocks has several");
    for (const Operation& op : region.blocks.front().operations) {
      const bool last = &op == &region.blocks.front().operations.back();
      require(last || is_elementwise(op.code) || op.code == Code::constant,
              "a region on whole blocks does more than work on elements");
      for (const std::vector<int>* values : {&op.operands, &op.results})
        for (const int value : *values)
          require(!type(value).tensor, "a region on whole blocks has blocks of its own");
    }
  }

  void terminator(const Operation& op, const ir::Region& region, const Form& form) const {
    require(op.results.empty() && op.regions.empty(), "a terminator has results");
    if (op.code == Code::branch || op.code == Code::branch_if) {
      require(form.graph, "a branch isn't allowed here");
      const bool choice = op.code == Code::branch_if;
      counts(op, choice ? 1 : 0, 0);
      if (choice) require(operand(op, 0) == scalar_type(Scalar::i1), "a condition must be i1");
      require(op.successors.size() == (choice ? 2u : 1u), "a branch's targets are wrong");
      for (const ir::Successor& next : op.successors) {
        require(next.block >= 1 && static_cast<std::size_t>(next.block) < region.blocks.size(),
                "there is no block of this name");
        types(next.operands, 0, types_of(region.blocks[static_cast<std::size_t>(next.block)].arguments),
              "the branch's values don't fit the block's arguments");
      }
      return;
    }
    require(op.successors.empty() && op.code == form.terminator, "the block ends in the wrong terminator");
    const bool condition = op.code == Code::condition;
    if (condition) require(operand(op, 0) == scalar_type(Scalar::i1), "a condition must be i1");
    types(op.operands, condition ? 1 : 0, form.yields,
          "the terminator's values don't fit the operation's results");
  }

  // ---- operations ----

  void operation(const Operation& op) {
    require(op.successors.empty(), "an operation within a block has targets");
    require(op.regions.empty() || op.code == Code::reduce || op.code == Code::scan || op.code == Code::map ||
                op.code == Code::if_ || op.code == Code::for_ || op.code == Code::while_,
            "an operation has a region that it doesn't run");
    if (is_elementwise(op.code)) return elementwise(op);
    switch (op.code) {
      case Code::int_to_ptr:
      case Code::ptr_to_int:
        return address(op);
      case Code::constant:
        return constant(op);
      case Code::program_id:
      case Code::num_programs:
        counts(op, 0, 1);
        require(op.number >= 0 && op.number < 3 && result(op) == scalar_type(Scalar::i32),
                "a program's number is i32, along x, y or z");
        return;
      case Code::make_range:
        counts(op, 0, 1);
        require(result(op).scalar == Scalar::i32 && result(op).shape.size() == 1 &&
                    op.number >= -(std::int64_t{1} << 31) &&
                    op.number <= (std::int64_t{1} << 31) - result(op).count(),
                "a range is a block of i32 with one dimension");
        return;
      case Code::splat:
        counts(op, 1, 1);
        require(same_element(operand(op, 0), result(op)) && operand(op, 0).count() == 1,
                "only one value can be splat");
        return;
      case Code::reshape:
        counts(op, 1, 1);
        require(same_element(operand(op, 0), result(op)) && operand(op, 0).count() == result(op).count(),
                "a reshape must keep the number of elements");
        return;
      case Code::broadcast:
        return broadcast(op);
      case Code::trans:
        return trans(op);
      case Code::join:
      case Code::cat:
        return join(op);
      case Code::split:
        return split(op);
      case Code::gather:
        return gather(op);
      case Code::histogram:
        return histogram(op);
      case Code::load:
        return load(op);
      case Code::store:
        return store(op);
      case Code::dot:
        return dot(op);
      case Code::dot_scaled:
        return dot_scaled(op);
      case Code::reduce:
      case Code::scan:
        return along_axis(op);
      case Code::map:
        return map(op);
      case Code::atomic_rmw:
      case Code::atomic_cas:
        return atomic(op);
      case Code::assertion:
        counts(op, 1, 0);
        require(operand(op, 0).scalar == Scalar::i1, "a condition must be i1");
        return;
      case Code::barrier:
      case Code::nothing:
        require(op.results.empty(), "an operation that does nothing has results");
        return;
      case Code::call:
        return call(op);
      case Code::if_:
        return if_(op);
      case Code::for_:
        return for_(op);
      case Code::while_:
        return while_(op);
      default:
        require(false, "an operation isn't supported by the executor");
    }
  }

  static std::size_t operand_count(Code code) {
    if (within(code, Code::absi, Code::signbit) || within(code, Code::extsi, Code::copy)) return 1;
    if (within(code, Code::fma, Code::select)) return 3;
    return 2;
  }

  void elementwise(const Operation& op) const {
    if (op.code != Code::library) counts(op, operand_count(op.code), 1);
    if (op.code == Code::addptr) return addptr(op);
    if (op.code == Code::library) return library(op);
    const Type& to = result(op);
    const bool chooses = op.code == Code::select, converts = within(op.code, Code::extsi, Code::copy);
    const Type& from = operand(op, chooses ? 1 : 0);
    for (std::size_t i = chooses ? 1 : 0; i < op.operands.size(); ++i)
      require(operand(op, i) == from, "the operands differ in type");
    if (chooses) {
      const Type& condition = operand(op, 0);
      require(condition == scalar_type(Scalar::i1) || condition == from.with(Scalar::i1),
              "the condition doesn't fit the values");
    }
    require(same_shape(from, to), "the result differs in shape");
    const bool counted =
        op.code == Code::popcount || op.code == Code::leading_zeros || op.code == Code::find_first;
    const bool fits = converts                                          ? true
                      : within(op.code, Code::cmpi_eq, Code::cmpf_true) ? to == from.with(Scalar::i1)
                      : within(op.code, Code::isnan, Code::signbit)     ? to == from.with(Scalar::i32)
                      : counted ? to == from || to == from.with(Scalar::i32)
                                : to == from;
    require(fits, "the result's type is wrong");
    const Kernel kernel = kernels().elementwise(op.code, from.scalar, to.scalar);
    require(kernel != nullptr && op.kernel == kernel, "the operation has no loop for its types");
  }

  void library(const Operation& op) const {
    require(op.number >= 0 && static_cast<std::size_t>(op.number) < std::size(library_functions),
            "there is no library function of this number");
    const auto number = static_cast<std::size_t>(op.number);
    const LibraryFunction& function = library_functions[number];
    counts(op, function.count, 1);
    const Type& to = result(op);
    require(to.scalar == function.to, "the result's type is wrong");
    for (std::size_t i = 0; i < function.count; ++i)
      require(operand(op, i) == to.with(function.from[i]),
              "an operand of a library function has a wrong type");
    require(op.kernel == kernels().library(number), "the operation has no loop for its types");
  }

  void addptr(const Operation& op) const {
    const Type &pointer = operand(op, 0), &index = operand(op, 1);
    require(pointer.scalar == Scalar::ptr && is_integer(index.scalar) && same_shape(pointer, index) &&
                result(op) == pointer,
            "a pointer is advanced by integers of its shape");
    const Kernel kernel = kernels().addptr(index.scalar);
    require(kernel != nullptr && op.kernel == kernel && op.number == memory_bytes(pointer.pointee),
            "a pointer is advanced by elements of its type");
  }

  void address(const Operation& op) const {
    counts(op, 1, 1);
    const bool into = op.code == Code::int_to_ptr;
    const Type &from = operand(op, 0), &to = result(op);
    require((into ? from : to).scalar == Scalar::i64 && (into ? to : from).scalar == Scalar::ptr &&
                same_shape(from, to),
            "a pointer is an i64 of its shape");
  }

  void constant(const Operation& op) const {
    counts(op, 0, 1);
    const Type& type = result(op);
    require(op.number == 1 || op.number == type.count(), "a constant's elements don't fit its block");
    require(op.payload.size() == static_cast<std::size_t>(op.number * storage_bytes(type.scalar)),
            "a constant's bytes don't fit its elements");
  }

  // ---- blocks ----

  void broadcast(const Operation& op) const {
    counts(op, 1, 1);
    const Type &from = operand(op, 0), &to = result(op);
    require(same_element(from, to) && from.shape.size() == to.shape.size(),
            "a broadcast must keep the number of dimensions");
    for (std::size_t i = 0; i < from.shape.size(); ++i)
      require(from.shape[i] == to.shape[i] || from.shape[i] == 1, "a broadcast dimension must be 1 before");
  }

  void trans(const Operation& op) const {
    counts(op, 1, 1);
    const Type &from = operand(op, 0), &to = result(op);
    const std::size_t rank = from.shape.size();
    require(same_element(from, to) && to.shape.size() == rank && op.list.size() == rank,
            "the order doesn't fit the block");
    std::vector<bool> used(rank, false);
    for (std::size_t i = 0; i < rank; ++i) {
      require(op.list[i] >= 0 && op.list[i] < static_cast<std::int64_t>(rank),
              "the order doesn't fit the block");
      const auto source = static_cast<std::size_t>(op.list[i]);
      require(!used[source] && to.shape[i] == from.shape[source], "the order doesn't fit the block");
      used[source] = true;
    }
  }

  void join(const Operation& op) const {
    counts(op, 2, 1);
    const Type &from = operand(op, 0), &to = result(op);
    require(operand(op, 1) == from && same_element(from, to) && to.count() == 2 * from.count(),
            "the result doesn't fit the blocks");
  }

  void split(const Operation& op) const {
    counts(op, 1, 2);
    const Type& from = operand(op, 0);
    require(!from.shape.empty() && from.shape.back() == 2, "the results don't fit the block");
    for (const std::size_t i : {0, 1})
      require(same_element(from, result(op, i)) && from.count() == 2 * result(op, i).count(),
              "the results don't fit the block");
  }

  void gather(const Operation& op) const {
    counts(op, 2, 1);
    const Type &from = operand(op, 0), &index = operand(op, 1), &to = result(op);
    const std::size_t rank = from.shape.size();
    require(op.number >= 0 && op.number < static_cast<std::int64_t>(rank) && index.shape.size() == rank &&
                to.shape == index.shape && same_element(from, to) &&
                (index.scalar == Scalar::i32 || index.scalar == Scalar::i64),
            "a gather's types don't fit");
    for (std::size_t i = 0; i < rank; ++i)
      require(static_cast<std::int64_t>(i) == op.number || from.shape[i] == index.shape[i],
              "a gather's shapes may differ along its axis only");
  }

  void histogram(const Operation& op) const {
    counts(op, op.has_mask ? 2 : 1, 1);
    const Type &from = operand(op, 0), &to = result(op);
    require(is_integer(from.scalar) && from.scalar != Scalar::i1 && to.scalar == Scalar::i32,
            "a histogram counts integers in i32");
    if (op.has_mask) require(operand(op, 1) == from.with(Scalar::i1), "the mask doesn't fit the values");
  }

  // ---- memory ----

  void load(const Operation& op) const {
    counts(op, op.has_other ? 3 : op.has_mask ? 2 : 1, 1);
    const Type& pointer = operand(op, 0);
    require(pointer.scalar == Scalar::ptr && result(op) == pointer.with(pointer.pointee) &&
                op.scalar == pointer.pointee && (op.has_mask || !op.has_other),
            "a load's types don't fit");
    if (op.has_mask) require(operand(op, 1) == pointer.with(Scalar::i1), "the mask doesn't fit the pointer");
    if (op.has_other) require(operand(op, 2) == result(op), "`other` doesn't fit the result");
  }

  void store(const Operation& op) const {
    counts(op, op.has_mask ? 3 : 2, 0);
    const Type& pointer = operand(op, 0);
    require(pointer.scalar == Scalar::ptr && operand(op, 1) == pointer.with(pointer.pointee) &&
                op.scalar == pointer.pointee,
            "a store's types don't fit");
    if (op.has_mask) require(operand(op, 2) == pointer.with(Scalar::i1), "the mask doesn't fit the pointer");
  }

  void atomic(const Operation& op) const {
    const bool swap = op.code == Code::atomic_cas;
    counts(op, swap || op.has_mask ? 3 : 2, 1);
    const Type& pointer = operand(op, 0);
    const Type value = pointer.with(pointer.pointee);
    require(pointer.scalar == Scalar::ptr && operand(op, 1) == value && result(op) == value &&
                op.scalar == pointer.pointee && !(swap && op.has_mask),
            "an atomic's types don't fit");
    if (swap) require(operand(op, 2) == value, "a compare-and-swap's types don't fit");
    if (op.has_mask) require(operand(op, 2) == pointer.with(Scalar::i1), "the mask doesn't fit the pointer");
    const bool real = is_float(op.scalar);
    const bool plain =
        op.scalar != Scalar::ptr && op.scalar != Scalar::i1 && !(real && memory_bytes(op.scalar) == 1);
    const bool fits = swap || op.atomic == ir::Atomic::exchange ? true
                      : op.atomic == ir::Atomic::fadd           ? real
                                                                : is_integer(op.scalar);
    require(plain && fits, "there is no such atomic on this type");
  }

  // ---- products ----

  void dot(const Operation& op) const {
    counts(op, 3, 1);
    const Type &a = operand(op, 0), &b = operand(op, 1), &c = operand(op, 2);
    require(result(op) == c && op.scalar == a.scalar, "a dot's types don't fit");
    const std::size_t rank = a.shape.size();
    require((rank == 2 || rank == 3) && b.shape.size() == rank && c.shape.size() == rank,
            "a dot is of 2 or 3 dimensions");
    require(a.shape[rank - 1] == b.shape[rank - 2] && a.shape[rank - 2] == c.shape[rank - 2] &&
                b.shape[rank - 1] == c.shape[rank - 1] &&
                (rank == 2 || (a.shape[0] == b.shape[0] && a.shape[0] == c.shape[0])),
            "a dot's shapes don't fit");
    const auto single = [](Scalar scalar) { return is_narrow(scalar) || scalar == Scalar::f32; };
    const bool real = single(a.scalar) && single(b.scalar) && single(c.scalar);
    const bool wide = a.scalar == Scalar::f64 && b.scalar == Scalar::f64 && c.scalar == Scalar::f64;
    const bool integral = a.scalar == Scalar::i8 && b.scalar == Scalar::i8 && c.scalar == Scalar::i32;
    require(real || wide || integral, "there is no dot of these types");
  }

  void dot_scaled(const Operation& op) const {
    require(op.results.size() == 1, "the number of results is wrong");
    const Type& c = operand(op, 2);
    const std::size_t rank = c.shape.size();
    require(result(op) == c && (is_narrow(c.scalar) || c.scalar == Scalar::f32), "a dot's types don't fit");
    require((rank == 2 || rank == 3) && op.number >= 1, "a dot is of 2 or 3 dimensions");
    std::size_t used = 3;
    for (const std::size_t side : {0, 1}) {
      const ir::ScaledOperand& scaled = op.scaled[side];
      const Type& block = operand(op, side);
      require(block.shape.size() == rank && (rank == 2 || block.shape[0] == c.shape[0]) &&
                  (scaled.fours ? block.scalar == Scalar::i8 : is_narrow(block.scalar)),
              "a scaled dot's types don't fit its formats");
      std::int64_t along_k = block.shape[rank - 1 - side], other = block.shape[rank - 2 + side];
      if (scaled.fours) (scaled.along_k ? along_k : other) *= 2;
      require(along_k == op.number && other == c.shape[rank - 2 + side], "a dot's shapes don't fit");
      if (scaled.scale < 0) continue;
      ++used;
      const Type& scale = operand(op, static_cast<std::size_t>(scaled.scale));
      require(scaled.scale >= 3 && scale.scalar == Scalar::i8 && scale.shape.size() == rank &&
                  scale.shape[rank - 2] == other && std::int64_t{scale.shape[rank - 1]} * 32 == along_k &&
                  (rank == 2 || scale.shape[0] == c.shape[0]),
              "a scale is for 32 elements along K");
    }
    require(op.operands.size() == used, "the number of operands is wrong");
  }

  // ---- functions along an axis and over blocks ----

  void along_axis(const Operation& op) {
    require(!op.operands.empty() && op.regions.size() == 1, "there is nothing to reduce");
    counts(op, op.operands.size(), op.operands.size());
    const std::vector<std::int32_t> shape = operand(op, 0).shape;
    require(op.number >= 0 && op.number < static_cast<std::int64_t>(shape.size()), "there is no such axis");
    std::vector<std::int32_t> to = shape;
    if (op.code == Code::reduce) to.erase(to.begin() + op.number);
    Form form;
    form.graph = true;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      require(operand(op, i).shape == shape, "the blocks differ in shape");
      require(same_element(operand(op, i), result(op, i)) && result(op, i).shape == to &&
                  result(op, i).tensor == !to.empty(),
              "the results don't fit");
      form.yields.push_back(element_of(operand(op, i)));
    }
    form.arguments = form.yields;
    form.arguments.insert(form.arguments.end(), form.yields.begin(), form.yields.end());
    const std::size_t at = at_;
    region(op.regions[0], form);
    at_ = at;
    if (op.axis_kernel != nullptr) axis_kernel(op);
  }

  /// Checks that the loop of a reduction matches its region, which is one operation on its two arguments.
  void axis_kernel(const Operation& op) const {
    const ir::Block& block = op.regions[0].blocks.front();
    require(op.regions[0].blocks.size() == 1 && op.operands.size() == 1 && block.operations.size() == 2,
            "a reduction's loop isn't its region");
    const Operation &only = block.operations[0], &last = block.operations[1];
    const std::vector<int> swapped{block.arguments[1], block.arguments[0]};
    const Scalar scalar = operand(op, 0).scalar;
    const AxisKernel kernel =
        op.code == Code::reduce ? kernels().reduce(only.code, scalar) : kernels().scan(only.code, scalar);
    require((only.operands == block.arguments || only.operands == swapped) && last.operands == only.results &&
                op.axis_kernel == kernel,
            "a reduction's loop isn't its region");
  }

  void map(const Operation& op) {
    require(!op.operands.empty() && op.regions.size() == 1, "there is nothing to map");
    const Type first = operand(op, 0);
    const std::int64_t count = first.count();
    require(op.number >= 1 && op.number <= count && count % op.number == 0,
            "the pack doesn't divide the block");
    const auto pack = static_cast<std::size_t>(op.number);
    Form form;
    form.graph = true;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      require(operand(op, i).tensor && operand(op, i).shape == first.shape, "the blocks differ in shape");
      form.arguments.insert(form.arguments.end(), pack, element_of(operand(op, i)));
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      require(result(op, i).tensor && result(op, i).shape == first.shape, "the results don't fit");
      form.yields.insert(form.yields.end(), pack, element_of(result(op, i)));
    }
    region(op.regions[0], form);
  }

  // ---- control flow ----

  void call(const Operation& op) const {
    require(op.number >= 0 && static_cast<std::size_t>(op.number) < program_.functions.size(),
            "there is no function of this name");
    const ir::Function& callee = program_.functions[static_cast<std::size_t>(op.number)];
    require(callee.is_called && callee.parameters.size() == op.operands.size(),
            "the call doesn't fit the function");
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const auto parameter = static_cast<std::size_t>(callee.parameters[i]);
      require(parameter < callee.values.size() && callee.values[parameter].type == operand(op, i),
              "the call doesn't fit the function");
    }
    types(op.results, 0, callee.results, "the call doesn't fit the function");
  }

  void if_(const Operation& op) {
    require(op.operands.size() == 1 && operand(op, 0) == scalar_type(Scalar::i1), "a condition must be i1");
    require(op.regions.size() == 2, "an if has two regions");
    Form form;
    form.yields = types_of(op.results);
    region(op.regions[0], form);
    if (!op.regions[1].blocks.empty()) return region(op.regions[1], form);
    require(op.results.empty(), "an if with results needs an else");
  }

  void for_(const Operation& op) {
    require(op.operands.size() >= 3 && op.regions.size() == 1, "a loop has bounds, a step and one region");
    const Type counter = operand(op, 0);
    require(!counter.tensor && is_integer(counter.scalar) && counter.scalar != Scalar::i1 &&
                operand(op, 1) == counter && operand(op, 2) == counter && op.scalar == counter.scalar,
            "a loop counts in integers");
    Form form;
    form.yields = types_of(op.operands, 3);
    types(op.results, 0, form.yields, "the loop's types don't fit its values");
    form.arguments = form.yields;
    form.arguments.insert(form.arguments.begin(), counter);
    region(op.regions[0], form);
  }

  void while_(const Operation& op) {
    require(op.regions.size() == 2, "a while has two regions");
    Form before, after;
    before.arguments = after.yields = types_of(op.operands);
    before.yields = after.arguments = types_of(op.results);
    before.terminator = Code::condition;
    region(op.regions[0], before);
    region(op.regions[1], after);
  }

  const ir::Program& program_;
  const ir::Function& function_;
  std::size_t at_ = 0;  // position of the current operation
  int depth_ = 0;
};

/// Each function has one arena, so no function may be active twice.
void check_calls(const ir::Program& program) {
  enum class State { unseen, active, done };
  std::vector<State> states(program.functions.size(), State::unseen);
  const auto visit = [&](auto&& self, std::size_t function, int depth) -> void {
    if (states[function] == State::done) return;
    if (states[function] == State::active || depth > deepest_region)
      throw Failure{"functions that call themselves aren't supported by the executor", 0};
    states[function] = State::active;
    const auto calls = [&](auto&& inner, const ir::Region& region) -> void {
      for (const ir::Block& block : region.blocks)
        for (const Operation& op : block.operations) {
          if (op.code == Code::call) self(self, static_cast<std::size_t>(op.number), depth + 1);
          for (const ir::Region& nested : op.regions) inner(inner, nested);
        }
    };
    calls(calls, program.functions[function].body);
    states[function] = State::done;
  };
  for (std::size_t i = 0; i < program.functions.size(); ++i) visit(visit, i, 0);
}

}  // namespace

void check(const ir::Program& program) {
  for (const ir::Function& function : program.functions) Checker(program, function).run();
  check_calls(program);
}

}  // namespace trl::executor
