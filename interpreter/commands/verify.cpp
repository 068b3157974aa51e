// `trl verify`: shows one candidate's verdict step by step, or one line for each of several candidates.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/contract/protocol_options.hpp"
#include "base/contract/reasons.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/subjects.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using contract::Examined;
using contract::Step;
using nlohmann::json;
namespace fs = std::filesystem;

struct VerifyCommand : SubjectOptions {
  std::vector<std::string> candidates;
  std::string rows, run;
  int parallel = 0;
  bool as_json = false;
};

struct Marks {
  const char *passed, *failed, *skipped;
};
constexpr Marks unicode = {"✓", "✗", "–"}, ascii = {"ok  ", "FAIL", "-   "};

std::string launches_text(const Examined& verdict) {
  return fmt::format("{} launch{}", verdict.launches, verdict.launches == 1 ? "" : "es");
}

std::string times_text(const Examined& verdict) {
  return fmt::format("{:.2f} us, reference {:.2f} us, {:.2f} times as fast{}", verdict.time_us.value(),
                     verdict.reference_us.value(), verdict.speedup, verdict.modelled ? ", modelled" : "");
}

void show_step(const Step& step, const Examined& verdict, const Marks& marks, const Paint& paint,
               std::ostream& out) {
  const auto stage = terminal_safe(step.stage), variation = terminal_safe(step.variation);
  const bool passed = step.outcome == Step::Outcome::passed, failed = step.outcome == Step::Outcome::failed;
  std::string remark = terminal_safe(step.reason);
  if (passed && !remark.empty()) remark += ", allowed";
  if (passed && stage == "syntax" && verdict.launches > 0) remark = launches_text(verdict);
  if (passed && stage == "timed") remark = times_text(verdict);
  if (!failed && remark.empty()) remark = terminal_safe(step.message);
  if (!step.evidence)
    remark += std::string(remark.empty() ? "" : ", ") + "no evidence: a trivial answer passes it as well";
  std::string line = fmt::format("{:<8} {:<14} {}", stage, variation == "tiny" ? "" : variation, remark);
  if (stage == "timed") line = fmt::format("{:<8} {}", stage, remark);
  line.erase(line.find_last_not_of(' ') + 1);
  const char* mark = passed ? marks.passed : failed ? marks.failed : marks.skipped;
  out << "  " << paint(passed ? green : failed ? red : dim, mark) << ' ' << line << '\n';
}

void show_launches(const Step& step, std::ostream& out) {
  if (step.launches.empty()) return;
  out << "\nlaunched\n";
  for (const contract::Launch& launch : step.launches) {
    std::string text = fmt::format("  {}, grid [{}, {}, {}]", terminal_safe(launch.kernel), launch.grid.at(0),
                                   launch.grid.at(1), launch.grid.at(2));
    if (launch.num_warps > 0) text += fmt::format(", {} warps", launch.num_warps);
    if (launch.line > 0) text += fmt::format(", line {}", launch.line);
    out << wrapped(text, 4) << '\n';
  }
}

void show_failure(const Step& step, const Subject& subject, const Paint& paint, std::ostream& out) {
  std::string head = terminal_safe(step.reason);
  if (!step.variation.empty()) head += ", on " + terminal_safe(step.variation);
  if (step.line > 0) head += fmt::format(", line {}", step.line);
  out << '\n' << paint(bold, head) << '\n';
  if (!step.message.empty()) out << wrapped("  " + terminal_safe(step.message), 2) << '\n';
  if (step.line > 0) {
    out << '\n';
    show_excerpt(subject.answer, step.line, paint, out);
  }
  show_launches(step, out);
}

