// Writes report.html: one file without scripts or external resources, findings first.
#include "interpreter/report/contents.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/html_sections.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d0d7de;
  --panel: #f6f8fa; --link: #0969da; --mark: #fff1c2; --good: #0072B2; --bad: #b34700; --open: #59636e; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --ink: #e6edf3; --soft: #9aa4af; --line: #3a424b;
  --panel: #161b22; --link: #79b8ff; --mark: #4d3d00; --good: #6cb6ff; --bad: #ff9b57; --open: #9aa4af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem;
  padding-top: .6rem; border-top: 1px solid var(--line); } h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; } .soft, figcaption, caption { color: var(--soft); font-size: .9rem; }
nav { font-size: .9rem; } nav a { margin-right: .8rem; white-space: nowrap; } a { color: var(--link); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85em; }
code { overflow-wrap: anywhere; } .scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: center; vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.figures th:first-child { position: sticky; left: 0; background: var(--page); white-space: normal; min-width: 8rem;
  max-width: 18rem; } .figures th { white-space: normal; } .figures th, .figures td { padding: .3rem .4rem; }
.words th { text-align: left; } .words td { white-space: normal; text-align: left; vertical-align: top; } .words td:first-child { white-space: nowrap; } .words td:last-child { min-width: 11rem; }
thead th { border-bottom: 2px solid var(--soft); } tr.part > * { border-top: 2px solid var(--soft); }
small { color: var(--soft); display: block; font-size: .78rem; font-weight: normal; }
figure { margin: 1rem 0; } figure svg { display: block; height: auto; max-width: 100%; min-width: 30rem; }
@media (prefers-color-scheme: dark) { figure svg { filter: invert(0.93) hue-rotate(180deg); } }
.finding { border-left: 4px solid var(--open); background: var(--panel); padding: .5rem .8rem; margin: .5rem 0; }
.finding.supported { border-color: var(--good); } .finding.refuted { border-color: var(--bad); }
.finding b.verdict { text-transform: uppercase; font-size: .78rem; letter-spacing: .04em; display: block; }
.supported b.verdict { color: var(--good); } .refuted b.verdict { color: var(--bad); }
.finding ul { margin: .2rem 0; padding-left: 1.2rem; }
.bar { display: inline-block; width: 7rem; height: .7rem; border: 1px solid var(--soft); vertical-align: middle; }
.bar i { display: block; height: 100%; background: var(--good); }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .7rem; margin: .5rem 0; }
summary { cursor: pointer; } pre { background: var(--panel); padding: .6rem; margin: .5rem 0; overflow-x: auto; line-height: 1.4; }
pre .at { background: var(--mark); display: inline-block; min-width: 100%; font-weight: 600; }
pre .why { color: var(--bad); display: inline-block; white-space: pre-wrap; } pre .n { color: var(--soft); user-select: none; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .25rem 1rem; font-size: .9rem; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } h1 { font-size: 1.35rem; } }
@media print { details, figure { break-inside: avoid; } .scroll { overflow: visible; } figure svg { min-width: 0; } }
)";

}  // namespace

std::string html_head(const std::string& title, const std::string& own_style) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<title>" +
         html_escaped(title) + "</title>\n<style>" + style + own_style + "</style></head>\n<body>\n";
}

std::string scrolled(const std::string& what) {
  return "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + html_escaped(what) + "\">";
}

namespace {

std::string findings_section(const ReportContents& contents) {
  std::string text = "<section id=\"findings\"><h2>Findings</h2>\n";
  for (const auto& hypothesis : contents.hypotheses)
    text += fmt::format("<div class=\"finding {}\"><b class=\"verdict\">{}</b> {}</div>\n",
                        hypothesis.verdict(), hypothesis.headline(), html_with_code(sentence(hypothesis)));
  for (const auto& reported : contents.tables)
    if (const auto rows = rows_sentence(reported); !rows.empty())
      text += "<div class=\"finding\">" + html_with_code(rows) + "</div>\n";
  for (const auto& reported : contents.tables) {
    if (reported.effects.empty()) continue;
    text += "<div class=\"finding\"><b class=\"verdict\">What each " +
            varied_kinds(contents.evidence.plan()) + " changes</b><ul>\n";
    for (const auto& sentence : effect_sentences(reported.effects, reported.table))
      text += "<li>" + html_with_code(sentence) + "</li>\n";
    text += "</ul><span class=\"soft\">Each is " + effect_meaning(contents.evidence.plan()) +
            ", each task compared with itself. "
            "Brackets aren’t adjusted for the number of comparisons; exploratory effects were declared by no "
            "hypothesis.</span></div>\n";
  }
  if (!contents.hypotheses.empty())
    text += "<p class=\"soft\">" + html_with_code(detectable_note()) + "</p>\n";
  for (const auto& warning : contents.warnings)
    text += "<p class=\"soft\">" + html_typeset(warning) + "</p>\n";
  return text + "</section>\n";
}

std::string figure_cell(const Table& table, const TableRow& row, std::size_t i, const std::string& tooltip) {
  const auto& column = table.columns[i];
  const auto& figure = row.figures[i];
  if (!figure.value) return "<td>\u2013</td>";
  const auto value = html_typeset(value_text(column, *figure.value));
  auto text = (tooltip.empty() ? "<td>" : "<td title=\"" + html_escaped(tooltip) + "\">") +
              (is_best(table, row, i) ? "<strong>" + value + "</strong>" : value);
  if (common_n(table, i) == 0) text += fmt::format(" ({})", figure.n);
  if (figure.interval) text += "<small>" + html_typeset(interval_text(column, figure)) + "</small>";
  return text + "</td>";
}

}  // namespace

