#include <algorithm>
#include <memory>

#include "ground/json_text.hpp"
#include "interpreter/assess/check.hpp"
#include "interpreter/commands/commands.hpp"
#include "interpreter/commands/source_text.hpp"
#include "language/diagnostics/render.hpp"
#include "language/program/fixes.hpp"
#include "language/program/program.hpp"

namespace trl::interpreter {
namespace {

struct CheckCommand {
  ProgramOptions program;
  bool strict = false, fix = false;
  std::string format = "text";
};

/// Applies fixes to the file and writes it.
void apply_fixes(const CheckCommand& options, Console& console) {
  const auto fixed = language::apply_fixes(options.program.file, check_options(options.program));
  if (!fixed.applied.empty()) write_source(options.program.file, fixed.text);
  for (const auto& fix : fixed.applied)
    console.err << fix.where << ": fixed[" << fix.rule << "]: " << fix.title << '\n';
}

int check(const CheckCommand& options, Console& console) {
  if (options.fix) apply_fixes(options, console);
  const auto checked =
      check_with_assessments(options.program.file, check_options(options.program), console.err);
  if (options.format == "json")
    // A diagnostic quotes a file that isn't UTF-8, so JSON output replaces such bytes.
    console.out << dumped(language::render_json(checked.diagnostics, checked.sources), 1) << '\n';
  else if (!checked.diagnostics.empty())
    console.err << language::render(checked.diagnostics, checked.sources, console.colour);
  const bool noted_alone = std::all_of(checked.diagnostics.begin(), checked.diagnostics.end(),
                                       [](const auto& d) { return d.severity == language::Severity::note; });
  if (options.format != "json" && noted_alone) console.out << options.program.file << " is fine\n";
  const bool warned = std::any_of(checked.diagnostics.begin(), checked.diagnostics.end(),
                                  [](const auto& d) { return d.severity == language::Severity::warning; });
  const bool refused = checked.has_errors() || (options.strict && warned);
  return refused ? failed : fine;
}

}  // namespace

void add_check(Command trl, Console& console, int& status) {
  auto options = std::make_shared<CheckCommand>();
  auto command =
      trl.add_command("check", "Find mistakes in a file, with line, column and how to correct them");
  add_file(command, options->program);
  command.add_flag("--strict", options->strict, "Treat warnings as errors");
  command.add_flag("--fix", options->fix, "Apply the fixes of diagnostics to the file");
  command.add_option("--format", options->format, "text, or json for editors and CI")
      .one_of({"text", "json"});
  add_examples(command,
               "  trl check experiments/ablation.trl\n"
               "  trl check --fix experiments/ablation.trl\n"
               "  trl check experiments/ablation.trl --set reinforce.keep=9 --format json",
               "0 no errors (warnings are allowed), 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] { status = check(*options, console); });
}

}  // namespace trl::interpreter