/// "12 of 13 value-dependent decisions were taken both ways; never: line 9 (comparison < -9)".
void show_paths(const Examined& verdict, std::ostream& out) {
  if (!verdict.paths) return;
  const auto paths = contract::Paths::read(*verdict.paths);
  if (paths.sites == 0) return;
  std::string text =
      fmt::format("{} of {} decisions by loaded values were taken both ways", paths.both, paths.sites);
  if (paths.directed > 0) text += fmt::format(", {} of them on inputs made for it", paths.directed);
  std::string separator = "; never: ";
  for (const auto& one : paths.one_sided)
    text += fmt::format("{}{}({})", std::exchange(separator, ", "),
                        one.line ? fmt::format("line {} ", *one.line) : "", terminal_safe(one.what));
  out << '\n' << wrapped(text, 0) << '\n';
}

/// Says that a right candidate relies on values that Triton's documents leave undefined.
void show_masked_loads(const Examined& verdict, std::ostream& out) {
  if (verdict.masked_without_other == 0) return;
  out << '\n'
      << wrapped(
             "note: the values depend on the lanes that a mask disables in a load without `other`; Triton's "
             "documents leave these undefined, its code for this GPU makes them 0",
             0)
      << '\n';
}

/// Shows the share of the work that the kernels do, if PyTorch may finish their results.
void show_kernel_share(const Examined& verdict, std::ostream& out) {
  if (!verdict.kernel_share) return;
  out << '\n'
      << wrapped(
             fmt::format("the answer's kernels do {:.1f} % of the task's work{}", 100 * *verdict.kernel_share,
                         *verdict.kernel_share < 1 ? ", and PyTorch the rest; an exam refuses that" : ""),
             0)
      << '\n';
}

/// Shows the verdict of KernelBench's protocol.
void show_kernelbench(const Examined& verdict, std::ostream& out) {
  if (!verdict.kernelbench) return;
  const auto& other = *verdict.kernelbench;
  out << '\n'
      << wrapped(other.correct.value_or(false)
                     ? "KernelBench's protocol accepts it"
                     : (other.correct ? "KernelBench's protocol refuses it: "
                                      : "KernelBench's protocol couldn't be asked of it here: ") +
                           terminal_safe(other.message),
                 0)
      << '\n';
}

/// If the program was refused but training may allow it, says so.
void show_framework_hint(const Examined& verdict, const Subject& subject, std::ostream& out) {
  if (verdict.reason != "framework_compute" || subject.spec.framework == contract::Framework::epilogue)
    return;
  out << '\n'
      << wrapped(
             "note: where PyTorch only finishes what a kernel computed, training with `framework = epilogue` "
             "allows "
             "it, which --epilogue tries here; no exam does",
             0)
      << '\n';
}

// Shows the candidate's computing time and its limit.
void show_budget(const Examined& verdict, std::ostream& out) {
  if (!verdict.budget) return;
  const auto& computing = verdict.budget->at("cpu_seconds");
  std::string steps;
  for (const auto& [work, seconds] : computing)
    if (work != "limit") steps += fmt::format("{}{} {:.2f} s", steps.empty() ? "" : ", ", work, seconds);
  if (!steps.empty())
    out << wrapped(fmt::format("computed {}; all may take {:g} s", steps, computing.at("limit")), 0) << '\n';
}

void show(const Examined& verdict, const Subject& subject, Console& console) {
  auto& out = console.out;
  const Paint paint{console.out_colour};
  const Marks& marks = console.unicode ? unicode : ascii;
  out << paint(bold, terminal_safe(subject.title)) << "\n\n";
  const Step* failed = nullptr;
  for (const Step& step : verdict.stages) {
    show_step(step, verdict, marks, paint, out);
    if (!failed && step.outcome == Step::Outcome::failed) failed = &step;
  }
  if (failed)
    show_failure(*failed, subject, paint, out);
  else if (!verdict.correct &&
           !verdict.message.empty())  // each step was passed, and the task says too little
    out << '\n' << wrapped(terminal_safe(verdict.message), 0) << '\n';
  show_paths(verdict, out);
  show_masked_loads(verdict, out);
  show_kernel_share(verdict, out);
  show_kernelbench(verdict, out);
  show_framework_hint(verdict, subject, out);
  out << '\n'
      << (verdict.correct ? paint(green, "correct") : paint(red, "not correct"))
      << (failed && verdict.values ? ": the values are right, the accesses to memory aren't" : "") << '\n';
  show_budget(verdict, out);
}

