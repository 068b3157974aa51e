#include <memory>
#include <nlohmann/json.hpp>

#include "interpreter/commands/console.hpp"

#ifndef TRL_VERSION
#define TRL_VERSION "unknown"
#endif

namespace trl::interpreter {

void add_version(Command trl, Console& console, int& status) {
  auto command =
      trl.add_command("version", "Show the version of trl and the tool chain that results depend on");
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "The same as JSON");
  add_examples(command, "  trl version");
  command.callback([json, &console, &status] {
    status = fine;
    if (*json) {
      console.out << nlohmann::json{{"trl", TRL_VERSION},
                                    {"tool_chain", tool_chain()},
                                    {"candidates_import", importable()}}
                         .dump(1)
                  << '\n';
      return;
    }
    console.out << "trl " << TRL_VERSION << "\ntool chain: " << tool_chain()
                << "\ncandidates import: " << importable() << "\n";
  });
}

}  // namespace trl::interpreter
