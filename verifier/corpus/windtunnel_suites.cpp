// Writes the wind tunnel's suites: as .trl source, or as task JSON with --json.
#include <fmt/format.h>

#include <string_view>

#include "verifier/corpus/suites.hpp"

int main(int argc, char** argv) {
  using namespace trl::runtime;
  if (argc == 1) {
    fmt::print("{}", windtunnel_source());
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--json") {
    nlohmann::json tasks = nlohmann::json::array();
    for (const Task& task : every_suite()) tasks.push_back(task.to_json());
    fmt::print("{}\n", tasks.dump(1));
    return 0;
  }
  fmt::print(stderr, "usage: windtunnel-suites [--json]\n");
  return 2;
}
