#include "interpreter/report/column.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "interpreter/report/inference.hpp"
#include "interpreter/report/trace.hpp"
#include "language/modules/library.hpp"

#include <gtest/gtest.h>

using namespace trl::interpreter;

TEST(PassAt, IsTheUnbiasedEstimate) {
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 1), 0.25);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 1), 0.5);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 3), 1.0);
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 0), 0.0);
  EXPECT_FALSE(pass_at(5, 4, 1));
}

TEST(PassAt, TasksThatDifferOnlyInSizesAreTwo) {
  // They have one key, by which intervals take them for one cluster.
  std::vector<Verdict> verdicts;
  for (const std::size_t task : {0, 1})
    for (int sample = 0; sample < 2; ++sample) {
      Verdict verdict;
      verdict.task = "matmul", verdict.task_number = task, verdict.sample = sample;
      verdict.correct = task == 0;
      verdicts.push_back(verdict);
    }
  std::vector<Part> parts;
  add_verdicts(parse_column({{"call", "pass_at"}, {"args", {2}}}), "", 1, verdicts, parts);
  double sum = 0, weight = 0;
  for (const auto& part : parts) sum += part.sum, weight += part.weight;
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(weight, 2);
}

TEST(Columns, CountNoAnswerThatWasNotJudged) {
  // Task 0 has a right answer and a wrong one, task 1 two that weren't judged.
  std::vector<Verdict> verdicts;
  for (const std::size_t task : {0, 1})
    for (int sample = 0; sample < 2; ++sample) {
      Verdict verdict;
      verdict.task = task == 0 ? "a" : "b", verdict.task_number = task, verdict.sample = sample;
      verdict.judged = task == 0, verdict.correct = verdict.valid = task == 0 && sample == 0;
      verdict.speedup = verdict.correct ? 2 : 0, verdict.kernelbench = true;
      verdicts.push_back(verdict);
    }
  const auto sums = [&](const nlohmann::json& column) {
    std::vector<Part> parts;
    add_verdicts(parse_column(column), "", 1, verdicts, parts);
    double sum = 0, weight = 0;
    for (const auto& part : parts) sum += part.sum, weight += part.weight;
    return std::pair(sum, weight);
  };
  for (const char* share : {"valid", "correct"}) EXPECT_EQ(sums(share), std::pair(1.0, 2.0)) << share;
  EXPECT_EQ(sums("kernelbench"), std::pair(2.0, 2.0));
  EXPECT_EQ(sums("speedup").second, 1);
  EXPECT_EQ(sums({{"call", "pass_at"}, {"args", {2}}}), std::pair(1.0, 1.0));
}

TEST(ImportedColumns, AreThoseOfWhichKernelBenchTells) {
  const std::map<ColumnName, ColumnNeeds> known = {
      {ColumnName::compiled, ColumnNeeds::nothing},
      {ColumnName::correct, ColumnNeeds::nothing},
      {ColumnName::pass_at, ColumnNeeds::nothing},
      {ColumnName::fast, ColumnNeeds::kernel_times},
      {ColumnName::speedup, ColumnNeeds::kernel_times},
      {ColumnName::fast_over_compiled, ColumnNeeds::compiled_times},
      {ColumnName::speedup_over_compiled, ColumnNeeds::compiled_times},
      {ColumnName::kernelbench, ColumnNeeds::kernelbench_verdicts}};
  for (const auto& column : trl::contract::columns) {
    const auto found = known.find(column.which);
    EXPECT_EQ(column.imported, found != known.end()) << column.name;
    if (found != known.end()) {
      EXPECT_EQ(column.needs, found->second) << column.name;
    }
  }
}

// A column is of seeds exactly where whole stages add to it, and only their seconds vary.
TEST(Columns, SayWhatTheyAreFoundFrom) {
  for (const auto& column : trl::contract::columns) {
    EXPECT_EQ(column.mean == Mean::by_seed, !column.of_answers()) << column.name;
    EXPECT_EQ(column.mean == Mean::geometric, column.unit == Column::Unit::factor) << column.name;
    EXPECT_EQ(column.varies, column.unit == Column::Unit::seconds) << column.name;
    EXPECT_EQ(column.takes_argument(), column_of(column.which).id != column.name) << column.name;
    EXPECT_TRUE(!column.imported || column.on == MeasuredOn::exam_answers) << column.name;
    EXPECT_FALSE(column.meaning.empty() || column.counted.empty() || column.title.empty()) << column.name;
  }
}

/// A column of counts: how many masked loads a correct answer relies on.
Column counts_of_loads() {
  auto column = column_of(ColumnName::masked_without_other);
  column.id = column.title = "loads", column.meaning = "masked loads without other";
  column.unit = Column::Unit::count, column.mean = Mean::plain;
  column.adds = [](const Judged& one) { return std::optional(double(one.verdict.masked_without_other)); };
  return column;
}

