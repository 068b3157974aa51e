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
  std::string of;     ///< what a point counts: "candidates", "samples", "seeds"
};

/// All measures; they are the schema's choices for `y`.
const std::vector<PlotMeasure>& plot_measures();

/// A learning curve: `y` after each round, with one line for each row or for each seed of a row.
struct Plot {
  std::string name, y;
  bool by_seed = false;

  const PlotMeasure& measure() const;
};

/// Reads a plot of the resolved document. Throws UserError for values outside the schema, since a document
/// may come from another version.
Plot parse_plot(const std::string& name, const nlohmann::json& plot);

struct PlotPoint {
  std::string row;
  bool control = false;
  std::optional<std::uint64_t> seed;  ///< nothing for a point over all seeds
  int round = 0;
  double value = 0;
  std::optional<Interval> interval;
  Scope scope = Scope::recipe;  ///< what the interval is about: of one seed these runs only
  int n = 0;
};

/// A point for each row, seed and round; if there are several seeds, also one over all of them.
std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence);

/// CSV with the columns row, seed, round, <y>, n, low, high, about. The seed is `all` for a point over
/// several.
std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points);

/// The script for gnuplot: a panel for each row, its line and band in colour, other rows' lines in grey.
/// `measured`: kernels were timed on a GPU.
std::string plot_script(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment,
                        bool measured);

/// A sentence that describes the picture.
std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points);

}  // namespace trl::interpreter