// Shows how to get the same inputs again, unless the secret belongs to a store.
void show_secret(const Subject& subject, Console& console) {
  if (!subject.of_store) console.out << "secret: " << subject.secret << "\n";
}

int verify_one(const Subject& subject, const VerifyCommand& options, Console& console) {
  const Interrupt interrupt;
  std::optional<Examined> verdict;
  ask_verifier(
      verification_of(subject, options), [&](const json& row) { verdict = Examined::read(row); }, interrupt);
  if (!verdict) throw UserError("trl-verify said nothing");
  if (options.as_json) {
    json row = verdict->write();
    if (!subject.of_store) row["secret"] = subject.secret;
    console.out << row.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  } else {
    show(*verdict, subject, console);
    show_secret(subject, console);
  }
  return verdict->correct ? fine : failed;
}

// One of many candidates' results, in a line.
std::string remark_on(const Examined& verdict) {
  if (!verdict.judged()) return terminal_safe("not judged: " + verdict.message);
  if (verdict.correct) return times_text(verdict);
  std::string text = verdict.reason + " at " + verdict.failed;
  if (!verdict.variation.empty() && verdict.variation != verdict.failed) text += ", " + verdict.variation;
  if (verdict.line > 0) text += fmt::format(", line {}", verdict.line);
  return terminal_safe(text);
}

// Prints many candidates' verdicts in order, each as soon as all verdicts before it are known.
class Listing {
 public:
  Listing(const FoundSubjects& found, bool as_json, Console& console)
      : found_(found),
        subjects_(found.subjects),
        as_json_(as_json),
        console_(console),
        verdicts_(subjects_.size()),
        progress_(console.err, style_of_stderr(), steady_seconds()) {
    for (std::size_t i = 0; i < subjects_.size(); ++i)
      if (subjects_[i].unjudged.empty()) {
        asked_.push_back(i);
      } else {
        verdicts_[i].emplace();
        verdicts_[i]->number = i;
        verdicts_[i]->reason = contract::not_judged, verdicts_[i]->message = subjects_[i].unjudged;
      }
    progress_.begin(1, 1, "verify");
    show_known();
  }

  /// Returns the candidates that must be judged, in order.
  std::vector<Subject> asked() const {
    std::vector<Subject> out;
    for (const std::size_t i : asked_) out.push_back(subjects_[i]);
    return out;
  }

  /// Takes a verdict, whose number is the number of a candidate in `asked`.
  void take(const json& row) {
    const auto verdict = Examined::read(row);
    if (!verdict.number) throw UserError("trl-verify did not say which candidate it found something of");
    const std::size_t at = asked_.at(*verdict.number);
    verdicts_.at(at) = verdict;
    verdicts_[at]->number = at;
    ++known_;
    show_known();
    progress_.update(static_cast<std::int64_t>(known_), static_cast<std::int64_t>(asked_.size()),
                     "candidates");
  }

  int finish() {
    progress_.clear();
    if (shown_ < subjects_.size()) throw UserError("trl-verify didn't give a verdict for every candidate");
    if (as_json_) {
      if (!found_.remark.empty()) console_.err << wrapped("trl: " + found_.remark, 5) << '\n';
    } else {
      summarise();
    }
    if (correct_ + unjudged_ < subjects_.size()) return failed;
    return unjudged_ + found_.absent > 0 ? not_all_judged : fine;
  }

 private:
  void show_known() {
    progress_.clear();
    for (; shown_ < verdicts_.size() && verdicts_[shown_]; ++shown_) show_next();
    console_.out.flush();
  }

