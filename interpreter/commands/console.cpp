#include "interpreter/commands/console.hpp"

#include <poll.h>

#include <fmt/format.h>

#include <charconv>

#include "base/support/error.hpp"
#include "base/support/home.hpp"
#include "base/support/reading.hpp"
#include "base/support/shell_word.hpp"
#include "interpreter/assess/check.hpp"
#include "interpreter/foreign/read_foreign.hpp"
#include "interpreter/report/pdf.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/render.hpp"
#include "language/program/tried_fixes.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;

void add_file(Command command, ProgramOptions& options) {
  command.add_option("FILE", options.file, "The .trl file").required().type_name("");
  add_sets(command, options.sets);
}

void add_sets(Command command, std::vector<std::string>& sets) {
  command.add_option("--set", sets, "Change a field: --set reinforce.rounds=3. May be repeated")
      .type_name("PATH=VALUE")
      .repeatable();
}

void add_name(Command command, ProgramOptions& options) {
  command
      .add_option("NAME", options.name,
                  "An experiment; by default those that the file's tables, plots and hypotheses name")
      .type_name("");
}

void add_store(Command command, ProgramOptions& options) {
  command.add_option("--store", options.store, "The folder of the stages' results")
      .type_name("DIR")
      .show_default();
}

void add_device(Command command, std::string& device) {
  command.add_option("--device", device, "Where models run; by default cpu").one_of({"cpu", "cuda"});
}

void add_on(Command command, std::string& on, const std::string& description) {
  command
      .add_option(
          "--on",
          [&on](const std::string& where) {
            if (where != "ray" && where.find(':') == std::string::npos)
              throw WrongUsage("--on is `" + where + "`, and `ray` or a cluster's address is needed",
                               "Such as: --on ray, --on ray://HOST:10001");
            on = where == "ray" ? project_folders().cluster : where;
          },
          description +
              ": `ray` is $RAY_ADDRESS, or `cluster` of trl.toml, or the cluster that runs here; an address "
              "is "
              "ray://HOST:10001")
      .type_name("CLUSTER");
}

void add_gpus(Command command, std::string& gpus) {
  command
      .add_option(
          "--gpus",
          [&gpus](const std::string& wanted) {
            int count = 0;
            const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), count);
            const bool number = error == std::errc() && end == wanted.data() + wanted.size() && count > 0;
            if (!number && wanted != "all")
              throw WrongUsage("--gpus is `" + wanted + "`, and a number of GPUs, or `all`, is needed", "");
            gpus = wanted;
          },
          "How many GPUs of this machine to use, each with a worker; by default all that "
          "CUDA_VISIBLE_DEVICES "
          "lists, or that there are. Means --device cuda")
      .type_name("N|all");
}

void add_kernel_times(Command command, ProgramOptions& options) {
  command
      .add_option(
          "--kernel-times",
          [&options](const std::string& how) { options.measured_times = how == "measured"; },
          "modelled for an H200 (the default), or measured on this machine's GPU")
      .one_of({"modelled", "measured"});
}

void add_out(Command command, ProgramOptions& options) {
  command.add_option("--out", options.out, "The folder in which each experiment's reports get a folder")
      .type_name("DIR")
      .show_default();
}

void add_pdf(Command command, ProgramOptions& options) {
  command.add_flag("--pdf", options.pdf, "Write pictures as PDF, too, and pictures.tex, which includes them");
  command
      .add_option("--pdf-font", options.pdf_font,
                  std::string("The same, with letters of this font instead of ") + usual_font)
      .type_name("NAME");
}

std::optional<std::string> ProgramOptions::font_of_pdf() const {
  if (!pdf_font.empty()) return pdf_font;
  return pdf ? std::optional<std::string>(usual_font) : std::nullopt;
}

void add_examples(Command command, const std::string& examples, const std::string& statuses) {
  command.footer("Examples:\n" + examples + "\n\nExit status: " + statuses);
}

language::CheckOptions check_options(const ProgramOptions& options) {
  language::CheckOptions check;
  check.sets = options.sets;
  check.try_fixes = true;
  const auto home = find_home();
  if (!home.empty()) check.library = (home / "stdlib").string();
  check.read = [file = options.file](const std::string& path) -> std::optional<std::string> {
    if (path != file) return language::read_from_disk(path);
    try {
      return read_text(path, {.argument = true});
    } catch (const UserError&) {
      return std::nullopt;
    }
  };
  check.read_foreign = [reader = std::make_shared<ForeignTaskReader>(home, foreign_tasks_folder())](
                           const std::string& path) { return reader->read(path); };
  return check;
}

fs::path find_home() { return trl::find_home("stdlib"); }

std::string diagnostics_text(const language::Checked& checked, const Console& console) {
  language::Look look{console.colour};
  constexpr std::size_t indent = 4;
  if (console.width > 0) {
    look.folded = [&](const std::string& line) { return wrapped(line, indent, console.width); };
    look.width = console.width;
  }
  return language::render(checked.diagnostics, checked.sources, look);
}

