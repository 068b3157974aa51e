#include "verifier/executor/paths/paths.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <type_traits>
#include <variant>

#include "verifier/executor/paths/numbers.hpp"
#include "verifier/executor/paths/solver.hpp"
#include "verifier/executor/paths/ways.hpp"
#include "verifier/executor/program/operation_names.hpp"

namespace trl::executor {
namespace {

template <class Visit>
void for_each_decision(const ir::Region& region, Visit visit) {
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations) {
      if (op.decision >= 0) visit(op);
      for (const ir::Region& nested : op.regions) for_each_decision(nested, visit);
    }
}

bool is_clamp(const ir::Operation& op) { return op.code == Code::clampf || op.code == Code::clampf_nan; }

std::string_view sign_of(Code code) {
  switch (code) {
    case Code::cmpi_eq:
    case Code::cmpf_oeq:
    case Code::cmpf_ueq:
      return "==";
    case Code::cmpi_ne:
    case Code::cmpf_one:
    case Code::cmpf_une:
      return "!=";
    case Code::cmpi_slt:
    case Code::cmpi_ult:
    case Code::cmpf_olt:
    case Code::cmpf_ult:
      return "<";
    case Code::cmpi_sle:
    case Code::cmpi_ule:
    case Code::cmpf_ole:
    case Code::cmpf_ule:
      return "<=";
    case Code::cmpi_sgt:
    case Code::cmpi_ugt:
    case Code::cmpf_ogt:
    case Code::cmpf_ugt:
      return ">";
    case Code::cmpi_sge:
    case Code::cmpi_uge:
    case Code::cmpf_oge:
    case Code::cmpf_uge:
      return ">=";
    default:
      return {};
  }
}

/// The text of a comparison, with " < -9" where the right side is a constant.
std::string comparison(const ir::Operation& op, const ir::Function& function,
                       const ir::Definitions& definitions) {
  const std::string text = " " + std::string(sign_of(op.code));
  int value = op.operands[1];
  const ir::Operation* from = definitions.operation(value);
  while (from != nullptr && (from->code == Code::splat || from->code == Code::broadcast)) {
    value = from->operands[0];
    from = definitions.operation(value);
  }
  if (from == nullptr || from->code != Code::constant) return text;
  char number[32];
  std::snprintf(
      number, sizeof number, " %.6g",
      read_number(function.values[static_cast<std::size_t>(value)].type.scalar, from->payload.data()));
  return text + number;
}

std::string what(const ir::Operation& op, std::size_t part, const ir::Function& function,
                 const ir::Definitions& definitions) {
  if (!sign_of(op.code).empty()) return "comparison" + comparison(op, function, definitions);
  switch (op.code) {
    case Code::maxsi:
    case Code::maxui:
    case Code::maximumf:
    case Code::maxnumf:
      return "maximum";
    case Code::minsi:
    case Code::minui:
    case Code::minimumf:
    case Code::minnumf:
      return "minimum";
    case Code::clampf:
    case Code::clampf_nan:
      return part == 0 ? "lower bound of a clamp" : "upper bound of a clamp";
    case Code::floor:
    case Code::ceil:
    case Code::trunc:
    case Code::round:
    case Code::rint:
      return std::string(operation_name(op.code));
    case Code::fptosi:
    case Code::fptoui:
      return "conversion to a whole number";
    case Code::shrsi:
    case Code::shrui:
      return "shift";
    default:
      return op.code == Code::andi && op.scalar != Scalar::i1 ? "choice of bits" : "condition";
  }
}

}  // namespace

int decision_count(const Module& module) { return module.program().decisions; }

std::vector<Decision> decisions(const Module& module) {
  const ir::Program& program = module.program();
  std::vector<Decision> list(static_cast<std::size_t>(program.decisions));
  for (const ir::Function& function : program.functions) {
    const ir::Definitions definitions(function);
    for_each_decision(function.body, [&](const ir::Operation& op) {
      for (std::size_t part = 0; part < (is_clamp(op) ? 2u : 1u); ++part) {
        Decision& one = list[static_cast<std::size_t>(op.decision) + part];
        one.what = what(op, part, function, definitions);
        if (op.location < 0) continue;
        const ir::Location& place = program.locations[static_cast<std::size_t>(op.location)];
        if (place.line > 0)
          one.source = {program.files[static_cast<std::size_t>(place.file)], place.line, place.column};
      }
    });
  }
  return list;
}