  void show_next() {
    const Subject& subject = subjects_[shown_];
    const Examined& verdict = *verdicts_[shown_];
    const bool correct = verdict.correct;
    correct_ += correct;
    if (!verdict.judged())
      ++unjudged_;
    else if (!correct)
      ++reasons_[terminal_safe(verdict.reason)];
    if (as_json_) {
      json row = verdict.write();
      row["candidate"] = subject.name;
      row["task"] = id_of(subject.task);
      row["secret"] = subject.secret;
      console_.out << row.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
      return;
    }
    const Paint paint{console_.out_colour};
    const Marks& marks = console_.unicode ? unicode : ascii;
    console_.out << (!verdict.judged() ? paint(dim, marks.skipped)
                     : correct         ? paint(green, marks.passed)
                                       : paint(red, marks.failed))
                 << ' ' << terminal_safe(subject.title) << "\n    " << remark_on(verdict) << '\n';
  }

  void summarise() const {
    std::string text = fmt::format("{}: {} correct", counted(subjects_.size(), "candidate"), correct_);
    if (unjudged_ > 0) text += fmt::format(", {} not judged", unjudged_);
    if (const auto wrong = subjects_.size() - correct_ - unjudged_; wrong > 0)
      text += fmt::format(", {} not", wrong);
    std::vector<std::pair<std::string, std::size_t>> reasons(reasons_.begin(), reasons_.end());
    std::stable_sort(reasons.begin(), reasons.end(), [](auto& a, auto& b) { return a.second > b.second; });
    std::string all;
    for (const auto& [reason, count] : reasons)
      all += fmt::format("{}{} {}", all.empty() ? ": " : ", ", count, reason);
    console_.out << '\n' << wrapped(text + all, 2) << '\n';
    if (!found_.remark.empty()) {
      const auto asked = subjects_.size() + found_.absent;
      console_.out << wrapped(fmt::format("{}: then {} of {} are correct, {:.1f} %", found_.remark, correct_,
                                          asked,
                                          100.0 * static_cast<double>(correct_) / static_cast<double>(asked)),
                              2)
                   << '\n';
    }
    show_secret(subjects_.front(), console_);
  }

  const FoundSubjects& found_;
  const std::vector<Subject>& subjects_;
  std::vector<std::size_t> asked_;  // the numbers of the candidates that are judged
  bool as_json_;
  Console& console_;
  std::vector<std::optional<Examined>> verdicts_;
  Progress progress_;
  std::size_t known_ = 0, shown_ = 0, correct_ = 0, unjudged_ = 0;
  std::map<std::string, std::size_t> reasons_;
};

// A worker slot takes seconds to start and needs about a gigabyte.
std::size_t slots_for(std::size_t candidates, int wanted) {
  constexpr std::size_t worth_a_slot = 4, most = 8;
  if (wanted > 0) return static_cast<std::size_t>(wanted);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(candidates / worth_a_slot, 1, std::min(cores, most));
}

int verify_many(const FoundSubjects& found, const VerifyCommand& options, Console& console) {
  const Interrupt interrupt;
  Listing listing(found, options.as_json, console);
  if (const auto asked = listing.asked(); !asked.empty())
    ask_verifier(
        verification_of(asked, options, slots_for(asked.size(), options.parallel)),
        [&](const json& row) { listing.take(row); }, interrupt);
  return listing.finish();
}

