#pragma once
// A candidate that a command names: a file for a task, or one of a store.
#include <string>

#include "interpreter/commands/commands.hpp"
#include "interpreter/report/candidate.hpp"

namespace trl::interpreter {

/// What the command line says of a candidate.
struct SubjectOptions {
  std::string candidate, task, suite_file;
  ProgramOptions program;
  bool tolerant = false, no_sandbox = false;
};

/// What is verified, and by what.
struct Subject {
  std::string title;  ///< "level1/7 amax_rows: candidate.py"
  std::string answer;
  nlohmann::json task, spec;
  std::string secret = "trl-verify";  ///< inputs are the same each time, but in a store
};

/// "level1/7" of a task.
std::string id_of(const nlohmann::json& task);
std::string name_of(const nlohmann::json& task);

/// Finds it. Throws WrongUsage where it, or its task, isn't there.
Subject find_subject(const SubjectOptions& options, Console& console);

/// What trl-verify is asked about it.
nlohmann::json verification_of(const Subject& subject, const SubjectOptions& options);

/// The options that name it.
void add_subject(CLI::App& command, SubjectOptions& options);
/// Those that say how it is verified.
void add_verification(CLI::App& command, SubjectOptions& options);

}  // namespace trl::interpreter
