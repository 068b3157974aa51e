#pragma once
// A decision (decisions.hpp) as a function of loaded values, which can be evaluated for many values at once.
#include <cstdint>
#include <optional>
#include <vector>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/memory.hpp"
#include "verifier/executor/paths/definitions.hpp"
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// The operations between a decision and the loads on which it depends, in a simplified model: all elements
/// of a buffer are the same number. Then all elements of a block are the same number, too, a reduction
/// combines copies of that number, and a loop counts as its first iteration. The model is evaluated for a
/// list of numbers, one per lane, by the same loops over blocks that run the kernel.
class Expression {
 public:
  /// A buffer from which values are loaded, named by the kernel's pointer parameter.
  struct Variable {
    int parameter = 0;
    Scalar scalar = Scalar::f32;
  };

  /// Returns the model of a decision; none when it needs an operation that isn't modelled (an atomic, a call)
  /// or too many operations. `row` is the number of elements that a padded block really holds: a block that
  /// is longer than `row`, but less than twice as long, counts as `row` elements. With `row` 0, no block
  /// counts as padded. With `tables`, a load at a place that depends on loaded values is no variable: it
  /// gives what the memory holds at that place, and the variables are the place's variables.
  static std::optional<Expression> of(const ir::Function& kernel, const ir::Definitions& definitions,
                                      const Launch& launch, const ir::Operation& decision,
                                      std::int64_t row = 0, const Memory* tables = nullptr);

  const std::vector<Variable>& variables() const { return variables_; }
  /// Whether the decision depends on more than a single element of a buffer, for instance on a sum of
  /// elements.
  bool everywhere() const { return everywhere_; }
  /// Whether a reduction or dot has a block of more than `row`, but less than twice as many elements, which
  /// may be a padded row.
  bool pads(std::int64_t row) const;
  /// Whether a value is looked up in a table.
  bool looks_up() const;
  /// Returns the constants in the expression.
  std::vector<double> constants() const;

  /// Evaluates the expression: in each lane, variable i has the value values[i][lane].
  void evaluate(const std::vector<std::vector<double>>& values);
  /// After `evaluate`: for each lane, 1 when the decision goes the direction `way` (ways.hpp), else 0. For a
  /// clamp, `part` is 0 for the lower bound and 1 for the upper bound.
  std::vector<std::uint8_t> goes(std::size_t part, std::uint8_t way) const;
  /// After `evaluate`: for each lane, -1, 0 or 1 when the left side of comparison number `comparison` is less
  /// than, equal to or greater than the right side. The operands of a maximum or minimum, and a clamp's value
  /// and bound, count as sides of a comparison.
  std::vector<int> order(std::size_t comparison) const;
  std::size_t comparisons() const { return comparisons_.size(); }

 private:
  struct Node {
    enum class Kind { variable, constant, elementwise, combined, product, chosen, place, looked_up };
    Kind kind = Kind::constant;
    const ir::Operation* op = nullptr;
    std::vector<std::size_t> from;
    Scalar scalar = Scalar::f32;
    std::size_t variable = 0;
    bool loaded = false;           // whether it depends on a variable
    std::int64_t block = 0;        // number of elements that a reduction combines, or a dot sums
    std::int64_t times = 1;        // number of these elements that count: fewer when the block is padded
    std::vector<double> table;     // the value of a load at each place
    std::vector<std::byte> bytes;  // a constant's element; after evaluation one element per lane
  };
  struct Comparison {
    std::size_t left = 0, right = 0;
    bool is_unsigned = false;
  };
  class Builder;

  Operands operands(const Node& node) const;
  double number(std::size_t node, std::int64_t lane) const;
  void compute(Node& node, const std::vector<std::vector<double>>& values);
  void combine(Node& node) const;

  std::vector<Node> nodes_;  // each node comes after the nodes that it uses
  std::vector<Variable> variables_;
  std::vector<Comparison> comparisons_;
  std::size_t root_ = 0;
  std::int64_t lanes_ = 0;
  bool everywhere_ = false;
};

}  // namespace trl::executor
