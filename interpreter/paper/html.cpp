// Writes a paper as one HTML page, without scripts or external resources.
#include "interpreter/paper/document.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/html_sections.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {

constexpr const char* paper_style = R"(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d0d7de; --panel: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --ink: #e6edf3; --soft: #9aa4af; --line: #3a424b; --panel: #161b22; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--page); color: var(--ink);
  font: 17px/1.55 Georgia, "Times New Roman", "DejaVu Serif", serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; } p { margin: .6rem 0; }
.summary { margin: 1rem 0; padding: .2rem 1rem; border-left: 4px solid var(--line); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .82em; }
code { overflow-wrap: anywhere; } pre { background: var(--panel); padding: .7rem; overflow-x: auto; line-height: 1.4; }
.scroll { overflow-x: auto; max-width: 100%; } figure { margin: 1.4rem 0; } figcaption, .notes { color: var(--soft); font-size: .88rem; }
table { border-collapse: collapse; margin: .3rem auto; font-size: .88rem; font-variant-numeric: tabular-nums; border-top: 2px solid; border-bottom: 2px solid; }
th, td { padding: .2rem .5rem; text-align: center; vertical-align: top; white-space: nowrap; font-weight: normal; }
td strong { font-weight: bold; } th:first-child { text-align: left; } thead th { border-bottom: 1px solid; } tr.part > * { border-top: 1px solid; }
small { display: block; color: var(--soft); font-size: .76rem; }
figure svg { display: block; height: auto; max-width: max(100%, 38rem); margin: 0 auto; }
@media (prefers-color-scheme: dark) { figure svg { filter: invert(0.93) hue-rotate(180deg); } }
@media print { figure { break-inside: avoid; } .scroll { overflow: visible; } figure svg { max-width: 100%; } pre { white-space: pre-wrap; } }
)";

std::string in_html(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  each_span(text, [&](Span kind, const std::string& part) {
    if (kind == Span::code)
      out += "<code>" + html_escaped(part) + "</code>";
    else if (kind == Span::label && names.contains(part))
      out += fmt::format("<a href=\"#{}\">{}</a>", html_escaped(part), names.at(part));
    else if (kind == Span::plain)
      out += html_typeset(part);
  });
  return out;
}

struct BlockInHtml {
  const std::map<std::string, std::string>& names;

  std::string operator()(const Section& section) const {
    return "<h2>" + in_html(section.title, names) + "</h2>\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    return "<p>" + (paragraph.lead.empty() ? "" : "<b>" + in_html(paragraph.lead, names) + "</b> ") +
           in_html(paragraph.text, names) + "</p>\n";
  }
  std::string operator()(const Items& items) const {
    std::string out = "<ul>\n";
    for (const auto& one : items.texts) out += "<li>" + in_html(one, names) + "</li>\n";
    return out + "</ul>\n";
  }
  std::string operator()(const Equations& equations) const {
    std::string out = "<pre tabindex=\"0\">";
    for (const auto& equation : equations.all) out += html_escaped(code_of(equation)) + "\n";
    return out + "</pre>\n";
  }
  std::string operator()(const TableFloat& table) const {
    const auto& name = names.at(table.label);
    auto out = fmt::format("<figure id=\"{}\"><figcaption><b>{}.</b> {}</figcaption>\n{}",
                           html_escaped(table.label), name, in_html(table.caption, names), scrolled(name)) +
               figures_table(table.table, "", [](const TableRow&, const Column&) { return std::string(); }) +
               "</div>\n<div class=\"notes\">";
    for (const auto& note : table.notes) out += "<p>" + in_html(note, names) + "</p>\n";
    return out + "</div></figure>\n";
  }
  std::string operator()(const Figures& figures) const {
    auto out = "<p>" + in_html(figures.text(), names) + "</p>\n";
    for (const auto& picture : figures.pictures) {
      const auto& name = names.at(figure_label(picture));
      out += fmt::format("<figure id=\"{}\">{}{}</div><figcaption><b>{}.</b> {}</figcaption></figure>\n",
                         html_escaped(figure_label(picture)), scrolled(name),
                         picture.graphic.svg(picture.caption), name, in_html(picture.caption, names));
    }
    return out;
  }
  std::string operator()(const Digests& digests) const {
    auto out = "<h2>" + in_html(digests.title, names) + "</h2>\n<ul>\n";
    for (const auto& [what, digest] : digests.of)
      out += "<li>" + in_html(what, names) + ": <code>" + html_escaped(digest) + "</code></li>\n";
    return out + "</ul>\n";
  }
  std::string operator()(const Listing& listing) const {
    return "<h2>" + in_html(listing.title, names) + "</h2>\n<pre tabindex=\"0\">" +
           html_escaped(listing.text) + "</pre>\n";
  }
};

}  // namespace

std::string html_document(const Document& document) {
  const auto names = numbered(document);
  const BlockInHtml write{names};
  std::string title;
  each_span(document.title,
            [&](Span kind, const std::string& part) { title += kind == Span::plain ? typeset(part) : part; });
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n<title>{}</title>\n<style>{}</style></head>\n"
      "<body>\n<header><h1>{}</h1></header>\n<main>\n",
      html_escaped(title), paper_style, in_html(document.title, names));
  if (!document.summary.empty())
    out += "<div class=\"summary\"><p>" + in_html(document.summary, names) + "</p></div>\n";
  for (const auto& block : document.blocks) out += std::visit(write, block);
  return out + "</main></body></html>\n";
}

}  // namespace trl::interpreter::paper
