// `trl run`: checks the file, plans it, runs the stages that the store lacks, and reports.
#include <poll.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "base/contract/stages/kinds.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/live.hpp"
#include "interpreter/commands/row.hpp"
#include "interpreter/plan/hardware.hpp"
#include "interpreter/plan/seen_parts.hpp"
#include "interpreter/schedule/cluster.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/schedule/gpu_locks.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/progress_file.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/schedule/worker_seats.hpp"
#include "interpreter/wrap.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct RunCommand {
  ProgramOptions program;
  bool no_sandbox = false, wait = false, check_store = false, quiet = false;
  std::vector<std::string> only;
  int threads = 0, workers = 0, checkpoint_seconds = WorkerOptions().checkpoint_seconds;
  LiveOption live;
  std::string device, gpus;  ///< as the options give them; empty: not given
  std::string on;            ///< the address of the cluster on which stages run; empty: on this machine
};

/// The GPUs of this machine, and the number of them that the run uses; none for a run on the CPU.
struct WantedGpus {
  std::vector<VisibleGpu> there;
  std::size_t count = 0;
};

/// Throws WrongUsage for options that contradict each other, and UserError if there are too few GPUs.
WantedGpus gpus_of(RunCommand& options) {
  if (options.device == "cpu" && !options.gpus.empty())
    throw WrongUsage("--gpus counts GPUs, and --device cpu uses none", "Leave one of them out.");
  const bool on_gpus = options.device == "cuda" || !options.gpus.empty();
  options.device = on_gpus ? "cuda" : "cpu";
  if (!on_gpus || !options.on.empty()) return {};
  if (options.workers > 0)
    throw WrongUsage("--workers counts workers on the CPU; on GPUs there is one for each",
                     "Say --gpus N instead.");
  WantedGpus wanted{gpus_here(), 0};
  // Without nvidia-smi the worker may still find GPUs; if not, it reports what is missing.
  if (wanted.there.empty() && options.gpus.empty()) return {};
  wanted.count = wanted_gpus(wanted.there.size(), options.gpus.empty() ? "all" : options.gpus);
  return wanted;
}

/// Reserves GPUs for this run, of those that no other run has. Throws UserError if none is left, or fewer
/// than --gpus requests. A run without missing stages (`idle`) reserves none and doesn't fail.
ReservedGpus reserved(const WantedGpus& wanted, const RunCommand& options, bool idle, Console& console) {
  const auto folder = gpu_lock_folder();
  if (wanted.count == 0 || !folder || idle) {
    const auto& there = wanted.there;
    return {{there.begin(), there.begin() + static_cast<std::ptrdiff_t>(wanted.count)}, {}, {}};
  }
  auto taken = reserve_gpus(wanted.there, wanted.count, *folder);
  const bool counted = !options.gpus.empty() && options.gpus != "all";
  if (taken.gpus.empty() || (counted && taken.gpus.size() < wanted.count)) {
    const auto free = taken.gpus.size();
    throw UserError(
        fmt::format("{} free: {}",
                    free == 0   ? "no GPU is"
                    : free == 1 ? "only one GPU is"
                                : fmt::format("only {} GPUs are", free),
                    taken_text(taken.taken)),
        (free > 0 ? fmt::format("Write --gpus {}, or wait for the others. ", free)
                  : std::string(
                        "Wait until that process has ended, or list other GPUs in CUDA_VISIBLE_DEVICES. ")) +
            "With TRL_GPU_LOCKS= no run has a GPU for itself.");
  }
  if (!taken.taken.empty()) {
    std::string names;
    for (const auto& gpu : taken.gpus) names += (names.empty() ? "" : ", ") + gpu_name(gpu.entry);
    console.err << wrapped("trl: " + taken_text(taken.taken) + "; this run takes " + names, 5) << std::endl;
  }
  return taken;
}

/// Whether every stage is done, so that the run needs no worker.
bool all_is_done(const Program& program, const RunCommand& options, const Store& store) {
  return !options.check_store && std::all_of(program.jobs.begin(), program.jobs.end(), [&](const auto& job) {
    return plan_status(job.plan, store).missing.empty() &&
           damaged_stages(job.plan, store, Check::sizes).empty();
  });
}

