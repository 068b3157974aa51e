// The language server for the page in a browser: takes JSON-RPC messages and returns messages.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "language/server/server.hpp"

namespace trl::page {

/// The language server, with three further requests that return the output of commands of `trl`. Each takes
/// the file's `name` and its `text`. The library is read from `stdlib` in the folder in which the program
/// runs. For a file with errors, `err` has its diagnostics, and there is neither a `text` nor a plan.
/// - trl/check: what `trl check NAME` prints, `out` on standard output and `err` on standard error. `untried`
///   says that the command would also try trivial answers to tasks, which may find more.
/// - trl/show: `text`, what `trl show NAME` prints or, if `of` is given, `trl show NAME OF`. `changed` leaves
///   out defaults.
/// - trl/plan: what `trl plan NAME OF --cost` prints, and the stages with the rows and seeds that use each of
///   them.
class Page {
 public:
  explicit Page(const std::string& version);

  /// Takes a message and returns the messages that answer it.
  std::vector<std::string> receive(std::string_view message);
  /// Checks the programs that have changed and returns the diagnostics to publish. Called when no message
  /// waits.
  std::vector<std::string> settle();

 private:
  std::vector<std::string> sent_;
  std::unique_ptr<language_server::Server> server_;
};

}  // namespace trl::page
