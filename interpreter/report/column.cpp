#include "interpreter/report/column.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"
#include "interpreter/plan/reported.hpp"
#include "interpreter/report/column_parts.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr std::pair<Column::Unit, std::string_view> units[] = {{Column::Unit::percent, "share"},
                                                               {Column::Unit::factor, "factor"},
                                                               {Column::Unit::seconds, "seconds"},
                                                               {Column::Unit::count, "count"},
                                                               {Column::Unit::dollars, "usd"}};

}  // namespace

std::string_view name_of(Column::Unit unit) {
  for (const auto& [one, name] : units)
    if (one == unit) return name;
  return {};
}

Column::Unit unit_named(std::string_view name) {
  for (const auto& [unit, its_name] : units)
    if (its_name == name) return unit;
  return Column::Unit::percent;
}

Column column_of(ColumnName which, double argument) {
  const auto& facts = contract::facts_of(which);
  const auto filled = [&](std::string_view text) { return fmt::format(fmt::runtime(text), argument); };
  Column column{facts, std::string(facts.name), filled(facts.title), {}, 0, adds_of(which)};
  if (facts.takes_argument()) {
    column.argument = argument;
    column.id = fmt::format("{}({})", facts.name, argument);
  }
  const bool of_one = column.argument == 1 && !facts.meaning_of_one.empty();
  column.meaning = filled(of_one ? facts.meaning_of_one : facts.meaning);
  return column;
}

Column parse_column(const json& written) {
  if (const auto& inner = without_title(written); &inner != &written) {
    auto column = parse_column(inner);
    column.title = written.at("args").at(1);
    return column;
  }
  std::string name;
  double argument = 1;
  if (written.is_string()) name = written;
  if (written.is_object()) {
    name = written.value("call", written.value("name", std::string()));
    if (const auto arguments = written.value("args", json::array()); !arguments.empty())
      argument = arguments.front().get<double>();
  }
  if (const auto* facts = contract::find_column(name)) return column_of(facts->which, argument);
  std::string all;
  for (const auto& column : contract::columns) all.append(all.empty() ? "" : ", ").append(column.name);
  throw UserError("there is no column " + (name.empty() ? written.dump() : name),
                  "Columns are: " + all + ".");
}

std::optional<double> pass_at(int k, int n, int c) {
  if (k > n || k < 1) return std::nullopt;
  if (n - c < k) return 1.0;
  double none = 1;
  for (int i = n - c + 1; i <= n; ++i) none *= 1.0 - double(k) / i;
  return 1 - none;
}

}  // namespace trl::interpreter
