#pragma once
// A candidate that a command names: a file for a task, or a candidate of a store.
#include <string>
#include <vector>

#include "base/contract/protocol.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/report/candidate.hpp"

namespace trl::interpreter {

/// The options of the command line about a candidate.
struct SubjectOptions {
  std::string candidate, task, suite_file, secret;
  ProgramOptions program;
  bool tolerant = false, epilogue = false, also_by_kernelbench = false, no_sandbox = false;
};

/// A candidate with everything that its verification needs.
struct Subject {
  std::string name;   ///< "candidate.py"
  std::string title;  ///< "level1/7 amax_rows: candidate.py"
  std::string answer;
  nlohmann::json task;
  contract::Protocol spec;
  std::string secret;     ///< the secret from which inputs are drawn
  bool of_store = false;  ///< the secret belongs to a store and is never shown
};

/// The ID of a task, "level1/7".
std::string id_of(const nlohmann::json& task);
std::string name_of(const nlohmann::json& task);

/// The tasks of the library's suites, and of a .trl file if one is named. A name or ID is looked up in
/// the file first.
struct KnownTasks {
  std::vector<nlohmann::json> of_file, of_library;
};
KnownTasks known_tasks(const std::string& suite_file, Console& console);
/// The tasks called `level1/7`, `level2/gemm_bias_gelu` or, without a suite, by a name: of the file, or if it
/// has none, of the library.
std::vector<const nlohmann::json*> tasks_called(const std::string& wanted, const KnownTasks& tasks);
/// The only task that is called so. Throws WrongUsage.
nlohmann::json find_task(const std::string& wanted, const KnownTasks& tasks);

/// The exam's protocol, unless options loosen it: with `tolerant`, memory errors pass if values are right;
/// with `epilogue`, PyTorch may finish the kernels' work.
contract::Protocol exam_spec(const SubjectOptions& options);

/// The value of `--secret`, or a newly drawn secret. Throws WrongUsage unless it has 64
/// hexadecimal digits, as every secret that is drawn has.
std::string chosen_secret(const SubjectOptions& options);

/// Whether the command line names a candidate of a store by its ID.
bool names_stored(const SubjectOptions& options);

/// Finds the candidate. Throws WrongUsage if it or its task doesn't exist.
Subject find_subject(const SubjectOptions& options, Console& console);

/// The request to trl-verify for it.
nlohmann::json verification_of(const Subject& subject, const SubjectOptions& options);

/// The request for several candidates that share protocol and secret.
nlohmann::json verification_of(const std::vector<Subject>& subjects, const SubjectOptions& options,
                               std::size_t slots);

/// Adds the options that name the candidate.
void add_subject(Command command, SubjectOptions& options);
void add_task(Command command, SubjectOptions& options);
void add_secret(Command command, SubjectOptions& options);
/// Adds the options that say how it is verified.
void add_verification(Command command, SubjectOptions& options);

}  // namespace trl::interpreter
