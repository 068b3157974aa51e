#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

/// A quantity that the y axis of a plot can show.
struct PlotMeasure {
  std::string name;   ///< in files: "reward"
  std::string title;  ///< the axis' title
  std::string of;     ///< the units of a point's n: "answers", "samples", "seeds"
  /// Whether answers to `dev` have it, too; nobody computes their loss, for example.
  bool on_dev = false;
  /// Whether training tells it at each step under this name; a point is then the mean over a round's steps.
  bool of_steps = false;
  std::optional<ColumnName> column = {};  ///< of tables, if it is one
};

/// The measures that the schema names for `y`; columns with arguments (fast, pass_at) come on top.
const std::vector<PlotMeasure>& plot_measures();

/// A learning curve: `y` over the rounds of training, with one line for each row or for each seed of a row.
struct Plot {
  enum class Axis { round, tokens, candidates, cost };
  std::string name;
  Axis x = Axis::round;
  bool on_dev = false;  ///< of answers to `dev` after each round; else of the round's own candidates
  PlotMeasure y;
  std::optional<Column> column;  ///< if `y` is a column of tables
  bool by_seed = false;
};

/// Reads a plot of the resolved document. Throws UserError for values outside the schema, since a document
/// may come from another version.
Plot parse_plot(const std::string& name, const nlohmann::json& plot);

/// The same plot of the answers that a round kept, judged by the exam's verifier instead of each row's own;
/// nothing if `plot` doesn't depend on rows' verifiers. It has points where the plan verifies kept answers so
/// (a column `purity` asks for that).
std::optional<Plot> judged_by_exam(const Plot& plot);

struct PlotPoint {
  std::string row;
  bool control = false;
  std::optional<std::uint64_t> seed;  ///< nothing for a point over all seeds
  int round = 0;
  double x =
      0;  ///< the round, or the tokens or seconds of training until its end; over several seeds their mean
  double value = 0;
  std::optional<Interval> interval;
  Scope scope = Scope::recipe;  ///< the population of the interval: with one seed these runs only
  int n = 0;
};

/// A point for each row, seed and round; if there are several seeds, also one over all of them.
std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence);

/// "round", "tokens": the horizontal axis in files.
std::string axis_name(Plot::Axis axis);

/// CSV with the columns row, seed, round, <x> unless that is the round, <y>, n, low, high, about. The seed is
/// `all` for a point over several.
std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points);

/// The frame around panels.
struct PanelFrame {
  std::string name;  ///< of the document
  std::string heading, caption, note;
  std::string x_title, x_tics;  ///< the tics as a command of gnuplot
  double x_low = 0, x_high = 1;
};
/// The script for gnuplot: a panel for each row (`by_seed`: and seed), its line and band over `x` in colour,
/// other rows' lines in grey.
std::string panels_script(const std::vector<PlotPoint>& points, bool by_seed, const PanelFrame& frame);

/// The script for gnuplot: a panel for each row, its line and band in colour, other rows' lines in grey.
/// `measured`: kernels were timed on a GPU.
std::string plot_script(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment,
                        bool measured);

/// A sentence that describes the picture.
std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points);

}  // namespace trl::interpreter
