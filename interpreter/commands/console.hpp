// What commands share: where they write, what they are given, how a program is loaded.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "ground/error.hpp"
#include "headers/command_line.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/report/report.hpp"
#include "language/program/program.hpp"

namespace trl::interpreter {

/// Exit statuses of every command.
enum Status { fine = 0, failed = 1, wrong_usage = 2, interrupted = 130 };

/// What a command was given can't be meant: exit status 2.
struct WrongUsage : UserError {
  using UserError::UserError;
};

struct Console {
  std::ostream& out;        ///< results
  std::ostream& err;        ///< diagnostics and progress
  bool colour = false;      ///< on `err`
  bool out_colour = false;  ///< on `out`
  bool unicode = false;     ///< marks beyond ASCII on `out`
};

/// The file, what of it, and where results lie.
struct ProgramOptions {
  std::string file, name;
  std::vector<std::string> sets;
  std::string store = "runs/.store", out = "runs";
  bool measured_times = false;    ///< kernels are timed on the GPU, not by a model
  bool update_lock = false;       ///< write the lock file anew rather than compare it
  bool every_experiment = false;  ///< plan all that the file declares, not only what it reports
};

void add_file(Command command, ProgramOptions& options);
void add_name(Command command, ProgramOptions& options);
void add_store(Command command, ProgramOptions& options);
/// `--kernel-times modelled|measured`.
void add_kernel_times(Command command, ProgramOptions& options);
void add_out(Command command, ProgramOptions& options);
/// Paragraphs of examples and exit statuses under a command's help.
void add_examples(Command command, const std::string& examples,
                  const std::string& statuses = "0 fine, 1 errors, 2 wrong usage");

/// An experiment to be carried out or looked at.
struct Job {
  ReportRequest request;
  Plan plan;
};

/// A checked program and the experiments of it that a command is about.
struct Program {
  nlohmann::json document;
  std::vector<Job> jobs;
  std::map<std::string, std::string> files;  ///< all that was loaded, text by path
};

/// Loads and checks a file, shows its diagnostics on `err`, and plans the experiment `name`, or those that
/// its tables, plots and hypotheses name. Nothing when the file has errors; a UserError when it has nothing
/// to carry out. Whoever is about to spend something on it has its tasks assessed, too.
std::optional<Program> load_program(const ProgramOptions& options, Console& console,
                                    bool assess_tasks = false);

/// What every check is given: the settings, and where the installed library lies.
language::CheckOptions check_options(const ProgramOptions& options);

/// The folder that holds stdlib/: `$TRL_HOME`, or one above this program's. Empty when there is none.
std::filesystem::path find_home();

/// `--update-lock`.
void add_update_lock(Command command, ProgramOptions& options);

/// Compares FILE.trl.lock, where there is one, with what the program is made of here. Throws UserError with
/// what differs; with `--update-lock` the file is written anew.
void check_lock(const ProgramOptions& options, const Program& program, Console& console);

/// The files of a checked program, text by path: what a lock file is about.
std::map<std::string, std::string> loaded_files(const language::Checked& checked);

/// Where an experiment's tables go.
std::filesystem::path report_folder(const ProgramOptions& options, const Plan& plan);

/// What a report couldn't hold, on `err`.
void show_warnings(const Report& report, Console& console);

/// "trl run FILE NAME --set …": how to go on.
std::string go_on_with(const ProgramOptions& options, const std::string& command = "run");

}  // namespace trl::interpreter
