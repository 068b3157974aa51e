// The commands of trl. Each adds itself to the command line and sets `status` when it is chosen.
#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

using AddCommand = void (*)(CLI::App& trl, Console& console, int& status);

void add_check(CLI::App& trl, Console& console, int& status);
void add_fmt(CLI::App& trl, Console& console, int& status);
void add_show(CLI::App& trl, Console& console, int& status);
void add_graph(CLI::App& trl, Console& console, int& status);
void add_lock(CLI::App& trl, Console& console, int& status);
void add_new(CLI::App& trl, Console& console, int& status);
void add_completions(CLI::App& trl, Console& console, int& status);
void add_plan(CLI::App& trl, Console& console, int& status);
void add_run(CLI::App& trl, Console& console, int& status);
void add_table(CLI::App& trl, Console& console, int& status);
void add_status(CLI::App& trl, Console& console, int& status);
void add_gc(CLI::App& trl, Console& console, int& status);
void add_trace(CLI::App& trl, Console& console, int& status);
void add_candidate(CLI::App& trl, Console& console, int& status);
void add_audit(CLI::App& trl, Console& console, int& status);
void add_verify(CLI::App& trl, Console& console, int& status);
void add_export(CLI::App& trl, Console& console, int& status);
void add_explain(CLI::App& trl, Console& console, int& status);
void add_docs(CLI::App& trl, Console& console, int& status);
void add_version(CLI::App& trl, Console& console, int& status);

inline constexpr AddCommand commands[] = {
    add_new,    add_check, add_fmt,     add_show,  add_graph,     add_lock,        add_plan,
    add_run,    add_table, add_status,  add_trace, add_candidate, add_verify,      add_audit,
    add_export, add_gc,    add_explain, add_docs,  add_version,   add_completions,
};

/// Runs trl with `arguments`, which lack the program's name. Never throws.
int trl_main(std::vector<std::string> arguments, Console& console);

}  // namespace trl::interpreter
