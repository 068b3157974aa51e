#pragma once
// Finds the candidate that a command line names: a file with an answer to a task, or a candidate in a store.
#include <string>
#include <vector>

#include "base/contract/protocol.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/report/candidate.hpp"

namespace trl::interpreter {

/// The command-line options that name a candidate and set its verification.
struct SubjectOptions {
  std::string candidate, task, suite_file, secret;
  ProgramOptions program;
  std::string precision = "task";  ///< a word of contract::Precision
  bool tolerant = false, epilogue = false, also_by_kernelbench = false, no_sandbox = false;
};

/// A candidate with all data that its verification needs.
struct Subject {
  std::string name;   ///< "candidate.py"
  std::string title;  ///< "level1/7 amax_rows: candidate.py"
  std::string answer;
  nlohmann::json task;
  bool own_task = false;  ///< whether the task is of the library or a file of the user, not of a store
  contract::Protocol spec;
  std::string secret;     ///< the secret from which random inputs are generated
  bool of_store = false;  ///< whether the secret belongs to a store, and must never be shown
  /// The reason why the answer can't be judged: its task can't be judged, or its file isn't read
  /// (RefusedFile). Empty if it can be judged.
  std::string unjudged = {};
};

/// The ID of a task, "level1/7".
std::string id_of(const nlohmann::json& task);
std::string name_of(const nlohmann::json& task);

/// Library modules with suites whose tasks can be verified.
const std::vector<std::string>& modules_with_tasks();
/// The tasks of one of these modules.
std::vector<nlohmann::json> library_tasks_of(const std::string& module);

/// The tasks of the library's suites and of a .trl file, if the command line names a file. A name or ID is
/// looked up in the file first.
struct KnownTasks {
  std::vector<nlohmann::json> of_file, of_library;
};
KnownTasks known_tasks(const std::string& suite_file, Console& console);
/// Like known_tasks, with a checked program in place of a file.
KnownTasks known_tasks_of(const nlohmann::json& document);
/// Like known_tasks, with a program's text in place of a file; errors call it `name`.
KnownTasks known_tasks_of(const std::string& name, const std::string& text, Console& console);
/// The tasks with this ID (`level1/7`), suite and name (`level2/gemm_bias_gelu`), or name alone. If the file
/// has no such task, the tasks of the library are returned.
std::vector<const nlohmann::json*> tasks_called(const std::string& wanted, const KnownTasks& tasks);
/// The reason why answers to a task can't be judged: its PyTorch module wasn't translated, or the task is
/// stored elsewhere. Empty if they can be judged.
std::string why_unjudged(const nlohmann::json& task);
/// The task with this ID or name. Throws WrongUsage if there is none, or more than one.
nlohmann::json named_task(const std::string& wanted, const KnownTasks& tasks);
/// Returns named_task(…); throws WrongUsage also if answers to the task can't be judged.
nlohmann::json find_task(const std::string& wanted, const KnownTasks& tasks);

/// The exam's protocol with the changes of the options. With `tolerant`, candidates with memory errors pass
/// if their values are right; with `epilogue`, PyTorch may finish the kernels' work.
contract::Protocol exam_spec(const SubjectOptions& options);

/// The value of `--secret`, or a new random secret. Throws WrongUsage if the value isn't 64 hexadecimal
/// digits.
std::string chosen_secret(const SubjectOptions& options);

/// Whether the command line names a candidate of a store by its ID.
bool names_stored(const SubjectOptions& options);

/// Finds the candidate that the options name. Throws WrongUsage if the candidate or its task doesn't exist.
Subject find_subject(const SubjectOptions& options, Console& console);

/// The request to trl-verify for one candidate.
nlohmann::json verification_of(const Subject& subject, const SubjectOptions& options);

/// The request to trl-verify for several candidates with the same protocol and secret.
nlohmann::json verification_of(const std::vector<Subject>& subjects, const SubjectOptions& options,
                               std::size_t slots);

/// Adds the options that name the candidate.
void add_subject(Command command, SubjectOptions& options);
void add_task(Command command, SubjectOptions& options);
void add_secret(Command command, SubjectOptions& options);
/// Adds the options that change the candidate's verification.
void add_verification(Command command, SubjectOptions& options);

}  // namespace trl::interpreter
