// `trl results export`: exports the numbers that an experiment's stages measured, for other tools.
#include "interpreter/commands/results_export.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "interpreter/export/tensorboard.hpp"
#include "interpreter/export/wandb.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/series.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

struct ResultsExport {
  ProgramOptions program;
  std::vector<std::string> files;
  bool jsonl = false, tensorboard = false, wandb = false;
  std::string to;
};

/// An experiment's numbers.
struct Exported {
  std::string experiment;  ///< with the run's name: "study.lr3"
  RunLabel label;
  json settings;  ///< the command line's overrides
  std::vector<Measured> numbers;
};

std::vector<Exported> gathered(const ResultsExport& options, Console& console) {
  std::vector<Exported> all;
  for (const auto& file : options.files) {
    auto program = options.program;
    program.file = file;
    if (program.sets.empty()) program.sets = settings_of_run(program.label.name, program.out);
    const auto loaded = load_program(program, console);
    if (!loaded) throw UserError(file + " has errors, so nothing is exported");
    for (const auto& job : loaded->jobs) {
      const auto folder = report_folder(program, job.plan);
      auto label = read_label(folder);
      if (label.name.empty()) label.name = program.label.name;
      const Store store(program.store);
      all.push_back({folder.filename().string(), label, program.sets, measured(job.plan, store)});
      const auto coverage = coverage_of(job.plan, store);
      if (coverage.done > 0 && coverage.done < coverage.all)
        console.err << wrapped(fmt::format(
                                   "note: {} of {} stages of {} have no result yet, and what they measure "
                                   "isn't exported; make them with: {}",
                                   coverage.all - coverage.done, coverage.all, job.plan.experiment,
                                   go_on_with(program)),
                               2)
                    << '\n';
    }
  }
  if (std::all_of(all.begin(), all.end(), [](const Exported& one) { return one.numbers.empty(); }))
    throw UserError("no stage of these files has a result in " + options.program.store + " yet",
                    "`trl run FILE` makes them; settings are named as for the run, with --set and --store.");
  return all;
}

std::string as_jsonl(const Exported& exported) {
  std::string text;
  for (const auto& one : exported.numbers) {
    nlohmann::ordered_json line = {{"experiment", exported.experiment},
                                   {"row", one.row},
                                   {"seed", one.seed},
                                   {"stage", one.stage},
                                   {"round", one.round ? json(*one.round) : json()},
                                   {"step", one.step ? json(*one.step) : json()},
                                   {"measure", one.measure},
                                   {"value", one.value}};
    text += line.dump() + "\n";
  }
  return text;
}

/// Groups the numbers by row and seed, in their order.
std::vector<std::vector<Measured>> by_run(const std::vector<Measured>& numbers) {
  std::vector<std::vector<Measured>> runs;
  for (const auto& one : numbers) {
    if (runs.empty() || runs.back().back().row != one.row || runs.back().back().seed != one.seed)
      runs.emplace_back();
    runs.back().push_back(one);
  }
  return runs;
}

/// Returns a folder's name for a row: "inputs_memory" for "inputs + memory", "a_b" for "a -> b". Different
/// rows of an experiment get different names.
std::string folder_name(const std::string& row, std::map<std::string, std::string>& names) {
  if (const auto known = names.find(row); known != names.end()) return known->second;
  std::string plain;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row.compare(i, 2, "->") == 0 ? ' ' : row[i];
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '=')
      plain += c;
    else if (!plain.empty() && plain.back() != '_')
      plain += '_';
  }
  const auto taken = [&](const std::string& name) {
    return std::any_of(names.begin(), names.end(), [&](const auto& one) { return one.second == name; });
  };
  auto name = plain;
  for (int number = 2; taken(name); ++number) name = plain + "-" + std::to_string(number);
  return names[row] = name;
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw DiskError("create", folder, error.value());
}

