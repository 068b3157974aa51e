// Chat templates rendered by jinja2, in a process of their own.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "base/support/child_process.hpp"

namespace trl::runtime {

/// A template's text, and the file that errors name.
struct ChatTemplate {
  std::string source, file;
};

/// Renders templates as transformers does. Its process (render.py, which has the settings and the limits) is
/// started by the first template and serves all that follow; one that a template has ended is replaced. May
/// be used by several threads, which take turns.
class TemplateRenderer {
 public:
  /// The text for `variables`; `today` (2024-07-26) is the date of strftime_now. Throws UserError with file
  /// and line where the template is wrong, where it fails, and where it calls raise_exception; with the file
  /// when it takes more than 5 seconds of a processor or 1 GiB of memory or writes more than 8 MiB, and when
  /// it or the variables are no UTF-8; and where Python or its jinja2 is missing.
  std::string render(const ChatTemplate& chat_template, const nlohmann::ordered_json& variables,
                     const std::string& today);

 private:
  void start();

  std::mutex mutex_;
  ChildProcess child_;
};

}  // namespace trl::runtime
