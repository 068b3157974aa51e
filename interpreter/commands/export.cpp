// `trl export`, and `trl export kernel`: writes a verified candidate as C++ for other projects.
#include <memory>

#include "base/support/error.hpp"
#include "interpreter/commands/export_model.hpp"
#include "interpreter/commands/export_runs.hpp"
#include "interpreter/commands/figure.hpp"
#include "interpreter/commands/subject.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

struct ExportCommand : SubjectOptions {
  std::string row, folder, name;
};

/// A task's name as a C++ identifier.
std::string identifier(const std::string& name) {
  std::string word;
  for (const char c : name) word += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0 ? "kernel_" + word
                                                                                     : word;
}

/// Chooses the fastest correct candidate of the row of a file's table that the command names. Returns false
/// if the file has errors.
bool choose_of_row(ExportCommand& options, Console& console) {
  options.program.file = options.candidate;
  const auto program = load_program(options.program, console);
  if (!program) return false;
  try {
    options.candidate =
        fastest_candidate(options.row, options.task, *program, Store(options.program.store), options.program);
  } catch (const UnknownName& unknown) {
    suggest(unknown);
  }
  options.task.clear();
  return true;
}

int export_kernel(ExportCommand& options, Console& console) {
  if (!options.row.empty() && !choose_of_row(options, console)) return failed;
  if (options.row.empty() && fs::path(options.candidate).extension() == ".trl")
    throw WrongUsage("no row of " + options.candidate + "'s tables is named",
                     "Write TABLE[ROW] in quotes after the file: 'main[inputs + stages]'.");
  const Subject subject = find_subject(options, console);
  const std::string name = identifier(options.name.empty() ? name_of(subject.task) : options.name);
  const fs::path folder = options.folder.empty() ? fs::path(name) : fs::path(options.folder);
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw WrongUsage(folder.string() + " already exists and isn't empty",
                     "Name another folder with --to DIR.");
  const Interrupt interrupt;
  json verdict;
  json request = verification_of(subject, options);
  request["export"] = {{"folder", fs::absolute(folder).string()}, {"name", name}};
  ask_verifier(
      request, [&](const json& row) { verdict = row; }, interrupt);
  if (!verdict.is_object()) throw UserError("trl-verify gave no verdict");
  if (!verdict.contains("exported")) {
    const auto word = [&](const char* field) {
      return verdict[field].is_string() ? terminal_safe(verdict[field].get<std::string>()) : "";
    };
    throw UserError(
        terminal_safe(subject.title) + " isn't exported: it fails " + word("failed") + ", " + word("reason"),
        word("reason") == "needs_gpu"
            ? "Verify a CUDA kernel with --kernel-times measured, on a machine with a GPU."
            : "`trl verify` shows details.");
  }
  console.out << wrapped(terminal_safe(subject.title), 2) << "\n";
  for (const auto& file : verdict["exported"])
    console.out << "  " << (folder / file.get<std::string>()).string() << "\n";
  return fine;
}

}  // namespace

void add_export(Command trl, Console& console, int& status) {
  auto options = std::make_shared<ExportCommand>();
  auto group = trl.add_command("export", "Export results of a run for other projects");
  group.require_command();
  add_examples(group,
               "  trl export kernel 3fa2c1d09e.17\n"
               "  trl export adapter experiments/ablation.trl \"inputs/seed 1\" --to adapter\n"
               "  trl export kernel --help",
               "0 written, 1 the candidate isn't correct, 2 wrong usage");
  auto command =
      group.add_command("kernel", "Write a correct candidate as C++, machine code and a CMake file");
  add_subject(command, *options);
  command
      .add_option(
          "ROW", options->row,
          "After a .trl file instead of a candidate: TABLE[ROW], in quotes. The fastest correct candidate of "
          "that row's exams is exported, for --task if given")
      .type_name("");
  command.add_option("--to", options->folder, "The folder to write; by default it has the kernel's name")
      .type_name("DIR");
  command.add_option("--name", options->name, "The function's name; by default the task's name")
      .type_name("NAME");
  add_verification(command, *options);
  add_examples(command,
               "  trl export kernel 3fa2c1d09e.17\n"
               "  trl export kernel experiments/ablation.trl 'main[inputs + stages]'\n"
               "  trl export kernel candidate.py --task level1/7 --to relu --name fast_relu\n"
               "The candidate is verified first, as by `trl verify`. An incorrect one isn't\nexported.",
               "0 written, 1 the candidate isn't correct, 2 wrong usage");
  command.callback([options, &console, &status] { status = export_kernel(*options, console); });
  add_export_adapter(group, console, status);
  add_export_model(group, console, status);
  add_export_kernelbench(group, console, status);
}

}  // namespace trl::interpreter
