#include "interpreter/paper/document.hpp"

#include "interpreter/paper/paper.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {

std::string reference(const std::string& label) { return "\x02" + label + "\x03"; }

std::string figure_label(const Picture& picture) { return "fig:" + picture.name; }

std::string Figures::text() const {
  std::vector<std::string> clauses, names;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    clauses.push_back(reference(figure_label(pictures[i])) + (i == 0 ? " shows " : " ") + about[i]);
  for (const auto& name : left_out) names.push_back("`" + name + "`");
  std::string text = clauses.empty() ? "" : enumerated(clauses) + ".";
  if (!names.empty())
    text += (text.empty() ? "" : " ") + std::string("The report also has ") + enumerated(names) + ".";
  return text;
}

std::map<std::string, std::string> numbered(const Document& document) {
  std::map<std::string, std::string> names;
  int tables = 0, figures = 0;
  for (const auto& block : document.blocks) {
    if (const auto* table = std::get_if<TableFloat>(&block))
      names[table->label] = fmt::format("Table {}", ++tables);
    else if (const auto* shown = std::get_if<Figures>(&block))
      for (const auto& picture : shown->pictures)
        names[figure_label(picture)] = fmt::format("Figure {}", ++figures);
  }
  return names;
}

std::string code_of(const Equation& equation) {
  std::string name = equation.name;
  if (const auto dot = name.find('.'); dot != std::string::npos) name = name.substr(dot + 1);
  std::string parameters;
  for (const auto& parameter : equation.parameters)
    parameters += (parameters.empty() ? "" : ", ") + parameter;
  return name + (parameters.empty() ? "" : "(" + parameters + ")") + " = " +
         formulas::formula_text(equation.body);
}

}  // namespace trl::interpreter::paper
