#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/model_files.hpp"
#include "interpreter/assess/check.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/source_text.hpp"
#include "interpreter/plan/data_files.hpp"
#include "interpreter/plan/hub_cache.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "language/diagnostics/render.hpp"
#include "language/program/fixes.hpp"
#include "language/program/program.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

struct CheckCommand {
  std::vector<std::string> files;
  std::vector<std::string> sets;
  bool strict = false, fix = false, json = false;
};

/// Applies fixes to a file and writes it.
void apply_fixes(const ProgramOptions& program, Console& console) {
  const auto fixed = language::apply_fixes(program.file, check_options(program));
  if (!fixed.applied.empty()) write_source(program.file, fixed.text);
  for (const auto& fix : fixed.applied)
    console.err << fix.where << ": fixed[" << fix.rule << "]: " << fix.title << '\n';
}

constexpr const char* data_remedy =
    "A path is relative to the file that is checked. Get the rows there, for instance by `hf download "
    "GPUMODE/KernelBook "
    "--repo-type dataset --local-dir FOLDER`.";

/// Reports trouble with the files that weights and data name, before anything is planned.
std::optional<language::CheckOptions::Trouble> trouble_with_files(const std::string& function,
                                                                  const std::string& named,
                                                                  const std::string& revision) {
  std::filesystem::path folder = named;
  bool there = false;
  try {
    if (function == "kernelbook") {
      if (!std::filesystem::exists(folder)) throw UserError("there is no " + folder.string(), data_remedy);
      return std::nullopt;
    }
    const std::optional<HubModel> hub =
        function == "huggingface" ? std::optional(HubModel{named, revision}) : std::nullopt;
    if (hub) folder = find_snapshot(*hub, hub_cache(::getenv));
    const bool found = std::filesystem::is_directory(folder);
    if (found && function != "generations") needed_model_files(folder, hub, hub_cache(::getenv));
    there = found;
    if (there && function == "generations")
      find_generations({{"call", "path"}, {"args", {named}}, {"named", nlohmann::json::object()}}, "");
    else if (there)
      require_fitting_files(folder);
  } catch (const UserError& error) {
    return language::CheckOptions::Trouble{error.what(), error.help, there};
  }
  return std::nullopt;
}

/// The findings in all files together.
struct Sum {
  std::size_t files = 0, fine = 0, errors = 0, warnings = 0;
  nlohmann::json diagnostics = nlohmann::json::array();
};

void check_one(const CheckCommand& options, const std::string& file, Console& console, Sum& sum) {
  ProgramOptions program;
  program.file = file;
  program.sets = options.sets;
  if (options.fix) apply_fixes(program, console);
  auto how = check_options(program);
  how.document = false;
  how.trouble = trouble_with_files;
  how.unset = [](const std::string& variable) {
    const char* value = ::getenv(variable.c_str());
    return value == nullptr || *value == '\0';
  };
  const auto checked = check_with_assessments(file, std::move(how), console.err);
  const auto [errors, warnings] = language::severities_of(checked.diagnostics);
  if (options.json) {
    for (auto& d : language::render_json(checked.diagnostics, checked.sources))
      sum.diagnostics.push_back(std::move(d));
  } else if (!checked.diagnostics.empty()) {
    if (sum.files > 0) console.err << '\n';
    console.err << diagnostics_text(checked, console);
  }
  if (!options.json && errors + warnings == 0) console.out << file << " is fine\n";
  ++sum.files;
  sum.fine += errors + warnings == 0;
  sum.errors += errors;
  sum.warnings += warnings;
}

int check(const CheckCommand& options, Console& console) {
  Sum sum;
  for (const std::string& file : options.files)
    if (file.find('=') != std::string::npos && !std::filesystem::exists(file))
      throw WrongUsage("`" + file + "` is a setting, not a file", "write --set " + file);
  for (const std::string& file : options.files) check_one(options, file, console, sum);
  // A diagnostic quotes a file that isn't UTF-8, so JSON output replaces such bytes.
  if (options.json) console.out << dumped(sum.diagnostics, 1) << '\n';
  if (!options.json && sum.files > 1)
    console.err << fmt::format("{}: {} fine, {}, {}\n", counted(sum.files, "file"), sum.fine,
                               counted(sum.errors, "error"), counted(sum.warnings, "warning"));
  return sum.errors > 0 || (options.strict && sum.warnings > 0) ? failed : fine;
}

}  // namespace

void add_check(Command trl, Console& console, int& status) {
  auto options = std::make_shared<CheckCommand>();
  auto command =
      trl.add_command("check", "Find mistakes in files, with line, column and how to correct them");
  command.add_option("FILE", options->files, "The .trl files").required().type_name("");
  add_sets(command, options->sets);
  command.add_flag("--strict", options->strict, "Treat warnings as errors");
  command.add_flag("--fix", options->fix,
                   "Write what diagnostics show as `fix` into the file: corrections that change no value");
  command.add_flag("--json", options->json, "All diagnostics as JSON, for editors and CI");
  add_examples(command,
               "  trl check experiments/ablation.trl\n"
               "  trl check --fix experiments/ablation.trl\n"
               "  trl check experiments/*.trl\n"
               "  trl check experiments/ablation.trl --set reinforce.keep=9 --json",
               "0 no errors (warnings are allowed), 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] { status = check(*options, console); });
}

}  // namespace trl::interpreter
