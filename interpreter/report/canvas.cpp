#include "interpreter/report/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "interpreter/report/gnuplot.hpp"

#include <fmt/format.h>

namespace trl::interpreter {

std::string Canvas::screen(double x, double y) const {
  return fmt::format("screen {:.5f},{:.5f}", x / width, 1 - y / height);
}

std::string Canvas::margins(double left, double right, double top, double bottom) const {
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\n",
      left / width, right / width, 1 - top / height, 1 - bottom / height);
}

std::string Canvas::heading(const std::string& title, const std::string& caption) const {
  return fmt::format("set label 1 {} at {} font \"sans-serif,16\"\n", gnuplot_quoted(title), screen(16, 22)) +
         fmt::format("set label 2 {} at {} textcolor rgb \"#333333\"\n", gnuplot_quoted(caption),
                     screen(16, 44));
}

const char* const usual_axes =
    "unset key\nset border 3 lc rgb \"#888888\"\nset tics nomirror textcolor rgb \"#333333\"\nset tics scale "
    "0.5\n";

double room_around(double low, double high) {
  constexpr double rounding = 1e-9;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low > rounding * largest && high > low) return 0.1 * (high - low);
  return largest > 0 ? 0.1 * largest : 1;
}

}  // namespace trl::interpreter