int verify(VerifyCommand& options, Console& console) {
  try {
    for (const std::string& candidate : options.candidates)
      if (candidate.ends_with(".trl"))
        throw WrongUsage(
            terminal_safe(candidate) + " is a study, and no candidate",
            "`trl check FILE` checks a study; candidates are files of Python or CUDA, or IDs that "
            "`trl trace` lists.");
    if (options.candidates.empty() && options.rows.empty() && options.run.empty())
      throw WrongUsage("no candidates are named",
                       "Name files, folders, --rows FILE.jsonl, or --runs runs/NAME.");
    if (!options.run.empty() && !options.task.empty())
      throw WrongUsage("the answers of a run name their tasks themselves", "Leave out --task, or --runs.");
    const bool alone = options.candidates.size() == 1 && options.rows.empty() && options.run.empty();
    if (alone) options.candidate = options.candidates.front();
    if (alone && (options.candidate == "-" || names_stored(options)))
      return verify_one(find_subject(options, console), options, console);
    const auto found = find_subjects({options.candidates, options.rows, options.run}, options, console);
    const Subject& first = found.subjects.front();
    if (!alone || fs::is_directory(options.candidate)) return verify_many(found, options, console);
    if (!first.unjudged.empty())
      throw WrongUsage("answers to the task " + id_of(first.task) + " can't be judged: " + first.unjudged);
    return verify_one(first, options, console);
  } catch (const WrongUsage&) {
    throw;
  } catch (const UserError& error) {
    // Exit status 1 is reserved for candidates that are not correct.
    throw WrongUsage(error.what(), error.help);
  }
}

}  // namespace

void add_verify(Command trl, Console& console, int& status) {
  auto options = std::make_shared<VerifyCommand>();
  auto command =
      trl.add_command("verify", "Verify candidates as an exam does: one step by step, many with a line each");
  command
      .add_option(
          "CANDIDATE", options->candidates,
          "Python or CUDA files, or texts with a fenced code block; folders of *.py, *.cu and *.md; - for "
          "standard input; or a candidate's ID as `trl trace` lists it")
      .type_name("");
  command
      .add_option("--rows", options->rows,
                  R"(Candidates as lines of JSON, {"task": "level1/7", "answer": "…"}; - for standard input)")
      .type_name("FILE.jsonl");
  command
      .add_option(
          "--runs", options->run,
          "The folder of a run of KernelBench, whose answers are level_1_problem_7_sample_0_kernel.py; "
          "tasks are those of --suite-file, or of the checkout in which it lies")
      .type_name("runs/NAME");
  add_task(command, *options);
  add_secret(command, *options);
  command
      .add_option("--parallel", options->parallel,
                  "How many candidates are verified at once; by default the number of cores decides")
      .type_name("N");
  command.add_flag("--tolerant", options->tolerant,
                   "Accept memory errors if values are right, as training does");
  command.add_flag("--epilogue", options->epilogue,
                   "Let PyTorch finish what kernels computed, as training with `framework = epilogue` does");
  command
      .add_option(
          "--precision", options->precision,
          "The lowest precision in which a right answer may compute: the task's own, tf32 for factors of "
          "products, half for any value")
      .one_of({"task", "tf32", "half"});
  command.add_flag("--kernelbench", options->also_by_kernelbench,
                   "Say what KernelBench's protocol says, too, of tasks that are its files (--suite-file)");
  command.add_flag("--json", options->as_json, "Verdicts with every step as JSON, a line for each");
  add_verification(command, *options);
  add_examples(command,
               "  trl verify candidate.py --task level1/7\n"
               "  trl verify relu.cu --task level1/1 --kernel-times measured\n"
               "  trl verify answers/ --task level1/1\n"
               "  trl verify partial_sums.py --task level1/7 --epilogue\n"
               "  trl verify level1/7/a.py level1/relu/b.py     their folders name the tasks\n"
               "  trl verify --rows answers.jsonl --json\n"
               "  trl verify --runs KernelBench/runs/NAME --kernelbench\n"
               "  trl verify answer.txt --task my_norm --suite-file mine.trl\n"
               "  trl verify 3fa2c1d09e.17",
               "0 all correct, 1 some are not, 2 wrong usage or no verdict,\n"
               "3 none is wrong, but some are absent or can't be judged");
  command.callback([options, &console, &status] { status = verify(*options, console); });
}

}  // namespace trl::interpreter
