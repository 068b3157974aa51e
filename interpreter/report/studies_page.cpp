// Writes the page that compares studies: changes first, then every figure beside the other studies' figures.
#include <algorithm>

#include "base/support/counted.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/html_sections.hpp"
#include "interpreter/report/studies.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr const char* own_style = R"(
.clear { font-weight: 600; } td.changed { background: var(--mark); } td.changed small { color: inherit; } .studies td, .studies th { text-align: left; white-space: normal; }
.compared { width: 100%; } .compared td { min-width: 6.5rem; } h3 { margin-top: 1.6rem; }
ul.plain { margin: .3rem 0; padding-left: 1.2rem; }
@media (max-width: 30rem) { .compared td, .compared th { min-width: 4.6rem; padding: .3rem .2rem; }
  .compared th:first-child { min-width: 5rem; } .studies td, .studies th { padding: .3rem; } })";

std::string column_heads(std::size_t studies) {
  std::string text;
  for (std::size_t i = 0; i < studies; ++i) text += "<th scope=\"col\">" + study_letter(i) + "</th>";
  return text;
}

std::string seeds_text(const json& resolved) {
  std::string text;
  for (const auto& seed : resolved.value("seeds", json::array()))
    text += (text.empty() ? "" : ", ") + seed.dump();
  return text.empty() ? "–" : text;
}

std::string studies_section(const StudiesCompared& compared) {
  std::string text =
      "<section id=\"studies\"><h2>Studies</h2>\n" + scrolled("the studies") +
      "<table class=\"studies\"><thead><tr><th scope=\"col\">study</th><th scope=\"col\">report</th>"
      "<th scope=\"col\">experiment</th><th scope=\"col\">seeds</th><th scope=\"col\">set on the command "
      "line</th><th scope=\"col\">made on</th><th scope=\"col\">trl</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < compared.studies.size(); ++i) {
    const auto& study = compared.studies[i];
    const auto& provenance = study.provenance;
    const auto made_on = machines_text(provenance);
    std::string sets;
    for (const auto& one : provenance.value("set", json::array()))
      sets += (sets.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : one.dump());
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td></tr>\n",
        study_letter(i), html_escaped(study.folder.string()),
        html_escaped(provenance.value("experiment", "?")),
        html_escaped(seeds_text(provenance.value("resolved", json::object()))),
        sets.empty() ? "–" : html_escaped(sets), made_on.empty() ? "–" : html_escaped(made_on),
        html_escaped(provenance.value("trl", "?")));
  }
  return text + "</tbody></table></div>\n</section>\n";
}

std::string settings_section(const StudiesCompared& compared) {
  std::string text = "<section id=\"settings\"><h2>Which settings differ</h2>\n";
  for (std::size_t i = 1; i < compared.studies.size(); ++i) {
    text += fmt::format("<h3>{} against A</h3>\n", study_letter(i));
    if (compared.settings[i].empty())
      text += "<p>None: the files say the same, and so do the versions.</p>\n";
    if (!compared.settings[i].empty()) text += "<ul class=\"plain\">\n";
    for (const auto& one : compared.settings[i]) text += "<li><code>" + html_escaped(one) + "</code></li>\n";
    if (!compared.settings[i].empty()) text += "</ul>\n";
  }
  return text + "</section>\n";
}

std::string findings_section(const StudiesCompared& compared) {
  if (compared.findings.empty()) return {};
  const auto changed = static_cast<std::size_t>(std::count_if(
      compared.findings.begin(), compared.findings.end(), [](auto& one) { return one.changed; }));
  std::string text =
      "<section id=\"findings\"><h2>Which findings changed</h2>\n<p>" +
      (changed == 0 ? std::string("None: every hypothesis has the same verdict in all studies.")
                    : fmt::format("{} of {} changed {} verdict.", changed,
                                  compared.findings.size() == 1
                                      ? "1 hypothesis"
                                      : std::to_string(compared.findings.size()) + " hypotheses",
                                  changed == 1 ? "its" : "their")) +
      "</p>\n" + scrolled("the hypotheses' verdicts") +
      "<table class=\"studies\"><thead><tr><th scope=\"col\">hypothesis</th>" +
      column_heads(compared.studies.size()) + "</tr></thead>\n<tbody>\n";
  for (const bool now : {true, false})
    for (const auto& finding : compared.findings) {
      if (finding.changed != now) continue;
      text += "<tr><th scope=\"row\">" + html_typeset(finding.name) + (now ? "<small>changed</small>" : "") +
              "</th>";
      for (const auto& result : finding.results) {
        text += fmt::format("<td{}>{}", now ? " class=\"changed\"" : "", html_typeset(finding_text(result)));
        if (const auto interval = finding_interval(result); !interval.empty())
          text += "<small>" + html_typeset(interval) + "</small>";
        text += "</td>";
      }
      text += "</tr>\n";
    }
  return text + "</tbody></table></div>\n</section>\n";
}

/// The differences of a table whose intervals exclude "no difference", and the number of all differences with
/// intervals.
struct ClearOnes {
  std::vector<std::string> sentences;
  std::size_t all = 0;
};

ClearOnes clear_ones(const ComparedTable& table) {
  ClearOnes out;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      for (std::size_t s = 1; s < table.there.size(); ++s) {
        const auto& difference = table.cells[r][c].differences[s];
        if (!difference || !difference->difference.interval) continue;
        ++out.all;
        if (difference->difference.clear())
          out.sentences.push_back(fmt::format(
              "{} of `{}`: {} is {}{} from A", table.columns[c].title, table.rows[r], study_letter(s),
              difference_text(table.columns[c], difference->difference), difference_unit(table.columns[c])));
      }
  return out;
}

