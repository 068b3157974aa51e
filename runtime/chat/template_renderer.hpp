// Renders chat templates by jinja2, in a separate process.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "base/support/child_process.hpp"

namespace trl::runtime {

/// A template's text, and its file's name for error messages.
struct ChatTemplate {
  std::string source, file;
};

/// Renders templates as transformers does. A process (render.py, which has the settings and the limits)
/// renders; it is started at the first call of `render` and serves all later calls. If a template ends the
/// process, the next call starts a new one. May be used by several threads, which take turns.
class TemplateRenderer {
 public:
  /// Returns the template's text for `variables`. `today` (2024-07-26) is the date that strftime_now writes.
  /// Throws UserError:
  /// - with file and line when the template is wrong, fails, or calls raise_exception;
  /// - with the file when rendering takes more than 5 seconds of processor time or 1 GiB of memory, writes
  ///   more than 8 MiB, or gets a template or variables that aren't UTF-8;
  /// - when Python or its package jinja2 is missing.
  std::string render(const ChatTemplate& chat_template, const nlohmann::ordered_json& variables,
                     const std::string& today);

 private:
  void start();

  std::mutex mutex_;
  ChildProcess child_;
};

}  // namespace trl::runtime
