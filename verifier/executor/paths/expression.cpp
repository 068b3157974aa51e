#include "verifier/executor/paths/expression.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "verifier/executor/paths/numbers.hpp"
#include "verifier/executor/paths/ways.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {
namespace {

constexpr std::size_t most_nodes = 1000;
constexpr int deepest = 500;
constexpr std::size_t most_variables = 6;
constexpr std::size_t most_comparisons = 24;
constexpr std::int64_t most_copies = 1 << 16;
constexpr std::size_t most_entries = 1 << 16;  // the entries of a table
constexpr std::size_t most_rare = 8;

/// Whether a block holds a row of `row` elements, padded to a power of two.
bool is_padded(std::int64_t block, std::int64_t row) { return row < block && block < 2 * row; }

bool compares(Code code) { return code >= Code::cmpi_eq && code <= Code::cmpf_true; }
bool takes_larger(Code code) {
  return (code >= Code::minsi && code <= Code::maxui) || (code >= Code::maximumf && code <= Code::minnumf);
}

}  // namespace

/// Builds the expression by following operands backwards. Each function returns the index of a node, or none.
class Expression::Builder {
 public:
  Builder(Expression& expression, const ir::Function& kernel, const ir::Definitions& definitions,
          const Launch& launch, std::int64_t row, const Memory* tables)
      : to_(expression),
        kernel_(kernel),
        definitions_(definitions),
        launch_(launch),
        row_(row),
        tables_(tables) {}

  using Found = std::optional<std::size_t>;

  Found value(int value, int depth = 0) {
    if (depth > deepest) return std::nullopt;
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const ir::Operation* op = definitions_.operation(value);
    const Found found = op != nullptr ? result(*op, value, depth + 1) : argument(value, depth + 1);
    if (found) known_[value] = *found;
    return found;
  }

 private:
  const Type& type(int value) const { return kernel_.values[static_cast<std::size_t>(value)].type; }

  Found add(Node node) {
    if (to_.nodes_.size() >= most_nodes) return std::nullopt;
    node.loaded = node.kind == Node::Kind::variable ||
                  std::any_of(node.from.begin(), node.from.end(),
                              [&](std::size_t one) { return to_.nodes_[one].loaded; });
    to_.nodes_.push_back(std::move(node));
    return to_.nodes_.size() - 1;
  }

  Found number(Scalar scalar, double value) {
    Node node;
    node.scalar = scalar;
    node.bytes.resize(8);
    write_number(scalar, value, node.bytes.data());
    node.bytes.resize(as_size(storage_bytes(scalar)));
    return add(std::move(node));
  }

  Found result(const ir::Operation& op, int value, int depth) {
    if (is_elementwise(op.code) && op.code != Code::addptr) return elementwise(op, depth);
    const std::size_t index = definitions_.index(value);
    switch (op.code) {
      case Code::constant: {
        Node node;
        node.scalar = type(value).scalar;
        node.bytes.assign(op.payload.begin(), op.payload.begin() + storage_bytes(node.scalar));
        return add(std::move(node));
      }
      case Code::program_id:
      case Code::make_range:
        return number(type(value).scalar, 0);
      case Code::num_programs:
        return number(type(value).scalar, 1);
      case Code::splat:
      case Code::reshape:
      case Code::broadcast:
      case Code::trans:
      case Code::join:
      case Code::split:
      case Code::cat:
      case Code::gather:
        return this->value(op.operands[0], depth);
      case Code::load:
        return variable(op, depth);
      case Code::reduce:
      case Code::scan:
        return combined(op, index, depth);
      case Code::dot:
        return product(op, depth);
      case Code::if_:
        return chosen(op, index, depth);
      case Code::for_:
        to_.everywhere_ = true;
        return this->value(op.regions[0].blocks[0].operations.back().operands[index], depth);
      case Code::while_:
        to_.everywhere_ = true;
        return this->value(op.regions[0].blocks[0].operations.back().operands[index + 1], depth);
      default:
        return std::nullopt;
    }
  }

