// The commands of trl. Each adds itself to the command line and sets `status` when it is chosen.
#pragma once

#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

using AddCommand = void (*)(Command trl, Console& console, int& status);

void add_check(Command trl, Console& console, int& status);
void add_fmt(Command trl, Console& console, int& status);
void add_show(Command trl, Console& console, int& status);
void add_graph(Command trl, Console& console, int& status);
void add_lock(Command trl, Console& console, int& status);
void add_new(Command trl, Console& console, int& status);
void add_completions(Command trl, Console& console, int& status);
void add_plan(Command trl, Console& console, int& status);
void add_power(Command trl, Console& console, int& status);
void add_run(Command trl, Console& console, int& status);
void add_results(Command trl, Console& console, int& status);
void add_table(Command trl, Console& console, int& status);
void add_status(Command trl, Console& console, int& status);
void add_generate(Command trl, Console& console, int& status);
void add_gc(Command trl, Console& console, int& status);
void add_trace(Command trl, Console& console, int& status);
void add_candidate(Command trl, Console& console, int& status);
void add_audit(Command trl, Console& console, int& status);
void add_verify(Command trl, Console& console, int& status);
void add_export(Command trl, Console& console, int& status);
void add_explain(Command trl, Console& console, int& status);
void add_doctor(Command trl, Console& console, int& status);
void add_docs(Command trl, Console& console, int& status);
void add_editor(Command trl, Console& console, int& status);
void add_lsp(Command trl, Console& console, int& status);
void add_version(Command trl, Console& console, int& status);

inline constexpr AddCommand commands[] = {
    add_new,    add_check,  add_fmt,    add_show,     add_graph,       add_lock,   add_plan,
    add_power,  add_run,    add_table,  add_results,  add_status,      add_trace,  add_candidate,
    add_verify, add_audit,  add_export, add_generate, add_gc,          add_doctor, add_explain,
    add_docs,   add_editor, add_lsp,    add_version,  add_completions,
};

/// The manual page of trl and all its commands, as troff with the man macros: their helps.
std::string manual_page(Command trl);

/// Runs trl with `arguments`, which lack the program's name. Never throws.
int trl_main(std::vector<std::string> arguments, Console& console);

}  // namespace trl::interpreter
