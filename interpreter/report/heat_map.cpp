#include "interpreter/report/heat_map.hpp"

#include <algorithm>
#include <map>

#include "interpreter/report/escape.hpp"
#include "interpreter/report/gnuplot.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr int cell = 17, above = 74, names_below = 150, most_across = 44, right = 24, key_height = 46;

struct Count {
  double correct = 0, n = 0;
};

/// Neighbouring tasks of one suite.
struct Band {
  std::string group;
  std::size_t begin = 0, end = 0, of = 0;
};

std::vector<Band> bands_of(const HeatMap& map) {
  std::vector<Band> bands;
  for (std::size_t begin = 0; begin < map.tasks.size();) {
    std::size_t end = begin;
    while (end < map.tasks.size() && map.tasks[end].group == map.tasks[begin].group) ++end;
    const std::size_t of = end - begin, rows = (of + most_across - 1) / most_across,
                      each = (of + rows - 1) / rows;
    for (std::size_t at = begin; at < end; at += each)
      bands.push_back({map.tasks[begin].group, at, std::min(end, at + each), of});
    begin = end;
  }
  return bands;
}

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

}  // namespace

HeatMap heat_map(const Table& table, const Evidence& evidence) {
  HeatMap map;
  std::vector<std::map<std::string, Count>> counts;
  std::map<std::string, double> solved;
  std::vector<std::string> groups;
  for (const auto& row : table.rows) {
    // The map has the tasks of every suite, so the rows of a row's suites are one row of it.
    Row whole = *row.row;
    if (!whole.suite.empty()) whole.label.resize(whole.label.size() - whole.part.size());
    const auto label = row_label(whole);
    if (std::find(map.rows.begin(), map.rows.end(), label) != map.rows.end()) continue;
    map.rows.push_back(label);
    auto& of_row = counts.emplace_back();
    for (const auto& trace : row.row->traces) {
      for (const auto& verdict : evidence.exam(trace)) {
        if (!verdict.judged) continue;
        const std::string task = verdict.group + "/" + std::to_string(verdict.id);
        auto& count = of_row[task];
        count.correct += verdict.correct, ++count.n;
        map.samples = std::max(map.samples, static_cast<int>(count.n));
        if (!solved.contains(task)) map.tasks.push_back({task, verdict.name, verdict.group});
        solved[task] += verdict.correct;
        if (std::find(groups.begin(), groups.end(), verdict.group) == groups.end())
          groups.push_back(verdict.group);
      }
    }
  }
  const auto place = [&](const HeatMap::Task& task) {
    return std::pair(std::find(groups.begin(), groups.end(), task.group) - groups.begin(), -solved[task.id]);
  };
  std::stable_sort(map.tasks.begin(), map.tasks.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (const auto& of_row : counts) {
    auto& shares = map.shares.emplace_back();
    for (const auto& task : map.tasks) {
      const auto found = of_row.find(task.id);
      shares.push_back(found == of_row.end() ? -1 : found->second.correct / found->second.n);
    }
  }
  return map;
}

std::string as_csv(const HeatMap& map) {
  std::string text = "row,suite,task,correct\n";
  for (std::size_t row = 0; row < map.rows.size(); ++row)
    for (std::size_t task = 0; task < map.tasks.size(); ++task)
      if (map.shares[row][task] >= 0)
        text += fmt::format("{},{},{},{:.12g}\n", csv_field(map.rows[row]), map.tasks[task].group,
                            map.tasks[task].name, map.shares[row][task]);
  return text;
}

std::string heat_map_script(const HeatMap& map, const std::string& title) {
  const auto bands = bands_of(map);
  std::size_t longest_row = 0, widest = 1, longest_name = 0;
  for (const auto& row : map.rows) longest_row = std::max(longest_row, row.size());
  for (const auto& task : map.tasks) longest_name = std::max(longest_name, task.name.size());
  for (const auto& band : bands) widest = std::max(widest, band.end - band.begin);
  const int names =
      std::min<int>(names_below, 16 + static_cast<int>(6.2 * static_cast<double>(longest_name)));
  const int left = 26 + static_cast<int>(7.2 * static_cast<double>(longest_row));
  const int rows = static_cast<int>(map.rows.size()), band_height = rows * cell + 26 + names;
  const int width = std::max(560, left + static_cast<int>(widest) * cell + right);
  const int height = above + static_cast<int>(bands.size()) * band_height + key_height;
  const auto x = [&](double pixels) { return pixels / width; };
  const auto y = [&](double pixels) { return 1 - pixels / height; };

  std::string text = svg_terminal("tasks", width, height);
  for (std::size_t b = 0; b < bands.size(); ++b) {
    text += fmt::format("$band{} << END\n", b);
    for (int row = 0; row < rows; ++row)
      for (std::size_t task = bands[b].begin; task < bands[b].end; ++task)
        if (const double share = map.shares[row][task]; share >= 0)
          text += fmt::format("{} {} {:.4g}\n", task - bands[b].begin, row, share);
    text += "END\n";
  }
  text += "set multiplot\nunset key\nunset border\nset tics scale 0 nomirror\nunset colorbox\n";
  // One hue from light to dark, which colour-blind readers and grey prints keep, and which is also legible on
  // a dark page.
  text +=
      "set palette defined (0 \"#eaf0f6\", 0.25 \"#b5d0e8\", 0.5 \"#6aaed6\", 0.75 \"#2878b8\", 1 "
      "\"#08306b\")\nset cbrange [0:1]\nset style fill solid 1 border rgb \"#ffffff\"\n";
  text += fmt::format("set label 1 {} at screen {:.5f},{:.5f} font \"sans-serif,16\"\n",
                      gnuplot_quoted(title), x(16), y(22));
  text += fmt::format(
      "set label 2 {} at screen {:.5f},{:.5f} textcolor rgb \"#333333\"\n",
      gnuplot_quoted(map.samples == 1 ? "one sample a task, strict exam; tasks solved most often come first"
                                      : fmt::format("{} samples a task, strict exam; tasks solved most often "
                                                    "come first",
                                                    map.samples)),
      x(16), y(44));
  text += fmt::format("set yrange [{}:-0.5]\nset ytics (", rows - 0.5);
  for (int row = 0; row < rows; ++row)
    text += fmt::format("{}{} {}", row ? ", " : "", gnuplot_quoted(map.rows[row]), row);
  text += ")\n";
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const auto& band = bands[b];
    const double top = above + 18 + static_cast<double>(b) * band_height;
    const auto tasks = band.end - band.begin;
    text += fmt::format(
        "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
        "set bmargin at screen {:.5f}\n",
        x(left), x(left + double(tasks) * cell), y(top), y(top + rows * cell));
    text +=
        fmt::format("set label 3 {} at screen {:.5f},{:.5f}\n",
                    gnuplot_quoted(fmt::format("{}, {} tasks", band.group, band.of)), x(left), y(top - 11));
    text += fmt::format("set xrange [-0.5:{}]\nset xtics rotate by 90 right font \"sans-serif,10\" (",
                        tasks - 0.5);
    for (std::size_t task = 0; task < tasks; ++task)
      text += fmt::format("{}{} {}", task ? ", " : "",
                          gnuplot_quoted(shortened(map.tasks[band.begin + task].name, 22)), task);
    text += fmt::format(
        ")\nplot $band{} using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette\n", b);
    if (b == 0) text += "unset label 1\nunset label 2\n";
  }
  // The legend: five steps from never to always.
  const double top = height - 34;
  text += "unset label 3\nunset xtics\nunset ytics\n";
  text += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\nset xrange [-0.5:4.5]\nset yrange [0.5:-0.5]\n",
      x(left), x(left + 5 * cell), y(top), y(top + cell));
  text += fmt::format("set label 4 \"never correct\" at screen {:.5f},{:.5f} right\n", x(left - 8),
                      y(top + cell / 2.0));
  text += fmt::format("set label 5 \"always\" at screen {:.5f},{:.5f}\n", x(left + 5 * cell + 8),
                      y(top + cell / 2.0));
  text += "$key << END\n0 0 0\n1 0 0.25\n2 0 0.5\n3 0 0.75\n4 0 1\nEND\n";
  text += "plot $key using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette\n";
  return text + "unset multiplot\n";
}

}  // namespace trl::interpreter