  Found elementwise(const ir::Operation& op, int depth) {
    Node node;
    node.kind = Node::Kind::elementwise;
    node.op = &op;
    node.scalar = op.to;
    for (const int operand : op.operands) {
      const Found from = value(operand, depth);
      if (!from) return std::nullopt;
      node.from.push_back(*from);
    }
    const auto compare = [&](std::size_t left, std::size_t right) {
      if (to_.comparisons_.size() >= most_comparisons) return;
      const bool is_unsigned = (op.code >= Code::cmpi_ult && op.code <= Code::cmpi_uge) ||
                               op.code == Code::minui || op.code == Code::maxui;
      to_.comparisons_.push_back({node.from[left], node.from[right], is_unsigned});
    };
    if (compares(op.code) || takes_larger(op.code)) compare(0, 1);
    if (op.code == Code::clampf || op.code == Code::clampf_nan) {
      compare(0, 1);
      compare(0, 2);
    }
    return add(std::move(node));
  }

  Found variable(const ir::Operation& load, int depth) {
    std::vector<int> places;
    const int parameter = parameter_of(load.operands[0], places);
    if (parameter < 0) return std::nullopt;
    if (const Found found = looked_up(load, parameter, places, depth)) return found;
    auto& variables = to_.variables_;
    auto found = std::find_if(variables.begin(), variables.end(), [&](const Variable& one) {
      return one.parameter == parameter && one.scalar == load.scalar;
    });
    if (found == variables.end()) {
      if (variables.size() >= most_variables) return std::nullopt;
      variables.push_back({parameter, load.scalar});
      found = variables.end() - 1;
    }
    Node node;
    node.kind = Node::Kind::variable;
    node.scalar = load.scalar;
    node.variable = static_cast<std::size_t>(found - variables.begin());
    return add(std::move(node));
  }

  /// Returns a load from a table at an index that depends on loaded values; none for other loads.
  Found looked_up(const ir::Operation& load, int parameter, const std::vector<int>& places, int depth) {
    const auto at = static_cast<std::size_t>(parameter);
    const auto* const pointer =
        tables_ != nullptr && at < launch_.args.size() ? std::get_if<PointerArg>(&launch_.args[at]) : nullptr;
    if (pointer == nullptr || pointer->buffer < 0 || pointer->buffer >= tables_->size()) return std::nullopt;
    Node place;
    place.kind = Node::Kind::place;
    place.scalar = Scalar::i64;
    bool depends = false;
    for (const int one : places) {
      const Found from = value(one, depth);
      if (!from) return std::nullopt;
      place.from.push_back(*from);
      depends = depends || to_.nodes_[*from].loaded;
    }
    if (!depends) return std::nullopt;
    Node node;
    node.kind = Node::Kind::looked_up;
    node.scalar = load.scalar;
    const std::vector<std::byte>& bytes = tables_->buffer(pointer->buffer).bytes;
    const auto size = as_size(memory_bytes(load.scalar));
    for (auto from = as_size(pointer->offset);
         from + size <= bytes.size() && node.table.size() < most_entries; from += size)
      node.table.push_back(read_stored(load.scalar, bytes.data() + from));
    const Found index = add(std::move(place));
    if (!index || node.table.empty()) return std::nullopt;
    compare_with_rare_places(*index, node.table);
    node.from = {*index};
    return add(std::move(node));
  }

  /// Lets the search look for the places of a table with rare values, or for its smallest and largest value.
  void compare_with_rare_places(std::size_t index, const std::vector<double>& table) {
    std::map<double, std::pair<std::size_t, std::size_t>> found;  // how often, and the first place
    for (std::size_t i = 0; i < table.size(); ++i)
      if (!std::isnan(table[i])) ++found.try_emplace(table[i], 0, i).first->second.first;
    if (found.empty()) return;
    std::vector<std::pair<std::size_t, std::size_t>> rare = {found.begin()->second, found.rbegin()->second};
    for (const auto& [number, one] : found) rare.push_back(one);
    std::sort(rare.begin() + 2, rare.end());
    if (rare.size() > most_rare) rare.resize(most_rare);
    for (const auto& [times, place] : rare)
      if (const Found at = number(Scalar::i64, static_cast<double>(place));
          at && to_.comparisons_.size() < most_comparisons)
        to_.comparisons_.push_back({index, *at, false});
  }

