#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "base/contract/error.hpp"
#include "base/support/error.hpp"
#include "base/support/shell_word.hpp"
#include "interpreter/commands/commands.hpp"
#include "interpreter/commands/trl_main.hpp"
#include "interpreter/plan/reported.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/store/result.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/modules/library.hpp"
#include "language/program/program.hpp"

namespace trl::interpreter {
namespace {

constexpr std::size_t page_width = 80, option_column = 24;

/// Formats help texts in lines that fit the page.
struct Help : CLI::Formatter {
  Help() {
    column_width(option_column);
    label("REQUIRED", "");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), 0, page_width - option_column);
  }
  std::string make_usage(const CLI::App* command, std::string name) const override {
    auto text = CLI::Formatter::make_usage(command, std::move(name));
    for (auto at = text.find(" \n"); at != std::string::npos; at = text.find(" \n")) text.erase(at, 1);
    return text;
  }
  /// A hidden argument exists only so that it can be refused with a message, so it isn't shown.
  std::string make_option_usage(const CLI::Option* option) const override {
    return option->get_group().empty() ? "" : CLI::Formatter::make_option_usage(option);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::string line = "  " + command->get_name();
    line.resize(std::max(option_column, line.size() + 1), ' ');
    return wrapped(line + command->get_description(), option_column, page_width) + "\n";
  }
};

/// Escapes a text for troff.
std::string troff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    out += text[i] == '\\' ? "\\e" : text[i] == '-' ? "\\-" : std::string(1, text[i]);
  }
  return out;
}

/// Adds the help of a command, and of those below it.
void add_manual(const CLI::App& command, const std::string& above, std::string& page) {
  const auto name = above + " " + command.get_name();
  page += ".SS " + troff(name) + "\n.nf\n" + troff(command.help(above)) + ".fi\n";
  for (const auto* below : command.get_subcommands([](const CLI::App*) { return true; }))
    add_manual(*below, name, page);
}

