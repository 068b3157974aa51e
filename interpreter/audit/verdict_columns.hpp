// Compares a published verdict with the verdict that an audit computed, column by column.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/contract/verdict.hpp"

namespace trl::interpreter {

/// How an audit compares a column of verdicts.jsonl.
enum class Compared {
  exactly,
  if_possible,  ///< exactly, unless this machine can't compute it
  as_time,      ///< compared exactly if times are modelled; if a GPU measured them, only if it measures again
  never,
};

struct AuditedColumn {
  std::string_view name;
  Compared how;
  std::string_view why;  ///< only for columns that are never compared: the reason
};

/// Every column of verdicts.jsonl. A column that isn't here fails the test `AuditedColumns.AreAll`.
std::span<const AuditedColumn> audited_columns();

/// Where the times of a stage's verdicts come from.
enum class Times {
  modelled,    ///< they follow from the plans
  unmeasured,  ///< a GPU measured them, and this audit uses none
  measured,    ///< a GPU measured them, and measured them again
};

struct ComparedVerdict {
  std::string difference;              ///< how the verdicts differ; empty if no compared column does
  std::vector<std::string> unchecked;  ///< the columns in which they differ, or may, without being compared
};

/// Compares a row of verdicts.jsonl with the verdict that was computed from its plan. Columns that this
/// version doesn't know are unchecked.
ComparedVerdict compare_verdict(const nlohmann::json& published, const contract::Verdict& found, Times times);

/// The ratio of the newly measured speed-up to the published one; none if one of them wasn't measured.
std::optional<double> speed_again(const contract::Verdict& published, const contract::Verdict& found);

}  // namespace trl::interpreter
