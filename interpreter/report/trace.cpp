#include "interpreter/report/trace.hpp"

#include <algorithm>
#include <set>

#include "base/support/quoted_names.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr const char* form =
    "Write TABLE[ROW, COLUMN], all of it in quotes: 'main[inputs + stages, correct]'.";

/// The text without surrounding blanks and one pair of quotes, and with single blanks inside.
std::string trimmed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  while (out.ends_with(' ')) out.pop_back();
  for (const char* quotes : {"\"\"", "''", "``"})
    if (out.size() >= 2 && out.front() == quotes[0] && out.back() == quotes[1])
      return trimmed(out.substr(1, out.size() - 2));
  return out;
}

/// The last comma outside of parentheses and quotes.
std::size_t separating_comma(const std::string& text) {
  std::size_t found = std::string::npos;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'' || c == '`')
      quote = c;
    else if (c == '(' || c == ')')
      depth += c == '(' ? 1 : -1;
    else if (c == ',' && depth == 0)
      found = i;
  }
  return found;
}

std::set<std::string> parts_of_label(const std::string& label) {
  std::set<std::string> parts;
  for (std::size_t begin = 0; begin <= label.size();) {
    const auto end = std::min(label.find('+', begin), label.size());
    parts.insert(trimmed(label.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

bool is_called(const Row& row, const std::string& name) {
  if (name == row.label || name == row_label(row) || name == row_title(row)) return true;
  // The name as pages and pictures show it: "imitate → unfiltered".
  if (name == typeset(row.label) || name == typeset(row_label(row))) return true;
  if (std::find(row.same_as.begin(), row.same_as.end(), name) != row.same_as.end()) return true;
  if (row.kind == Row::Kind::imported && name + imported_mark == row.label) return true;
  if (row.kind != Row::Kind::cell) return false;
  const auto parts = parts_of_label(name);
  return parts == parts_of_label(row.label) ||
         std::any_of(row.same_as.begin(), row.same_as.end(),
                     [&](const std::string& same) { return parts == parts_of_label(same); });
}

/// Returns a column's name as in its id: "fast(1)" for "fast(1.0)".
std::string normalised_column(const std::string& name) {
  const auto open = name.find('(');
  if (open == std::string::npos || !name.ends_with(')')) return name;
  try {
    const double argument = std::stod(name.substr(open + 1));
    return fmt::format("{}({})", trimmed(name.substr(0, open)), argument);
  } catch (const std::exception&) {
    return name;
  }
}

}  // namespace

UnknownName::UnknownName(const std::string& message, const std::string& what, std::vector<std::string> names,
                         std::string wanted_name)
    : UserError(message, what + " are: " + quoted_names(names) + "."),
      known(std::move(names)),
      wanted(std::move(wanted_name)) {}

FigureName parse_figure_name(const std::string& text) {
  const auto open = text.find('[');
  const auto whole = trimmed(text);
  if (open == std::string::npos || !whole.ends_with(']'))
    throw UserError("`" + text + "` isn't a figure", form);
  const auto inside = text.substr(open + 1, text.rfind(']') - open - 1);
  const auto comma = separating_comma(inside);
  if (comma == std::string::npos) throw UserError("`" + text + "` has no row and column", form);
  FigureName name{trimmed(text.substr(0, open)), trimmed(inside.substr(0, comma)),
                  trimmed(inside.substr(comma + 1))};
  if (name.table.empty() || name.row.empty() || name.column.empty())
    throw UserError("`" + text + "` isn't a figure", form);
  return name;
}

std::vector<Column> columns_of(const TableLayout& layout) {
  std::vector<Column> columns;
  for (const auto& column : layout.columns) columns.push_back(parse_column(column));
  return columns;
}

const Row& find_row(const std::string& name, const std::string& table,
                    const std::vector<std::shared_ptr<const Row>>& rows) {
  for (const auto& row : rows)
    if (is_called(*row, name)) return *row;
  throw UnknownName(
      "table " + table + " has no row `" + name + "`", "Rows",
      [&] {
        std::vector<std::string> known;
        for (const auto& row : rows) known.push_back(row->label);
        return known;
      }(),
      name);
}

Column find_column(const std::string& name, const std::string& table, const std::vector<Column>& columns) {
  const auto wanted = normalised_column(name);
  std::vector<const Column*> named;
  for (const auto& column : columns) {
    if (column.id == wanted || column.title == wanted) return column;
    if (column.name == wanted) named.push_back(&column);
  }
  if (named.size() == 1) return *named.front();
  std::vector<std::string> known;
  for (const auto& column : columns) known.push_back(column.id);
  throw UnknownName("table " + table + " has no column " + name, "Columns", known, name);
}

FigureTrace trace_figure(const std::string& table, const Row& row, const Column& column,
                         const Inference& inference) {
  const auto& evidence = inference.evidence();
  FigureTrace trace{
      evidence.plan().experiment, {table, row.label, column.id}, column, {}, 0, 0, row.same_as, {}, {}};
  trace.figure = inference.figure(column, row);
  trace.from = row.from;
  std::map<std::string, std::vector<CandidatePlace>> sources;
  std::set<std::string> listed;
  const auto list_stage = [&](std::uint64_t seed, const std::string& key, double adds) {
    if (const Stage* stage = evidence.plan().find(key); stage && listed.insert(key).second)
      trace.stages.push_back({seed, stage->slot, stage->kind, key, adds});
  };
  for (const auto& part : parts_of(column, row, evidence)) {
    trace.numerator += part.sum, trace.denominator += part.weight;
    if (part.stage.empty()) continue;
    if (!part.verdict) {
      list_stage(part.seed, part.stage, part.sum);
      continue;
    }
    if (!sources.contains(part.stage)) sources[part.stage] = evidence.candidates(part.stage);
    const auto& [sampled, sampled_row] = sources[part.stage].at(*part.verdict);
    list_stage(part.seed, sampled, 0);
    list_stage(part.seed, part.stage, 0);
    const auto& verdict = evidence.verdicts(part.stage).at(*part.verdict);
    trace.candidates.push_back(
        {candidate_id(sampled, sampled_row), verdict.name, verdict.group, part.seed, part.sum, verdict});
  }
  return trace;
}

std::string arithmetic_text(const FigureTrace& trace) {
  const auto& column = trace.column;
  const auto unit = unit_text(column);
  const auto sum = fmt::format("{:.6g}{}", trace.numerator, unit.empty() ? "" : " " + unit);
  switch (column.mean) {
    case Mean::geometric:
      return fmt::format(
          "exp({:.4f} / {:g}): geometric mean over {:g} {}; the first number is the sum of the logarithms of "
          "their speedups",
          trace.numerator, trace.denominator, trace.denominator, column.counted);
    case Mean::share:
      return fmt::format(
          "{:.6g} of {:g} {}: {}", trace.numerator, trace.denominator, column.counted,
          trace.from.empty() ? column.meaning : "as " + trace.from + " says, which wasn't judged here");
    case Mean::plain:
      return fmt::format("{} over {:g} {}: {}", sum, trace.denominator, column.counted, column.meaning);
    case Mean::by_seed:
      break;
  }
  return fmt::format("{} over {:g} seed{}: {}", sum, trace.denominator, trace.denominator == 1 ? "" : "s",
                     column.meaning);
}

std::string verdict_text(const Verdict& verdict) {
  if (!verdict.judged) return "not judged";
  return verdict.correct ? "correct" : verdict.failed.empty() ? "refused" : "fails " + verdict.failed;
}

json as_json(const FigureTrace& trace, const std::vector<TracedCandidate>& candidates) {
  const auto number = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
  const auto& [value, interval, n, scope] = trace.figure;
  json out = {{"experiment", trace.experiment},
              {"table", trace.name.table},
              {"row", trace.name.row},
              {"same_as", trace.same_as},
              {"imported_from", trace.from.empty() ? json() : json(trace.from)},
              {"column", trace.name.column},
              {"meaning", trace.column.meaning},
              {"value", number(value)},
              {"low", interval ? json(interval->low) : json()},
              {"high", interval ? json(interval->high) : json()},
              {"about", interval ? json(scope_name(scope)) : json()},
              {"n", n},
              {"n_counts", trace.column.counted},
              {"numerator", trace.numerator},
              {"denominator", trace.denominator},
              {"geometric", trace.column.mean == Mean::geometric},
              {"stages", json::array()},
              {"candidates", json::array()}};
  for (const auto& stage : trace.stages)
    out["stages"].push_back({{"seed", stage.seed},
                             {"slot", stage.slot},
                             {"kind", stage.kind},
                             {"key", stage.key},
                             {"adds", stage.adds}});
  const auto text = [](const std::string& value) { return value.empty() ? json() : json(value); };
  for (const auto& candidate : candidates)
    out["candidates"].push_back({{"id", candidate.id},
                                 {"task", candidate.task},
                                 {"group", candidate.group},
                                 {"seed", candidate.seed},
                                 {"sample", candidate.verdict.sample},
                                 {"adds", candidate.adds},
                                 {"correct", candidate.verdict.correct},
                                 {"failed", text(candidate.verdict.failed)},
                                 {"reason", text(candidate.verdict.reason)},
                                 {"message", text(candidate.verdict.message)},
                                 {"variation", text(candidate.verdict.variation)},
                                 {"line", candidate.verdict.line ? json(candidate.verdict.line) : json()},
                                 {"speedup", candidate.verdict.speedup}});
  return out;
}

}  // namespace trl::interpreter