std::string figures_table(const Table& table, const std::string& caption,
                          const std::function<std::string(const TableRow&, const Column&)>& tooltip) {
  auto text = "<table class=\"figures\">" + caption + "\n<thead><tr><th scope=\"col\">row</th>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto unit = unit_text(table.columns[i]);
    const int n = common_n(table, i);
    text += fmt::format("<th scope=\"col\">{}{}<small>{}</small></th>", html_typeset(table.columns[i].title),
                        (unit.empty() ? "" : " " + unit) + direction_mark(table.columns[i]),
                        n ? fmt::format("n = {}", n) : "(n)");
  }
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    const bool part = r > 0 && row.row->kind != table.rows[r - 1].row->kind;
    text += fmt::format("<tr{}><th scope=\"row\">{}</th>", part ? " class=\"part\"" : "",
                        html_typeset(row_label(*row.row)));
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      text += figure_cell(table, row, i, tooltip(row, table.columns[i]));
    text += "</tr>\n";
  }
  return text + "</tbody></table>";
}

namespace {

std::string table_section(const ReportContents& contents, const ReportedTable& reported) {
  const auto& table = reported.table;
  // The head of the page already shows the first table's caption.
  const auto caption = reported.caption == contents.tables.front().caption
                           ? ""
                           : "<caption>" + html_with_code(reported.caption) + "</caption>";
  std::string text = fmt::format("<section id=\"table-{0}\"><h2>Table {0}</h2>\n", html_escaped(table.name)) +
                     scrolled("table " + table.name) +
                     figures_table(table, caption,
                                   [&](const TableRow& row, const Column& column) {
                                     return trace_command(contents, table, row.row->label, column.id);
                                   }) +
                     "</div>\n";
  if (const auto note = best_note(table, "Bold"); !note.empty())
    text += "<p class=\"soft\">" + html_typeset(note) + "</p>\n";
  if (const auto note = direction_note(table); !note.empty()) text += "<p class=\"soft\">" + note + "</p>\n";
  for (const auto& sentence : row_sentences(table))
    text += "<p class=\"soft\">" + html_with_code(sentence) + "</p>\n";
  if (!table.rows.empty() && !table.columns.empty())
    text += "<p class=\"soft\">The candidates behind any figure can be listed, as for the first: <code>" +
            html_escaped(trace_command(contents, table, table.rows[0].row->label, table.columns[0].id)) +
            "</code></p>\n";
  text += "<details><summary>What the columns mean</summary><dl>\n";
  for (const auto& column : table.columns)
    text += fmt::format("<dt>{}</dt><dd>{}; n counts {}</dd>\n", html_typeset(column.title),
                        html_typeset(column.meaning), html_typeset(column.counted));
  return text + "</dl></details>\n</section>\n";
}

std::string difference_cell(const Column& column, const std::optional<Difference>& difference) {
  if (!difference) return "<td>\u2013</td>";
  auto text = "<td>" + html_typeset(difference_text(column, difference->value));
  if (difference->interval) text += "<small>" + html_typeset(interval_text(column, *difference)) + "</small>";
  if (difference->detectable && difference->estimate.scope == Scope::recipe)
    text += "<small>(" + html_typeset(difference_text(column, *difference->detectable)) + ")</small>";
  return text + "</td>";
}

std::string difference_heading(const Column& column) {
  const auto unit = column.unit == Column::Unit::factor ? " ratio" : difference_unit(column);
  return fmt::format("<th scope=\"col\">{}{}</th>", html_typeset(column.title),
                     unit.empty() ? "" : "<small>" + unit.substr(1) + "</small>");
}

std::string interactions_section(const ReportedTable& reported, const Plan& plan) {
  if (reported.interactions.empty()) return {};
  const auto& column = reported.table.columns[*primary_column(reported.table)];
  std::string text = "<h3>Interactions</h3>\n<p class=\"soft\">" + interaction_meaning(plan) +
                     "; no hypothesis declared them, so they are exploratory.</p>\n" +
                     scrolled("interactions of table " + reported.table.name) +
                     "<table class=\"figures\"><thead><tr><th scope=\"col\">interaction</th>" +
                     difference_heading(column) + "</tr></thead><tbody>\n";
  for (const auto& [name, also, difference] : reported.interactions)
    text += fmt::format("<tr><th scope=\"row\">{}{}</th>{}</tr>\n", html_typeset(name),
                        also.empty() ? "" : "<small>the same contrast as " + html_typeset(also) + "</small>",
                        difference_cell(column, difference));
  return text + "</tbody></table></div>\n";
}

std::string effects_section(const ReportedTable& reported, const Plan& plan) {
  if (reported.effects.empty()) return {};
  const auto& columns = reported.table.columns;
  std::string text =
      "<h3>Effects</h3>\n<p class=\"soft\">Mean over pairs of cells of " + effect_meaning(plan) +
      "; each task compared with itself, and speed-ups as "
      "ratios on "
      "tasks that both solve. 95 % intervals; in parentheses the smallest difference that a study of this "
      "size finds "
      "with 80 % power.</p>\n" +
      scrolled("effects of table " + reported.table.name) +
      "<table class=\"figures\"><thead><tr><th scope=\"col\">contrast<small>pairs of "
      "cells; declared by</small></th>";
  for (const auto& column : columns) text += difference_heading(column);
  text += "</tr></thead><tbody>\n";
  for (const auto& effect : reported.effects) {
    text += fmt::format(
        "<tr><th scope=\"row\">{}<small>{}</small></th>", html_typeset(effect.comparison.name),
        effect.comparison.pairs.empty()
            ? "inert on this machine"
            : fmt::format("{}; {}", effect.comparison.pairs.size(), html_typeset(declared_text(effect))));
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += difference_cell(columns[i], effect.differences[i]);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n" + interactions_section(reported, plan);
}

std::string shown(const Picture& picture) {
  return fmt::format("<figure>{}{}</div><figcaption>{}</figcaption></figure>\n",
                     scrolled("picture " + picture.name), picture.graphic.svg(picture.caption),
                     html_with_code(picture.caption));
}

std::string pictures_section(const ReportContents& contents) {
  std::string text;
  for (const auto& reported : contents.plots)
    if (!reported.picture.graphic.empty()) text += shown(reported.picture);
  for (const auto& reported : contents.tables)
    for (const auto& picture : reported.pictures) text += shown(picture);
  return text.empty()
             ? ""
             : "<section id=\"pictures\"><h2>Learning, effects, and which row solves which task</h2>\n" +
                   text + "</section>\n";
}

}  // namespace

std::string html_page(const ReportContents& contents) {
  const auto& name = contents.evidence.plan().experiment;
  std::string text = html_head(name);
  text += fmt::format("<header><h1>{}</h1>\n", html_escaped(name));
  if (!contents.tables.empty()) text += "<p>" + html_with_code(contents.tables.front().caption) + "</p>\n";
  const auto curriculum = curriculum_section(contents), failures = failures_section(contents),
             pictures = pictures_section(contents);
  text += "<nav><a href=\"#findings\">Findings</a>";
  for (const auto& reported : contents.tables)
    text += fmt::format("<a href=\"#table-{0}\">Table {0}</a>", html_escaped(reported.table.name));
  if (!pictures.empty()) text += "<a href=\"#pictures\">Pictures</a>";
  if (!curriculum.empty()) text += "<a href=\"#curriculum\">Curriculum</a>";
  if (!failures.empty()) text += "<a href=\"#failures\">Failures</a>";
  text += "<a href=\"#protocol\">Protocol</a><a href=\"#provenance\">Provenance</a></nav></header>\n<main>\n";
  text += findings_section(contents);
  for (const auto& reported : contents.tables)
    text += table_section(contents, reported) + effects_section(reported, contents.evidence.plan());
  text += pictures + curriculum + failures;
  text += "<section id=\"protocol\"><h2>Protocol</h2>\n<ul>\n";
  for (const auto& fact : facts(contents)) text += "<li>" + html_with_code(fact) + "</li>\n";
  text += "</ul></section>\n" + provenance_section(contents);
  return text + "</main></body></html>\n";
}

}  // namespace trl::interpreter
