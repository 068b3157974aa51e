#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "base/support/counted.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/finished.hpp"
#include "interpreter/plan/hardware.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/plan/seen_parts.hpp"
#include "interpreter/plan/task_memory.hpp"
#include "interpreter/plan/why.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/schedule/scaling.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct PlanCommand {
  ProgramOptions program;
  std::string device = "cpu";
  std::vector<int> gpus;
  bool why = false, cost = false, as_json = false;
};

json plan_json(const Plan& plan, const Store& store, const Here& here) {
  json stages = json::array(), rows = json::array(), missing = json::array(), others = json::array();
  for (const auto& [what, remedy] : plan.missing) missing.push_back({{"what", what}, {"help", remedy}});
  for (const auto& stage : plan.stages)
    stages.push_back({{"key", stage.key},
                      {"kind", stage.kind},
                      {"slot", stage.slot},
                      {"implementation", stage.implementation},
                      {"spec", stage.spec},
                      {"inputs", stage.inputs},
                      {"done", store.has(stage.key) && !store.damage(stage.key, Check::sizes)}});
  for (const auto& row : plan.rows) {
    json chains = json::array();
    for (const auto& trace : row.traces) chains.push_back({{"seed", trace.seed}, {"stages", trace.slots}});
    rows.push_back(
        {{"row", row.label}, {"extensions", row.extensions}, {"same_as", row.same_as}, {"chains", chains}});
  }
  for (const auto& other : other_hardware(plan, store, here)) others.push_back(as_json(other));
  return {
      {"experiment", plan.experiment},
      {"notes", notes_for_people(plan)},
      {"other_hardware", others},
      {"task_memory", as_json(task_memory(plan, [&](const Stage& stage) { return store.has(stage.key); }))},
      {"missing", missing},
      {"rows", rows},
      {"stages", stages}};
}

/// Prints the plan, and a forecast of the remaining time from the times of earlier stages.
void show_summary(const json& document, const Plan& plan, const Store& store, std::ostream& out) {
  const auto is_done = [&](const Stage& stage) { return store.has(stage.key); };
  out << summary_text(plan, notes_for_people(plan), is_done);
  if (std::all_of(plan.stages.begin(), plan.stages.end(), is_done)) return;
  if (const auto text = sentence(task_memory(plan, is_done)); !text.empty())
    out << wrapped("  " + text, 2) << '\n';
  if (const auto seconds = Forecast(plan, store).seconds(plan_status(plan, store).missing))
    out << wrapped(
               fmt::format(
                   "  The missing ones take about {}, by the seconds and the work of those that are done.",
                   duration_text(*seconds)),
               2)
        << '\n';
  else
    out << wrapped("  No forecast: " + without_forecast(document, plan, store) + ".", 2) << '\n';
}

/// Returns the keys of stages in the last report. For such a stage that the store lacks, `reason_for` is "its
/// result is no longer in the store".
std::set<std::string> reported_keys(const std::filesystem::path& folder) {
  std::set<std::string> keys;
  std::error_code none;
  const auto file = folder / "provenance.json";
  if (!std::filesystem::exists(file, none)) return keys;
  const auto provenance = json::parse(read_text(file), nullptr, false);
  if (provenance.is_object() && provenance.contains("stages"))
    for (const auto& [key, stage] : provenance["stages"].items()) keys.insert(key);
  return keys;
}

