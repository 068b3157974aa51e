#include "interpreter/filter.hpp"

#include <cerrno>

#include "base/support/child_process.hpp"

namespace trl::interpreter {

bool Filtered::missing() const { return status == 127 || (status < 0 && code == ENOENT); }

Filtered run_filter(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input, const std::vector<std::string>& environment) {
  std::vector<std::string> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  try {
    ChildProcess child(command, {.input = input, .environment = environment, .own_group = false});
    Filtered result;
    result.out = child.read_to_end();
    result.err = child.errors(std::size_t{1} << 20);
    result.status = child.wait();
    return result;
  } catch (const StartError& error) {
    return {-1, error.code, "", ""};
  }
}

}  // namespace trl::interpreter