  /// Returns the number of the kernel parameter from which a pointer was computed, or -1 if it isn't known.
  /// The values that were added to the pointer are appended to `places`.
  int parameter_of(int pointer, std::vector<int>& places) const {
    for (int step = 0; step < deepest; ++step) {
      if (const ir::Operation* op = definitions_.operation(pointer)) {
        if (op->code == Code::for_) {
          pointer = op->operands[3 + definitions_.index(pointer)];
        } else if (op->code == Code::select) {
          pointer = op->operands[1];
        } else if (op->code == Code::addptr) {
          places.push_back(op->operands[1]);
          pointer = op->operands[0];
        } else if (op->code == Code::splat || op->code == Code::broadcast || op->code == Code::reshape ||
                   op->code == Code::trans || op->code == Code::bitcast) {
          pointer = op->operands[0];
        } else {
          return -1;
        }
        continue;
      }
      const ir::Operation* owner = definitions_.owner(pointer);
      const std::size_t index = definitions_.index(pointer);
      if (owner == nullptr) return definitions_.in_first_block(pointer) ? static_cast<int>(index) : -1;
      if (owner->code == Code::for_ && index > 0) {
        pointer = owner->operands[2 + index];
      } else if (owner->code == Code::while_ && definitions_.region(pointer) == 0) {
        pointer = owner->operands[index];
      } else {
        return -1;
      }
    }
    return -1;
  }

  Found combined(const ir::Operation& op, std::size_t index, int depth) {
    to_.everywhere_ = true;
    const Found from = value(op.operands[index], depth);
    if (!from || op.code == Code::scan || op.axis_kernel == nullptr) return from;
    Node node;
    node.kind = Node::Kind::combined;
    node.op = &op;
    node.from = {*from};
    node.scalar = op.scalar;
    node.block = type(op.operands[0]).shape[as_size(op.number)];
    node.times = std::min(is_padded(node.block, row_) ? row_ : node.block, most_copies);
    return add(std::move(node));
  }

  Found product(const ir::Operation& op, int depth) {
    to_.everywhere_ = true;
    Node node;
    node.kind = Node::Kind::product;
    node.op = &op;
    for (const int operand : op.operands) {
      const Found from = value(operand, depth);
      if (!from) return std::nullopt;
      node.from.push_back(*from);
    }
    if (node.from.size() != 3) return std::nullopt;
    node.scalar = type(op.results[0]).scalar;
    node.block = type(op.operands[0]).shape.back();
    node.times = is_padded(node.block, row_) ? row_ : node.block;
    return add(std::move(node));
  }

  Found chosen(const ir::Operation& op, std::size_t index, int depth) {
    Node node;
    node.kind = Node::Kind::chosen;
    node.scalar = type(op.results[index]).scalar;
    const Found condition = value(op.operands[0], depth);
    if (!condition) return std::nullopt;
    node.from.push_back(*condition);
    for (const ir::Region& region : op.regions) {
      const Found from = value(region.blocks[0].operations.back().operands[index], depth);
      if (!from) return std::nullopt;
      node.from.push_back(*from);
    }
    return add(std::move(node));
  }

