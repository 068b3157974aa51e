#include "verifier/executor/paths/decisions.hpp"

#include <algorithm>
#include <array>

#include "verifier/executor/paths/definitions.hpp"

namespace trl::executor::ir {
namespace {

constexpr int most_decisions = 256;
constexpr std::size_t most_visited = 400;  // number of values between a decision and its loads
constexpr std::size_t most_lanes = 4;
constexpr int deepest = 100;
constexpr int most_rounds = 64;  // after these every value counts as loaded

bool is_comparison(Code code) {
  return (code >= Code::cmpi_eq && code <= Code::cmpi_uge) ||
         (code >= Code::cmpf_oeq && code <= Code::cmpf_une && code != Code::cmpf_ord);
}

/// Whether the operation returns the larger or smaller operand, or clamps.
bool chooses_by_size(Code code) {
  return (code >= Code::minsi && code <= Code::maxui) || (code >= Code::maximumf && code <= Code::minnumf) ||
         code == Code::clampf || code == Code::clampf_nan;
}

/// Whether the operation is a step function: 0 up to a threshold and something else beyond it.
bool is_step(const Operation& op) {
  switch (op.code) {
    case Code::floor:
    case Code::ceil:
    case Code::trunc:
    case Code::round:
    case Code::rint:
    case Code::fptosi:
    case Code::fptoui:
    case Code::shrsi:
    case Code::shrui:
      return true;
    case Code::andi:
      return op.scalar != Scalar::i1;
    default:
      return false;
  }
}

template <class Visit>
void for_each_operation(Region& region, Visit visit) {
  for (Block& block : region.blocks)
    for (Operation& op : block.operations) {
      visit(op);
      if (op.axis_kernel != nullptr) continue;  // the region of such an operation never runs
      for (Region& nested : op.regions) for_each_operation(nested, visit);
    }
}

/// Finds which values depend on loaded ones.
class Dependence {
 public:
  explicit Dependence(Program& program) : program_(program) {
    for (const Function& function : program.functions) loaded_.emplace_back(function.values.size(), false);
    // Values flow forwards, except in loops, branches and calls, so a few rounds reach all of them.
    changed_ = true;
    for (int round = 0; changed_; ++round) {
      changed_ = false;
      for (std::size_t i = 0; i < program.functions.size(); ++i) spread(i, program.functions[i].body);
      if (round < most_rounds) continue;
      for (std::vector<bool>& values : loaded_) values.assign(values.size(), true);
      return;
    }
  }

  bool operator()(std::size_t function, int value) const {
    return loaded_[function][static_cast<std::size_t>(value)];
  }

 private:
  bool any(std::size_t function, const std::vector<int>& values) const {
    return std::any_of(values.begin(), values.end(), [&](int value) { return (*this)(function, value); });
  }
  void mark(std::size_t function, int value, bool depends) {
    if (!depends || loaded_[function][static_cast<std::size_t>(value)]) return;
    loaded_[function][static_cast<std::size_t>(value)] = true;
    changed_ = true;
  }
  /// Propagates the property of `from[first + i]` to `to[i]`.
  void flow(std::size_t function, const std::vector<int>& from, std::size_t first, const std::vector<int>& to,
            std::size_t skipped = 0) {
    for (std::size_t i = skipped; i < to.size() && first + i - skipped < from.size(); ++i)
      mark(function, to[i], (*this)(function, from[first + i - skipped]));
  }

  void spread(std::size_t function, Region& region) {
    for (Block& block : region.blocks)
      for (Operation& op : block.operations) {
        enter(function, op);
        for (Region& nested : op.regions) spread(function, nested);
        leave(function, op, region);
      }
  }

  // Propagates from operands to the arguments of the regions.
  void enter(std::size_t function, Operation& op) {
    if (op.code == Code::for_) {
      const Block& body = op.regions[0].blocks[0];
      flow(function, op.operands, 3, body.arguments, 1);
      flow(function, body.operations.back().operands, 0, body.arguments, 1);
    } else if (op.code == Code::while_) {
      const Block& before = op.regions[0].blocks[0];
      const Block& after = op.regions[1].blocks[0];
      flow(function, op.operands, 0, before.arguments);
      flow(function, after.operations.back().operands, 0, before.arguments);
      flow(function, before.operations.back().operands, 1, after.arguments);
    } else if (op.code == Code::reduce || op.code == Code::scan || op.code == Code::map) {
      const bool depends = any(function, op.operands);
      for (const int argument : op.regions[0].blocks[0].arguments) mark(function, argument, depends);
    }
  }

  // Propagates from the regions to the results.
  void leave(std::size_t function, Operation& op, Region& around) {
    switch (op.code) {
      case Code::load:
      case Code::atomic_rmw:
      case Code::atomic_cas:
        for (const int result : op.results) mark(function, result, true);
        return;
      case Code::for_:
        flow(function, op.operands, 3, op.results);
        flow(function, op.regions[0].blocks[0].operations.back().operands, 0, op.results);
        return;
      case Code::while_:
        flow(function, op.regions[0].blocks[0].operations.back().operands, 1, op.results);
        return;
      case Code::if_:
        for (const Region& region : op.regions)
          if (!region.blocks.empty())
            flow(function, region.blocks[0].operations.back().operands, 0, op.results);
        for (const int result : op.results) mark(function, result, (*this)(function, op.operands[0]));
        return;
      case Code::call: {
        const auto callee = static_cast<std::size_t>(op.number);
        Function& called = program_.functions[callee];
        for (std::size_t i = 0; i < called.parameters.size() && i < op.operands.size(); ++i)
          mark(callee, called.parameters[i], (*this)(function, op.operands[i]));
        for (const Block& block : called.body.blocks) {
          const Operation& last = block.operations.back();
          if (last.code != Code::ret) continue;
          for (std::size_t i = 0; i < op.results.size() && i < last.operands.size(); ++i)
            mark(function, op.results[i], (*this)(callee, last.operands[i]));
        }
        return;
      }
      case Code::branch:
      case Code::branch_if:
        for (const Successor& next : op.successors)
          flow(function, next.operands, 0, around.blocks[static_cast<std::size_t>(next.block)].arguments);
        return;
      default: {
        const bool depends = any(function, op.operands);
        for (const int result : op.results) mark(function, result, depends);
      }
    }
  }