// The estimator is the column's own, whatever its figures are written in.
TEST(Columns, OfCountsHaveAnIntervalOverTasksAndSayWhatTheyCount) {
  std::vector<Verdict> verdicts;
  for (std::size_t task = 0; task < 6; ++task)
    for (int sample = 0; sample < 2; ++sample) {
      Verdict verdict;
      verdict.task = std::to_string(task), verdict.task_number = task, verdict.sample = sample;
      verdict.masked_without_other = static_cast<std::int64_t>(task % 3);
      verdicts.push_back(verdict);
    }
  const auto column = counts_of_loads();
  std::vector<Part> parts;
  add_verdicts(column, "", 1, verdicts, parts);
  FigureTrace trace{"e", {"main", "row", column.id}, column, {}, 0, 0, {}, {}, {}};
  trace.figure = level_of(parts, column.mean, tasks_of(column));
  for (const auto& part : parts) trace.numerator += part.sum, trace.denominator += part.weight;
  EXPECT_EQ(trace.figure.value, 1);
  EXPECT_EQ(trace.figure.n, 12);
  ASSERT_TRUE(trace.figure.interval);
  EXPECT_LT(trace.figure.interval->low, 1);
  EXPECT_GT(trace.figure.interval->high, 1);
  EXPECT_EQ(arithmetic_text(trace), "12 over 12 exam samples: masked loads without other");
}

/// Lines of sources that compare a name of a column, list several, or look one up by it.
std::vector<std::string> lines_with_names_of_columns() {
  std::string names;
  for (const auto& column : trl::contract::columns)
    names.append(names.empty() ? "" : "|").append(column.name);
  const std::string quoted = "\"(" + names + ")\"";
  const std::regex wrong("[=!]= *" + quoted + "|" + quoted + " *[=!]=|starts_with\\(\"(pass|fast|speedup)|" +
                         "(parse_column|find_column)\\(" + quoted + "|" + quoted + ", *" + quoted);
  std::vector<std::string> found;
  for (const char* folder : {"interpreter", "language/check"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(TRL_SOURCE "/" + std::string(folder))) {
      const auto ending = entry.path().extension();
      if (ending != ".cpp" && ending != ".hpp") continue;
      std::ifstream file(entry.path());
      std::string line;
      for (int number = 1; std::getline(file, line); ++number)
        if (std::regex_search(line, wrong))
          found.push_back(entry.path().filename().string() + ":" + std::to_string(number) + ": " + line);
    }
  return found;
}

// What is to be known of a column stands in its row; code names a column by ColumnName.
TEST(Columns, AreNamedInTheirTableAlone) {
  std::vector<std::string> lines;
  // An option of that value, `--by kernelbench`, and fields of a verdict.
  const std::set<std::string> of_others = {"export_runs.cpp", "verdicts.cpp", "zero_denominator.cpp"};
  for (const auto& line : lines_with_names_of_columns())
    if (!of_others.contains(line.substr(0, line.find(':')))) lines.push_back(line);
  EXPECT_EQ(lines, std::vector<std::string>());
}

TEST(Columns, AreThoseOfTheSchema) {
  trl::language::Sources sources;
  const auto schema = trl::language::read_library(sources).schema;
  std::set<std::string> offered, known;
  const std::function<void(const trl::language::Type&)> visit = [&](const trl::language::Type& type) {
    offered.insert(type.choices.begin(), type.choices.end());
    for (const auto& part : type.args) visit(part);
  };
  visit(trl::language::find(schema.kinds.at("table").fields, "columns")->type);
  for (const auto& [name, function] : schema.functions)
    if (function.result == "column") offered.insert(name);
  for (const auto& column : trl::contract::columns) known.emplace(column.name);
  EXPECT_EQ(offered, known);
}

// trace_tests compares each figure of that table with the sum of what is listed for it.
TEST(Columns, AreTracedInTheSmallStudy) {
  const std::set<ColumnName> elsewhere = {ColumnName::correct_after,  // turns_tests.cpp: of several turns
                                          ColumnName::usd};           // endpoint_tests.cpp: of a server
  std::ifstream file(TRL_SOURCE "/tests/interpreter/small.trl");
  std::string line, columns;
  while (std::getline(file, line))
    if (line.find("columns = [") != std::string::npos) columns += line;
  for (const auto& column : trl::contract::columns) {
    // These need more of an exam; second_baseline_tests.cpp and report_pages_tests.cpp have them.
    if (column.needs == ColumnNeeds::compiled_times || column.needs == ColumnNeeds::kernelbench_verdicts ||
        elsewhere.contains(column.which))
      continue;
    EXPECT_TRUE(std::regex_search(columns, std::regex("[\\[ ]" + std::string(column.name) + "[,(\\]]")))
        << column.name;
  }
}