namespace {

/// The option for a setting that stands alone, as Hydra has it, `+reinforce.lr=1e-4`: with this language's
/// name of the field, and several values as the design that they mean.
std::string set_of(const std::string& written, const std::string& file) {
  const std::string setting = written.substr(std::min(written.find_first_not_of("+~"), written.size()));
  const std::size_t equals = setting.find('=');
  const std::string path = setting.substr(0, equals), value = setting.substr(equals + 1);
  language::CheckOptions options;
  options.sets = {setting};
  options.document = false;
  const auto checked = language::check_file(file, options);
  const std::string option = "--set";
  for (const auto& d : checked.diagnostics)
    if (checked.sources[d.range.file].path() == option && d.help.find(option) != std::string::npos)
      return d.help;
  if (value.find(',') != value.npos && value.find_first_of("[(") == value.npos && !path.ends_with("seeds"))
    return fmt::format(
        "{} {}={}; several values are a design of the file, `vary = grid({} = [{}])` of its "
        "experiment",
        option, path, shell_word(value.substr(0, value.find(','))), path, value);
  return option + " " + shell_word(setting);
}

/// Throws WrongUsage for a NAME behind a file that is no experiment of the file but has another meaning: a
/// setting, a further number of an option, or a row.
void refuse_other_names(const std::string& name, const std::string& file, const json& document) {
  const auto& experiments = document.at("experiments");
  if (name.empty() || experiments.contains(name)) return;
  const std::string message = "there is no experiment " + name;
  if (name.find('=') != std::string::npos)
    throw WrongUsage(message, "a setting stands behind --set: " + set_of(name, file));
  if (name.find_first_not_of("0123456789") == std::string::npos)
    throw WrongUsage(message, "several numbers of an option are joined by commas: --gpus 2," + name +
                                  " of `trl plan`; an experiment's name stands behind the file");
  auto order = named_experiments(document);
  for (const auto& [experiment, value] : experiments.items()) order.push_back(experiment);
  for (const auto& experiment : order)
    for (const auto& cell : experiments.at(experiment).value("cells", json::array()))
      if (cell.value("label", "") == name)
        throw WrongUsage(message,
                         fmt::format("it is a row of {0}, and is told with the others: write {1} {0}; "
                                     "`trl run {1} {0} --only {2}` would carry it out alone",
                                     experiment, file, shell_word(name)));
  for (const auto& [kind, of] :
       {std::pair("tables", "a table"), {"plots", "a plot"}, {"hypotheses", "a hypothesis"}})
    if (const auto& all = document.value(kind, json::object()); all.contains(name))
      throw WrongUsage(message,
                       fmt::format("it is {} of {}: write {} {}{}", of, all.at(name).value("of", "?"), file,
                                   all.at(name).value("of", "?"),
                                   std::string_view(kind) == "tables"
                                       ? "; `trl table " + file + " --table " + name + "` shows it alone"
                                       : ""));
}

}  // namespace

std::optional<Program> load_program(const ProgramOptions& options, Console& console, bool assess_tasks) {
  auto check = check_options(options);
  check.try_fixes = false;  // warnings are only counted
  auto checked = assess_tasks ? check_with_assessments(options.file, check, console.err)
                              : language::check_file(options.file, check);
  if (checked.has_errors() || !checked.resolved) {
    language::try_fixes(checked.diagnostics, checked.sources, check);
    console.err << diagnostics_text(checked, console) << std::flush;
    return std::nullopt;
  }
  std::string command = "trl check " + shell_word(options.file);
  for (const auto& set : options.sets) command += " --set " + shell_word(set);
  console.err << language::render_count(checked.diagnostics, options.file, command) << std::flush;

  Program program{*checked.resolved, {}, loaded_files(checked)};
  PlanOptions plan;
  plan.home = find_home();
  plan.file_folder = fs::path(options.file).parent_path();
  plan.store = options.store;
  plan.times_kernels = options.measured_times;
  auto names =
      options.name.empty() ? named_experiments(program.document) : std::vector<std::string>{options.name};
  if (options.every_experiment) {
    names.clear();
    for (const auto& [name, experiment] : program.document.at("experiments").items()) names.push_back(name);
  }
  if (names.empty() && !options.may_lack_experiments)
    throw UserError(options.file + " declares no experiment, so there is nothing to run",
                    "Declare one with `experiment NAME { … }`; experiments/ has examples.");
  refuse_other_names(options.name, shell_word(options.file), program.document);
  for (const auto& name : names) {
    auto request = request_for(program.document, name);
    plan.purity = wants_purity(program.document, name);
    program.jobs.push_back({std::move(request), make_plan(program.document, name, plan)});
  }
  return program;
}

fs::path report_folder(const ProgramOptions& options, const Plan& plan) {
  return fs::path(options.out) /
         (plan.experiment + (options.label.name.empty() ? "" : "." + options.label.name));
}

std::function<bool(const Holder&)> waiting_for_store(const Interrupt& interrupt, Console& console) {
  return [&interrupt, &console, announced = false](const Holder& holder) mutable {
    if (!announced)
      console.err << wrapped("trl: waiting for " + holder_text(holder) + ", which uses the store", 5)
                  << std::endl;
    announced = true;
    pollfd stop{interrupt.descriptor(), POLLIN, 0};
    if (::poll(&stop, 1, 200) > 0) throw Interrupted();
    return true;
  };
}

void show_warnings(const Report& report, Console& console) {
  for (const auto& warning : report.warnings)
    console.err << (console.colour ? "\x1b[33mwarning:\x1b[0m " : "warning: ") << wrapped(warning, 2, 71)
                << '\n';
}

std::string go_on_with(const ProgramOptions& options, const std::string& command) {
  const ProgramOptions usual;
  std::string text = "trl " + command + " " + shell_word(options.file);
  if (!options.name.empty()) text += " " + shell_word(options.name);
  for (const auto& set : options.sets) text += " --set " + shell_word(set);
  if (options.store != usual.store) text += " --store " + shell_word(options.store);
  if (options.measured_times) text += " --kernel-times measured";
  if (options.pdf) text += " --pdf";
  if (!options.pdf_font.empty()) text += " --pdf-font " + shell_word(options.pdf_font);
  if (!options.label.name.empty()) text += " --name " + shell_word(options.label.name);
  if (options.out != usual.out) text += " --out " + shell_word(options.out);
  return text;
}

}  // namespace trl::interpreter