std::vector<std::string> command_names(const CLI::App& trl) {
  std::vector<std::string> names;
  for (const auto* command : trl.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// A name that other tools have for a command or an option, and the help for it.
struct OtherWord {
  std::string_view written, help;
};
// A help text that several words share.
constexpr std::string_view goes_on =
                               "`trl run FILE` goes on where it was stopped: every finished stage is stored",
                           runs_stop =
                               "Ctrl-C stops a run (`kill -INT PID` one in the background), and `trl run "
                               "FILE` goes on from there",
                           on_cluster =
                               "a batch script calls `trl run FILE`, which goes on where it was stopped; "
                               "packaging/cluster has files for Slurm, and --on ray spreads a run over nodes",
                           costs = "`trl plan FILE --cost` says what a run takes in time and money",
                           smaller_study =
                               "a smaller study has smaller settings: --set DECLARATION.rounds=1, --set "
                               "'EXPERIMENT.seeds=[1]'",
                           untrained =
                               "an experiment without training evaluates the model as it is: `experiment "
                               "untrained : EXPERIMENT { train = none, controls = [], vary = none }`; every "
                               "table has that as its last row anyway",
                           experiment_behind =
                               "the experiment's name stands behind the file: `trl run FILE NAME`",
                           all_shown =
                               "every line of progress is shown already; `trl status FILE` tells more",
                           model_in_file =
                               "the file names its model: `model base { weights = … }`, --set base.weights=…",
                           file_first = "the file is the first argument, without an option",
                           gpus_by_number = "write --gpus 2, for `trl run` and `trl plan`",
                           of_seeds = "the file says which seeds run: --set 'EXPERIMENT.seeds=[…]'";
constexpr OtherWord other_commands[] = {
    {"resume", goes_on},
    {"continue", goes_on},
    {"restart", goes_on},
    {"report", "`trl table FILE` shows what `trl run FILE` wrote"},
    {"serve", "`trl lsp` serves editors; models behind servers are `endpoint(…)` in a file"},
    {"install", "nothing has to be installed by hand: `trl doctor` says what is missing"},
    {"train", "did you mean run?"},
    {"start", "did you mean run?"},
    {"exec", "did you mean run?"},
    {"sweep", "did you mean run?"},
    {"eval", "did you mean run?"},
    {"evaluate", "did you mean run?"},
    {"lint", "did you mean check?"},
    {"validate", "did you mean check?"},
    {"test", "did you mean check?"},
    {"init", "did you mean new?"},
    {"create", "did you mean new?"},
    {"format", "did you mean fmt?"},
    {"clean", "did you mean gc?"},
    {"prune", "did you mean gc?"},
    {"list", "did you mean status?"},
    {"ls", "did you mean status?"},
    {"chat", "did you mean generate?"},
    {"sample", "did you mean generate?"},
    {"infer", "did you mean generate?"},
    {"env", "did you mean doctor?"},
    {"logs", "`trl status FILE` tells what runs, --watch goes on; `trl run FILE` prints its progress"},
    {"log", "`trl status FILE` tells what runs, --watch goes on; `trl run FILE` prints its progress"},
    {"tail", "`trl status FILE --watch` goes on until the run ends"},
    {"watch", "`trl status FILE --watch` goes on until the run ends"},
    {"monitor", "`trl status FILE --watch` goes on until the run ends"},
    {"top", "`trl status FILE --watch` goes on until the run ends"},
    {"kill", runs_stop},
    {"stop", runs_stop},
    {"cancel", runs_stop},
    {"scancel", runs_stop},
    {"submit", on_cluster},
    {"sbatch", on_cluster},
    {"srun", on_cluster},
    {"slurm", on_cluster},
    {"launch", on_cluster},
    {"torchrun", "`trl run FILE --gpus 2` uses several GPUs"},
    {"accelerate", "`trl run FILE --gpus 2` uses several GPUs"},
    {"compare", "did you mean `trl results diff`?"},
    {"push", "`trl export adapter FILE ROW --to DIR` writes a folder that `hf upload` takes"},
    {"upload", "`trl export adapter FILE ROW --to DIR` writes a folder that `hf upload` takes"},
    {"publish", "`trl export adapter FILE ROW --to DIR` writes a folder that `hf upload` takes"},
    {"merge", "`trl export model FILE ROW --to DIR` merges an adapter into its model"},
    {"download", "`hf download OWNER/NAME` puts weights where `huggingface(…)` reads them"},
    {"pull", "`hf download OWNER/NAME` puts weights where `huggingface(…)` reads them"},
    {"plot",
     "the file declares it, `plot NAME { of = EXPERIMENT, x = round, y = correct }`, and `trl run FILE` "
     "draws it"},
    {"cost", costs},
    {"estimate", costs},
    {"budget", costs},
    {"price", costs},
    {"debug", "`trl trace FILE` shows how a row was trained, and `trl candidate ID` one answer"},
    {"inspect", "`trl trace FILE` shows how a row was trained, and `trl candidate ID` one answer"},
    {"cat", "did you mean show?"},
    {"view", "did you mean show?"},
    {"dump", "did you mean show?"},
    {"tasks", "`trl explain windtunnel` and `trl explain kernelbench_like` list the library's suites"},
    {"suites", "`trl explain windtunnel` and `trl explain kernelbench_like` list the library's suites"},
    {"benchmark", "`trl verify FILE --task level1/7 --kernel-times measured` times an answer"},
    {"bench", "`trl verify FILE --task level1/7 --kernel-times measured` times an answer"},
    {"profile", "`trl verify FILE --task level1/7 --kernel-times measured` times an answer"},
    {"judge", "did you mean verify?"},
    {"score", "did you mean verify?"},
    {"grade", "did you mean verify?"},
    {"stats", "did you mean power?"},
    {"man", "`trl docs --format man` writes the manual page"},
    {"rules", "`trl explain` lists the rules of `trl check`"},
    {"diagnose", "did you mean doctor?"},
};
constexpr OtherWord other_options[] = {
    {"--seed", of_seeds},
    {"--seeds", of_seeds},
    {"--dry-run", "`trl plan FILE` shows what would run"},
    {"--dryrun", "`trl plan FILE` shows what would run"},
    {"--gpus", gpus_by_number},
    {"--num-gpus", gpus_by_number},
    {"--ngpus", gpus_by_number},
    {"--nproc-per-node", gpus_by_number},
    {"--nproc_per_node", gpus_by_number},
    {"--gpu", "write --device cuda; how many GPUs are used is --gpus 2"},
    {"--cuda", "write --device cuda"},
    {"--cpu", "write --device cpu"},
    {"--wandb", "`trl results export FILE --wandb` writes what was measured, after a run or during it"},
    {"--report-to", "`trl results export FILE --wandb`, or with `--tensorboard`, writes what was measured"},
    {"--tensorboard", "`trl results export FILE --tensorboard` writes what was measured"},
    {"--resume", goes_on},
    {"--resume-from-checkpoint", goes_on},
    {"--continue", goes_on},
    {"--ckpt", goes_on},
    {"--force", "a finished stage is never made again; `trl gc` deletes results"},
    {"--overwrite", "a finished stage is never made again; `trl gc` deletes results"},
    {"--experiment", experiment_behind},
    {"-e", experiment_behind},
    {"-m", model_in_file},
    {"-c", file_first},
    {"-f", file_first},
    {"-o", "did you mean --out?"},
    {"-n", experiment_behind},
    {"-v", all_shown},
    {"--verbose", all_shown},
    {"--debug", all_shown},
    {"--workers", "did you mean --threads?"},
    {"-j", "did you mean --workers?"},
    {"--jobs", "did you mean --workers?"},
    {"--precision", "the file's model says it: --set MODEL.precision=bf16"},
    {"--dtype", "the file's model says it: --set MODEL.precision=bf16"},
    {"--torch-dtype", "the file's model says it: --set MODEL.precision=bf16"},
    {"--mixed-precision", "the file's model says it: --set MODEL.precision=bf16"},
    {"--half", "the file's model says it: --set MODEL.precision=bf16"},
    {"--fp32", "the file's model says it: --set MODEL.precision=f32"},
    {"--limit", smaller_study},
    {"--smoke", smaller_study},
    {"--smoke-test", smaller_study},
    {"--quick", smaller_study},
    {"--fast", smaller_study},
    {"--fast-dev-run", smaller_study},
    {"--tiny", smaller_study},
    {"--max-samples", smaller_study},
    {"--eval-only", untrained},
    {"--evaluate-only", untrained},
    {"--no-train", untrained},
    {"--skip-train", untrained},
    {"--skip-training", untrained},
    {"--test-only", untrained},
    {"--slurm", on_cluster},
    {"--partition", on_cluster},
    {"--nodes", on_cluster},
    {"--nnodes", on_cluster},
    {"--local-rank", gpus_by_number},
    {"--world-size", gpus_by_number},
    {"--budget", costs},
    {"--hours", costs},
    {"--time", costs},
    {"--usd", costs},
    {"--multirun", "several values are a design of the file: `vary = grid(PATH = [1, 2])` of its experiment"},
    {"--sweep", "several values are a design of the file: `vary = grid(PATH = [1, 2])` of its experiment"},
    {"--project", "results are in the folder --store, reports in --out"},
    {"--fp16", "the file's model says it: --set MODEL.precision=bf16"},
    {"--bf16", "the file's model says it: --set MODEL.precision=bf16"},
    {"--model", model_in_file},
    {"--config", file_first},
    {"--output", "did you mean --out?"},
    {"--output-dir", "did you mean --out?"},
    {"--output_dir", "did you mean --out?"},
};

/// A word after a command, or an option of other tools for one command, with the help for it.
struct WordOfCommand {
  std::string_view command, written, help;
};
constexpr std::string_view
    files_of_table =
        "`trl table` writes main.md, main.tex and main.csv of a table `main`, in --out; the "
        "table's field `latex` says what shape the LaTeX has",
    formats_of_paper =
        "`trl paper FILE --format latex` writes paper.tex alone, `markdown` and `html` theirs; without it "
        "all "
        "are written",
    experiment_behind_status = "an experiment's name stands behind the file: `trl status FILE NAME`",
    fmt_writes = "`trl fmt FILE` writes the file itself; --check only looks",
    fixes_shown = "`trl check FILE` shows the fixes and changes nothing; --fix makes them",
    prompt_behind = "a prompt stands behind the model: `trl generate MODEL \"…\"`",
    lock_checked = "`trl plan FILE` and `trl run FILE` compare the file with its lock and change neither",
    measures_exported =
        "`trl results export FILE` writes --jsonl, a line for each number, --tensorboard or --wandb; tables "
        "are CSV in --out already",
    judged_on_gpu = "write --kernel-times measured, which runs and times the kernels on the GPU",
    words_listed = "`trl explain` alone lists all words that it explains";
constexpr WordOfCommand words_of_commands[] = {
    {"table", "--format", files_of_table},
    {"table", "--latex", files_of_table},
    {"table", "--tex", files_of_table},
    {"table", "--csv", files_of_table},
    {"table", "--markdown", files_of_table},
    {"table", "--json", files_of_table},
    {"paper", "--latex", formats_of_paper},
    {"paper", "--tex", formats_of_paper},
    {"paper", "--markdown", formats_of_paper},
    {"paper", "--html", formats_of_paper},
    {"paper", "--pdf", formats_of_paper},
    {"power", "--smallest-effect", "did you mean --effect?"},
    {"power", "--alpha", "the hypothesis has it: --set HYPOTHESIS.alpha=0.01"},
    {"status", "--name", experiment_behind_status},
    {"status", "--follow", "`trl status FILE --watch` goes on until the run ends"},
    {"status", "-f", "`trl status FILE --watch` goes on until the run ends"},
    {"plan", "--price", "a price is a field of the file's machine: --set 'MACHINE.on_demand=2.5 usd / 1 h'"},
    {"fmt", "--inplace", fmt_writes},
    {"fmt", "--in-place", fmt_writes},
    {"fmt", "-i", fmt_writes},
    {"fmt", "-w", fmt_writes},
    {"fmt", "--write", fmt_writes},
    {"fmt", "--fix", fmt_writes},
    {"fmt", "--diff", "did you mean --check?"},
    {"fmt", "--dry-run", "did you mean --check?"},
    {"check", "--dry-run", fixes_shown},
    {"check", "--dryrun", fixes_shown},
    {"check", "--diff", fixes_shown},
    {"check", "--format", "`trl check FILE --json` writes JSON"},
    {"lock", "--check", lock_checked},
    {"lock", "--verify", lock_checked},
    {"lock", "--frozen", lock_checked},
    {"lock", "--update", "`trl lock FILE` writes FILE.lock again"},
    {"explain", "--list", words_listed},
    {"explain", "--all", words_listed},
    {"explain", "-l", words_listed},
    {"generate", "--prompt", prompt_behind},
    {"generate", "-p", prompt_behind},
    {"verify", "--fp16", "write --precision half, for f16 and bf16 of any value"},
    {"verify", "--bf16", "write --precision half, for f16 and bf16 of any value"},
    {"verify", "--dtype", "write --precision half, for f16 and bf16 of any value, or tf32, or task"},
    {"verify", "--tf32", "write --precision tf32"},
    {"generate", "--fp16", "write --precision bf16"},
    {"generate", "--bf16", "write --precision bf16"},
    {"generate", "--fp32", "write --precision f32"},
    {"generate", "--dtype", "write --precision bf16, or f32"},
    {"generate", "--torch-dtype", "write --precision bf16, or f32"},
    {"verify", "--gpu", judged_on_gpu},
    {"verify", "--cuda", judged_on_gpu},
    {"verify", "--device", judged_on_gpu},
    {"export", "--csv", measures_exported},
    {"export", "--json", measures_exported},
    {"export", "--parquet", measures_exported},
    {"results", "ls", "did you mean list?"},
    {"results", "show", "`trl table FILE` shows a file's tables, `trl results list` the reports of a folder"},
    {"results", "view", "`trl table FILE` shows a file's tables, `trl results list` the reports of a folder"},
    {"results", "table", "`trl table FILE` shows a file's tables"},
    {"results", "compare", "did you mean diff?"},
};

/// Words of other tools for a value of an option, separated by `|`, and the word here, for commands whose
/// option takes it.
struct OtherValue {
  std::string_view option, written, meant, why;
};
constexpr OtherValue other_values[] = {
    {"--precision", "tensorfloat32|tensor_float32|high|medium", "tf32", "for factors of products"},
    {"--precision", "tf32|tensorfloat32|high|medium", "bf16", "models are computed in bf16 or f32"},
    {"--precision", "fp32|float32|float|single|full|32|f32|highest|none", "f32", ""},
    {"--precision", "fp32|float32|float|single|full|32|f32|highest|none", "task",
     "the task's own precision, f32 for tensors of f32"},
    {"--precision", "bf16|bfloat16|fp16|float16|half|f16|16|mixed|amp|auto|fp8|f8|16-mixed|bf16-mixed",
     "half", "f16 and bf16, for any value"},
    {"--precision", "bf16|bfloat16|fp16|float16|half|f16|16|mixed|amp|auto|fp8|f8|16-mixed|bf16-mixed",
     "bf16", "models are computed in bf16 or f32, and 16 bits are bf16"},
    {"--quantize", "4bit|4|int4|fp4|nf|bnb|bitsandbytes|q4|awq|gptq|qlora", "nf4", "4-bit NormalFloat"},
    {"--quantize", "8bit|8|fp8|q8|w8a16", "int8", "llm_int8 also rounds activations"},
    {"--quantize", "llm.int8|w8a8|llm-int8|llmint8", "llm_int8", "weights and activations of 8 bits"},
    {"--kernel-times", "real|gpu|cuda|true|device|measure|on|hardware", "measured",
     "the kernels run and are timed on the GPU"},
    {"--kernel-times", "model|simulated|estimate|estimated|cpu|false|off|none|fake", "modelled",
     "no GPU is needed"},
    {"--format", "md", "markdown", ""},
    {"--format", "tex|pdf", "latex", ""},
    {"--format", "htm|web", "html", ""},
};

/// The entry for a command's word; empty if there is none.
std::string_view help_for_word(std::string_view command, std::string_view written);

/// Whether two options are equal except for `_` in place of `-`.
bool same_option(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x == '_' ? '-' : x) == (y == '_' ? '-' : y); });
}

