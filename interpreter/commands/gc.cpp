// `trl gc`: deletes the results of a store that no file needs. They are shown first, moved away, removed from
// the index, and deleted.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/store/garbage.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

struct GcCommand {
  std::vector<std::string> files, sets, unclear;
  std::string store = project_folders().store;
  bool dry_run = false, yes = false, others = false, wait = false;
  bool leftovers = false, keep_nothing = false, verify = false;
};

constexpr std::size_t most_shown = 20;
constexpr int events_kept = 1000;

/// The key of the result in which a path lies, if it lies in the store.
std::string key_of(const fs::path& path, const fs::path& root) {
  const auto within = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(root / "stages"));
  auto part = within.begin();
  return within.empty() || *part == ".." || ++part == within.end() ? "" : part->string();
}

/// Adds everything that the experiments of a file need: their stages, and results that are used as models.
void add_needed(const std::string& file, const GcCommand& options, std::set<std::string>& needed,
                Console& console) {
  ProgramOptions program;
  program.file = file, program.sets = options.sets, program.store = options.store;
  program.every_experiment = true;
  const auto loaded = load_program(program, console);
  if (!loaded)
    throw UserError(file + " has errors, so the results that it needs are unknown; nothing was deleted",
                    "Correct them, or leave the file out if its results may go.");
  for (const auto& job : loaded->jobs) {
    for (const auto& stage : job.plan.stages) needed.insert(stage.key);
    for (const auto& [key, path] : job.plan.models)
      if (const auto result = key_of(path, options.store); !result.empty()) needed.insert(result);
  }
}

/// Returns options for exclusive access to a store: no other process uses it meanwhile.
AccessOptions alone(const GcCommand& options, const Interrupt& interrupt, Console& console) {
  AccessOptions access;
  access.alone = true;
  if (options.wait) access.wait = waiting_for_store(interrupt, console);
  return access;
}

void show(const std::vector<StoredThing>& things, std::ostream& out) {
  for (std::size_t i = 0; i < things.size() && i < most_shown; ++i)
    out << wrapped(fmt::format("  {:>11}  {}", bytes_text(things[i].bytes), things[i].what), 15) << '\n';
  if (things.size() > most_shown) out << fmt::format("  and {} more\n", things.size() - most_shown);
}

std::uint64_t bytes_of(const std::vector<StoredThing>& things) {
  std::uint64_t sum = 0;
  for (const auto& thing : things) sum += thing.bytes;
  return sum;
}

/// Compares every file of every result with its digest. Damaged results are moved to damaged/, so that `trl
/// run` makes them again.
int verify(StoreWriter& store, Console& console) {
  std::size_t damaged = 0, whole = 0;
  for (const auto& key : store.keys()) {
    const auto how = store.damage(key, Check::contents);
    if (!how) {
      ++whole;
      continue;
    }
    ++damaged;
    const auto place = store.put_aside(key);
    store.log("damaged: " + key + ": " + *how);
    console.out << wrapped("damaged: " + *how + "; moved to " + place.string(), 2) << '\n';
  }
  console.out << counted(whole, "result") << " whole, " << damaged << " damaged"
              << (damaged ? ": `trl run` makes them again" : "") << '\n';
  return damaged ? failed : fine;
}

