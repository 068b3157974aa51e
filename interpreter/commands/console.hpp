// Functions that commands share: output streams, common options, and loading of programs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/headers/command_line.hpp"
#include "base/support/error.hpp"
#include "interpreter/commands/project.hpp"
#include "interpreter/commands/run_label.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/store/lock.hpp"
#include "language/program/program.hpp"

namespace trl::interpreter {

/// The exit statuses of all commands.
enum Status { fine = 0, failed = 1, wrong_usage = 2, not_all_judged = 3, interrupted = 130 };

/// A mistake on the command line: exit status 2.
struct WrongUsage : UserError {
  using UserError::UserError;
};

struct Console {
  std::ostream& out;        ///< the stream for results
  std::ostream& err;        ///< the stream for diagnostics and progress
  bool colour = false;      ///< whether `err` shows colours
  bool out_colour = false;  ///< whether `out` shows colours
  bool unicode = false;     ///< whether `out` may have characters beyond ASCII
  std::size_t width = 0;    ///< columns of the terminal that shows `err`; 0 if `err` goes elsewhere
};

/// Returns the diagnostics of a checked file as text for `err`. Messages, notes and help are wrapped at the
/// terminal's width. If a quoted line of the file is longer than that, only the part around the place is
/// shown.
std::string diagnostics_text(const language::Checked& checked, const Console& console);

/// Common options: the .trl file, its experiment, and the folders of results.
struct ProgramOptions {
  std::string file, name;
  RunLabel label;  ///< `--name` and `--tag`
  std::vector<std::string> sets;
  std::string store = project_folders().store, out = project_folders().out;
  bool pdf = false;             ///< whether pictures are also made as PDF
  std::string pdf_font = "";    ///< the font of letters in PDF files, which it requests; empty: the usual one
  bool measured_times = false;  ///< whether kernel times are measured on the GPU instead of modelled
  bool update_lock = false;     ///< whether the lock file is written again instead of compared
  /// Whether every declared experiment is planned, and not only experiments with a report.
  bool every_experiment = false;
  /// Whether a file that declares no experiment is used as well, without plans.
  bool may_lack_experiments = false;

  /// The font of PDF pictures; nothing if no PDF is wanted.
  std::optional<std::string> font_of_pdf() const;
};

void add_file(Command command, ProgramOptions& options);
/// Adds `--set PATH=VALUE`.
void add_sets(Command command, std::vector<std::string>& sets);
void add_name(Command command, ProgramOptions& options);
void add_store(Command command, ProgramOptions& options);
/// Adds `--kernel-times modelled|measured`.
void add_kernel_times(Command command, ProgramOptions& options);
/// Adds `--device cpu|cuda`, the device on which models run.
void add_device(Command command, std::string& device);
/// Adds --gpus, whose value is a positive number or "all".
void add_gpus(Command command, std::string& gpus);
/// Adds `--on ray|ADDRESS`; `on` becomes the address of the cluster, or "auto" for this machine's cluster.
void add_on(Command command, std::string& on, const std::string& description);
void add_out(Command command, ProgramOptions& options);
/// Adds `--pdf` and `--pdf-font`.
void add_pdf(Command command, ProgramOptions& options);
/// Adds examples and exit statuses to a command's help.
void add_examples(Command command, const std::string& examples,
                  const std::string& statuses = "0 fine, 1 errors, 2 wrong usage");

/// An experiment's plan, and the report that is requested for it.
struct Job {
  ReportRequest request;
  Plan plan;
};

/// A checked program, and its experiments that a command uses.
struct Program {
  nlohmann::json document;
  std::vector<Job> jobs;
  std::map<std::string, std::string> files;  ///< the text of every loaded file, by path
};

/// Loads and checks a file, and plans the experiment `name`, or the experiments that its tables, plots and
/// hypotheses name. If the file has errors, shows its diagnostics on `err` and returns nothing. Warnings
/// and notes are only counted there in one line, since `trl check` shows them. Throws UserError if the
/// program has no experiment to run and must have one. With `assess_tasks`, the program's tasks are also
/// assessed by trl-verify, for commands that are about to use many resources.
std::optional<Program> load_program(const ProgramOptions& options, Console& console,
                                    bool assess_tasks = false);

/// The options for checking a program: the overrides of `--set`, and the folder of the installed library.
language::CheckOptions check_options(const ProgramOptions& options);

/// The folder that contains stdlib/: `$TRL_HOME`, or a parent of the folder of this program. Empty if there
/// is none.
std::filesystem::path find_home();

/// Adds `--update-lock`.
void add_update_lock(Command command, ProgramOptions& options);

/// Compares FILE.trl.lock, if it exists, with the models and files that the program uses on this machine.
/// Throws UserError that lists the differences. With `--update-lock`, the lock file is written again instead.
void check_lock(const ProgramOptions& options, const Program& program, Console& console);

/// The text of each file of a checked program, by path, for a lock file.
std::map<std::string, std::string> loaded_files(const language::Checked& checked);

/// The folder of an experiment's report.
std::filesystem::path report_folder(const ProgramOptions& options, const Plan& plan);

/// Returns a function for `AccessOptions::wait`. At its first call it prints the process that uses the store.
/// Each call waits for a moment and returns true, so that access is tried again until the store is free; it
/// throws Interrupted if the user interrupts.
std::function<bool(const Holder&)> waiting_for_store(const Interrupt& interrupt, Console& console);

/// Prints on `err` the parts that a report had to leave out.
void show_warnings(const Report& report, Console& console);

/// Returns the command line that runs `command` on the same program with the same options: "trl run FILE NAME
/// --set …".
std::string go_on_with(const ProgramOptions& options, const std::string& command = "run");

}  // namespace trl::interpreter