std::string_view help_for_word(std::string_view command, std::string_view written) {
  for (const WordOfCommand& word : words_of_commands)
    if (word.command == command && same_option(word.written, written)) return word.help;
  return "";
}

/// Whether one of the words that `|` separates is this one, whatever its capitals are.
bool is_among(std::string_view words, std::string_view word) {
  for (std::size_t at = 0, end = 0; at <= words.size(); at = end + 1) {
    end = std::min(words.find('|', at), words.size());
    const auto one = words.substr(at, end - at);
    if (std::equal(one.begin(), one.end(), word.begin(), word.end(), [](char a, char b) {
          return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
        }))
      return true;
  }
  return false;
}

/// The value that is meant by a refused one, of those in braces in the parser's message, "{task,tf32,half}".
std::string help_for_value(const std::string& option, const std::string& value, const std::string& message) {
  const std::size_t begin = message.find('{'), end = message.find('}', begin == message.npos ? 0 : begin);
  if (begin == message.npos || end == message.npos) return "";
  std::vector<std::string> allowed;
  std::string of = message.substr(begin + 1, end - begin - 1) + ",";
  for (std::size_t at = 0, comma = 0; (comma = of.find(',', at)) != of.npos; at = comma + 1)
    allowed.push_back(of.substr(at, comma - at));
  const auto all = language::enumeration(allowed, allowed.size(), "or");
  for (const OtherValue& other : other_values) {
    if (other.option != option || !is_among(other.written, value)) continue;
    if (std::find(allowed.begin(), allowed.end(), other.meant) == allowed.end()) continue;
    return fmt::format("write {} {}{}", option, other.meant,
                       other.why.empty() ? "" : fmt::format(": {}", other.why));
  }
  const auto near = language::closest(value, allowed);
  return near ? fmt::format("did you mean {} {}?", option, *near) : fmt::format("{} takes {}", option, all);
}

