#include "interpreter/failpoint.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/support/error.hpp"

namespace trl::interpreter {
namespace {

struct Failpoint {
  std::string step, action;
  unsigned long passings = 1;
};

Failpoint from_environment() {
  const char* value = std::getenv("TRL_FAILPOINT");
  if (!value || !*value) return {};
  const std::string text = value;
  const auto equals = text.rfind('=');
  Failpoint wanted{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
  if (const auto colon = wanted.step.rfind(':'); colon != std::string::npos) {
    wanted.passings = std::strtoul(wanted.step.c_str() + colon + 1, nullptr, 10);
    wanted.step.resize(colon);
  }
  const bool known = wanted.action == "kill" || wanted.action == "stop" || wanted.action == "list";
  if (!known || wanted.passings == 0)
    throw UserError("TRL_FAILPOINT is \"" + text + "\", but this testing aid needs STEP:K=kill, stop or list",
                    "Unset the variable, unless you test trl itself.");
  return wanted;
}

}  // namespace

void failpoint(const char* step) {
  static Failpoint wanted = from_environment();
  if (wanted.step.empty() || (wanted.step != "*" && wanted.step != step)) return;
  if (wanted.action == "list")
    std::cerr << "step: " << step << std::endl;
  else if (--wanted.passings == 0)
    ::kill(::getpid(), wanted.action == "kill" ? SIGKILL : SIGSTOP);
}

}  // namespace trl::interpreter