std::vector<std::string> names_of(const Seats& seats) {
  std::vector<std::string> names;
  for (const auto& seat : seats.all()) names.push_back(seat.name);
  return names;
}

/// Makes the run's seats (seats.hpp) with their workers, each with its share of the cores.
WorkerSeats seats_of(const RunCommand& options, const std::vector<std::string>& gpus,
                     const StoreWriter& store, const Interrupt& interrupt) {
  const auto workers = static_cast<std::size_t>(std::max(1, options.workers));
  std::vector<std::string> names;
  for (const auto& gpu : gpus) names.push_back(gpu_name(gpu));
  auto seats = gpus.empty() ? seats_on_cpu(workers) : seats_on_gpus(names);
  const auto cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  const auto share = std::max<std::size_t>(1, cores / std::max(workers, gpus.size()));
  auto options_of = [&options, &store, gpus, seats, cores, share](std::size_t seat) {
    std::filesystem::remove(store.worker_log(seat));
    const bool on_gpu = seat < gpus.size();
    const bool all_cores = seats.size() > 1 && !gpus.empty() && seats[seat].offers == Need::cores;
    return WorkerOptions{
        .program = find_worker(),
        .log = store.worker_log(seat),
        .secret = store.secret(),
        .sandbox = !options.no_sandbox,
        .threads = options.threads > 0 ? options.threads : static_cast<int>(all_cores ? cores : share),
        .device = gpus.empty() || on_gpu ? options.device : "cpu",
        .checkpoint_seconds = options.checkpoint_seconds,
        .place = seats[seat].name,
        .environment = on_gpu ? std::vector<std::string>{"CUDA_VISIBLE_DEVICES=" + gpus[seat]}
                              : std::vector<std::string>{}};
  };
  return WorkerSeats(std::move(seats), std::move(options_of), interrupt);
}

/// The cluster that the user names, or the project's cluster; nothing if stages run on this machine.
std::unique_ptr<Cluster> cluster_of(const RunCommand& options, const StoreWriter& store,
                                    const Interrupt& interrupt) {
  if (options.on.empty()) return nullptr;
  const auto log = store.root() / "cluster.log";
  std::filesystem::remove(log);
  return std::make_unique<Cluster>(ClusterOptions{options.on, find_home(), log,
                                                  std::filesystem::absolute(store.root()) /
                                                      fmt::format("tmp-run{}-cluster", store.number())},
                                   interrupt);
}

/// Makes the seats of a run on a cluster. Stages that send requests to a server run on this machine, which
/// has the server's key.
WorkerSeats seats_of(const RunCommand& options, Cluster& cluster, const StoreWriter& store,
                     const Interrupt& interrupt) {
  ClusterShares wanted{0, static_cast<std::size_t>(options.workers), options.threads};
  const bool on_gpus = options.device == "cuda";
  const bool all = on_gpus && (options.gpus.empty() || options.gpus == "all");
  if (on_gpus && !all) wanted.gpus = std::stoul(options.gpus);
  const auto shares = shares_of(cluster.nodes(), wanted, all);
  auto seats = seats_on_cluster(shares.gpus, shares.workers);
  auto options_of = [&options, &store, &cluster, seats, shares](std::size_t seat) {
    const bool on_gpu = seats[seat].offers == Need::gpu;
    WorkerOptions made{.program = find_worker(),
                       .log = seats[seat].on_cluster ? store.root() / "cluster.log" : store.worker_log(seat),
                       .secret = store.secret(),
                       .sandbox = !options.no_sandbox,
                       .threads = on_gpu ? 1 : shares.threads,
                       .device = on_gpu && shares.gpus > 0 ? "cuda" : "cpu",
                       .checkpoint_seconds = options.checkpoint_seconds,
                       .place = seats[seat].name};
    if (seats[seat].on_cluster)
      made.connect = [&cluster, needs = SeatNeeds{made.threads, on_gpu ? 1 : 0}] {
        return cluster.connect(needs);
      };
    return made;
  };
  return WorkerSeats(std::move(seats), std::move(options_of), interrupt);
}