int one_sided(const std::vector<std::uint8_t>& ways) {
  return static_cast<int>(std::count_if(ways.begin(), ways.end(),
                                        [](std::uint8_t seen) { return (seen & ways::both) != ways::both; }));
}

namespace {

constexpr std::size_t most_rows = 2;

/// The numbers with which a mask may compare an element's index: the integers among the launch's arguments
/// and the kernel's constants.
std::set<std::int64_t> integers_of(const ir::Function& function, const Launch& launch) {
  std::set<std::int64_t> numbers;
  for (const auto& argument : launch.args)
    std::visit(
        [&numbers](const auto& value) {
          if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) numbers.insert(value);
        },
        argument);
  const auto visit = [&](const auto& self, const ir::Region& region) -> void {
    for (const ir::Block& block : region.blocks)
      for (const ir::Operation& op : block.operations) {
        if (op.code == Code::constant && (op.scalar == Scalar::i32 || op.scalar == Scalar::i64))
          numbers.insert(static_cast<std::int64_t>(read_number(op.scalar, op.payload.data())));
        for (const ir::Region& nested : op.regions) self(self, nested);
      }
  };
  visit(visit, function.body);
  return numbers;
}

std::vector<int> buffers_of(const Expression& expression, const Solution& solution, const Launch& launch) {
  std::vector<int> buffers;
  for (const std::size_t variable : solution.variables) {
    const auto parameter = static_cast<std::size_t>(expression.variables()[variable].parameter);
    if (const auto* pointer = std::get_if<PointerArg>(&launch.args.at(parameter)))
      if (std::find(buffers.begin(), buffers.end(), pointer->buffer) == buffers.end())
        buffers.push_back(pointer->buffer);
  }
  return buffers;
}

/// Expresses a decision as a function of loaded values, in several ways: once for each number of elements
/// that a padded block may really hold, then with whole blocks, and last, if the decision looks something up,
/// with the contents of tables.
std::vector<Expression> expressions_of(const ir::Function& function, const ir::Definitions& definitions,
                                       const Launch& launch, const ir::Operation& decision,
                                       const std::set<std::int64_t>& numbers, const Memory* tables) {
  std::vector<Expression> list;
  auto whole = Expression::of(function, definitions, launch, decision);
  if (!whole) return list;
  for (const std::int64_t number : numbers)
    if (list.size() < most_rows && whole->pads(number))
      list.push_back(*Expression::of(function, definitions, launch, decision, number));
  list.push_back(*std::move(whole));
  if (tables != nullptr) {
    auto by_tables = Expression::of(function, definitions, launch, decision, 0, tables);
    if (by_tables && by_tables->looks_up()) list.push_back(*std::move(by_tables));
  }
  return list;
}

}  // namespace

std::vector<Decider> deciders(const Module& module, const Launch& launch,
                              const std::vector<std::uint8_t>& ways, int most, const Memory* tables) {
  std::vector<Decider> found;
  if (ways.size() < static_cast<std::size_t>(module.program().decisions)) return found;
  for (const ir::Function& function : module.program().functions) {
    if (!function.is_public || (!launch.kernel.empty() && function.name != launch.kernel) ||
        launch.args.size() != function.parameters.size())
      continue;
    const ir::Definitions definitions(function);
    const std::set<std::int64_t> numbers = integers_of(function, launch);
    for_each_decision(function.body, [&](const ir::Operation& op) {
      for (std::size_t part = 0; part < (is_clamp(op) ? 2u : 1u); ++part) {
        const int number = op.decision + static_cast<int>(part);
        const std::uint8_t seen = ways[static_cast<std::size_t>(number)];
        if ((seen & ways::both) == ways::both || most <= 0) continue;
        --most;
        for (Expression& expression : expressions_of(function, definitions, launch, op, numbers, tables))
          for (const std::uint8_t way : {ways::yes, ways::no}) {
            if ((seen & way) != 0) continue;
            for (const Solution& solution : solve(expression, part, way))
              found.push_back({number, buffers_of(expression, solution, launch), solution.low, solution.high,
                               expression.everywhere()});
          }
      }
    });
  }
  return found;
}

}  // namespace trl::executor