void show_why(const Plan& plan, const Store& store, const std::filesystem::path& folder, std::ostream& out) {
  out << '\n';
  if (store.keys().empty()) {
    out << wrapped("  The store " + store.root().string() + " has no results yet: all " +
                       std::to_string(plan.stages.size()) + " stages are to be run.",
                   2)
        << '\n';
    return;
  }
  const auto reported = reported_keys(folder);
  Nearest nearest(store);
  // A reason why stages must be run. It often holds for the stages of many seeds and rows, and for all stages
  // that use their results.
  struct Cause {
    Reason reason;
    std::vector<const Stage*> stages;
    std::size_t following = 0;
  };
  std::vector<Cause> causes;
  std::map<std::string, std::size_t> cause_of;  // by the stage's key
  std::size_t done = 0;
  for (const auto& stage : plan.stages) {
    if (store.has(stage.key) && !store.damage(stage.key, Check::sizes)) {
      ++done;
      continue;
    }
    const bool lost = reported.contains(stage.key) && !std::filesystem::exists(store.folder(stage.key));
    auto reason = lost ? Reason{"its result is no longer in the store", {}, {}}
                       : reason_for(stage, plan, store, nearest);
    if (const auto root = cause_of.find(reason.follows); root != cause_of.end()) {
      cause_of[stage.key] = root->second;
      ++causes[root->second].following;
      continue;
    }
    const auto same = std::find_if(causes.begin(), causes.end(),
                                   [&](const Cause& cause) { return cause.reason.text == reason.text; });
    cause_of[stage.key] = static_cast<std::size_t>(same - causes.begin());
    if (same == causes.end())
      causes.push_back({std::move(reason), {&stage}, 0});
    else
      same->stages.push_back(&stage);
  }
  if (done > 0) out << "  done   " << counted(done, "stage") << '\n';
  constexpr std::size_t most = 3;
  for (const auto& [reason, stages, following] : causes) {
    std::string text;
    for (std::size_t i = 0; i < std::min(stages.size(), most); ++i)
      text += (text.empty() ? "" : ", ") + stages[i]->slot;
    if (stages.size() > most) text += fmt::format(" and {} more", stages.size() - most);
    text += ": " + reason.text;
    if (stages.size() == 1 && !reason.against.empty()) text += " (against " + reason.against + ")";
    if (following > 0)
      text += fmt::format("; with {} that {} what is made", counted(following, "stage"),
                          following == 1 ? "uses" : "use");
    out << wrapped("  to do  " + text, 9) << '\n';
  }
}

/// Shows which stored results were made on other hardware than the missing ones would be here.
void show_other_hardware(const Plan& plan, const Store& store, const Here& here, std::ostream& out) {
  for (const auto& other : other_hardware(plan, store, here))
    out << wrapped("  note: " + sentence(other, here), 4) << '\n';
}

/// Shows the results that `trl run` will move to damaged/.
void show_damaged(const Plan& plan, const Store& store, std::ostream& out) {
  for (const auto& [stage, how] : damaged_stages(plan, store, Check::sizes))
    out << wrapped("  damaged: " + stage->slot + ": " + how + "; `trl run` makes it again", 4) << '\n';
}

json cost_json(const Cost& cost) {
  json kinds = json::object();
  for (const auto& [kind, of] : cost.to_do) kinds[kind] = {{"stages", of.stages}, {"seconds", of.seconds}};
  return {{"modelled", true},
          {"to_do", kinds},
          {"seconds", cost.seconds},
          {"gpu_hours", cost.seconds * cost.gpus / 3600},
          {"done_seconds", cost.done_seconds},
          {"peak_bytes", cost.peak_bytes},
          {"spot_usd", cost.spot ? json(*cost.spot) : json()},
          {"on_demand_usd", cost.on_demand ? json(*cost.on_demand) : json()},
          {"assumed",
           {{"answers", cost.answers},
            {"answer_tokens", cost.answer_tokens},
            {"measured_answers", cost.answers_before},
            {"judged", cost.judged},
            {"core_seconds", cost.core_seconds},
            {"gpu_seconds", cost.gpu_seconds},
            {"measured_judged", cost.judged_before}}}};
}

json asking_json(const AskingCost& cost) {
  return {{"at_most", true},
          {"stages", cost.stages},
          {"requests", cost.requests},
          {"prompt_tokens", cost.prompt_tokens},
          {"answer_tokens", cost.answer_tokens},
          {"usd", cost.usd},
          {"requests_without_price", cost.unpriced}};
}

