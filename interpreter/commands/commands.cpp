#include "interpreter/commands/commands.hpp"

namespace trl::interpreter {

#define COMMAND(name) void add_##name(Command trl, Console& console, int& status);
#include "interpreter/commands/commands.def"
#undef COMMAND

std::span<const AddCommand> all_commands() {
  static constexpr AddCommand all[] = {
#define COMMAND(name) add_##name,
#include "interpreter/commands/commands.def"
#undef COMMAND
  };
  return all;
}

}  // namespace trl::interpreter
