// One candidate's verdict, step by step, with the reason.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/commands.hpp"
#include "interpreter/commands/subject.hpp"
#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/wrap.hpp"
#include "language/render.hpp"
#include "language/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

struct VerifyCommand : SubjectOptions {
  bool as_json = false;
};

struct Marks {
  const char *passed, *failed, *skipped;
};
constexpr Marks unicode = {"✓", "✗", "–"}, ascii = {"ok  ", "FAIL", "-   "};

std::string text_of(const json& row, const char* name) {
  return row.contains(name) && row[name].is_string() ? terminal_safe(row[name].get<std::string>()) : "";
}

std::string launches_text(const json& verdict) {
  const int launches = verdict.value("launches", 0);
  return fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
}

std::string times_text(const json& verdict) {
  return fmt::format("{:.2f} us, reference {:.2f} us, {:.2f} times as fast{}",
                     verdict.at("time_us").get<double>(), verdict.at("reference_us").get<double>(),
                     verdict.at("speedup").get<double>(),
                     verdict.value("modelled", true) ? ", modelled" : "");
}

void show_step(const json& step, const json& verdict, const Marks& marks, const Paint& paint,
               std::ostream& out) {
  const auto stage = text_of(step, "stage"), outcome = text_of(step, "outcome");
  const bool passed = outcome == "passed", failed = outcome == "failed";
  std::string remark = text_of(step, "reason");
  if (passed && !remark.empty()) remark += ", let pass";
  if (passed && stage == "syntax" && verdict.value("launches", 0) > 0) remark = launches_text(verdict);
  if (passed && stage == "timed") remark = times_text(verdict);
  std::string line =
      fmt::format("{:<8} {:<14} {}", stage, stage == "tiny" ? "" : text_of(step, "variation"), remark);
  if (stage == "timed") line = fmt::format("{:<8} {}", stage, remark);
  line.erase(line.find_last_not_of(' ') + 1);
  const char* mark = passed ? marks.passed : failed ? marks.failed : marks.skipped;
  out << "  " << paint(passed ? green : failed ? red : dim, mark) << ' ' << line << '\n';
}

void show_launches(const json& step, std::ostream& out) {
  if (step.at("launches").empty()) return;
  out << "\nlaunched\n";
  for (const json& launch : step.at("launches")) {
    const auto& grid = launch.at("grid");
    std::string text = fmt::format("  {}, grid [{}, {}, {}]", text_of(launch, "kernel"),
                                   grid.at(0).get<int>(), grid.at(1).get<int>(), grid.at(2).get<int>());
    if (launch.value("num_warps", 0) > 0) text += fmt::format(", {} warps", launch["num_warps"].get<int>());
    if (launch.value("line", 0) > 0) text += fmt::format(", line {}", launch["line"].get<int>());
    out << wrapped(text, 4) << '\n';
  }
}

void show_failure(const json& step, const Subject& subject, const Paint& paint, std::ostream& out) {
  const auto variation = text_of(step, "variation");
  const int line = step.at("line").is_number() ? step.at("line").get<int>() : 0;
  std::string head = text_of(step, "reason");
  if (!variation.empty()) head += ", on " + variation;
  if (line > 0) head += fmt::format(", line {}", line);
  out << '\n' << paint(bold, head) << '\n';
  if (const auto message = text_of(step, "message"); !message.empty())
    out << wrapped("  " + message, 2) << '\n';
  if (line > 0) {
    out << '\n';
    show_excerpt(subject.answer, line, paint, out);
  }
  show_launches(step, out);
}

void show(const json& verdict, const Subject& subject, Console& console) {
  auto& out = console.out;
  const Paint paint{console.out_colour};
  const Marks& marks = console.unicode ? unicode : ascii;
  out << paint(bold, terminal_safe(subject.title)) << "\n\n";
  const json* failed = nullptr;
  for (const json& step : verdict.at("stages")) {
    show_step(step, verdict, marks, paint, out);
    if (!failed && step.at("outcome") == "failed") failed = &step;
  }
  if (failed) show_failure(*failed, subject, paint, out);
  out << '\n'
      << (verdict.at("correct").get<bool>() ? paint(green, "correct") : paint(red, "not correct"))
      << (failed && verdict.at("values").get<bool>() ? ": the values are right, the accesses to memory aren't"
                                                     : "")
      << '\n';
}

int verify(const VerifyCommand& options, Console& console) {
  try {
    const Subject subject = find_subject(options, console);
    const Interrupt interrupt;
    json verdict;
    ask_verifier(
        verification_of(subject, options), [&](const json& row) { verdict = row; }, interrupt);
    if (!verdict.is_object()) throw UserError("trl-verify said nothing");
    if (options.as_json)
      console.out << verdict.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
    else
      show(verdict, subject, console);
    return verdict.at("correct").get<bool>() ? fine : failed;
  } catch (const WrongUsage&) {
    throw;
  } catch (const UserError& error) {
    // 1 says that a candidate is not correct.
    throw WrongUsage(error.what(), error.help);
  }
}

}  // namespace

void add_verify(CLI::App& trl, Console& console, int& status) {
  auto options = std::make_shared<VerifyCommand>();
  auto* command = trl.add_subcommand("verify", "Verify one candidate, step by step, as an exam does");
  add_subject(*command, *options);
  command->add_flag("--tolerant", options->tolerant,
                    "Memory errors don't fail values that are right, as in training");
  command->add_flag("--json", options->as_json, "The verdict with every step, for machines");
  add_verification(*command, *options);
  add_examples(*command,
               "  trl verify candidate.py --task level1/7\n"
               "  trl verify relu.cu --task level1/1 --kernel-times measured\n"
               "  trl verify answer.txt --task my_norm --suite-file mine.trl\n"
               "  trl verify 3fa2c1d09e.17",
               "0 correct, 1 not correct, 2 wrong usage or no verdict");
  command->callback([options, &console, &status] { status = verify(*options, console); });
}

}  // namespace trl::interpreter