/// Returns the numbers of a list such as "1,2,4,8". Throws WrongUsage.
std::vector<int> numbers_of_gpus(const std::string& list) {
  constexpr int most = 4096;
  std::vector<int> numbers;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number < 1 || number > most) {
      numbers.clear();
      break;
    }
    numbers.push_back(number);
  }
  if (numbers.empty())
    throw WrongUsage("--gpus is `" + list + "`, and numbers of GPUs from 1 to 4096 are needed",
                     "Write --gpus 1,2,4,8.");
  return numbers;
}

int plan(const PlanCommand& options, Console& console) {
  const auto program = load_program(options.program, console, /*assess_tasks=*/true);
  if (!program) return failed;
  check_lock(options.program, *program, console);
  const Store store(options.program.store);
  const Here here = this_machine(options.device);
  json all = json::array();
  for (const auto& job : program->jobs) {
    if (options.as_json) {
      all.push_back(plan_json(job.plan, store, here));
      std::string why;
      if (const auto cost = cost_in(store, program->document, job.plan, why))
        all.back()["cost"] = cost_json(*cost);
      if (const auto asking = asking_cost(job.plan, finished_in(store)))
        all.back()["asking"] = asking_json(*asking);
      if (!options.gpus.empty())
        if (const auto scaling = scaling_of(program->document, job.plan, store, options.gpus, why))
          all.back()["gpus"] = scaling_json(*scaling);
      continue;
    }
    if (&job != &program->jobs.front()) console.out << '\n';
    show_summary(program->document, job.plan, store, console.out);
    show_damaged(job.plan, store, console.out);
    show_other_hardware(job.plan, store, here, console.out);
    if (options.cost) {
      std::string why;
      const auto asking = asking_cost(job.plan, finished_in(store));
      if (asking) console.out << cost_text(*asking);
      if (const auto cost = cost_in(store, program->document, job.plan, why))
        console.out << cost_text(*cost);
      else if (!asking)
        console.out << '\n' << wrapped("  no cost: " + why, 2) << '\n';
    }
    if (!options.gpus.empty()) {
      std::string why;
      const auto scaling = scaling_of(program->document, job.plan, store, options.gpus, why);
      console.out << (scaling ? scaling_text(*scaling) : "\n" + wrapped("  no simulation: " + why, 2) + "\n");
    }
    if (options.why) show_why(job.plan, store, report_folder(options.program, job.plan), console.out);
  }
  if (options.as_json) console.out << all.dump(1) << '\n';
  return fine;
}

}  // namespace

void add_plan(Command trl, Console& console, int& status) {
  auto options = std::make_shared<PlanCommand>();
  auto command = trl.add_command("plan", "Show the stages of an experiment, and which are done");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  add_update_lock(command, options->program);
  add_device(command, options->device);
  command.add_flag("--why", options->why,
                   "Say how the missing stages differ from the most similar ones in the store, by reason");
  command.add_flag("--cost", options->cost,
                   "Estimate time, GPU-hours and usd of the missing stages on the experiment's machine, and "
                   "its peak memory (modelled); of a server's model, requests, tokens and usd at most");
  command
      .add_option(
          "--gpus", [options](const std::string& list) { options->gpus = numbers_of_gpus(list); },
          "Simulate the run of the missing stages on these numbers of GPUs: time, GPU-hours and usd of each, "
          "up to which number adding GPUs pays, and what bounds it")
      .type_name("1,2,4,8");
  command.add_flag("--json", options->as_json, "All stages, keys and specs, as JSON");
  add_examples(command,
               "  trl plan experiments/ablation.trl\n  trl plan experiments/ablation.trl --why\n  trl plan "
               "experiments/replication.trl --cost\n  trl plan experiments/learning.trl --gpus 1,2,4,8");
  command.callback([options, &console, &status] { status = plan(*options, console); });
}

}  // namespace trl::interpreter