/// Returns the options with which this run opens the store: what `trl status` shows about it, and that the
/// user can interrupt the waiting.
AccessOptions access_of(const RunCommand& options, const Interrupt& interrupt) {
  AccessOptions access;
  access.details["file"] = options.program.file;
  access.details["name"] = options.program.label.name;
  access.details["tags"] = tags_text(options.program.label);
  access.pause = [&interrupt] {
    if (interrupt.requested()) throw Interrupted();
  };
  return access;
}

/// Moves a damaged result to damaged/, so that the stage is run again. If another run uses the store, it may
/// have moved the result already, or may do so at the same time.
void put_aside_damaged(const Stage& stage, const std::string& how, StoreWriter& store,
                       const Interrupt& interrupt, Console& console) {
  const bool others = store.has_others();
  auto claim = store.claim(stage);
  while (!claim) {
    pollfd stop{interrupt.descriptor(), POLLIN, 0};
    if (::poll(&stop, 1, 100) > 0) throw Interrupted();
    claim = store.claim(stage);
  }
  store.forget(stage.key);
  if (others && !store.damage(stage.key, Check::contents)) return;
  const auto place = store.put_aside(stage.key);
  store.log("damaged: " + stage.slot + ": " + how);
  console.err << wrapped("trl: the result of " + stage.slot + " is damaged: " + how + "; it is moved to " +
                             place.string() + " and made again",
                         5)
              << std::endl;
}

/// Returns the plan with only the stages that the given rows need: "inputs", "inputs/seed 2"; without rows,
/// the whole plan. Throws WrongUsage if a name belongs to no row.
Plan part_of(Plan plan, const std::vector<std::string>& only) {
  if (only.empty()) return plan;
  std::set<std::string> needed;
  for (const auto& wanted : only)
    for (const auto* trace : traces_of_row(plan, wanted))
      for (const auto& [slot, key] : trace->slots) needed.insert(key);
  std::erase_if(plan.stages, [&](const Stage& stage) { return !needed.contains(stage.key); });
  return plan;
}

void announce(const json& document, const Plan& plan, const StoreWriter& store, const Seats& seats,
              const std::string& device, Console& console) {
  const auto [done, total, missing] = plan_status(plan, store);
  for (const auto& note : notes_for_people(plan)) console.err << wrapped("trl: " + note, 5) << '\n';
  if (plan.times_kernels && store.has_others())
    console.err
        << wrapped(
               "trl: other runs use this store; those that use this GPU disturb the kernel times that "
               "this run measures",
               5)
        << '\n';
  const auto here = this_machine(device);
  for (const auto& other : other_hardware(plan, store, here))
    console.err << wrapped("trl: " + sentence(other, here), 5) << '\n';
  std::vector<std::size_t> first;  // the seats of the first kind; the text names the other kinds after them
  const auto& all = seats.all();
  while (first.size() < all.size() && all[first.size()].offers == all.front().offers)
    first.push_back(first.size());
  auto text = fmt::format("trl: {}: {} stages{}, {}", plan.experiment, total,
                          all.size() > 1 && !missing.empty() ? " on " + seats_text(all, first) : "",
                          missing.empty() ? "all done" : std::to_string(done) + " done");
  if (const auto seconds =
          missing.empty() ? std::nullopt : seconds_on(seats, plan, Forecast(plan, store), missing))
    text += ", about " + duration_text(*seconds) + " to go by those";
  else if (!missing.empty())
    text += "; " + without_forecast(document, plan, store);
  console.err << wrapped(text, 5) << std::endl;
}

/// Runs a job's missing stages, and stages whose results turn out to be damaged when they are read. A stage
/// is run again only once for this: if its result were damaged again each time, the run would never end.
/// Returns nothing if only some rows were run and others are missing.
std::optional<Report> carried_out(const Job& job, const Plan& plan, const Program& program,
                                  const RunCommand& options, StoreWriter& store, Seats& seats,
                                  Progress& progress, const Progress::Clock& clock,
                                  const Interrupt& interrupt, Console& console) {
  const auto check = options.check_store ? Check::contents : Check::sizes;
  for (const auto& [stage, how] : damaged_stages(job.plan, store, check))
    put_aside_damaged(*stage, how, store, interrupt, console);
  if (!options.quiet) announce(program.document, plan, store, seats, options.device, console);
  for (std::set<std::string> made_anew;;) {
    try {
      carry_out(
          plan, store, seats, progress, [&] { return interrupt.requested(); }, clock);
      if (plan.stages.size() < job.plan.stages.size() && !plan_status(job.plan, store).missing.empty())
        return std::nullopt;
      return make_report(job.request, program.document, job.plan, store, options.program.sets,
                         options.program.font_of_pdf());
    } catch (const DamagedResult& damage) {
      progress.clear();
      const Stage* stage = job.plan.find(damage.key);
      if (!stage || !made_anew.insert(damage.key).second) throw;
      put_aside_damaged(*stage, damage.how, store, interrupt, console);
    }
  }
}

