// What each column of tables is (columns.def), for checks of programs and for reports of results.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace trl::contract {

/// The columns by their names: ColumnName::pass_at.
enum class ColumnName {
#define TRL_COLUMN(name, ...) name,
#include "base/contract/columns.def"
};

/// How a figure is written.
enum class ColumnUnit { percent, factor, seconds, count, dollars };

/// The kinds of means that figures are.
enum class Mean {
  share,      ///< of zeros and ones, or of chances
  plain,      ///< of any numbers
  geometric,  ///< exp of the mean of the logarithms that the parts hold
  by_seed     ///< of one number a seed, such as its seconds: the parts of a seed are summed
};

/// What a figure is found from.
enum class MeasuredOn {
  exam_answers,      ///< the verdicts of the exam, or in a plot those of a round or of `dev`
  training_answers,  ///< the verdicts of training, whose tasks are drawn anew for each seed
  training_stages,   ///< the stages that a row's training takes, as a whole
  exam_stages        ///< the stages that sample the exam's answers, as a whole
};

/// What an experiment has to do, or an imported row has to know, for a column to have a figure.
enum class ColumnNeeds {
  nothing,
  kernel_times,          ///< times of the answers and of the references
  compiled_times,        ///< also those of torch.compile's references
  kernelbench_verdicts,  ///< that KernelBench's protocol judged the answers, too
  kept_verdicts          ///< that the exam's protocol judged the answers that training kept
};

/// What is known of a column without any result. A row of columns.def says all of it.
struct ColumnFacts {
  ColumnName which;
  std::string_view name;            ///< as files write it: "pass_at"
  std::string_view title;           ///< "pass@{}"; `{}` stands for the argument of a column that has one
  std::string_view counted;         ///< what n counts: "exam samples"
  std::string_view meaning;         ///< one line for the legend, with `{}` for the argument
  std::string_view meaning_of_one;  ///< that line where the argument is 1; empty: the same
  std::string_view axis;            ///< the title of a plot's axis; empty: a plot's `y` doesn't name it
  ColumnUnit unit;
  Mean mean;  ///< which of the statistics of docs/statistics.md it gets
  MeasuredOn on;
  ColumnNeeds needs;
  bool imported;         ///< whether results that others published tell it, where they have what it needs
  bool by_own_verifier;  ///< whether an extension that changes how a row's training verifies changes it there
  bool varies;           ///< whether another run may give another figure: it is of measured seconds

  /// Whether verdicts, not stages as a whole, add to it.
  constexpr bool of_answers() const {
    return on == MeasuredOn::exam_answers || on == MeasuredOn::training_answers;
  }
  /// Whether it depends on kernel times.
  constexpr bool of_times() const {
    return needs == ColumnNeeds::kernel_times || needs == ColumnNeeds::compiled_times;
  }
  constexpr bool takes_argument() const { return title.find("{}") != std::string_view::npos; }
};

/// All of them, in the order of ColumnName.
inline constexpr auto columns = [] {
  using enum ColumnUnit;
  using enum Mean;
  using enum MeasuredOn;
  using enum ColumnNeeds;
  return std::array{
#define TRL_COLUMN(column, ...) ColumnFacts{.which = ColumnName::column, .name = #column, __VA_ARGS__},
#include "base/contract/columns.def"
  };
}();

constexpr const ColumnFacts& facts_of(ColumnName which) { return columns[static_cast<std::size_t>(which)]; }

/// Null where no column is called so.
constexpr const ColumnFacts* find_column(std::string_view name) {
  for (const auto& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

}  // namespace trl::contract
