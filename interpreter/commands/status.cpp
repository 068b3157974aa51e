// `trl status`: shows which stages are done, running and missing, once or repeatedly.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "interpreter/commands/console.hpp"
#include "interpreter/commands/live.hpp"
#include "interpreter/live/text_curves.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/study_status.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

struct StatusCommand {
  ProgramOptions program;
  LiveOption live;
  bool as_json = false, watch = false;
};

constexpr std::size_t most_missing = 10;
constexpr int events_shown = 5;

/// {"experiments": […], "running": each process that uses the store, with its progress, "events": […]}.
json status_json(std::vector<StudyStatus>& studies, const Store& store, const std::vector<StoreUser>& users) {
  json experiments = json::array(), events = json::array();
  for (auto& study : studies) experiments.push_back(study.look(store));
  if (const auto index = Index::open_to_read(store.root() / "index.sqlite"))
    for (const auto& event : index->last_events(events_shown))
      events.push_back({{"time", event.time}, {"text", event.text}});
  return {{"experiments", experiments}, {"running", running_json(store.root(), users)}, {"events", events}};
}

/// Returns the progress of a running stage as text. With `ends`, the text includes the forecast of the end of
/// its run.
std::string progress_text(const json& progress, bool ends) {
  std::string text = fmt::format("  {} of {}  {}", progress.at("number").get<int>(),
                                 progress.at("total").get<int>(), progress.at("stage").get<std::string>());
  if (const auto where = progress.value("where", std::string()); !where.empty()) text += " on " + where;
  if (!progress.at("waiting").is_null())
    return text + ": waiting for " + progress["waiting"].get<std::string>();
  if (!progress.at("all").is_null())
    text += fmt::format(": {} of {} {}", progress["done"].get<std::int64_t>(),
                        progress["all"].get<std::int64_t>(),
                        progress["unit"].is_null() ? "" : progress["unit"].get<std::string>());
  if (!progress.at("left").is_null()) text += ", " + duration_text(progress["left"]) + " left";
  if (const auto metrics = metrics_text(progress.at("metrics")); !metrics.empty()) text += ", " + metrics;
  if (ends && !progress.at("run_left").is_null())
    text += "; the run ends in about " + duration_text(progress["run_left"]);
  return text;
}

std::string status_text(const json& status, const std::vector<StoreUser>& users) {
  std::string text;
  for (const auto& experiment : status.at("experiments")) {
    const auto& to_do = experiment.at("to_do");
    text += fmt::format("{}: {} of {} stages are done", experiment["experiment"].get<std::string>(),
                        experiment["done"].get<int>(), experiment["total"].get<int>());
    if (const auto& left = experiment["seconds_left"]; left.is_number() && !to_do.empty())
      text += ", about " + duration_text(left) + " to go by those";
    text += '\n';
    for (std::size_t i = 0; i < to_do.size() && i < most_missing; ++i)
      text += "  to do  " + to_do[i].get<std::string>() + "\n";
    if (to_do.size() > most_missing) text += fmt::format("  and {} more\n", to_do.size() - most_missing);
    for (const auto& damaged : experiment.at("damaged"))
      text += wrapped("  damaged  " + damaged["stage"].get<std::string>() + ": " +
                          damaged["how"].get<std::string>() + "; `trl run` makes it again",
                      11) +
              "\n";
  }
  for (std::size_t i = 0; i < users.size(); ++i) {
    text += wrapped("running: " + holder_text(users[i].holder), 2) + "\n";
    const auto& progress = status.at("running").at(i).at("progress");
    if (progress.is_null()) continue;
    // With several running stages, the forecast of the run's end is shown only once.
    const auto stages = progress.value("running", json::array({progress}));
    for (std::size_t s = 0; s < stages.size(); ++s)
      text += wrapped(progress_text(stages[s], s + 1 == stages.size()), 4) + "\n";
  }
  if (users.empty()) text += "nothing is running\n";
  for (const auto& event : status.at("events"))
    text += "  " + event["time"].get<std::string>() + "  " + event["text"].get<std::string>() + "\n";
  return text;
}

/// The curves of all studies as they are now.
std::string curves_now(LiveState& state, bool unicode) {
  state.look();
  std::string text;
  for (const auto& study : state.studies()) {
    const auto curves = curves_text(study.series(state.running()), unicode);
    if (!curves.empty() && state.studies().size() > 1) text += study.plan().experiment + ":\n";
    text += curves;
  }
  return text;
}

/// Serves the page until a signal comes.
int serve_page(const StatusCommand& options, const Program& program, Console& console) {
  const Interrupt interrupt;
  const auto live = serve_live(options.live, program, options.program, console);
  pollfd signal{interrupt.descriptor(), POLLIN, 0};
  while (!interrupt.requested()) ::poll(&signal, 1, -1);
  live->end("`trl status --live` was stopped; the run itself goes on if there is one");
  return fine;
}

int show_status(const StatusCommand& options, Console& console) {
  if (options.live.wanted && (options.watch || options.as_json))
    throw WrongUsage("--live serves a page, and prints no status", "Leave --watch and --json out.");
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  if (options.live.wanted) return serve_page(options, *program, console);
  const auto watched = options.watch && !options.as_json ? live_state(*program, options.program) : nullptr;
  std::vector<StudyStatus> studies;
  for (const auto& job : program->jobs) studies.emplace_back(job.plan);
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  while (true) {
    const Store store(options.program.store);
    const auto users = store_users(store.root());
    const auto status = status_json(studies, store, users);
    if (options.as_json)
      // With --watch, each state is printed as one line.
      console.out << (options.watch ? status.dump() : status.dump(1)) << '\n';
    else
      console.out << (options.watch && terminal ? "\x1b[H\x1b[2J" : "") << status_text(status, users);
    if (watched) console.out << curves_now(*watched, console.unicode && terminal);
    console.out << std::flush;
    if (!options.watch || users.empty() || !console.out) return fine;
    std::this_thread::sleep_for(std::chrono::seconds(terminal || options.as_json ? 2 : 30));
  }
}

}  // namespace

void add_status(Command trl, Console& console, int& status) {
  auto options = std::make_shared<StatusCommand>();
  auto command = trl.add_command("status", "Show what is done, running and missing");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  command.add_flag("--watch", options->watch,
                   "Show it again every two seconds, with the curves of training, until nothing is running");
  add_live(command, options->live,
           "Serve a page instead, on which browsers of this machine can watch a run that goes on, until "
           "Ctrl-C");
  command.add_flag("--json", options->as_json, "The same as JSON; with --watch one line each time");
  add_examples(command,
               "  trl status experiments/ablation.trl\n  trl status experiments/ablation.trl --watch\n"
               "  trl status experiments/ablation.trl --live\n"
               "  trl status experiments/ablation.trl --json --watch | jq .running[].progress");
  command.callback([options, &console, &status] { status = show_status(*options, console); });
}

}  // namespace trl::interpreter
