#include "interpreter/commands/live.hpp"

#include <charconv>
#include <vector>

#include "base/support/error.hpp"

namespace trl::interpreter {

void add_live(Command command, LiveOption& live, const std::string& description) {
  command
      .add_option(
          "--live",
          [&live](const std::string& text) {
            live.wanted = true;
            if (text.empty()) return;
            std::uint16_t port = 0;
            if (std::from_chars(text.data(), text.data() + text.size(), port).ec != std::errc())
              throw WrongUsage("--live has the port " + text + ", and ports are numbers from 0 to 65535",
                               "Leave it out: the page is then at " + std::to_string(LiveServer::usual_port) +
                                   ", or where the command says.");
            live.port = port;
          },
          description + ". PORT is one of this machine (" + std::to_string(LiveServer::usual_port) +
              " or, if that is taken, any that is free; 0: any that is free)")
      .type_name("[PORT]")
      .optional_value(
          [](const std::string& word) { return word.find_first_not_of("0123456789") == std::string::npos; });
}

std::shared_ptr<LiveState> live_state(const Program& program, const ProgramOptions& options) {
  std::vector<const Plan*> plans;
  for (const auto& job : program.jobs) plans.push_back(&job.plan);
  return std::make_shared<LiveState>(program.document, plans, options.store, options.file);
}

std::unique_ptr<LiveServer> serve_live(const LiveOption& live, const Program& program,
                                       const ProgramOptions& options, Console& console) {
  if (!live.wanted) return nullptr;
  auto server = std::make_unique<LiveServer>(live_state(program, options), live.port);
  console.err << "trl: the page of this run is " << server->address() << std::endl;
  return server;
}

}  // namespace trl::interpreter