  Found argument(int value, int depth) {
    const ir::Operation* owner = definitions_.owner(value);
    const std::size_t index = definitions_.index(value);
    if (!definitions_.in_first_block(value)) return std::nullopt;
    if (owner == nullptr) return parameter(value, index);
    switch (owner->code) {
      case Code::for_:
        if (index > 0) to_.everywhere_ = true;
        return this->value(index == 0 ? owner->operands[0] : owner->operands[2 + index], depth);
      case Code::while_:
        to_.everywhere_ = true;
        if (definitions_.region(value) == 0) return this->value(owner->operands[index], depth);
        return this->value(owner->regions[0].blocks[0].operations.back().operands[index + 1], depth);
      case Code::reduce:
      case Code::scan:
        to_.everywhere_ = true;
        return this->value(owner->operands[index % owner->operands.size()], depth);
      case Code::map:
        return this->value(owner->operands[index / as_size(owner->number)], depth);
      default:
        return std::nullopt;
    }
  }

  Found parameter(int value, std::size_t index) {
    const Scalar scalar = type(value).scalar;
    if (index >= launch_.args.size() || scalar == Scalar::ptr) return std::nullopt;
    const double given = std::visit(
        [](const auto& argument) -> double {
          if constexpr (std::is_same_v<std::decay_t<decltype(argument)>, PointerArg>)
            return 0;
          else
            return static_cast<double>(argument);
        },
        launch_.args[index]);
    return number(scalar, given);
  }

  Expression& to_;
  const ir::Function& kernel_;
  const ir::Definitions& definitions_;
  const Launch& launch_;
  const std::int64_t row_;
  const Memory* const tables_;
  std::map<int, std::size_t> known_;
};

std::optional<Expression> Expression::of(const ir::Function& kernel, const ir::Definitions& definitions,
                                         const Launch& launch, const ir::Operation& decision,
                                         std::int64_t row, const Memory* tables) {
  Expression expression;
  Builder builder(expression, kernel, definitions, launch, row, tables);
  const auto root = builder.value(decision.results[0]);
  if (!root || expression.variables_.empty()) return std::nullopt;
  expression.root_ = *root;
  return expression;
}

bool Expression::pads(std::int64_t row) const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [row](const Node& node) { return is_padded(node.block, row); });
}

bool Expression::looks_up() const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [](const Node& node) { return node.kind == Node::Kind::looked_up; });
}

std::vector<double> Expression::constants() const {
  std::vector<double> numbers;
  for (const Node& node : nodes_)
    if (node.kind == Node::Kind::constant) numbers.push_back(read_number(node.scalar, node.bytes.data()));
  return numbers;
}

Operands Expression::operands(const Node& node) const {
  Operands in;
  for (std::size_t i = 0; i < std::min<std::size_t>(node.from.size(), std::size(in.data)); ++i) {
    const Node& from = nodes_[node.from[i]];
    in.data[i] = from.bytes.data();
    in.stride[i] = from.kind == Node::Kind::constant ? 0 : 1;
  }
  return in;
}

void Expression::evaluate(const std::vector<std::vector<double>>& values) {
  lanes_ = static_cast<std::int64_t>(values.at(0).size());
  for (Node& node : nodes_)
    if (node.kind != Node::Kind::constant) compute(node, values);
}

