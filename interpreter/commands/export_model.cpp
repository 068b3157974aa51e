// Exports trained weights for other programs: a row's adapter in PEFT's format with the tokenizer's files, or
// a model with an adapter merged into its weights, as a folder of Hugging Face's libraries.
#include "interpreter/commands/export_model.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/contract/stages/finetune.hpp"
#include "base/support/error.hpp"
#include "base/support/reading.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/named_model.hpp"
#include "interpreter/commands/row.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/schedule/worker_process.hpp"
#include "interpreter/scratch.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

struct ExportOptions {
  std::string source, row, adapter, folder;
  ProgramOptions program;
};

/// The adapter of a row and its model: the adapter that the row's exam used, or the adapter that was trained
/// last.
struct Trained {
  fs::path model, adapter;
};

Trained trained_of(const ExportOptions& options, const Program& program) {
  if (program.jobs.size() != 1)
    throw WrongUsage(options.source + " has several experiments", "Name one of them with --experiment.");
  const auto& plan = program.jobs.front().plan;
  const auto traces = traces_of_row(plan, options.row);
  if (traces.size() > 1)
    throw WrongUsage(fmt::format("row `{}` has {} adapters, one for each seed", options.row, traces.size()),
                     fmt::format("Name one: \"{}/seed {}\".", options.row, traces.front()->seed));
  const auto& trace = *traces.front();
  const Stage* stage = plan.find(trace.exam_sample);
  std::string key;
  if (stage && stage->inputs.contains("adapter")) {
    key = stage->inputs.at("adapter");
  } else {
    for (const auto& trained : trace.training)
      if (const auto* one = plan.find(trained); one && one->kind == contract::FinetuneSpec::kind)
        stage = one, key = trained;
  }
  if (key.empty()) throw UserError("row `" + options.row + "` trains no adapter", "Name another row.");
  const Store store(fs::absolute(options.program.store).lexically_normal());  // the worker wants whole paths
  if (!store.has(key)) {
    auto program = options.program;
    program.file = options.source;
    throw UserError("the adapter of row `" + options.row + "` isn't in the store " + options.program.store,
                    "Train it first: " + go_on_with(program, "run") + " --only \"" + options.row + "\"");
  }
  const auto& model = stage->inputs.at("model");
  const auto outside = plan.models.find(model);
  return {outside != plan.models.end() ? outside->second : store.checked_folder(model),
          store.checked_folder(key)};
}

fs::path empty_folder(const std::string& name) {
  if (fs::exists(name) && !fs::is_empty(name))
    throw WrongUsage(name + " already exists and isn't empty", "Name another folder with --to DIR.");
  fs::create_directories(name);
  return fs::absolute(name).lexically_normal();
}

void copy(const fs::path& from, const fs::path& to, const std::string& name, Console& console) {
  require_readable(from / name, {.within = from});
  fs::create_directories((to / name).parent_path());
  fs::copy_file(from / name, to / name, fs::copy_options::overwrite_existing);
  console.out << "  " << (to / name).string() << '\n';
}

/// Whether a file belongs to the tokenizer: it says how texts become tokens, not how the model is built.
bool is_of_the_tokenizer(const std::string& name) {
  return name != "config.json" && name != "generation_config.json";
}

/// Writes the path of an adapter's model into adapter_config.json, unless it already has a name on Hugging
/// Face. Stored results contain no paths of a machine, but programs that load the exported adapter find the
/// model by this text.
void name_base(const fs::path& config, const fs::path& model) {
  auto fields = nlohmann::ordered_json::parse(read_text(config));
  auto& base = fields["base_model_name_or_path"];
  if (base.is_string() && base.get_ref<const std::string&>().find('/') != std::string::npos) return;
  base = fs::absolute(model).lexically_normal().string();
  write_text(config, fields.dump(2) + "\n");
}

int export_adapter(ExportOptions& options, Console& console) {
  options.program.file = options.source;
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  const auto [model, adapter] = trained_of(options, *program);
  const auto folder = empty_folder(options.folder);
  for (const char* name : {"adapter_config.json", "adapter_model.safetensors"})
    copy(adapter, folder, name, console);
  name_base(folder / "adapter_config.json", model);
  for (const auto& name : files_beside_weights(model))
    if (is_of_the_tokenizer(name)) copy(model, folder, name, console);
  return fine;
}