/// The commands that have an option, "`trl run`", and those below them.
void add_owners(const CLI::App& command, const std::string& name, std::string_view option,
                std::vector<std::string>& owners) {
  for (const CLI::Option* one : command.get_options()) {
    const auto& names = one->get_lnames();
    const bool has = std::any_of(names.begin(), names.end(), [&](const std::string& long_name) {
      return same_option("--" + long_name, option);
    });
    if (has && !one->get_group().empty()) owners.push_back("`" + name + "`");
  }
  for (const auto* below : command.get_subcommands([](const CLI::App*) { return true; }))
    add_owners(*below, name + " " + below->get_name(), option, owners);
}

/// Help on an option that other commands have.
std::string help_for_owned(const CLI::App& trl, const std::string& option) {
  constexpr std::size_t most = 3;
  std::vector<std::string> owners;
  add_owners(trl, "trl", option, owners);
  if (owners.empty()) return "";
  std::string out = "`" + option + "` is an option of ";
  for (std::size_t i = 0; i < std::min(most, owners.size()); ++i)
    out += (i == 0 ? "" : i + 1 == owners.size() ? " and " : ", ") + owners[i];
  return owners.size() > most ? out + " and others" : out;
}

/// Returns help that names the command's option that is closest to the written one; empty if none is close.
/// With `sure`, only a sure misspelling counts (language::surely).
std::string help_for_near(const CLI::App& command, const std::string& option, bool sure) {
  std::vector<std::string> names;
  for (const CLI::Option* one : command.get_options())
    for (const auto& name : one->get_lnames()) names.push_back("--" + name);
  const auto near = option.starts_with("--") ? language::closest(option, names) : std::nullopt;
  return near && (!sure || language::surely(option, *near, names, false)) ? "did you mean " + *near + "?"
                                                                          : "";
}

