// Verifies generated answers as an exam does, and says how they fare by flaw.
//   answer-samples flaws 1 | verify-answers [--every N] [--flaw NAME] [--tolerant] [--verbose]
// With --tolerant memory errors don't fail right values, as in training without memory_checks.
// Exit status 1 when an honest answer, or one whose flaw only costs speed, is not correct.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "verifier/corpus/flaw.hpp"
#include "verifier/examination/verify.hpp"
#include "verifier/services/installation.hpp"

using namespace trl::runtime;

namespace {

bool only_slow(const std::string& flaw) {
  for (const FlawKind& kind : flaw_kinds())
    if (flaw == kind.name) return kind.only_slow;
  return flaw.empty();
}

}  // namespace

int main(int argc, char** argv) {
  int every = 1;
  bool verbose = false, strict = true;
  std::string wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--verbose") verbose = true;
    if (word == "--tolerant") strict = false;
    if (word == "--flaw" && i + 1 < argc) wanted = argv[++i];
    if (word == "--every" && i + 1 < argc) every = std::atoi(argv[++i]);
  }
  const Protocol protocol = Protocol::parse(
      {{"variations", {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)", "extreme"}},
       {"tiny", true},
       {"compile", "after_values"},
       {"strict", strict}});
  Verifier verifier(find_installation(), true);
  std::map<std::string, std::map<std::string, int>> outcomes;
  int failures = 0, number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::string flaw = row["flaw"];
    if ((!wanted.empty() && flaw != wanted) || number++ % every != 0) continue;
    const Task task = Task::parse(row["task"]);
    const Verdict verdict = verifier.verify(task, row["answer"], protocol, "verify-answers");
    const std::string outcome = verdict.correct
                                    ? "correct"
                                    : fmt::format("{}{}: {}{}", verdict.failed,
                                                  verdict.variation.empty() ? "" : " at " + verdict.variation,
                                                  verdict.reason, verdict.values ? " (values right)" : "");
    ++outcomes[flaw.empty() ? "honest" : flaw][outcome];
    const bool wrong = only_slow(flaw) && !verdict.correct;
    failures += wrong;
    if (wrong || verbose)
      fmt::print("{} row {} {} {}: {} {} (speed-up {:.2f})\n", wrong ? "WRONG" : "-", number, flaw, task.name,
                 outcome, verdict.message, verdict.speedup);
    std::fflush(stdout);
  }
  for (const auto& [flaw, by_outcome] : outcomes) {
    fmt::print("{}\n", flaw);
    for (const auto& [outcome, count] : by_outcome) fmt::print("  {:5} {}\n", count, outcome);
  }
  return failures ? 1 : 0;
}
