#include "interpreter/report/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/support/counted.hpp"
#include "interpreter/report/escape.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr double cell = 9.6;  // points

struct Count {
  double correct = 0, n = 0;
};

/// Some neighbouring tasks of one suite.
struct Band {
  std::string group;
  std::size_t begin = 0, end = 0, of = 0;
};

/// Bands of at most `most_across` tasks.
std::vector<Band> bands_of(const HeatMap& map, std::size_t most_across) {
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

/// Returns a shade of one hue, from light to dark. Colour-blind readers can tell such shades apart, and so
/// can readers of grey prints.
std::string shade(double share) {
  constexpr int steps[][3] = {
      {0xea, 0xf0, 0xf6}, {0xb5, 0xd0, 0xe8}, {0x6a, 0xae, 0xd6}, {0x28, 0x78, 0xb8}, {0x08, 0x30, 0x6b}};
  const double place = 4 * std::clamp(share, 0.0, 1.0);
  const int step = std::min(3, static_cast<int>(place));
  std::string colour = "#";
  for (int part = 0; part < 3; ++part)
    colour += fmt::format(
        "{:02x}",
        static_cast<int>(std::lround(std::lerp(steps[step][part], steps[step + 1][part], place - step))));
  return colour;
}

/// Draws a cell with a white gap on two sides.
void draw_cell(Graphic& graphic, double left, double top, double share) {
  constexpr double gap = 0.6;
  graphic.area({{left, top},
                {left + cell - gap, top},
                {left + cell - gap, top + cell - gap},
                {left, top + cell - gap}},
               shade(share));
}

}  // namespace

HeatMap heat_map(const Table& table, const Evidence& evidence) {
  HeatMap map;
  std::vector<std::map<std::string, Count>> counts;
  std::map<std::string, double> solved;
  std::vector<std::string> groups;
  for (const auto& row : table.rows) {
    // The map shows the tasks of every suite, so rows for single suites become one row of the map.
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

Picture heat_map_picture(const HeatMap& map, const std::string& name) {
  std::vector<std::string> labels = shortened(map.rows, 48), tasks;
  for (const auto& task : map.tasks) tasks.push_back(task.name);
  tasks = shortened(tasks, 24);
  double left = 0;
  for (const auto& label : labels) left = std::max(left, width_of_text(label) + 8);
  const auto bands = bands_of(map, static_cast<std::size_t>(std::max(8.0, (wide_picture - left - 6) / cell)));
  const double rows = cell * static_cast<double>(map.rows.size());
  const auto height_of = [&](const Band& band) {
    double names = 0;
    for (std::size_t task = band.begin; task < band.end; ++task)
      names = std::max(names, width_of_text(tasks[task], small_letter_size));
    return rows + 22 + names;
  };
  double height = 22, top = 0;
  for (const Band& band : bands) height += height_of(band);
  Graphic graphic(wide_picture, height);
  for (const Band& band : bands) {
    const auto& [group, begin, end, of] = band;
    graphic.text({left, top + 8}, fmt::format("{}, {} tasks", group, of), {.strong = true});
    const double first = top + 13;
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
      const double y = first + cell * static_cast<double>(row);
      graphic.text({left - 4, y + 0.5 * cell + 0.35 * letter_size}, labels[row], {.anchor = Anchor::end});
      for (std::size_t task = begin; task < end; ++task)
        if (map.shares[row][task] >= 0)
          draw_cell(graphic, left + cell * static_cast<double>(task - begin), y, map.shares[row][task]);
    }
    for (std::size_t task = begin; task < end; ++task)
      graphic.text({left + cell * (static_cast<double>(task - begin) + 0.5) + 0.35 * small_letter_size,
                    first + rows + 3},
                   tasks[task],
                   {.anchor = Anchor::end, .colour = soft_ink, .size = small_letter_size, .upright = true});
    top += height_of(band);
  }
  // The legend: five steps from never to always.
  graphic.text({left - 4, top + 13}, "never correct", {.anchor = Anchor::end, .colour = soft_ink});
  for (int step = 0; step < 5; ++step) draw_cell(graphic, left + cell * step, top + 6, step / 4.0);
  graphic.text({left + 5 * cell + 4, top + 13}, "always", {.colour = soft_ink});
  return {
      name,
      fmt::format(
          "Correct share of each task in each row, {} a task in the exam; tasks that are solved most often "
          "come first.",
          counted(static_cast<std::size_t>(map.samples), "sample")),
      map.tasks.empty() ? Graphic() : std::move(graphic)};
}

}  // namespace trl::interpreter
