// Writes a paper in Markdown.
#include "interpreter/paper/document.hpp"
#include "interpreter/report/typeset.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {

std::string in_markdown(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  each_span(text, [&](Span kind, const std::string& part) {
    if (kind == Span::code)
      out += "`" + part + "`";
    else if (kind == Span::label)
      out += names.contains(part) ? names.at(part) : "";
    else
      out += typeset(part);
  });
  return out;
}

struct BlockInMarkdown {
  const std::map<std::string, std::string>& names;

  std::string operator()(const Section& section) const {
    return "## " + in_markdown(section.title, names) + "\n\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    return wrapped((paragraph.lead.empty() ? "" : "**" + in_markdown(paragraph.lead, names) + "** ") +
                   in_markdown(paragraph.text, names)) +
           "\n\n";
  }
  std::string operator()(const Items& items) const {
    std::string out;
    for (const auto& one : items.texts) out += wrapped("- " + in_markdown(one, names), 2) + "\n";
    return out + "\n";
  }
  std::string operator()(const Equations& equations) const {
    std::string out;
    for (const auto& equation : equations.all) out += "    " + code_of(equation) + "\n";
    return out + "\n";
  }
  std::string operator()(const TableFloat& table) const {
    auto out = wrapped("**" + names.at(table.label) + ".** " + in_markdown(table.caption, names)) + "\n\n" +
               markdown_cells(table.table, true);
    for (const auto& note : table.notes) out += wrapped(in_markdown(note, names)) + "\n";
    return out + "\n";
  }
  std::string operator()(const Figures& figures) const {
    auto out = wrapped(in_markdown(figures.text(), names)) + "\n\n";
    for (const auto& picture : figures.pictures) {
      const auto& name = names.at(figure_label(picture));
      out += fmt::format("![{0}]({1}.svg)\n\n", name, picture.name) +
             wrapped("**" + name + ".** " + in_markdown(picture.caption, names)) + "\n\n";
    }
    return out;
  }
  std::string operator()(const Digests& digests) const {
    auto out = "## " + in_markdown(digests.title, names) + "\n\n";
    for (const auto& [what, digest] : digests.of)
      out += wrapped("- " + in_markdown(what, names) + ": `" + digest + "`", 2) + "\n";
    return out + "\n";
  }
  std::string operator()(const Listing& listing) const {
    // A fence must be longer than any fence in the text, which somebody else may have written.
    std::string fence = "```";
    while (listing.text.find(fence) != std::string::npos) fence += '`';
    return "## " + in_markdown(listing.title, names) + "\n\n" + fence + "trl\n" + listing.text +
           (listing.text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
  }
};

}  // namespace

std::string markdown_document(const Document& document) {
  const auto names = numbered(document);
  auto out = "# " + in_markdown(document.title, names) + "\n\n";
  if (!document.summary.empty()) out += wrapped(in_markdown(document.summary, names)) + "\n\n";
  for (const auto& block : document.blocks) out += std::visit(BlockInMarkdown{names}, block);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace trl::interpreter::paper