int export_model(ExportOptions& options, Console& console) {
  Trained trained;
  if (fs::path(options.source).extension() == ".trl") {
    if (options.row.empty() || !options.adapter.empty())
      throw WrongUsage("a row says which adapter of " + options.source + " is merged",
                       "Write it after the file: \"inputs/seed 1\".");
    options.program.file = options.source;
    const auto program = load_program(options.program, console);
    if (!program) return failed;
    trained = trained_of(options, *program);
  } else {
    if (options.adapter.empty() || !options.row.empty())
      throw WrongUsage("which adapter is merged into " + options.source + " isn't said",
                       "Name it with --adapter DIR.");
    trained = {model_folder(options.source), adapter_folder(options.adapter)};
  }
  const auto folder = empty_folder(options.folder);
  const Scratch scratch;
  const Interrupt interrupt;
  const Cancellation cancellation(interrupt);
  WorkerProcess worker({.program = find_worker(), .log = scratch.path() / "log", .secret = ""}, cancellation);
  try {
    worker.run(
        {"merge", nlohmann::json::object(), {{"model", trained.model}, {"adapter", trained.adapter}}, folder},
        {});
  } catch (const StageFailed& failure) {
    throw UserError(failure.what(), failure.help);
  } catch (const WorkerCrashed& crash) {
    throw UserError(std::string(crash.what()) + (crash.last_words.empty() ? "" : ":\n" + crash.last_words),
                    "`trl doctor` says what is missing here");
  }
  console.out << "  " << (folder / "model.safetensors").string() << '\n';
  for (const auto& name : files_beside_weights(trained.model)) copy(trained.model, folder, name, console);
  return fine;
}

void add_common(Command command, ExportOptions& options) {
  command
      .add_option("ROW", options.row, "A row of the file's experiment, or one seed of it: \"inputs/seed 2\"")
      .type_name("");
  command.add_option("--to", options.folder, "The folder to write, which must be empty or absent")
      .required()
      .type_name("DIR");
  command.add_option("--experiment", options.program.name, "The experiment, where the file has several")
      .type_name("NAME");
  add_sets(command, options.program.sets);
  add_store(command, options.program);
  add_kernel_times(command, options.program);
}

}  // namespace

void add_export_adapter(Command group, Console& console, int& status) {
  auto options = std::make_shared<ExportOptions>();
  auto command =
      group.add_command("adapter", "Write a row's adapter in PEFT's format, with the tokenizer's files");
  command.add_option("FILE", options->source, "The .trl file").required().type_name("");
  add_common(command, *options);
  add_examples(command,
               "  trl export adapter experiments/ablation.trl \"inputs/seed 1\" --to adapter\n"
               "PEFT loads it: PeftModel.from_pretrained(model, \"adapter\").",
               "0 written, 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] { status = export_adapter(*options, console); });
}

void add_export_model(Command group, Console& console, int& status) {
  auto options = std::make_shared<ExportOptions>();
  auto command = group.add_command("model", "Write a model with an adapter merged into its weights");
  command
      .add_option(
          "SOURCE", options->source,
          "A .trl file, of whose ROW the adapter is; or with --adapter a model: a folder, windtunnel.base, "
          "or a name on Hugging Face")
      .required()
      .type_name("");
  command.add_option("--adapter", options->adapter, "A folder with an adapter in PEFT's format")
      .type_name("DIR");
  add_common(command, *options);
  add_examples(
      command,
      "  trl export model experiments/ablation.trl \"inputs/seed 1\" --to merged\n"
      "  trl export model Qwen/Qwen2.5-Coder-0.5B --adapter adapter --to merged\n"
      "transformers loads it: AutoModelForCausalLM.from_pretrained(\"merged\"). Weights keep their dtype.",
      "0 written, 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] { status = export_model(*options, console); });
}

}  // namespace trl::interpreter