void Expression::compute(Node& node, const std::vector<std::vector<double>>& values) {
  const std::int64_t size = storage_bytes(node.scalar);
  node.bytes.resize(as_size(lanes_ * size));
  const Operands in = operands(node);
  const auto element = [&](std::size_t i, std::int64_t lane) {
    const Node& from = nodes_[node.from[i]];
    return static_cast<const std::byte*>(in.data[i]) + lane * in.stride[i] * storage_bytes(from.scalar);
  };
  switch (node.kind) {
    case Node::Kind::constant:
      return;
    case Node::Kind::variable:
      for (std::int64_t i = 0; i < lanes_; ++i)
        write_number(node.scalar, values[node.variable][as_size(i)], node.bytes.data() + i * size);
      return;
    case Node::Kind::elementwise:
      node.op->kernel(in, node.bytes.data(), lanes_);
      return;
    case Node::Kind::combined:
      for (std::int64_t i = 0; i < lanes_; ++i)
        std::memcpy(node.bytes.data() + i * size, element(0, i), as_size(size));
      combine(node);
      return;
    case Node::Kind::product:
      for (std::int64_t i = 0; i < lanes_; ++i) {
        const auto of = [&](std::size_t k) {
          return read_number(nodes_[node.from[k]].scalar, element(k, i));
        };
        write_number(node.scalar, of(0) * of(1) * static_cast<double>(node.times) + of(2),
                     node.bytes.data() + i * size);
      }
      return;
    case Node::Kind::place:
      for (std::int64_t i = 0; i < lanes_; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < node.from.size(); ++k) sum += number(node.from[k], i);
        write_number(node.scalar, sum, node.bytes.data() + i * size);
      }
      return;
    case Node::Kind::looked_up:
      for (std::int64_t i = 0; i < lanes_; ++i) {
        const double at = read_number(Scalar::i64, element(0, i));
        const bool within = at >= 0 && at < static_cast<double>(node.table.size());
        write_number(node.scalar, within ? node.table[static_cast<std::size_t>(at)] : 0,
                     node.bytes.data() + i * size);
      }
      return;
    case Node::Kind::chosen:
      for (std::int64_t i = 0; i < lanes_; ++i)
        std::memcpy(node.bytes.data() + i * size, element(*element(0, i) != std::byte{0} ? 1 : 2, i),
                    as_size(size));
      return;
  }
}

/// Combines `times` copies of each lane's element by repeated doubling, according to the bits of `times`.
void Expression::combine(Node& node) const {
  const std::size_t bytes = node.bytes.size();
  std::vector<std::byte> power = node.bytes, pair(2 * bytes);
  const auto both = [&](std::vector<std::byte>& to, const std::vector<std::byte>& other) {
    std::memcpy(pair.data(), to.data(), bytes);
    std::memcpy(pair.data() + bytes, other.data(), bytes);
    node.op->axis_kernel(pair.data(), to.data(), {1, 2, lanes_}, false);
  };
  bool begun = false;
  for (std::int64_t left = std::max<std::int64_t>(node.times, 1); left > 0; left /= 2) {
    if (left % 2 != 0) {
      if (begun)
        both(node.bytes, power);
      else
        node.bytes = power;
      begun = true;
    }
    if (left > 1) both(power, power);
  }
}

double Expression::number(std::size_t node, std::int64_t lane) const {
  const Node& from = nodes_[node];
  const std::int64_t at = from.kind == Node::Kind::constant ? 0 : lane * storage_bytes(from.scalar);
  return read_number(from.scalar, from.bytes.data() + at);
}

std::vector<std::uint8_t> Expression::goes(std::size_t part, std::uint8_t way) const {
  std::vector<std::uint8_t> lanes(as_size(lanes_));
  const Node& root = nodes_[root_];
  if (root.kind == Node::Kind::elementwise) {
    ways::find(*root.op, part, operands(root), root.bytes.data(), lanes_, way, lanes.data());
  } else if (root.scalar == Scalar::i1 && root.kind != Node::Kind::constant) {
    for (std::size_t i = 0; i < lanes.size(); ++i)
      lanes[i] = (root.bytes[i] != std::byte{0}) == (way == ways::yes) ? 1 : 0;
  }
  return lanes;
}

std::vector<int> Expression::order(std::size_t comparison) const {
  const Comparison& one = comparisons_[comparison];
  const auto side = [&](std::size_t node, std::int64_t lane) {
    const double value = number(node, lane);
    return one.is_unsigned && value < 0 ? value + std::ldexp(1.0, bits(nodes_[node].scalar)) : value;
  };
  std::vector<int> orders(as_size(lanes_));
  for (std::int64_t i = 0; i < lanes_; ++i) {
    const double left = side(one.left, i), right = side(one.right, i);
    orders[as_size(i)] = left < right ? -1 : left > right ? 1 : 0;
  }
  return orders;
}

}  // namespace trl::executor