/// If a field of the file was written as an option, `--lr 1e-4`, returns help that names the setting to write
/// instead; otherwise empty.
std::string help_for_field(const std::string& option, const std::string& value,
                           const std::vector<std::string>& arguments) {
  const auto file = std::find_if(arguments.begin(), arguments.end(),
                                 [](const std::string& one) { return one.ends_with(".trl"); });
  if (file == arguments.end()) return "";
  std::string field = option.substr(option.find_first_not_of('-'));
  std::replace(field.begin(), field.end(), '-', '_');
  language::CheckOptions options;
  const bool given = !value.empty() && !value.starts_with("-") && !value.ends_with(".trl");
  options.sets = {field + "=" + (given ? value : "1")};
  options.document = false;
  const auto checked = language::check_file(*file, options);
  for (const auto& d : checked.diagnostics)
    if (checked.sources[d.range.file].path() == "--set" && d.help.find("--set") != std::string::npos)
      return "the file says it: " + d.help;
  return "";
}

/// Returns the name of a declaration in the file that the command line names. For HYPOTHESIS it is the first
/// hypothesis. For EXPERIMENT it is the experiment that the command line names, or else the first one, if
/// possible of those with a report. For MODEL and MACHINE it is the model or machine of that experiment.
/// Empty if there is none.
std::string name_in_file(const std::string& kind, const std::vector<std::string>& arguments) {
  const auto file = std::find_if(arguments.begin(), arguments.end(),
                                 [](const std::string& one) { return one.ends_with(".trl"); });
  if (file == arguments.end()) return "";
  const auto document = language::check_file(*file).resolved;
  if (!document) return "";
  const auto first = [](const nlohmann::json& of) { return of.empty() ? "" : of.begin().key(); };
  if (kind == "HYPOTHESIS") return first(document->at("hypotheses"));
  const auto& experiments = document->at("experiments");
  const auto named = std::find_if(arguments.begin(), arguments.end(),
                                  [&](const std::string& one) { return experiments.contains(one); });
  const auto reported = named_experiments(*document);
  const std::string experiment = named != arguments.end() ? *named
                                 : reported.empty()       ? first(experiments)
                                                          : reported.front();
  if (kind == "EXPERIMENT" || experiment.empty()) return experiment;
  const auto part = experiments.at(experiment).value(kind == "MODEL" ? "model" : "machine", nlohmann::json());
  return part.is_object() ? part.value("name", "") : "";
}

/// Returns the help with EXPERIMENT, MODEL and similar words replaced by names of declarations in the file.
std::string with_names(std::string help, const std::vector<std::string>& arguments) {
  for (const std::string kind : {"EXPERIMENT", "MODEL", "HYPOTHESIS", "MACHINE"}) {
    const std::size_t at = help.find(kind + ".");
    if (at == std::string::npos) continue;
    if (const auto name = name_in_file(kind, arguments); !name.empty()) help.replace(at, kind.size(), name);
  }
  return help;
}

bool is_count(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns the seeds that were written behind an option: "1, 2" for `--seeds 1 2` and `--seeds=1,2`.
std::string seeds_behind(const std::string& value, const std::vector<std::string>& arguments,
                         std::size_t at) {
  std::string seeds;
  const auto add = [&](const std::string& word) {
    std::string number;
    for (const char c : word + ",") {
      if (c != ',' && c != ' ' && c != '[' && c != ']') {
        number += c;
      } else if (!number.empty()) {
        if (!is_count(number)) return false;
        seeds += (seeds.empty() ? "" : ", ") + number;
        number.clear();
      }
    }
    return true;
  };
  if (!add(value)) return "";
  const bool joined = arguments[at].find('=') != std::string::npos;
  for (std::size_t i = at + (joined ? 1 : 2); i < arguments.size() && is_count(arguments[i]); ++i)
    add(arguments[i]);
  return seeds;
}

/// Returns help for a value of `--set` that the shell has split at a blank: `--set e.seeds=[1, 2]` without
/// quotes.
std::string help_for_split(const std::vector<std::string>& arguments) {
  const auto open = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '('; }) >
           std::count_if(text.begin(), text.end(), [](char c) { return c == ']' || c == ')'; });
  };
  const std::string option = "--set";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool joined = arguments[i].starts_with(option + "=");
    if (!joined && (arguments[i] != option || i + 1 == arguments.size())) continue;
    std::string whole = joined ? arguments[i].substr(option.size() + 1) : arguments[++i];
    std::size_t next = i + 1;
    const auto equals = [&](std::size_t at) {
      return at < arguments.size() && arguments[at].starts_with("=");
    };
    if (!open(whole) && !(equals(next) && whole.find('=') == std::string::npos)) continue;
    for (; next < arguments.size() && (open(whole) || equals(next) || whole.ends_with("=")); ++next)
      whole += " " + arguments[next];
    if (next > i + 1 && !open(whole)) return "write it in quotes: --set '" + whole + "'";
  }
  return "";
}

