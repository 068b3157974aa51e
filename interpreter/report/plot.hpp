#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// What the y axis of a plot can show.
struct PlotMeasure {
  std::string name;   ///< as files write it: "reward"
  std::string title;  ///< of the axis
  std::string of;     ///< what a point counts: "candidates", "samples", "seeds"
};

/// All of them; the schema's choices for `y` are the same.
const std::vector<PlotMeasure>& plot_measures();

/// A learning curve: `y` after each round, one line for each row, or for each of a row's seeds.
struct Plot {
  std::string name, y;
  bool by_seed = false;

  const PlotMeasure& measure() const;
};

/// Reads a plot of the resolved document. Throws UserError for what the schema doesn't offer: a document may
/// come from another version.
Plot parse_plot(const std::string& name, const nlohmann::json& plot);

struct PlotPoint {
  std::string row;
  bool control = false;
  std::optional<std::uint64_t> seed;  ///< nothing: over all seeds
  int round = 0;
  double value = 0;
  std::optional<Interval> interval;  ///< clustered by task, and by seed over several
  int n = 0;
};

/// A point a row, seed and round; where there are several seeds, one over all of them too.
std::vector<PlotPoint> plot_points(const Plot& plot, const Evidence& evidence);

/// row,seed,round,<y>,n,low,high; the seed is `all` where a point is over several.
std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points);

/// gnuplot's script: a panel a row, its line and band in colour, the other rows' lines in grey. `measured`:
/// kernels were timed on a GPU.
std::string plot_script(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment,
                        bool measured);

/// What the picture shows, in a sentence.
std::string plot_caption(const Plot& plot, const std::vector<PlotPoint>& points);

}  // namespace trl::interpreter
