// The contents of a report, before it is written in Markdown, LaTeX or HTML.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/contract/sampling.hpp"
#include "interpreter/report/findings.hpp"
#include "interpreter/report/heat_map.hpp"
#include "interpreter/report/plot.hpp"
#include "interpreter/report/sweep.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// The tables, plots and hypotheses that a .trl file declares for one experiment.
struct ReportRequest {
  std::string experiment;
  std::vector<TableLayout> tables;
  std::vector<Plot> plots;
  std::vector<std::pair<std::string, nlohmann::json>> hypotheses;
};

struct ReportedTable {
  TableLayout layout;
  Table table;
  std::string caption;  ///< the documentation of the table, the experiment or the file
  std::vector<Effect> effects;
  std::vector<Interaction> interactions;  ///< in the primary column
  /// Pictures of the effects on the primary column, of the sweep, of speed, and of the tasks, as far as there
  /// is something to show.
  std::vector<Picture> pictures;
  /// The sweep's result in the primary column; nothing if the experiment isn't a sweep.
  std::optional<Sweep> sweep;
  HeatMap tasks;
  /// The points of the curve fast_p over p (fast_profile.hpp); empty if no column is about speed.
  std::vector<PlotPoint> fast;
};

struct ReportedPlot {
  Plot plot;
  std::vector<PlotPoint> points;
  Picture picture;  ///< empty if there are no points
};

struct ReportContents {
  const nlohmann::json& document;
  const nlohmann::json& experiment;  ///< the experiment's declaration in the resolved document
  const Evidence& evidence;
  Inference inference;
  std::vector<ReportedTable> tables;
  std::vector<ReportedPlot> plots;
  std::vector<HypothesisResult> hypotheses;
  nlohmann::json provenance;
  std::vector<std::string> warnings;  ///< missing parts of the report, with reasons
  /// All pictures as PDF, by their names. Empty unless a font for them is named, and if they couldn't be
  /// drawn.
  std::map<std::string, std::string> pdfs;

  /// The pictures of all tables, then of all plots.
  std::vector<const Picture*> pictures() const;
};

/// Computes the tables, tests the hypotheses and draws the pictures of a request. All stages must be in the
/// store. With `pdf_font`, the pictures are drawn as PDF, too.
ReportContents report_contents(const ReportRequest& request, const nlohmann::json& document,
                               const Evidence& evidence, const std::vector<std::string>& sets,
                               const std::optional<std::string>& pdf_font = {});

/// Describes in sentences how the exam judges answers. `precision` is the evaluation's: "task", "tf32" or
/// "half". `imported` says whether a table has imported rows, which this exam doesn't judge.
std::vector<std::string> exam_facts(bool measured_times = false, const std::string& precision = "task",
                                    bool imported = false);

/// The facts that a reader must know about the figures, in sentences: seeds, the exam, the intervals in
/// brackets, cells folded into one row, and rules that the experiment allows with their reasons.
std::vector<std::string> facts(const ReportContents& contents);

/// The verdicts of the hypotheses, then the rows with the highest and lowest figures of the first table.
std::vector<std::string> findings(const ReportContents& contents);

/// The sampling settings that differ from the defaults, as text: `temperature 0.7, top_p 0.95, stop "\n```",
/// at most 768 tokens`.
std::string sampling_words(const contract::Sampling& sampling);

/// A sentence about a table's rows: about the chosen row for a sweep, and otherwise about the rows with the
/// highest and the lowest figure. Empty if the table has too few rows.
std::string rows_sentence(const ReportedTable& reported);

/// "trl trace a.trl 'main[ROW, COLUMN]'": the command that lists the candidates behind a figure.
std::string trace_command(const ReportContents& contents, const Table& table, const std::string& row,
                          const std::string& column);

/// The Markdown page of a table, at most 80 columns wide.
std::string markdown_page(const ReportContents& contents, const ReportedTable& reported);
/// LaTeX's label of a table: the declared one, or "tab:EXPERIMENT-TABLE".
std::string label_of(const TableLayout& layout, const std::string& experiment);
/// The sentences that a reader needs to read the figures of a table in a paper.
std::vector<std::string> short_notes(const Table& table, std::size_t seeds);
/// The LaTeX source of the pictures: a figure for each PDF.
std::string latex_figures(const ReportContents& contents);
/// The LaTeX source of a table.
std::string latex_page(const ReportContents& contents, const ReportedTable& reported);
/// Returns the first paragraph of a comment in a .trl file: the question that the declaration asks. Captions
/// and titles have no room for the rest.
std::string first_paragraph(const std::string& text);
/// One HTML page with everything, without scripts or external resources.
std::string html_page(const ReportContents& contents);

}  // namespace trl::interpreter