/// Help on the words that the options' parser refused.
std::string help_for_refused(const CLI::App& trl, const CLI::App& command,
                             const std::vector<std::string>& arguments, const std::string& message) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string option = word.substr(0, word.find('='));
    if (!option.starts_with("-") || option.size() < 2) continue;
    const std::string value = option.size() < word.size() ? word.substr(option.size() + 1)
                              : i + 1 < arguments.size()  ? arguments[i + 1]
                                                          : "";
    if (option == "--device" && (value == "gpu" || value == "GPU" || value.starts_with("cuda:")) &&
        message.find("--device") != std::string::npos)
      return value.starts_with("cuda:") ? "write --device cuda; CUDA_VISIBLE_DEVICES=" + value.substr(5) +
                                              " before it chooses the GPU"
                                        : "write --device cuda";
    if (message.find(option) == std::string::npos) continue;
    if (const auto known = command.get_option_no_throw(option);
        known != nullptr && !known->get_group().empty()) {
      // The option is right, but its value is wrong.
      if (value.ends_with("%"))
        return "write the number alone: " + option + " " + value.substr(0, value.size() - 1);
      const bool hundredths = known->get_description().find(" in points") != std::string::npos ||
                              known->get_description().find(" in %") != std::string::npos;
      if (const double share = std::atof(value.c_str()); hundredths && share > 0 && share < 1)
        return fmt::format("it is of a hundred: {} {:g}", option, 100 * share);
      if (std::string help = help_for_value(option, value, message); !help.empty()) return help;
      continue;
    }
    for (const std::string_view of_settings : {"--override", "--overrides", "--param", "--define", "-D"})
      if (option == of_settings)
        return command.get_option_no_throw("--set") == nullptr
                   ? help_for_owned(trl, "--set")
                   : "write --set " + (value.find('=') == value.npos ? "DECLARATION.FIELD=VALUE" : value);
    if (const auto help = help_for_word(command.get_name(), option); !help.empty())
      return with_names(std::string(help), arguments);
    if (option.find("gpu") != std::string::npos && is_count(value) &&
        command.get_option_no_throw("--gpus") != nullptr)
      return "write --gpus " + value;
    for (const OtherWord& other : other_options) {
      if (!same_option(other.written, option)) continue;
      // Hydra's `-m`, with several values of a setting.
      const auto several = std::find_if(arguments.begin(), arguments.end(), [](const std::string& one) {
        const std::size_t equals = one.find('=');
        return !one.starts_with("-") && equals != one.npos && one.find(',', equals) != one.npos;
      });
      if ((option == "-m" || option == "--multirun" || option == "--sweep") && several != arguments.end())
        return fmt::format(
            "several values are a design of the file: `vary = grid({} = [{}])` of its experiment",
            several->substr(0, several->find('=')), several->substr(several->find('=') + 1));
      if (const auto seeds = seeds_behind(value, arguments, i); other.help == of_seeds && !seeds.empty()) {
        const std::string name = name_in_file("EXPERIMENT", arguments),
                          path = (name.empty() ? "EXPERIMENT" : name) + ".seeds";
        return "the file says which seeds run: --set '" + path + "=[" + seeds + "]'" +
               (option == "--seeds" && is_count(seeds) && seeds != "0"
                    ? "; " + seeds + " of them are --set '" + path + "=1.." + seeds + "'"
                    : "");
      }
      constexpr std::string_view meant = "did you mean ";
      if (!other.help.starts_with(meant)) return with_names(std::string(other.help), arguments);
      const std::string here(other.help.substr(meant.size(), other.help.size() - meant.size() - 1));
      return command.get_option_no_throw(here) != nullptr ? std::string(other.help)
                                                          : help_for_owned(trl, here);
    }
    if (std::string help = help_for_near(command, option, true); !help.empty()) return help;
    if (std::string help = help_for_field(option, value, arguments); !help.empty()) return help;
    if (std::string help = help_for_owned(trl, option); !help.empty()) return help;
    if (std::string help = help_for_near(command, option, false); !help.empty()) return help;
  }
  return "";
}

/// Whether a word names a way to train, here or in another tool: `grpo`, `ppo`.
bool is_way_to_train(const std::string& word) {
  const auto* train = language::library_schema().kind("train");
  if (train->variants.contains(word)) return true;
  const auto meant = language::foreign_words(language::Place::variant, word);
  return std::any_of(meant.begin(), meant.end(),
                     [&](const language::ForeignWord* one) { return train->variants.contains(one->meant); });
}

/// A suggestion for an unknown command, if a known one is similar.
std::string help_for_unknown(const std::string& command, const std::string& word,
                             const std::vector<std::string>& names,
                             const std::map<std::string, std::string>& words_below = {}) {
  if (const auto help = help_for_word(command, word); !help.empty()) return std::string(help);
  if (command == "trl" && word.ends_with(".trl"))
    return "a command stands before the file: `trl run " + word + "`, or `trl check " + word + "`";
  if (command == "trl") {
    for (const OtherWord& other : other_commands)
      if (other.written == word) return std::string(other.help);
    if (is_way_to_train(word))
      return "a way to train is written in a file, `train NAME : " + word +
             " { … }`, and `trl run FILE` trains; `trl new FILE` writes a first one";
  }
  if (const auto below = words_below.find(word); below != words_below.end())
    return "did you mean `trl " + below->second + "`?";
  const auto begun = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return word.size() > 1 && name.starts_with(word);
  });
  if (begun != names.end()) return "did you mean " + *begun + "?";
  if (const auto best = language::closest(word, names)) return "did you mean " + *best + "?";
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return "commands are " + all;
}

