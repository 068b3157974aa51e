#include "interpreter/schedule/verifier_process.hpp"

#include <sstream>
#include <string>
#include <utility>

#include "base/support/child_process.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/schedule/worker_process.hpp"

namespace trl::interpreter {
using nlohmann::json;
namespace {

/// Returns the texts behind `error: ` and `help: ` in trl-verify's standard error.
std::pair<std::string, std::string> message_and_help(const std::string& errors) {
  std::istringstream in(errors);
  std::string message, help;
  for (std::string text; std::getline(in, text);) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (text.starts_with("error: ")) text.erase(0, 7);
    if (text.starts_with("  help: "))
      help = text.substr(8);
    else if (!text.empty())
      message += (message.empty() ? "" : "\n") + text;
  }
  return {message, help};
}

}  // namespace

std::filesystem::path find_verifier() { return find_program("trl-verify", "TRL_VERIFY"); }

void ask_verifier(const json& request, const std::function<void(const json&)>& row,
                  const Interrupt& interrupt) {
  ChildProcess verifier({find_verifier().string(), "--request"},
                        {.input = dumped(request), .dies_with_us = true});
  const auto next_line = [&] {
    constexpr std::size_t most_row = std::size_t{1} << 30;
    auto line = verifier.read_line(WaitLimit::until_readable(interrupt.descriptor()), most_row);
    if (interrupt.requested()) throw Interrupted();
    return line;
  };
  while (const auto line = next_line()) {
    const json answer = json::parse(*line, nullptr, false);
    if (!answer.is_object()) throw UserError("trl-verify answered what isn't JSON: " + line->substr(0, 200));
    row(answer);
  }
  const std::string errors = verifier.errors(std::size_t{1} << 20);
  const int status = verifier.wait();
  if (status == 0) return;
  const auto [message, help] = message_and_help(errors);
  if (!message.empty()) throw UserError(message, help);
  throw UserError("trl-verify " + how_it_ended(status));
}

}  // namespace trl::interpreter
