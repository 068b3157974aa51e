// `trl doctor`: lists what this machine has, what it lacks, and how to change that.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/doctor/needs.hpp"
#include "interpreter/doctor/nodes.hpp"
#include "interpreter/doctor/probes.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/cluster.hpp"
#include "interpreter/scratch.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct DoctorCommand {
  ProgramOptions program;
  std::string device = "cpu", on;
  bool as_json = false;
};

constexpr std::size_t name_width = 18;

const char* mark_of(Finding::Outcome outcome, bool unicode) {
  switch (outcome) {
    case Finding::Outcome::fine:
      return unicode ? "✓" : "ok  ";
    case Finding::Outcome::note:
      return unicode ? "–" : "-   ";
    case Finding::Outcome::lacking:
      break;
  }
  return unicode ? "✗" : "FAIL";
}

void show(const Finding& finding, Console& console) {
  const Paint paint{console.out_colour};
  const char* colour = finding.outcome == Finding::Outcome::fine   ? green
                       : finding.outcome == Finding::Outcome::note ? dim
                                                                   : red;
  const std::size_t indent = 2 + (console.unicode ? 1 : 4) + 1 + name_width + 1;
  // The mark is printed separately, since wrapping must not count the bytes of its colour.
  const auto beside = [&](const std::string& text) {
    return wrapped(std::string(indent, ' ') + text, indent).substr(indent) + '\n';
  };
  console.out << "  " << paint(colour, mark_of(finding.outcome, console.unicode)) << ' '
              << padded(terminal_safe(finding.what), name_width) << ' '
              << beside(terminal_safe(finding.found));
  for (const auto& [label, text] : {std::pair{"needed: ", finding.needed}, {"remedy: ", finding.remedy}})
    if (!text.empty()) console.out << std::string(indent, ' ') << beside(label + terminal_safe(text));
}

/// Shows the findings for one experiment, or for all of them. Returns the number of lacking things.
std::size_t report(const std::string& title, const std::vector<Finding>& findings, Console& console) {
  console.out << Paint{console.out_colour}(bold, title) << '\n';
  for (const Finding& finding : findings) show(finding, console);
  const auto lacks = static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(), [](auto& f) { return f.outcome == Finding::Outcome::lacking; }));
  console.out << '\n'
              << (lacks == 0
                      ? "nothing that is needed is missing"
                      : fmt::format("{} thing{} that {} needed {} missing", lacks, lacks == 1 ? "" : "s",
                                    lacks == 1 ? "is" : "are", lacks == 1 ? "is" : "are"))
              << '\n';
  return lacks;
}

/// Finds what is missing on the nodes of a cluster. A node counts as having the store if it sees the store's
/// folder or, before that folder exists, the first existing folder above it.
std::vector<Finding> examine_nodes(const DoctorCommand& options) {
  const Interrupt interrupt;
  auto seen = std::filesystem::absolute(options.program.store);
  while (!std::filesystem::is_directory(seen)) seen = seen.parent_path();
  const Scratch scratch;
  Cluster cluster({options.on, find_home(), scratch.path() / "cluster.log",
                   seen / fmt::format(".trl-doctor-{}", ::getpid())},
                  interrupt);
  return findings_of(cluster.examined());
}

int doctor(const DoctorCommand& options, Console& console) {
  const ThisMachine machine(find_home());
  struct Examined {
    std::string experiment, title;
    std::vector<Finding> findings;
  };
  std::vector<Examined> all;
  if (!options.on.empty()) {
    all.push_back({"", "what the nodes of the cluster have", examine_nodes(options)});
  } else if (options.program.file.empty()) {
    Needs needs;
    needs.store = options.program.store;
    needs.gpu = options.device != "cpu";
    needs.timed = options.program.measured_times;
    all.push_back({"", "what experiments need here", examine(machine, needs)});
  } else {
    const auto program = load_program(options.program, console);
    if (!program) return failed;
    const Store store(options.program.store);
    for (const Job& job : program->jobs) {
      Needs needs = needs_of(program->document, job.plan, store, options.device);
      needs.store = options.program.store;
      all.push_back({needs.experiment, "what " + needs.experiment + " needs here", examine(machine, needs)});
    }
  }
  std::size_t lacks = 0;
  json written = json::array();
  for (const Examined& one : all) {
    for (const Finding& finding : one.findings) {
      if (!options.as_json) continue;
      lacks += finding.outcome == Finding::Outcome::lacking;
      written.push_back(to_json(finding));
      if (!one.experiment.empty()) written.back()["experiment"] = one.experiment;
    }
    if (options.as_json) continue;
    if (&one != &all.front()) console.out << '\n';
    lacks += report(one.title, one.findings, console);
  }
  if (options.as_json) console.out << written.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  return lacks == 0 ? fine : failed;
}

}  // namespace

void add_doctor(Command trl, Console& console, int& status) {
  auto options = std::make_shared<DoctorCommand>();
  auto command = trl.add_command(
      "doctor", "Show what experiments, or one, lack on this machine, and what to do about it");
  command.add_option("FILE", options->program.file, "A .trl file; by default what any experiment needs")
      .type_name("");
  add_name(command, options->program);
  add_sets(command, options->program.sets);
  add_store(command, options->program);
  add_device(command, options->device);
  add_kernel_times(command, options->program);
  add_on(command, options->on, "Ask every node of a Ray cluster instead");
  command.add_flag("--json", options->as_json, "Findings as JSON: what, outcome, found, needed, remedy");
  add_examples(
      command,
      "  trl doctor\n  trl doctor experiments/timed_kernels.trl --device cuda --kernel-times measured",
      "0 nothing that is needed is missing, 1 something is, 2 wrong usage");
  command.callback([options, &console, &status] { status = doctor(*options, console); });
}

}  // namespace trl::interpreter