/// All commands below `command` as the words that call them, {"export", "adapter"}, without those that only
/// hold others.
void add_paths(const CLI::App& command, const std::vector<std::string>& above,
               std::vector<std::vector<std::string>>& paths) {
  for (const auto* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    std::vector<std::string> path = above;
    path.push_back(below->get_name());
    if (below->get_require_subcommand_min() == 0) paths.push_back(path);
    add_paths(*below, path, paths);
  }
}

/// The commands below others, by their last word: "diff" of `trl results diff`.
std::map<std::string, std::string> words_below(const CLI::App& trl) {
  std::vector<std::vector<std::string>> paths;
  add_paths(trl, {}, paths);
  std::map<std::string, std::string> all;
  for (const auto& path : paths)
    if (path.size() > 1) all.emplace(path.back(), fmt::format("{}", fmt::join(path, " ")));
  return all;
}

/// The command line in its order, where the words of a command stand in another one: "trl export adapter
/// study.trl" for `trl export study.trl adapter` or `trl adapter export study.trl`; with `first`, only of a
/// command that begins with it. Empty if there is none.
std::string in_order(const CLI::App& trl, const std::vector<std::string>& arguments,
                     const std::string& first = "") {
  std::vector<std::vector<std::string>> paths;
  add_paths(trl, {}, paths);
  const std::vector<std::string>* best = nullptr;
  constexpr std::size_t first_words = 3;
  const auto end = arguments.begin() + static_cast<std::ptrdiff_t>(std::min(first_words, arguments.size()));
  for (const auto& path : paths)
    if ((first.empty() || path.front() == first) &&
        std::all_of(
            path.begin(), path.end(),
            [&](const std::string& word) { return std::find(arguments.begin(), end, word) != end; }) &&
        (best == nullptr || path.size() > best->size()))
      best = &path;
  if (best == nullptr) return "";
  std::vector<std::string> rest = arguments;
  std::string line = "trl";
  for (const std::string& word : *best) {
    rest.erase(std::find(rest.begin(), rest.end(), word));
    line += " " + word;
  }
  for (const std::string& word : rest) line += " " + shell_word(word);
  return line;
}

/// The first .trl file among the arguments; FILE where there is none.
std::string file_among(const std::vector<std::string>& arguments) {
  const auto file = std::find_if(arguments.begin(), arguments.end(),
                                 [](const std::string& one) { return one.ends_with(".trl"); });
  return file == arguments.end() ? "FILE" : shell_word(*file);
}

/// Help where a file stands behind a command that takes none, `trl results list study.trl`, or where a row is
/// an option, `trl export adapter study.trl --row inputs --seed 1`. Empty for all else.
std::string help_for_place(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string file = file_among(arguments);
  if ((command == "trl results list" || command == "trl results") && file != "FILE")
    return fmt::format(
        "`trl table {0}` shows the tables of a file's runs, and `trl status {0}` which of its stages are "
        "finished; `trl results list` takes no file: it lists the reports of a folder, `--out DIR`",
        file);
  if (!command.starts_with("trl export ")) return "";
  std::string row, seed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    const std::string option = arguments[i].substr(0, equals);
    const std::string value = equals != arguments[i].npos ? arguments[i].substr(equals + 1)
                              : i + 1 < arguments.size()  ? arguments[i + 1]
                                                          : "";
    if (option == "--row" || option == "--cell" || option == "-r") row = value;
    if (option == "--seed" || option == "-s") seed = value;
  }
  if (row.empty() && seed.empty()) return "";
  const bool of_table = command == "trl export kernel";
  if (row.empty()) row = "ROW";
  const std::string named = of_table ? (row.find('[') != row.npos ? row : "TABLE[" + row + "]")
                            : seed.empty() || row.find("/seed") != row.npos ? row
                                                                            : row + "/seed " + seed;
  return fmt::format("the row stands behind the file: `{} {} '{}'`", command, file, named);
}

/// Help on a name that stands before its file: `trl show reinforce study.trl`. Empty if none does.
std::string help_for_order(const std::vector<std::string>& arguments, const std::string& command) {
  const auto words = static_cast<std::size_t>(std::count(command.begin(), command.end(), ' '));
  if (command == "trl generate" || arguments.size() != words + 2) return "";
  const std::string &name = arguments[words], &file = arguments[words + 1];
  const bool swapped = name.find_first_of("./-*") == std::string::npos && file.ends_with(".trl") &&
                       !std::filesystem::exists(name) && std::filesystem::exists(file);
  return swapped ? "write `" + command + " " + file + " " + name + "`" : "";
}

void print_error(const std::string& message, const std::string& help, Console& console) {
  const char* red = console.colour ? "\x1b[31m" : "";
  const char* plain = console.colour ? "\x1b[0m" : "";
  console.err << red << "error: " << plain << message << '\n';
  if (!help.empty()) console.err << "  help: " << help << '\n';
}

}  // namespace