/// Writes the report, and prints the end of a run on one page: the tables, the findings, and the paths of the
/// report's files. If `quiet`, prints only the report's path and warnings.
void show_report(const Report& report, const std::filesystem::path& folder, bool quiet, Console& console) {
  const auto written = write_report(report, folder);
  if (!quiet) {
    console.out << report.tables << report.findings << '\n';
    for (const auto& table : written) console.out << "table:  " << table.string() << '\n';
  }
  console.out << "report: " << (folder / "report.html").string() << std::endl;
  show_warnings(report, console);
}

/// Returns, as the rest of a sentence, from what an unfinished stage goes on: its checkpoint, or the answers
/// that it has; empty if there is no such stage.
std::string unfinished_text(const Program& program, const Store& store) {
  for (const auto& job : program.jobs)
    for (const auto& stage : job.plan.stages)
      if (contract::keeps_checkpoints(stage.kind) && !store.has(stage.key) &&
          std::filesystem::exists(store.checkpoint_folder(stage.key)))
        return contract::samples_answers(stage.kind)
                   ? ", and the one that was asking a server goes on with the answers that it has"
                   : ", and the one that was training goes on from its checkpoint";
  return {};
}

std::string stopped(const Program& program, const Store& store, const ProgramOptions& options) {
  int done = 0, total = 0;
  for (const auto& job : program.jobs) {
    const auto now = plan_status(job.plan, store);
    done += now.done, total += now.total;
  }
  return "trl: stopped; " + std::to_string(done) + " of " + std::to_string(total) + " stages are done" +
         unfinished_text(program, store) + ". Go on with: " + go_on_with(options);
}

int run(RunCommand options, Console& console) {
  check_label(options.program.label);
  const auto wanted = gpus_of(options);
  const auto program = load_program(options.program, console, /*assess_tasks=*/true);
  if (!program) return failed;
  check_lock(options.program, *program, console);

  std::vector<Plan> plans;  // the plans of the requested rows
  for (const auto& job : program->jobs) {
    job.plan.require_all();
    plans.push_back(part_of(job.plan, options.only));
  }
  // The folders of reports are made before the work, so that the command fails at once if a report can't be
  // written.
  for (const auto& job : program->jobs) {
    const auto folder = report_folder(options.program, job.plan);
    make_report_folder(folder);
    if (options.program.label.empty()) continue;
    auto label = options.program.label;
    label.sets = options.program.sets;
    write_label(label, folder);
  }
  const Interrupt interrupt;
  auto access = access_of(options, interrupt);
  if (options.wait) access.wait = waiting_for_store(interrupt, console);
  StoreWriter store(options.program.store, {}, std::move(access));
  for (const auto& notice : store.notices()) console.err << wrapped("trl: " + notice, 5) << std::endl;
  const auto reservation = reserved(wanted, options, all_is_done(*program, options, store), console);
  std::vector<std::string> gpus;
  for (const auto& gpu : reservation.gpus) gpus.push_back(gpu.entry);
  const auto cluster = cluster_of(options, store, interrupt);
  auto seats =
      cluster ? seats_of(options, *cluster, store, interrupt) : seats_of(options, gpus, store, interrupt);
  const auto clock = steady_seconds();
  auto style = style_of_stderr();
  style.quiet = options.quiet;
  Progress progress(console.err, style, clock);
  const ProgressFile file(store.root(), store.number());
  progress.observe([&](const ProgressSnapshot& snapshot) { file.write(snapshot); });
  if (seats.all().size() > 1) progress.seats(names_of(seats));
  const auto live = serve_live(options.live, *program, options.program, console);
  const auto tell_end = [&](const std::string& how) {
    if (live) live->end(how);
  };
  try {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const auto& job = program->jobs[i];
      const auto report =
          carried_out(job, plans[i], *program, options, store, seats, progress, clock, interrupt, console);
      if (!report) {
        const auto now = plan_status(job.plan, store);
        console.out << wrapped(fmt::format("{}: {} of {} stages are done; its tables come once all are: {}. "
                                           "A first table of fewer "
                                           "rows, which later seeds are added to: --set '{}.seeds=[1]'",
                                           job.plan.experiment, now.done, now.total,
                                           go_on_with(options.program), job.plan.experiment),
                               2)
                    << std::endl;
        continue;
      }
      show_report(*report, report_folder(options.program, job.plan), options.quiet, console);
      for (const auto& stage : job.plan.stages)
        if (stage.kind == "pretrain")
          console.out << "model: " << store.folder(stage.key).string() << std::endl;
    }
  } catch (const Interrupted&) {
    const auto how = stopped(*program, store, options.program);
    progress.say(how);
    tell_end(how.substr(how.find("stopped")));
    return interrupted;
  } catch (const std::exception& error) {
    progress.clear();
    tell_end(std::string("it failed: ") + error.what());
    throw;
  }
  tell_end("what was to be done is done, and the reports are written");
  return fine;
}

}  // namespace