/// Whether the user agrees. Asks on a terminal.
bool agreed(const GcCommand& options, const std::string& question, Console& console) {
  if (options.yes) return true;
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
    throw WrongUsage("nothing was deleted: there is no terminal on which to ask",
                     "Add --yes once the list above is what may go.");
  console.out << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

/// Removes, from the list of things to delete, the ones that belong to other users of the machine, and
/// returns them.
std::vector<StoredThing> take_out_others(std::vector<StoredThing>& things) {
  const auto others = std::stable_partition(things.begin(), things.end(), [](const StoredThing& thing) {
    struct stat status {};
    return ::stat(thing.path.c_str(), &status) != 0 || status.st_uid == ::geteuid();
  });
  std::vector<StoredThing> taken(others, things.end());
  things.erase(others, things.end());
  return taken;
}

int collect(const GcCommand& options, Console& console) {
  std::set<std::string> needed;
  for (const auto& file : options.files) add_needed(file, options, needed, console);
  // While a run writes to the store, its new results would seem unneeded, so the store is locked first.
  std::unique_ptr<StoreWriter> writer;
  // Files that a crash left behind are listed first, since the writer removes them when it opens the store.
  const auto crashed = find_leftovers(Store(options.store));
  const Interrupt interrupt;
  if (!options.dry_run)
    writer = std::make_unique<StoreWriter>(options.store, StoreWriter::OnStep(),
                                           alone(options, interrupt, console));
  const Store store(options.store);
  auto garbage = find_garbage(store, needed);
  if (options.leftovers) garbage.results.clear(), garbage.checkpoints.clear();
  garbage.leftovers = crashed;

  std::vector<StoredThing> others;
  if (!options.others)
    for (auto* things : {&garbage.results, &garbage.checkpoints})
      for (auto& thing : take_out_others(*things)) others.push_back(std::move(thing));

  show(garbage.results, console.out);
  show(garbage.checkpoints, console.out);
  show(garbage.leftovers, console.out);
  if (!others.empty())
    console.out << wrapped(fmt::format("kept too: {} of other users, {}; --others deletes them",
                                       counted(others.size(), "result"), bytes_text(bytes_of(others))),
                           2)
                << '\n';
  const auto bytes = bytes_of(garbage.results) + bytes_of(garbage.checkpoints);
  const auto what =
      counted(garbage.results.size(), "result") +
      (garbage.checkpoints.empty() ? "" : " and " + counted(garbage.checkpoints.size(), "checkpoint"));
  if (writer && !(garbage.results.empty() && garbage.checkpoints.empty()) &&
      !agreed(options, fmt::format("Delete {}, {}?", what, bytes_text(bytes)), console)) {
    console.out << "nothing was deleted\n";
    return fine;
  }
  if (writer) {
    std::vector<std::string> keys;
    for (const auto& thing : garbage.results) keys.push_back(thing.key);
    writer->discard(keys);
    for (const auto* things : {&garbage.checkpoints, &garbage.leftovers})
      for (const auto& thing : *things) remove_tree(thing.path);
    writer->keep_events(events_kept);
    if (!keys.empty()) writer->log("gc: " + counted(keys.size(), "result") + " deleted");
  }
  const auto freed = bytes + bytes_of(garbage.leftovers);
  console.out << wrapped(fmt::format("{} {} and {}: {} {}", options.dry_run ? "would delete" : "deleted",
                                     what, counted(garbage.leftovers.size(), "left-over"), bytes_text(freed),
                                     options.dry_run ? "to free" : "freed"),
                         2)
              << '\n';
  if (!options.leftovers)
    console.out << "kept " << counted(garbage.kept, "result") << ": " << bytes_text(garbage.kept_bytes)
                << '\n';
  return fine;
}

int gc(const GcCommand& options, Console& console) {
  if (!options.unclear.empty())
    throw WrongUsage(
        "`trl gc " + options.unclear.front() + "` doesn't say whether this file's results stay or go",
        "They stay with --keep: trl gc --keep " + options.unclear.front() +
            ". All that no kept file needs is deleted.");
  const int ways = !options.files.empty() + options.leftovers + options.keep_nothing + options.verify;
  if (ways == 0)
    throw WrongUsage("trl gc needs the names of the files whose results are kept",
                     "Name all of them: trl gc --keep a.trl --keep b.trl. `--leftovers` deletes no result, "
                     "`--keep-nothing` deletes all; `--dry-run` only shows what would be deleted.");
  if (ways > 1)
    throw WrongUsage("--keep, --leftovers, --keep-nothing and --verify exclude each other",
                     "Use one of them.");
  if (!fs::is_directory(fs::path(options.store) / "stages"))
    throw UserError("there is no store at " + options.store, "Name it with --store DIR.");
  if (!options.verify) return collect(options, console);
  const Interrupt interrupt;
  StoreWriter store(options.store, {}, alone(options, interrupt, console));
  return verify(store, console);
}

}  // namespace

void add_gc(Command trl, Console& console, int& status) {
  auto options = std::make_shared<GcCommand>();
  auto command = trl.add_command("gc", "Delete results that no kept file needs, and left-overs of crashes");
  command
      .add_option("--keep", options->files,
                  "A .trl file whose experiments' results are kept. May be repeated")
      .type_name("FILE")
      .repeatable();
  command.add_option("FILE", options->unclear, "").type_name("").hidden();
  command.add_option("--set", options->sets, "A setting with which the files are run. May be repeated")
      .type_name("PATH=VALUE")
      .repeatable();
  command.add_option("--store", options->store, "The folder of the stages' results")
      .type_name("DIR")
      .show_default();
  command.add_flag("--dry-run", options->dry_run, "Only show what would be deleted");
  command.add_flag("--yes", options->yes, "Delete without asking");
  command.add_flag("--others", options->others, "Delete results that other users of the machine made, too");
  command.add_flag(
      "--leftovers", options->leftovers,
      "Delete no result and no checkpoint that a run can go on from, only left-overs of crashes and "
      "damaged results");
  command.add_flag("--keep-nothing", options->keep_nothing, "Delete every result, but not the secret");
  command.add_flag("--verify", options->verify,
                   "Delete nothing: compare every file of every result with its digest");
  command.add_flag("--wait", options->wait, "Wait until no run uses the store");
  add_examples(command,
               "  trl gc --keep experiments/ablation.trl --dry-run\n"
               "  trl gc --keep experiments/ablation.trl --keep other.trl\n"
               "  trl gc --verify\n"
               "The secret is never deleted, since results depend on it.",
               "0 fine, 1 errors or damaged results, 2 wrong usage");
  command.callback([options, &console, &status] { status = gc(*options, console); });
}

}  // namespace trl::interpreter
