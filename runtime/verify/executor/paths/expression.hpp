#pragma once
// What a decision computes of loaded values, as a function that can be tried on many values at once.
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/verify/executor/launch/launch.hpp"
#include "runtime/verify/executor/paths/definitions.hpp"
#include "runtime/verify/executor/program/ir.hpp"

namespace trl::executor {

/// The operations between a decision and the loads behind it, as if all elements of a buffer were one number:
/// then each block is one number, too, a reduction combines copies of it, and a loop is its first round.
/// Tried on a list of numbers, one a lane, by the loops that run the kernel itself.
class Expression {
 public:
  /// A buffer that is loaded from, by the kernel's pointer parameter.
  struct Variable {
    int parameter = 0;
    Scalar scalar = Scalar::f32;
  };

  /// None where something lies between that this doesn't follow: an atomic, a call, too many operations.
  /// `row` is how many elements a masked block may really hold: a block that is longer, but not twice as
  /// long, counts as that many. 0: blocks count as they are.
  static std::optional<Expression> of(const ir::Function& kernel, const ir::Definitions& definitions,
                                      const Launch& launch, const ir::Operation& decision,
                                      std::int64_t row = 0);

  const std::vector<Variable>& variables() const { return variables_; }
  /// Whether one element of a buffer alone doesn't decide: it is summed up with others, say.
  bool everywhere() const { return everywhere_; }
  /// Whether a reduction or product has a block that pads `row` elements.
  bool pads(std::int64_t row) const;
  /// Numbers that occur in it.
  std::vector<double> constants() const;

  /// Computes everything for values[i][lane] of variable i.
  void evaluate(const std::vector<std::vector<double>>& values);
  /// After `evaluate`: whether the decision goes `way` in each lane.
  std::vector<std::uint8_t> goes(std::size_t part, std::uint8_t way) const;
  /// After `evaluate`: -1, 0 or 1 in each lane, by the order of the two sides of comparison number i (or of a
  /// maximum, a minimum, a clamp and its bounds).
  std::vector<int> order(std::size_t comparison) const;
  std::size_t comparisons() const { return comparisons_.size(); }

 private:
  struct Node {
    enum class Kind { variable, constant, elementwise, combined, product, chosen };
    Kind kind = Kind::constant;
    const ir::Operation* op = nullptr;
    std::vector<std::size_t> from;
    Scalar scalar = Scalar::f32;
    std::size_t variable = 0;
    std::int64_t block = 0;        // the elements that a reduction combines, or a product sums up
    std::int64_t times = 1;        // how many of them count
    std::vector<std::byte> bytes;  // a constant's element; after evaluation one a lane
  };
  struct Comparison {
    std::size_t left = 0, right = 0;
    bool is_unsigned = false;
  };
  class Builder;

  Operands operands(const Node& node) const;
  void compute(Node& node, const std::vector<std::vector<double>>& values);
  void combine(Node& node) const;

  std::vector<Node> nodes_;  // each behind those that it takes
  std::vector<Variable> variables_;
  std::vector<Comparison> comparisons_;
  std::size_t root_ = 0;
  std::int64_t lanes_ = 0;
  bool everywhere_ = false;
};

}  // namespace trl::executor