std::string manual_page(Command trl) {
  const auto& app = trl.app();
  std::string page = ".TH TRL 1\n.SH NAME\ntrl \\- " + troff(app.get_description()) +
                     "\n.SH SYNOPSIS\n.B trl\n.I COMMAND\n[\\fIarguments\\fR]\n.SH COMMANDS\n";
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    add_manual(*command, "trl", page);
  return page +
         ".SH ENVIRONMENT\n.TP\nTRL_STORE, TRL_OUT\nThe folders of stages' results and of reports where no "
         "option names "
         "them, before those of a trl.toml.\n.TP\nNO_COLOR\nNo colours.\n";
}

int trl_main(std::vector<std::string> arguments, Console& console) {
  CLI::App trl("Experiments in reinforcement learning of models that write GPU kernels.", "trl");
  trl.formatter(std::make_shared<Help>());
  trl.footer(
      "Examples:\n  trl check experiments/ablation.trl\n  trl run experiments/ablation.trl\n"
      "`trl COMMAND --help` explains one of them.");
  trl.require_subcommand(0, 1);  // `table` in `trl explain table` is no second command
  int status = fine;
  try {
    for (const auto add : all_commands()) add(Command(trl), console, status);
  } catch (const UserError& error) {
    print_error(error.what(), error.help, console);
    return failed;
  }
  const auto names = command_names(trl);
  const auto known = [&](const std::string& word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };

  // Also accepts `trl help run` and `trl --version`.
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.resize(std::min<std::size_t>(arguments.size(), 1));
    arguments.emplace_back("--help");
  }
  if (arguments == std::vector<std::string>{"--version"}) arguments = {"version"};
  if (arguments.empty()) {
    console.err << trl.help();
    return wrong_usage;
  }
  if (!arguments[0].starts_with("-") && !known(arguments[0])) {
    const std::string line = in_order(trl, arguments);
    print_error("there is no command `" + arguments[0] + "`",
                line.empty() ? help_for_unknown("trl", arguments[0], names, words_below(trl))
                             : "write `" + line + "`",
                console);
    return wrong_usage;
  }
  const std::vector<std::string> written = arguments;
  std::string command = "trl";  // with the commands that were named
  CLI::App* named = &trl;
  for (const auto& word : written) {
    const auto below = named->get_subcommands([&](CLI::App* one) { return one->get_name() == word; });
    if (below.empty()) {
      const auto names_below = command_names(*named);
      if (named->get_require_subcommand_min() == 0 || names_below.empty() || word.starts_with("-")) break;
      const std::string line = in_order(trl, written, written.front());
      std::string help = line.empty() ? help_for_place(command, written) : "write `" + line + "`";
      if (help.empty()) help = help_for_unknown(named->get_name(), word, names_below);
      print_error("there is no command `" + command + " " + word + "`", help, console);
      return wrong_usage;
    }
    named = below.front();
    command += " " + word;
  }
  if (const std::string help = help_for_order(written, command); !help.empty()) {
    print_error("the file stands first", help, console);
    return wrong_usage;
  }
  // A command with `--to` and without `--out` takes `--out`, the option of other commands, for `--to`.
  const std::string to = "--to", out = "--out";
  if (named->get_option_no_throw(to) != nullptr && named->get_option_no_throw(out) == nullptr)
    for (std::string& word : arguments)
      if (word == out || word.starts_with(out + "=")) word.replace(0, out.size(), to);
  if (const auto help = help_for_split(written);
      !help.empty() && named->get_option_no_throw("--set") != nullptr) {
    print_error("the shell has split the value of --set at a blank", help, console);
    return wrong_usage;
  }
  join_optional_values(*named, arguments);
  try {
    std::reverse(arguments.begin(), arguments.end());
    trl.parse(arguments);
    return status;
  } catch (const CLI::Success& asked_for_help) {
    return trl.exit(asked_for_help, console.out, console.err);
  } catch (const CLI::ParseError& error) {
    std::string help = help_for_place(command, written);
    if (help.empty()) help = help_for_refused(trl, *named, written, error.what());
    if (const auto below = command_names(*named); help.empty() && named != &trl && !below.empty()) {
      std::vector<std::string> whole;
      for (const std::string& one : below) whole.push_back(command + " " + one);
      help = "write " + language::enumeration(whole, whole.size(), "or");
    }
    print_error(error.what(),
                help.empty() ? "`" + command + " --help` shows its arguments and options" : help, console);
    return wrong_usage;
  } catch (const WrongUsage& error) {
    print_error(error.what(), error.help, console);
    return wrong_usage;
  } catch (const DamagedResult& damage) {
    // Escaped, since the stages of somebody else's store may have any names.
    print_error(terminal_safe(damage.what()), damage.help, console);
  } catch (const UserError& error) {
    print_error(error.what(), error.help, console);
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(error.what(), "Check the folder's permissions and the disk's space.", console);
  } catch (const nlohmann::json::exception& error) {
    print_error(std::string("a file of a stage isn't as docs/interfaces.md says: ") + error.what(), "",
                console);
  } catch (const contract::ContractError& error) {
    print_error(std::string("a file of a stage isn't as docs/interfaces.md says: ") + error.what(), "",
                console);
  } catch (const Interrupted&) {
    console.err << "stopped\n";
    return interrupted;
  } catch (const std::exception& error) {
    print_error(std::string("internal error of trl: ") + error.what(),
                "Please report this with the file that you used.", console);
  }
  return failed;
}

}  // namespace trl::interpreter