void add_run(Command trl, Console& console, int& status) {
  auto options = std::make_shared<RunCommand>();
  auto command = trl.add_command("run", "Run the missing stages of an experiment and write its tables");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  add_pdf(command, options->program);
  add_run_name(command, options->program.label);
  add_tags(command, options->program.label,
           "A word for the run, kept beside its report for `trl results list`. May be repeated");
  add_update_lock(command, options->program);
  command
      .add_option(
          "--only", options->only,
          "Run what this row needs and no more: --only inputs, or one seed of it, --only \"inputs/seed 2\". "
          "May be repeated")
      .type_name("ROW")
      .repeatable();
  add_live(command, options->live, "Serve a page on which browsers of this machine can watch the run");
  command.add_flag("-q,--quiet", options->quiet,
                   "Show errors, warnings and where the report is, and nothing else");
  command.add_flag("--no-sandbox", options->no_sandbox,
                   "Run candidates' Python without a sandbox, on machines that allow none");
  command.add_flag("--wait", options->wait, "Wait while `trl gc` has the store for itself");
  command.add_flag("--check-store", options->check_store,
                   "Compare all stored results with their digests first, and make damaged ones again. By "
                   "default only those that are read are compared");
  command
      .add_option("--threads", options->threads,
                  "Threads of each worker; by default the cores, divided among the workers")
      .within(1, 1024);
  command
      .add_option(
          "--checkpoint-every", options->checkpoint_seconds,
          "Seconds of training between two checkpoints, from which a stage goes on if it is stopped or "
          "killed; 0 writes one after each step, for machines that may be taken away at any moment")
      .type_name("SECONDS")
      .within(0, 86400)
      .show_default();
  add_device(command, options->device);
  add_gpus(command, options->gpus);
  command
      .add_option(
          "--workers", options->workers,
          "Workers on the CPU, which run independent stages at once and divide the cores; by default 1, "
          "which uses them all, and on a cluster as many as its nodes have room for")
      .within(1, 4096);
  add_on(command, options->on, "Run stages on a Ray cluster");
  add_examples(command,
               "  trl run experiments/ablation.trl                 what its tables name\n"
               "  trl run experiments/ablation.trl ablation_full   another experiment of it\n"
               "  trl run experiments/ablation.trl --set reinforce.rounds=1\n"
               "  trl run experiments/learning.trl --gpus 4        on four GPUs of this machine\n"
               "  trl run experiments/learning.trl --live          with a page to watch it\n"
               "  trl run experiments/learning.trl --on ray        on a Ray cluster\n"
               "If it is stopped or killed, the same command continues where it was, within a\n"
               "stage that trains at its last checkpoint. Ctrl-C lets training write one; a\n"
               "second Ctrl-C doesn't wait for it.",
               "0 done, 1 errors, 2 wrong usage, 130 stopped by Ctrl-C");
  command.callback([options, &console, &status] { status = run(*options, console); });
}

}  // namespace trl::interpreter
