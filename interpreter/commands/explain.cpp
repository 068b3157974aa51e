#include <algorithm>
#include <memory>
#include <sstream>

#include "ground/error.hpp"
#include "interpreter/commands/commands.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/printing/reference.hpp"

namespace trl::interpreter {
namespace {

void list_rules(Console& console) {
  constexpr std::size_t column = 26;
  for (const auto* rule : language::all_rules()) {
    std::string line = "  " + std::string(rule->id);
    line.resize(std::max(column, line.size() + 1), ' ');
    console.out << wrapped(line + std::string(rule->reason), column) << '\n';
  }
}

void explain_rule(const language::Rule& rule, Console& console) {
  console.out << wrapped(std::string(rule.id) + ": " + std::string(rule.reason)) << '\n';
  if (rule.allowable) console.out << "allow(" << rule.id << ", \"why\") in a block silences it there.\n";
  // An example of one empty line means that several files would be needed to show it.
  if (rule.bad.size() > 1) console.out << "\nBreaks it:\n\n" << rule.bad;
  if (rule.good.size() > 1) console.out << "\nKeeps it:\n\n" << rule.good;
}

/// Prints lines of the reference; a line that is too long continues below with more indentation.
void explain_topic(const language::Topic& topic, Console& console) {
  std::istringstream lines(topic.text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool head = line.find(": ") != line.npos && indent > 0;
    console.out << wrapped(line, indent + (head ? 4 : 0)) << '\n';
  }
}

int explain(const std::string& name, Console& console) {
  if (name.empty()) {
    console.out << "Rules of `trl check`:\n";
    list_rules(console);
    console.out << "\n"
                << exam_text() << "\n"
                << wrapped(
                       "`trl explain lora` and `trl explain lora.rank` show the reference's entries for a "
                       "kind, a field, and so on for functions, types and units.")
                << '\n';
    return fine;
  }
  if (name == "exam" || name == "tolerance") {
    console.out << exam_text();
    return fine;
  }
  std::vector<std::string> known = {"exam"};
  bool found = false;
  if (const auto* rule = language::find_rule(name)) {
    explain_rule(*rule, console);
    found = true;
  }
  for (const auto& topic : language::topics()) {
    known.push_back(topic.name);
    if (topic.name != name) continue;
    if (found) console.out << '\n';
    explain_topic(topic, console);
    found = true;
  }
  if (found) return fine;
  for (const auto* rule : language::all_rules()) known.emplace_back(rule->id);
  // `corpus.flawed` finds windtunnel.corpus.flawed, since a file that imports windtunnel may use the short
  // name.
  for (const auto& topic : known)
    if (topic.ends_with("." + name))
      throw UserError("there is no entry for " + name, "did you mean " + topic + "?");
  const auto best = language::closest(name, known);
  throw UserError("there is no entry for " + name,
                  best ? "did you mean " + *best + "?"
                       : "`trl explain` lists the rules, `trl docs` prints the whole reference.");
}

}  // namespace

void add_explain(Command trl, Console& console, int& status) {
  auto name = std::make_shared<std::string>();
  auto command = trl.add_command("explain", "Explain a rule, a field or a function");
  command
      .add_option(
          "NAME", *name,
          "A rule's id, as diagnostics print it; a kind, field, function, type or unit; or `exam`, for how "
          "exams judge. By default all rules are listed")
      .type_name("");
  add_examples(command,
               "  trl explain keeps_incorrect\n  trl explain best_of_n.reward\n  trl explain gelu\n"
               "  trl explain exam");
  command.callback([name, &console, &status] { status = explain(*name, console); });
}

}  // namespace trl::interpreter
