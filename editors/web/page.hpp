// What the page in a browser asks of the language: JSON-RPC messages in, messages out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "language/server/server.hpp"

namespace trl::page {

/// The language server, and three requests that have the text of commands of `trl`. Each takes the file's
/// `name` and its `text`; the library is read below `stdlib` of the folder in which the program runs.
///   trl/check    what `trl check NAME` prints: `out` on standard output, `err` on standard error; `untried`
///   says that the
///                program would try trivial answers on tasks, which may find more
///   trl/show     `text`, what `trl show NAME` prints, or with `of` `trl show NAME OF`; `changed` leaves
///   defaults out trl/plan     what `trl plan NAME OF --cost` prints, and the stages with the rows and seeds
///   that use each
/// A file with errors gives its diagnostics in `err`, and nothing else.
class Page {
 public:
  explicit Page(const std::string& version);

  /// Takes a message and returns those that answer it.
  std::vector<std::string> receive(std::string_view message);
  /// Checks what has changed and returns the diagnostics that are to be published. Called when no message
  /// waits.
  std::vector<std::string> settle();

 private:
  std::vector<std::string> sent_;
  std::unique_ptr<language_server::Server> server_;
};

}  // namespace trl::page
