// `--live [PORT]` of `trl run` and `trl status`: the page on which runs are watched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/commands/console.hpp"
#include "interpreter/live/server.hpp"

namespace trl::interpreter {

struct LiveOption {
  bool wanted = false;
  std::optional<std::uint16_t> port;  ///< nothing: the usual one, or any that is free
};

/// Adds `--live [PORT]` with this description.
void add_live(Command command, LiveOption& live, const std::string& description);

/// The studies of a program as the page and `trl status --watch` show them. The program must outlive the
/// result.
std::shared_ptr<LiveState> live_state(const Program& program, const ProgramOptions& options);

/// Serves the page and prints its address. Returns null if the user didn't request the page. Throws UserError
/// if a requested port is already in use.
std::unique_ptr<LiveServer> serve_live(const LiveOption& live, const Program& program,
                                       const ProgramOptions& options, Console& console);

}  // namespace trl::interpreter