std::string figure_cell(const ComparedTable& table, std::size_t study, std::size_t row,
                        const std::optional<Figure>& figure, const Column& column) {
  if (!table.has_row[study][row]) return "<td class=\"soft\">no such row</td>";
  if (!figure || !figure->value) return "<td>–</td>";
  return "<td>" + html_typeset(value_text(column, *figure->value)) +
         (figure->interval ? "<small>" + html_typeset(interval_text(column, *figure)) + "</small>" : "") +
         "</td>";
}

std::string difference_cell(const std::optional<StudyDifference>& found, const Column& column) {
  if (!found) return "<td>–</td>";
  const auto& difference = found->difference;
  auto text = fmt::format("<td{}>{}", difference.clear() ? " class=\"clear\"" : "",
                          html_typeset(difference_text(column, difference.value)));
  if (difference.interval) text += "<small>" + html_typeset(interval_text(column, difference)) + "</small>";
  if (found->other_tasks > 0) text += fmt::format("<small>{} common tasks</small>", found->tasks);
  return text + "</td>";
}

std::string column_table(const ComparedTable& table, std::size_t c) {
  const auto& column = table.columns[c];
  const auto unit = unit_text(column), of_difference = difference_unit(column);
  const bool ratio = column.mean == Mean::geometric;
  std::string text = fmt::format(
      "<h3>{}{}</h3>\n{}<table class=\"figures compared\"><caption>{}</caption>\n"
      "<thead><tr><th scope=\"col\">row</th>",
      html_typeset(column.title), unit.empty() ? "" : ", " + unit,
      scrolled(column.title + " of table " + table.name), html_typeset(column.meaning));
  text += column_heads(table.there.size());
  for (std::size_t s = 1; s < table.there.size(); ++s)
    text += fmt::format("<th scope=\"col\">{}{}</th>",
                        ratio ? study_letter(s) + " over A" : study_letter(s) + " − A",
                        of_difference.empty() ? "" : "<small>" + of_difference.substr(1) + "</small>");
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += "<tr><th scope=\"row\">" + html_typeset(table.rows[r]) + "</th>";
    const auto& cell = table.cells[r][c];
    for (std::size_t s = 0; s < table.there.size(); ++s)
      text += figure_cell(table, s, r, cell.figures[s], column);
    for (std::size_t s = 1; s < table.there.size(); ++s) text += difference_cell(cell.differences[s], column);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string table_section(const ComparedTable& table) {
  std::string text = fmt::format("<section id=\"table-{0}\"><h2>Table {0}</h2>\n", html_escaped(table.name));
  for (std::size_t s = 0; s < table.there.size(); ++s)
    if (!table.there[s]) text += "<p>Study " + study_letter(s) + " doesn’t have it.</p>\n";
  const auto clear = clear_ones(table);
  if (clear.all > 0) {
    text += fmt::format(
        "<p>{} of {} {} clear of no difference. If nothing had changed, about {:.0f} would be by "
        "chance.</p>\n",
        clear.sentences.size(), counted(clear.all, "difference"), clear.sentences.size() == 1 ? "is" : "are",
        0.05 * static_cast<double>(clear.all));
    if (!clear.sentences.empty()) text += "<ul class=\"plain\">\n";
    for (const auto& sentence : clear.sentences) text += "<li>" + html_with_code(sentence) + "</li>\n";
    if (!clear.sentences.empty()) text += "</ul>\n";
  }
  if (table.without_samples)
    text +=
        "<p class=\"soft\">A report of an earlier version doesn’t tell the samples behind its figures, so "
        "that differences from it have no intervals. <code>trl table FILE</code> writes it again.</p>\n";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += column_table(table, c);
  return text + "</section>\n";
}

}  // namespace

std::string comparison_page(const StudiesCompared& compared) {
  const std::string heading = "Comparison of " + std::to_string(compared.studies.size()) + " studies";
  std::string text = html_head(heading, own_style);
  text += "<header><h1>" + heading +
          "</h1>\n<p>Differences are those of each later study from A.</p>\n<nav "
          "aria-label=\"sections\"><a href=\"#studies\">Studies</a>";
  if (!compared.findings.empty()) text += "<a href=\"#findings\">Findings</a>";
  text += "<a href=\"#settings\">Settings</a>";
  for (const auto& table : compared.tables)
    text += fmt::format("<a href=\"#table-{0}\">Table {0}</a>", html_escaped(table.name));
  text += "<a href=\"#reading\">How to read it</a></nav></header>\n<main>\n";
  text += studies_section(compared) + findings_section(compared) + settings_section(compared);
  for (const auto& table : compared.tables) text += table_section(table);
  text +=
      "<section id=\"reading\"><h2>How to read it</h2>\n<ul>\n<li>Below each figure stands its 95 % interval "
      "as "
      "the study’s own report gives it.</li>\n<li>A difference compares each task with itself, and where two "
      "studies have the same seeds, each seed. Tasks that only one study has don’t count in it, so that it "
      "needn’t be the difference of the two figures beside it.</li>\n<li>Speed-ups are compared as ratios on "
      "the tasks that both solve.</li>\n<li>† marks an interval about these training runs alone: with one "
      "seed, "
      "another may differ by more.</li>\n<li>A difference in strong letters is clear of no difference; "
      "intervals "
      "aren’t adjusted for the number of comparisons.</li>\n</ul></section>\n";
  return text + "</main></body></html>\n";
}

}  // namespace trl::interpreter
