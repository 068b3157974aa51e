// Sections of report.html that read the store, and parts that sections share. A section without content is
// empty.
#pragma once

#include <functional>
#include <string>

#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// The beginning of a page without scripts or external resources, up to `<body>`; `own_style` is added to the
/// style of all pages.
std::string html_head(const std::string& title, const std::string& own_style = "");

/// The beginning of an element that scrolls sideways, by the keyboard, too. `what` names it to readers who
/// don't see it. `</div>` ends it.
std::string scrolled(const std::string& what);

/// A table's figures with their intervals. `caption` is HTML and may be empty, as may `tooltip`'s text for a
/// figure.
std::string figures_table(const Table& table, const std::string& caption,
                          const std::function<std::string(const TableRow&, const Column&)>& tooltip);

/// For each training round the number and share of tasks that were drawn from each group, and the accuracies
/// that entered the curriculum's formula, if there is one. Empty if no round draws tasks.
std::string curriculum_section(const ReportContents& contents);

/// The reasons for which the exam refused candidates. For each reason: the number of candidates, and one
/// example with the line at fault.
std::string failures_section(const ReportContents& contents);

/// The provenance of the results: versions, seeds, digests, machines, and the rules that the experiment
/// allows with their reasons.
std::string provenance_section(const ReportContents& contents);

}  // namespace trl::interpreter
