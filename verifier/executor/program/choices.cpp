#include "verifier/executor/program/choices.hpp"

#include <unordered_map>
#include <vector>

namespace trl::executor::ir {
namespace {

/// The choices of one function.
class Finder {
 public:
  explicit Finder(Function& function) : function_(function), uses_(function.values.size()) {}

  void run() {
    count_uses(function_.body);
    visit(function_.body);
    finish(function_.body);
  }

 private:
  struct Uses {
    int all = 0;
    int contracted = 0;     // uses as the product of a sum that may be contracted
    int without_order = 0;  // uses by reductions that are one commutative operation
  };
  using Products =
      std::unordered_map<int, std::size_t>;  // values, and the operations of the block that give them
  Uses& uses(int value) { return uses_[static_cast<std::size_t>(value)]; }

  void count_uses(const Region& region) {
    for (const Block& block : region.blocks)
      for (const Operation& op : block.operations) {
        for (const int operand : op.operands) {
          ++uses(operand).all;
          uses(operand).without_order += op.code == Code::reduce && op.axis_kernel != nullptr;
        }
        for (const Lanes& lanes : op.lanes) ++uses(lanes.mask).all;
        for (const Successor& next : op.successors)
          for (const int operand : next.operands) ++uses(operand).all;
        for (const Region& nested : op.regions) count_uses(nested);
      }
  }

  void visit(Region& region) {
    for (Block& block : region.blocks) {
      Products products;
      for (std::size_t i = 0; i < block.operations.size(); ++i) {
        Operation& op = block.operations[i];
        if (op.code == Code::mulf) products.emplace(op.results[0], i);
        if (op.code == Code::addf || op.code == Code::subf) contract(op, block, products);
        if (is_elementwise(op.code)) op.undefined = kernels().undefined(op.code, op.scalar, op.to);
        for (Region& nested : op.regions) visit(nested);
      }
    }
  }

  /// If both operands are products, LLVM contracts the first.
  void contract(Operation& op, const Block& block, const Products& products) {
    for (const std::size_t side : {0, 1}) {
      const auto found = products.find(op.operands[side]);
      if (found == products.end()) continue;
      const auto& [product, at] = *found;
      const Contraction form = op.code == Code::addf ? Contraction::add
                               : side == 0           ? Contraction::subtract
                                                     : Contraction::subtract_product;
      op.contracted = kernels().contracted(form, op.scalar);
      if (op.contracted == nullptr) return;
      op.factors = block.operations[at].operands;
      op.factors.push_back(op.operands[1 - side]);
      ++uses(product).contracted;
      return;
    }
  }

  void finish(Region& region) {
    for (Block& block : region.blocks)
      for (Operation& op : block.operations) {
        if (op.code == Code::mulf)
          op.only_contracted =
              uses(op.results[0]).all > 0 && uses(op.results[0]).contracted == uses(op.results[0]).all;
        if (op.reorders && uses(op.results[0]).all == uses(op.results[0]).without_order) keep_places(op);
        for (Region& nested : op.regions) finish(nested);
      }
  }

  /// A reshape that keeps the order of elements shares its operand's storage.
  void keep_places(Operation& op) {
    op.reorders = false;
    if (op.code != Code::reshape) return;
    function_.values[static_cast<std::size_t>(op.results[0])].alias = op.operands[0];
  }

  Function& function_;
  std::vector<Uses> uses_;
};

}  // namespace

void find_choices(Program& program) {
  for (Function& function : program.functions) Finder(function).run();
}

}  // namespace trl::executor::ir
