#include "interpreter/report/column.hpp"

#include "base/support/error.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

const std::vector<Column>& known_columns() {
  using Unit = Column::Unit;
  static const std::vector<Column> columns = {
      {"", "valid", "exam samples", "the answer parses and runs to a launch plan", Unit::percent, false,
       "valid", 0},
      {"", "compiled", "exam samples", "every kernel compiles for the named GPU", Unit::percent, false,
       "compiled", 0},
      {"", "correct", "exam samples", "every variation has the reference's values, and no memory error",
       Unit::percent, false, "correct", 0},
      {"", "values", "exam samples", "every variation has the reference's values, memory errors aside",
       Unit::percent, false, "values", 0},
      {"", "no other", "exam samples",
       "correct, and relies on the zeros of lanes that a masked load without other leaves out", Unit::percent,
       false, "masked_without_other", 0},
      {"", "KernelBench", "exam samples",
       "accepted by KernelBench's protocol: five trials from its seeds, within 1e-4 absolute and relative",
       Unit::percent, false, "kernelbench", 0},
      {"", "survives", "accepted samples", "correct, of the samples that KernelBench's protocol accepts",
       Unit::percent, false, "survives", 0},
      {"", "pass@{}", "exam tasks", "chance that one of {} samples is correct", Unit::percent, false,
       "pass_at", 1},
      {"", "by turn {}", "exam episodes", "a right answer within the first {} turns", Unit::percent, false,
       "correct_after", 1},
      {"", "fast({})", "exam samples", "correct, and more than {} times as fast as the reference",
       Unit::percent, false, "fast", 1},
      {"", "speedup", "correct samples", "geometric mean over the correct samples, times", Unit::factor,
       false, "speedup", 0},
      {"", "fast({}) compiled", "exam samples",
       "correct, and more than {} times as fast as the reference that torch.compile makes", Unit::percent,
       false, "fast_over_compiled", 1},
      {"", "speedup compiled", "correct samples",
       "geometric mean over the correct samples, times, over the reference that torch.compile makes",
       Unit::factor, false, "speedup_over_compiled", 0},
      {"", "purity", "kept samples", "share of the samples trained on that the exam's protocol accepts",
       Unit::percent, false, "purity", 0},
      {"", "kernels", "training samples",
       "share of the task's work that a training sample's own kernels do, of those that have a launch plan; "
       "the rest "
       "is what PyTorch finishes under framework = epilogue",
       Unit::percent, false, "kernel_share", 0},
      {"", "tokens", "seeds", "tokens sampled in training, mean over seeds", Unit::count, false, "tokens", 0},
      {"", "cost", "seeds",
       "measured seconds of sampling, verifying and training, as if the row were run alone; mean over seeds",
       Unit::seconds, true, "cost", 0},
      {"", "price", "seeds",
       "usd for the exam's answers by a server: the tokens that it counts at the prices that the file "
       "declares; mean "
       "over seeds",
       Unit::usd, false, "usd", 0},
  };
  return columns;
}

}  // namespace

namespace {

constexpr std::pair<Column::Unit, std::string_view> units[] = {{Column::Unit::percent, "share"},
                                                               {Column::Unit::factor, "factor"},
                                                               {Column::Unit::seconds, "seconds"},
                                                               {Column::Unit::count, "count"},
                                                               {Column::Unit::usd, "usd"}};

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

Column parse_column(const json& written) {
  std::string name;
  std::vector<double> arguments;
  if (written.is_string()) name = written;
  if (written.is_object()) {
    name = written.value("call", written.value("name", std::string()));
    for (const auto& argument : written.value("args", json::array()))
      arguments.push_back(argument.get<double>());
  }
  std::string all;
  for (Column column : known_columns()) {
    all += (all.empty() ? "" : ", ") + column.name;
    if (column.name != name) continue;
    if (!arguments.empty()) column.argument = arguments.front();
    column.id = column.argument > 0 ? fmt::format("{}({})", name, column.argument) : name;
    column.title = fmt::format(fmt::runtime(column.title), column.argument);
    column.meaning = name == "pass_at" && column.argument == 1         ? "chance that a sample is correct"
                     : name == "correct_after" && column.argument == 1 ? "a right answer in the first turn"
                     : name == "fast" && column.argument == 1 ? "correct, and faster than the reference"
                     : name == "fast_over_compiled" && column.argument == 1
                         ? "correct, and faster than the reference that torch.compile makes"
                         : fmt::format(fmt::runtime(column.meaning), column.argument);
    return column;
  }
  throw UserError("there is no column " + (name.empty() ? written.dump() : name),
                  "Columns are: " + all + ".");
}

bool of_training(const Column& column) { return column.name == "purity" || column.name == "kernel_share"; }

bool of_times(std::string_view name) { return name.starts_with("fast") || name.starts_with("speedup"); }

ImportedColumn imported_column(std::string_view name) {
  if (name == "compiled" || name == "correct" || name == "pass_at") return ImportedColumn::always;
  if (name == "kernelbench") return ImportedColumn::by_protocol;
  if (name == "fast" || name == "speedup") return ImportedColumn::times;
  if (name == "fast_over_compiled" || name == "speedup_over_compiled") return ImportedColumn::compiled_times;
  return ImportedColumn::never;
}

std::optional<double> pass_at(int k, int n, int c) {
  if (k > n || k < 1) return std::nullopt;
  if (n - c < k) return 1.0;
  double none = 1;
  for (int i = n - c + 1; i <= n; ++i) none *= 1.0 - double(k) / i;
  return 1 - none;
}

}  // namespace trl::interpreter