int write_tensorboard(const Exported& exported, const fs::path& to) {
  int files = 0;
  std::map<std::string, std::string> names;
  for (const auto& run : by_run(exported.numbers)) {
    const auto folder = to / exported.experiment / folder_name(run.front().row, names) /
                        ("seed_" + std::to_string(run.front().seed));
    make_folders(folder);
    replace_text(folder / "events.out.tfevents.0.trl", tensorboard_events(run)), ++files;
  }
  return files;
}

int write_wandb(const Exported& exported, const fs::path& to) {
  int files = 0;
  for (const auto& numbers : by_run(exported.numbers)) {
    const auto& [row, seed] = std::pair(numbers.front().row, numbers.front().seed);
    WandbRun run;
    run.id =
        sha256_hex(fmt::format("{}\n{}\n{}\n{}", exported.experiment, row, seed, exported.settings.dump()))
            .substr(0, 8);
    run.project = exported.experiment.substr(0, exported.experiment.find('.'));
    run.name = fmt::format("{}{}, seed {}", exported.label.name.empty() ? "" : exported.label.name + ": ",
                           row, seed);
    run.group = row, run.tags = exported.label.tags;
    run.config = {{"row", row}, {"seed", seed}, {"set", exported.settings}};
    const auto folder = to / wandb_folder(run, numbers);
    make_folders(folder);
    replace_text(folder / ("run-" + run.id + ".wandb"), wandb_log(run, numbers)), ++files;
  }
  return files;
}

int export_results(const ResultsExport& options, Console& console) {
  if (options.jsonl + options.tensorboard + options.wandb != 1)
    throw WrongUsage("trl results export needs one format", "Add --jsonl, --tensorboard or --wandb.");
  const auto all = gathered(options, console);
  if (options.jsonl) {
    std::string text;
    for (const auto& one : all) text += as_jsonl(one);
    if (options.to.empty())
      console.out << text << std::flush;
    else
      replace_text(options.to, text);
    return fine;
  }
  const fs::path to = !options.to.empty()
                          ? fs::path(options.to)
                          : fs::path(options.program.out) / (options.wandb ? "wandb" : "tensorboard");
  int files = 0;
  for (const auto& one : all) files += options.wandb ? write_wandb(one, to) : write_tensorboard(one, to);
  console.out << fmt::format("{} in {}; see them with: {}\n", counted(static_cast<std::size_t>(files), "run"),
                             to.string(),
                             options.wandb ? "wandb sync " + (to / "offline-run-*").string()
                                           : "tensorboard --logdir " + to.string());
  return fine;
}

}  // namespace

void add_results_export(Command results, Console& console, int& status) {
  auto options = std::make_shared<ResultsExport>();
  auto command = results.add_command(
      "export",
      "Write what stages measured for other tools: losses, rewards, verdicts, by row, seed and step");
  command.add_option("FILE", options->files, "The .trl files").required().type_name("");
  add_sets(command, options->program.sets);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  add_run_name(command, options->program.label);
  command.add_flag(
      "--jsonl", options->jsonl,
      "A line of JSON for each number: experiment, row, seed, stage, round, step, measure, value");
  command.add_flag("--tensorboard", options->tensorboard,
                   "Event files of TensorBoard, one for each row and seed");
  command.add_flag("--wandb", options->wandb,
                   "Offline runs of Weights & Biases, one for each row and seed, for `wandb sync`");
  command
      .add_option("--to", options->to,
                  "The file of --jsonl, by default standard output; the folder of the others, by default "
                  "tensorboard or wandb in the folder of --out")
      .type_name("PATH");
  add_examples(command,
               "  trl results export experiments/ablation.trl --jsonl | jq 'select(.measure == \"loss\")'\n"
               "  trl results export experiments/ablation.trl --tensorboard\n"
               "  trl results export experiments/ablation.trl --wandb --to wandb");
  command.callback([options, &console, &status] { status = export_results(*options, console); });
}

}  // namespace trl::interpreter
