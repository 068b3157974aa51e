#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "interpreter/commands/commands.hpp"
#include "interpreter/error.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/wrap.hpp"
#include "language/check/rule.hpp"
#include "language/suggest.hpp"

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

int explain(const std::string& name, Console& console) {
  if (name.empty()) {
    console.out << "Rules of `trl check`:\n";
    list_rules(console);
    console.out << "\n" << exam_text();
    return fine;
  }
  if (name == "exam" || name == "tolerance") {
    console.out << exam_text();
    return fine;
  }
  const auto* rule = language::find_rule(name);
  if (!rule) {
    std::vector<std::string> known = {"exam"};
    for (const auto* other : language::all_rules()) known.emplace_back(other->id);
    const auto best = language::closest(name, known);
    throw UserError("there is no rule " + name,
                    best ? "did you mean " + *best + "?" : "`trl explain` lists them.");
  }
  console.out << wrapped(std::string(rule->id) + ": " + std::string(rule->reason)) << '\n';
  if (rule->allowable) console.out << "allow(" << rule->id << ", \"why\") in a block silences it there.\n";
  // An example of one empty line says that files are needed to show it.
  if (rule->bad.size() > 1) console.out << "\nBreaks it:\n\n" << rule->bad;
  if (rule->good.size() > 1) console.out << "\nKeeps it:\n\n" << rule->good;
  return fine;
}

}  // namespace

void add_explain(CLI::App& trl, Console& console, int& status) {
  auto name = std::make_shared<std::string>();
  auto* command = trl.add_subcommand("explain", "Say what a rule is for, or how the exam judges");
  command
      ->add_option("RULE", *name, "A rule's id, as diagnostics print it, or `exam`; all rules when left out")
      ->type_name("");
  add_examples(*command, "  trl explain keeps_incorrect\n  trl explain exam");
  command->callback([name, &console, &status] { status = explain(*name, console); });
}

}  // namespace trl::interpreter
