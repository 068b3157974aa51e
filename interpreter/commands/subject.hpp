#pragma once
// A candidate that a command names: a file for a task, or one of a store.
#include <string>
#include <vector>

#include "interpreter/commands/commands.hpp"
#include "interpreter/report/candidate.hpp"

namespace trl::interpreter {

/// What the command line says of a candidate.
struct SubjectOptions {
  std::string candidate, task, suite_file, secret;
  ProgramOptions program;
  bool tolerant = false, no_sandbox = false;
};

/// What is verified, and by what.
struct Subject {
  std::string name;   ///< "candidate.py"
  std::string title;  ///< "level1/7 amax_rows: candidate.py"
  std::string answer;
  nlohmann::json task;
  contract::Protocol spec;
  std::string secret;     ///< what inputs are drawn from
  bool of_store = false;  ///< the secret is a store's, and shown to nobody
};

/// "level1/7" of a task.
std::string id_of(const nlohmann::json& task);
std::string name_of(const nlohmann::json& task);

/// The tasks of the library's suites, and before them those of a .trl file where one is named: a name or ID
/// is looked for there first.
struct KnownTasks {
  std::vector<nlohmann::json> of_file, of_library;
};
KnownTasks known_tasks(const std::string& suite_file, Console& console);
/// Those called `level1/7`, `level2/gemm_bias_gelu` or, without a suite, by a name: of the file, or else of
/// the library.
std::vector<const nlohmann::json*> tasks_called(const std::string& wanted, const KnownTasks& tasks);
/// The one of them that there is. Throws WrongUsage.
nlohmann::json find_task(const std::string& wanted, const KnownTasks& tasks);

/// The exam's protocol; a tolerant one lets memory errors pass where values are right.
contract::Protocol exam_spec(bool tolerant);

/// `--secret`, or one that is drawn now. Throws WrongUsage where it isn't hexadecimal.
std::string chosen_secret(const SubjectOptions& options);

/// Whether the command line names a candidate of a store, by its ID.
bool names_stored(const SubjectOptions& options);

/// Finds it. Throws WrongUsage where it, or its task, isn't there.
Subject find_subject(const SubjectOptions& options, Console& console);

/// What trl-verify is asked about it.
nlohmann::json verification_of(const Subject& subject, const SubjectOptions& options);

/// The same about several, which share protocol and secret.
nlohmann::json verification_of(const std::vector<Subject>& subjects, const SubjectOptions& options,
                               std::size_t lanes);

/// The options that name it.
void add_subject(CLI::App& command, SubjectOptions& options);
void add_task(CLI::App& command, SubjectOptions& options);
void add_secret(CLI::App& command, SubjectOptions& options);
/// Those that say how it is verified.
void add_verification(CLI::App& command, SubjectOptions& options);

}  // namespace trl::interpreter
