// The columns of result tables (columns.def): their titles, units and meanings, for checks of programs and
// for reports.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace trl::contract {

/// One enumerator for each column, with the column's name: ColumnName::pass_at.
enum class ColumnName {
#define TRL_COLUMN(name, ...) name,
#include "base/contract/columns.def"
};

/// The unit in which a column's numbers are written.
enum class ColumnUnit { percent, factor, seconds, count, dollars };

/// The kind of mean that a column shows.
enum class Mean {
  share,      ///< the mean of zeros and ones, or of probabilities
  plain,      ///< the arithmetic mean of any numbers
  geometric,  ///< exp of the mean of the logarithms of the samples' values
  by_seed     ///< the mean over seeds of the sum over a seed's stages, such as its seconds
};

/// The results from which a column is computed.
enum class MeasuredOn {
  exam_answers,      ///< the verdicts of the exam; in a plot over rounds, the verdicts of a round or of `dev`
  training_answers,  ///< the verdicts on training's answers; each seed draws its own tasks
  training_stages,   ///< whole stages of a row's training, for instance their seconds
  exam_stages        ///< whole stages that sample the exam's answers, for instance the price of their tokens
};

/// The data that a column needs: an experiment must measure them, or an imported row must contain them.
enum class ColumnNeeds {
  nothing,
  kernel_times,          ///< times of the answers' kernels and of the references
  compiled_times,        ///< `kernel_times`, and times of the references compiled by torch.compile
  kernelbench_verdicts,  ///< verdicts of KernelBench's protocol on the same answers
  kept_verdicts          ///< verdicts of the exam's protocol on the answers that training kept
};

/// Which of two figures of a column is the better one, for tables that mark the best.
enum class Better {
  higher,
  lower,
  unknown  ///< neither direction is good by itself: tokens sampled, or answers that a laxer protocol accepts
};

/// The fixed description of a column, independent of any results. A row of columns.def sets every field.
struct ColumnFacts {
  ColumnName which;
  std::string_view name;            ///< the name in files: "pass_at"
  std::string_view title;           ///< "pass@{}"; `{}` stands for the argument of a column that has one
  std::string_view counted;         ///< the unit that the column's n counts: "exam samples"
  std::string_view meaning;         ///< one line for the legend; `{}` stands for the argument
  std::string_view meaning_of_one;  ///< the legend's line for the argument 1; empty: `meaning` serves
  std::string_view axis;            ///< the title of a plot's axis; empty: plots can't show the column
  ColumnUnit unit;
  Mean mean;  ///< chooses the estimator (docs/statistics.md)
  MeasuredOn on;
  ColumnNeeds needs;
  /// Whether imported results, which others published, have this column, given the data that it needs.
  bool imported;
  /// Whether an extension that changes the verifier of a row's training changes this column in that row.
  bool by_own_verifier;
  bool varies;    ///< whether a repeated run may give another number, since the column is computed from
                  ///< measured seconds
  Better better;  ///< which rows a table may mark as the best

  /// Whether the column is computed from verdicts on answers, not from whole stages.
  constexpr bool of_answers() const {
    return on == MeasuredOn::exam_answers || on == MeasuredOn::training_answers;
  }
  /// Whether the column depends on kernel times.
  constexpr bool of_times() const {
    return needs == ColumnNeeds::kernel_times || needs == ColumnNeeds::compiled_times;
  }
  constexpr bool takes_argument() const { return title.find("{}") != std::string_view::npos; }
};

/// All columns, in the order of ColumnName.
inline constexpr auto columns = [] {
  using enum ColumnUnit;
  using enum Mean;
  using enum MeasuredOn;
  using enum ColumnNeeds;
  using enum Better;
  return std::array{
#define TRL_COLUMN(column, ...) ColumnFacts{.which = ColumnName::column, .name = #column, __VA_ARGS__},
#include "base/contract/columns.def"
  };
}();

constexpr const ColumnFacts& facts_of(ColumnName which) { return columns[static_cast<std::size_t>(which)]; }

/// Returns the column with this name; null if there is none.
constexpr const ColumnFacts* find_column(std::string_view name) {
  for (const auto& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

}  // namespace trl::contract
