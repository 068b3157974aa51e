#include "runtime/chat/template_renderer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>

#include "base/support/home.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* script = "runtime/chat/render.py";
constexpr int most_seconds = 5;  // seconds of a processor's time for one text
// On a busy machine, a process gets only a part of a processor's time, so its answer may take longer than
// that.
constexpr std::chrono::seconds most_waiting(12 * most_seconds);

}  // namespace

void TemplateRenderer::start() {
  const fs::path home = find_home(script);
  if (home.empty() || !fs::exists(home / script))
    throw UserError(fmt::format("{} isn't beside trl-worker", script),
                    "set TRL_HOME to the folder that holds runtime/chat/");
  const std::string python = find_python(home).string();
  const char* const help =
      "chat templates need jinja2, which torch brings along: install it, or set TRL_PYTHON to a Python that "
      "has it";
  try {
    child_ = ChildProcess({python, "-B", "-s", (home / script).string(), std::to_string(most_seconds)});
  } catch (const StartError& error) {
    throw UserError(error.what(), help);
  }
  const auto greeting = child_.read_line(most_waiting);
  const auto said = ordered_json::parse(greeting.value_or(""), nullptr, false);
  if (said.is_object() && !said.contains("lacks")) return;
  const std::string errors = child_.errors(), ended = how_it_ended(child_.wait(std::chrono::seconds(1)));
  const std::string lacks =
      said.is_object() ? said.value("lacks", "") : fmt::format("it {}. {}", ended, errors);
  throw UserError(fmt::format("{} can't render chat templates: {}", python, lacks), help);
}

std::string TemplateRenderer::render(const ChatTemplate& chat_template, const ordered_json& variables,
                                     const std::string& today) {
  std::string request;
  try {
    request =
        ordered_json{{"template", chat_template.source}, {"variables", variables}, {"today", today}}.dump();
  } catch (const ordered_json::exception& error) {
    throw UserError(fmt::format("{}: the template or the conversation is no UTF-8: {}", chat_template.file,
                                error.what()));
  }
  const std::lock_guard lock(mutex_);
  if (!child_.alive()) start();
  const auto line = child_.write_line(request) ? child_.read_line(most_waiting) : std::nullopt;
  // The process's answer is hostile data, since a template may have escaped from jinja2's sandbox.
  const auto answer = ordered_json::parse(line.value_or(""), nullptr, false);
  const auto text = [&](const char* name) -> const std::string* {
    const auto found = answer.is_object() ? answer.find(name) : answer.end();
    return found == answer.end() ? nullptr : found->get_ptr<const std::string*>();
  };
  if (const auto* written = text("text")) return *written;
  if (const auto* mistake = text("error")) {
    const auto at = answer.find("line");
    const bool known = at != answer.end() && at->is_number_integer();
    throw UserError(
        fmt::format("{}:{} {}", chat_template.file, known ? at->dump() + ":" : std::string(), *mistake));
  }
  const int status = child_.wait(std::chrono::seconds(1));
  if (status == 128 + SIGXCPU || status == 128 + SIGKILL)
    throw UserError(
        fmt::format("{}: the template takes more than {} seconds", chat_template.file, most_seconds));
  throw UserError(fmt::format("{}: Python, which rendered it, {}", chat_template.file, how_it_ended(status)));
}

}  // namespace trl::runtime