  Program& program_;
  std::vector<std::vector<bool>> loaded_;
  bool changed_ = false;
};

/// Finds the masks of the loads from which an operation's operands come, with the relayouts that map each
/// load's elements to the operation's.
class LanesOf {
 public:
  LanesOf(const Function& function, const Definitions& definitions)
      : function_(function), definitions_(definitions) {}

  std::vector<Lanes> operator()(const Operation& decision) {
    found_.clear();
    visited_ = 0;
    if (decision.code == Code::load) {
      add(decision, {});
    } else if (is_elementwise(decision.code)) {
      for (const int operand : decision.operands) follow(operand, {});
    }
    return found_;
  }

 private:
  const Type& type(int value) const { return function_.values[static_cast<std::size_t>(value)].type; }

  /// `ways` are the relayouts from the elements of `value` to the decision's, the last one first.
  void follow(int value, std::vector<Relayout> ways, int depth = 0) {
    while (type(value).tensor && ++visited_ <= most_visited && depth <= deepest) {
      const Operation* op = definitions_.operation(value);
      if (op == nullptr) {
        // A value that a loop passes from iteration to iteration.
        const Operation* owner = definitions_.owner(value);
        const std::size_t index = definitions_.index(value);
        if (owner == nullptr || owner->code != Code::for_ || index == 0) return;
        value = owner->regions[0].blocks[0].operations.back().operands[index - 1];
        continue;
      }
      const std::size_t result = definitions_.index(value);
      switch (op->code) {
        case Code::load:
          return add(*op, ways);
        case Code::for_:
          value = op->regions[0].blocks[0].operations.back().operands[result];
          continue;
        case Code::if_:
          for (const Region& region : op->regions)
            follow(region.blocks[0].operations.back().operands[result], ways, depth + 1);
          return;
        case Code::reshape:
          break;
        case Code::broadcast:
        case Code::trans:
          ways.push_back({op->code == Code::trans ? Relayout::Kind::trans : Relayout::Kind::broadcast,
                          type(op->operands[0]).shape, type(value).shape, op->list});
          break;
        case Code::join:
        case Code::cat:
        case Code::split:
        case Code::gather:
          ways.push_back({});
          for (const int operand : op->operands) follow(operand, ways, depth + 1);
          return;
        default:
          if (!is_elementwise(op->code)) return;
          for (std::size_t i = 1; i < op->operands.size(); ++i) follow(op->operands[i], ways, depth + 1);
      }
      value = op->operands[0];
    }
  }

  void add(const Operation& load, const std::vector<Relayout>& ways) {
    if (!load.has_mask || found_.size() >= most_lanes) return;
    for (const Lanes& one : found_)
      if (one.mask == load.operands[1] && one.ways.size() == ways.size()) return;
    found_.push_back({load.operands[1], {ways.rbegin(), ways.rend()}});
  }

  const Function& function_;
  const Definitions& definitions_;
  std::vector<Lanes> found_;
  std::size_t visited_ = 0;
};

/// Returns the value from which a condition's elements come when changes of shape are left out.
int origin(const Definitions& definitions, int value) {
  while (const Operation* op = definitions.operation(value)) {
    if (op->code != Code::splat && op->code != Code::reshape && op->code != Code::broadcast &&
        op->code != Code::trans)
      return value;
    value = op->operands[0];
  }
  return value;
}

int condition_of(const Operation& op) {
  switch (op.code) {
    case Code::select:
    case Code::if_:
    case Code::condition:
    case Code::branch_if:
      return op.operands[0];
    case Code::load:
      return op.has_mask ? op.operands[1] : -1;
    case Code::store:
    case Code::atomic_rmw:
      return op.has_mask ? op.operands[2] : -1;
    default:
      return -1;
  }
}

}  // namespace

void find_decisions(Program& program) {
  const Dependence depends(program);
  for (std::size_t number = 0; number < program.functions.size(); ++number) {
    Function& function = program.functions[number];
    const Definitions definitions(function);
    std::vector<bool> condition(function.values.size(), false);
    for_each_operation(function.body, [&](Operation& op) {
      const int value = condition_of(op);
      if (value >= 0) condition[static_cast<std::size_t>(origin(definitions, value))] = true;
    });
    LanesOf lanes_of(function, definitions);
    for_each_operation(function.body, [&](Operation& op) {
      if (op.results.size() != 1 || !depends(number, op.results[0])) return;
      const bool compares = is_comparison(op.code) && op.operands[0] != op.operands[1];
      const bool decides = compares || chooses_by_size(op.code) || is_step(op) ||
                           (!is_comparison(op.code) && op.code != Code::if_ &&
                            condition[static_cast<std::size_t>(op.results[0])]);
      const int wanted = op.code == Code::clampf || op.code == Code::clampf_nan ? 2 : 1;
      if (!decides || program.decisions + wanted > most_decisions) return;
      op.decision = program.decisions;
      program.decisions += wanted;
      op.lanes = lanes_of(op);
    });
  }
}

}  // namespace trl::executor::ir
