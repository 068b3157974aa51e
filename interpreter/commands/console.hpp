// Shared by commands: where they write, common options, and loading programs.
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

/// Exit statuses of every command.
enum Status { fine = 0, failed = 1, wrong_usage = 2, interrupted = 130 };

/// A mistake on the command line: exit status 2.
struct WrongUsage : UserError {
  using UserError::UserError;
};

struct Console {
  std::ostream& out;        ///< results
  std::ostream& err;        ///< diagnostics and progress
  bool colour = false;      ///< on `err`
  bool out_colour = false;  ///< on `out`
  bool unicode = false;     ///< whether `out` may have characters beyond ASCII
};

/// The file, the experiment of it, and the folders of results.
struct ProgramOptions {
  std::string file, name;
  RunLabel label;  ///< `--name` and `--tag`
  std::vector<std::string> sets;
  std::string store = project_folders().store, out = project_folders().out;
  bool pdf = false;               ///< pictures as PDF, too
  bool measured_times = false;    ///< kernel times are measured on the GPU instead of modelled
  bool update_lock = false;       ///< write the lock file again instead of comparing it
  bool every_experiment = false;  ///< plan every declared experiment instead of the reported ones
};

void add_file(Command command, ProgramOptions& options);
/// Adds `--set PATH=VALUE`.
void add_sets(Command command, std::vector<std::string>& sets);
void add_name(Command command, ProgramOptions& options);
void add_store(Command command, ProgramOptions& options);
/// Adds `--kernel-times modelled|measured`.
void add_kernel_times(Command command, ProgramOptions& options);
/// Adds `--device cpu|cuda`, where models run.
void add_device(Command command, std::string& device);
void add_out(Command command, ProgramOptions& options);
/// Adds `--pdf`.
void add_pdf(Command command, ProgramOptions& options);
/// Adds examples and exit statuses to a command's help.
void add_examples(Command command, const std::string& examples,
                  const std::string& statuses = "0 fine, 1 errors, 2 wrong usage");

/// An experiment and its plan.
struct Job {
  ReportRequest request;
  Plan plan;
};

/// A checked program and the experiments of it that a command uses.
struct Program {
  nlohmann::json document;
  std::vector<Job> jobs;
  std::map<std::string, std::string> files;  ///< the text of every loaded file, by path
};

/// Loads and checks a file, shows its diagnostics on `err`, and plans the experiment `name`, or the
/// experiments that its tables, plots and hypotheses name. Returns nothing when the file has errors. Throws a
/// UserError when it has no experiment to run. For commands that are about to use resources, its tasks are
/// assessed as well.
std::optional<Program> load_program(const ProgramOptions& options, Console& console,
                                    bool assess_tasks = false);

/// The options of every check: the settings and the folder of the installed library.
language::CheckOptions check_options(const ProgramOptions& options);

/// The folder that contains stdlib/: `$TRL_HOME`, or a folder above this program's. Empty when there is none.
std::filesystem::path find_home();

/// Adds `--update-lock`.
void add_update_lock(Command command, ProgramOptions& options);

/// Compares FILE.trl.lock, if it exists, with what the program uses here. Throws UserError with the
/// differences. With `--update-lock` the file is written again instead.
void check_lock(const ProgramOptions& options, const Program& program, Console& console);

/// The text of each file of a checked program, by path, for a lock file.
std::map<std::string, std::string> loaded_files(const language::Checked& checked);

/// The folder of an experiment's report.
std::filesystem::path report_folder(const ProgramOptions& options, const Plan& plan);

/// Names the process that has the store, and waits until the store is free. Throws Interrupted when the user
/// interrupts.
std::function<bool(const Holder&)> waiting_for_store(const Interrupt& interrupt, Console& console);

/// Prints on `err` the parts that a report had to leave out.
void show_warnings(const Report& report, Console& console);

/// The command that continues: "trl run FILE NAME --set …".
std::string go_on_with(const ProgramOptions& options, const std::string& command = "run");

}  // namespace trl::interpreter
