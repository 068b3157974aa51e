#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/axes.hpp"
#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

/// A quantity that the y axis of a plot can show.
struct PlotMeasure {
  std::string name;   ///< the name in files: "reward"
  std::string title;  ///< the title of the y axis
  std::string of;     ///< the unit of a point's `n`: "answers", "samples" or "seeds"
  /// Whether the measure also exists for answers to the development tasks (`dev`). The loss, for example,
  /// doesn't.
  bool on_dev = false;
  /// Whether training reports the measure at each step under this name. A point is then the mean over a
  /// round's steps.
  bool of_steps = false;
  /// The column of tables that the measure is; nothing if it isn't a column.
  std::optional<ColumnName> column = {};
};

/// The measures that the schema names for `y`. Columns with arguments (fast, pass_at) can be plotted, too,
/// but aren't in this list.
const std::vector<PlotMeasure>& plot_measures();

/// A learning curve: `y` over the rounds of training, with one line for each row or for each seed of a row.
struct Plot {
  enum class Axis { round, tokens, candidates, cost };
  std::string name;
  Axis x = Axis::round;
  bool on_dev = false;  ///< whether `y` is measured on answers to `dev` after each round, and not on the
                        ///< round's own candidates
  PlotMeasure y;
  std::optional<Column> column;  ///< the column of tables that `y` is; nothing if it isn't a column
  bool by_seed = false;
};

/// Reads a plot of the resolved document. Throws UserError for values outside the schema, since a document
/// may come from another version.
Plot parse_plot(const std::string& name, const nlohmann::json& plot);

/// Returns a second plot for the answers that each round kept, in which the exam's protocol judges them
/// instead of each row's own protocol. Nothing if `plot` doesn't depend on the rows' protocols. It has points
/// only if the plan verifies kept answers by the exam's protocol, as the column `purity` does.
std::optional<Plot> judged_by_exam(const Plot& plot);

struct PlotPoint {
  std::string row;
  bool control = false;
  std::optional<std::uint64_t> seed;  ///< nothing for a point over all seeds
  int round = 0;
  /// The round, or another quantity of training until the round's end (`Plot::Axis`); for a point over
  /// several seeds, their mean.
  double x = 0;
  double value = 0;
  std::optional<Interval> interval;
  Scope scope = Scope::recipe;  ///< the population that the interval is about; with one seed, these runs only
  int n = 0;
};

/// A point for each row, seed and round; if there are several seeds, also a point over all seeds for each row
/// and round.
std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence);

/// The name of the horizontal axis in files: "round", "tokens".
std::string axis_name(Plot::Axis axis);

/// CSV with the columns row, seed, round, <x>, <y>, n, low, high, about; without <x> if the horizontal axis
/// is the round. The seed is `all` for a point over several seeds.
std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points);

/// Small multiples: a panel for each row, or for each row and seed if `by_seed` is set. A panel has its own
/// line and band over `x` in colour, and the lines of other rows in grey.
Graphic panels(const std::vector<PlotPoint>& points, bool by_seed, Axis x, const std::string& y_title);

/// The picture of a plot. `measured` says whether kernels were timed on a GPU.
Picture plot_picture(const Plot& plot, const std::vector<PlotPoint>& points, bool measured);

/// A sentence that describes the picture, without a full stop.
std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points, bool measured);

}  // namespace trl::interpreter
