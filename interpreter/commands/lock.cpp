#include <memory>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/plan/lock_file.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/render.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

LockFile lock_of(const ProgramOptions& options, const json& document, std::vector<std::string> experiments,
                 std::map<std::string, std::string> files) {
  return make_lock(
      {document, std::move(experiments), std::move(files), options.file, find_home(), options.store});
}

/// Writes the lock file for every experiment of the file.
void write_lock(const ProgramOptions& options, const json& document,
                const std::map<std::string, std::string>& files, Console& console) {
  std::vector<std::string> names;
  for (const auto& [name, experiment] : document.at("experiments").items()) names.push_back(name);
  const auto lock = lock_of(options, document, names, files);
  for (const auto& left_out : lock.left_out)
    console.err << wrapped("trl: not locked: " + left_out, 5) << '\n';
  const auto path = lock_path(options.file);
  replace_text(path, lock_text(lock.contents));
  const auto locked = lock.contents.at("experiments").size();
  console.err << "trl: " << path.string() << ": " << counted(locked, "experiment") << std::endl;
}

int lock(const ProgramOptions& options, Console& console) {
  const auto checked = language::check_file(options.file, check_options(options));
  if (!checked.diagnostics.empty()) console.err << diagnostics_text(checked, console);
  if (!checked.resolved) return failed;
  if (checked.resolved->at("experiments").empty())
    throw UserError(options.file + " declares no experiment: there is nothing to lock");
  write_lock(options, *checked.resolved, loaded_files(checked), console);
  return fine;
}

}  // namespace

std::map<std::string, std::string> loaded_files(const language::Checked& checked) {
  std::map<std::string, std::string> files;
  for (language::FileId i = 0; i < checked.sources.size(); ++i)
    if (const auto& source = checked.sources[i]; source.path() != "--set")
      files[source.path()] = source.text();
  return files;
}

void add_update_lock(Command command, ProgramOptions& options) {
  command.add_flag("--update-lock", options.update_lock,
                   "Write FILE.lock again if the models or files that it names have changed");
}

void check_lock(const ProgramOptions& options, const Program& program, Console& console) {
  const auto path = lock_path(options.file);
  std::error_code none;
  if (!std::filesystem::exists(path, none)) {
    if (options.update_lock) write_lock(options, program.document, program.files, console);
    return;
  }
  std::vector<std::string> names;
  for (const auto& job : program.jobs) names.push_back(job.plan.experiment);
  const auto now = lock_of(options, program.document, names, program.files);
  const auto locked = json::parse(read_text(path), nullptr, false);
  const auto differences = lock_differences(locked, now.contents);
  if (differences.empty()) return;
  if (options.update_lock) return write_lock(options, program.document, program.files, console);
  std::string text = "something differs from " + path.string() + ":";
  for (const auto& difference : differences) text += "\n" + wrapped("  " + difference, 4);
  throw UserError(text, "Restore what it names, or accept the differences with: trl lock " + options.file);
}

void add_lock(Command trl, Console& console, int& status) {
  auto options = std::make_shared<ProgramOptions>();
  auto command = trl.add_command("lock", "Record which models and files a file uses, by their digests");
  command.add_option("FILE", options->file, "The .trl file").required().type_name("");
  add_store(command, *options);
  add_kernel_times(command, *options);
  add_examples(command,
               "  trl lock experiments/ablation.trl\n"
               "FILE.lock is written beside the file. From then on `trl plan` and `trl run`\n"
               "refuse other models, imported files, library or tool chain than it names.");
  command.callback([options, &console, &status] { status = lock(*options, console); });
}

}  // namespace trl::interpreter
