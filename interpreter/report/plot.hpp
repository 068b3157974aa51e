#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// A learning curve: `y` after each round, one line a row and seed.
struct Plot {
  std::string name, y;
};

/// Reads a plot of the resolved document. Throws UserError for axes that this version doesn't draw.
Plot parse_plot(const std::string& name, const nlohmann::json& plot);

struct PlotPoint {
  std::string row;
  std::uint64_t seed = 0;
  int round = 0;
  double value = 0;
  int n = 0;
};
std::vector<PlotPoint> plot_points(const Plot& plot, const Plan& plan, const Store& store);

/// row,seed,round,<y>,n
std::string as_csv(const Plot& plot, const std::vector<PlotPoint>& points);
/// One polyline a row, the mean over its seeds; `experiment` is named in the title.
std::string as_svg(const Plot& plot, const std::vector<PlotPoint>& points, const std::string& experiment);

}  // namespace trl::interpreter
