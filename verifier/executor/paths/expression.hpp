#pragma once
// A decision as a function of loaded values, which can be evaluated for many values at once.
#include <cstdint>
#include <optional>
#include <vector>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/paths/definitions.hpp"
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// The operations between a decision and the loads it depends on, in a simplified model: all elements of a
/// buffer are one number. Then each block is one number, too, a reduction combines copies of it, and a loop
/// is its first iteration. It is evaluated for a list of numbers, one per lane, by the same loops that run
/// the kernel.
class Expression {
 public:
  /// A buffer from which values are loaded, named by the kernel's pointer parameter.
  struct Variable {
    int parameter = 0;
    Scalar scalar = Scalar::f32;
  };

  /// Returns none where the operations include one that isn't modelled (an atomic, a call) or there are too
  /// many. `row` is the number of elements that a padded block really holds: a block that is longer, but less
  /// than twice as long, counts as that many elements. With 0, blocks count as they are.
  static std::optional<Expression> of(const ir::Function& kernel, const ir::Definitions& definitions,
                                      const Launch& launch, const ir::Operation& decision,
                                      std::int64_t row = 0);

  const std::vector<Variable>& variables() const { return variables_; }
  /// Whether changing a single element of a buffer isn't enough, for instance because it is summed with
  /// others.
  bool everywhere() const { return everywhere_; }
  /// Whether a reduction or product has a block that is a padded row of `row` elements.
  bool pads(std::int64_t row) const;
  /// The numbers that occur in it.
  std::vector<double> constants() const;

  /// Evaluates all nodes for values[i][lane] of variable i.
  void evaluate(const std::vector<std::vector<double>>& values);
  /// After `evaluate`: whether the decision goes `way`, for each lane.
  std::vector<std::uint8_t> goes(std::size_t part, std::uint8_t way) const;
  /// After `evaluate`: -1, 0 or 1 for each lane, by the order of both sides of comparison number `comparison`
  /// (or of a maximum, a minimum, or a clamp and its bounds).
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
    std::int64_t block = 0;        // number of elements that a reduction combines, or a product sums
    std::int64_t times = 1;        // how many of them count
    std::vector<std::byte> bytes;  // a constant's element; after evaluation one element per lane
  };
  struct Comparison {
    std::size_t left = 0, right = 0;
    bool is_unsigned = false;
  };
  class Builder;

  Operands operands(const Node& node) const;
  void compute(Node& node, const std::vector<std::vector<double>>& values);
  void combine(Node& node) const;

  std::vector<Node> nodes_;  // each after the nodes that it uses
  std::vector<Variable> variables_;
  std::vector<Comparison> comparisons_;
  std::size_t root_ = 0;
  std::int64_t lanes_ = 0;
  bool everywhere_ = false;
};

}  // namespace trl::executor
