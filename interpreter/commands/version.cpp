
#include "interpreter/commands/console.hpp"

#ifndef TRL_VERSION
#define TRL_VERSION "unknown"
#endif

namespace trl::interpreter {

void add_version(Command trl, Console& console, int& status) {
  auto command =
      trl.add_command("version", "Show the version of trl and the tool chain that results depend on");
  add_examples(command, "  trl version");
  command.callback([&console, &status] {
    console.out << "trl " << TRL_VERSION << "\ntool chain: " << tool_chain()
                << "\ncandidates import: " << importable() << "\n";
    status = fine;
  });
}

}  // namespace trl::interpreter
