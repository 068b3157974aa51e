#include <algorithm>
#include <memory>
#include <string>

#include "base/support/error.hpp"
#include "interpreter/commands/console.hpp"
#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/printing/show.hpp"

namespace trl::interpreter {
namespace {

struct ShowCommand {
  ProgramOptions program;
  bool changed = false, json = false;
};

int show(const ShowCommand& options, Console& console) {
  const auto shown = language::show_file(options.program.file, check_options(options.program),
                                         {options.program.name, options.changed});
  if (!shown.checked.diagnostics.empty()) console.err << diagnostics_text(shown.checked, console);
  if (shown.checked.has_errors()) return failed;
  if (!shown.found) {
    auto help = language::suggestion(options.program.name, shown.known);
    const std::string first = options.program.name.substr(0, options.program.name.find('.'));
    if (first != options.program.name &&
        std::find(shown.known.begin(), shown.known.end(), first) != shown.known.end())
      help = "`trl show " + options.program.file + " " + first + "` shows its fields";
    throw UserError(options.program.file + " declares no " + options.program.name,
                    help.empty() ? "it declares " + language::enumeration(shown.known) : help);
  }
  if (options.json)
    console.out << language::show_json(shown).dump(1) << '\n';
  else
    console.out << language::show_text(shown);
  return fine;
}

}  // namespace

void add_show(Command trl, Console& console, int& status) {
  auto options = std::make_shared<ShowCommand>();
  auto command =
      trl.add_command("show", "Show every field of a file with its value and where the value comes from");
  add_file(command, options->program);
  command
      .add_option(
          "NAME", options->program.name,
          "An experiment, with everything that it uses, under its overrides; or any other declaration, "
          "alone. By default every experiment")
      .type_name("");
  command.add_flag("--changed", options->changed, "Leave out defaults");
  command.add_flag("--json", options->json, "JSON instead of a text that is again a .trl file");
  add_examples(command,
               "  trl show experiments/ablation.trl ablation_full\n"
               "  trl show experiments/ablation.trl reinforce --changed --set reinforce.keep=2");
  command.callback([options, &console, &status] { status = show(*options, console); });
}

}  // namespace trl::interpreter
