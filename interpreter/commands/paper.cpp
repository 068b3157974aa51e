#include <memory>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/paper/paper.hpp"
#include "interpreter/report/pdf.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/wrap.hpp"
#include "language/modules/library.hpp"
#include "language/printing/reference.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

struct PaperCommand {
  ProgramOptions program;
  std::string format = "all";
};

/// The schema's documentation of a variant, or of a record's field: `best_of_n`, `verdict.speedup`.
std::string documentation(const std::string& name) {
  const language::Schema& schema = language::library_schema();
  for (const auto& [kind_name, kind] : schema.kinds)
    if (const auto variant = kind.variants.find(name); variant != kind.variants.end())
      return variant->second.doc;
  const auto dot = name.find('.');
  const auto record = schema.records.find(name.substr(0, dot));
  if (dot == std::string::npos || record == schema.records.end()) return {};
  const auto* field = language::find(record->second.fields, name.substr(dot + 1));
  return field ? field->doc : "";
}

/// Returns the figures of a document as PDF, by their names. If they can't be drawn, prints the reason on
/// `err` and returns none.
std::map<std::string, std::string> figures_of(const paper::Document& document, const std::string& font,
                                              Console& console) {
  std::vector<const Picture*> pictures;
  for (const auto& block : document.blocks)
    if (const auto* figures = std::get_if<paper::Figures>(&block))
      for (const auto& picture : figures->pictures) pictures.push_back(&picture);
  try {
    return pdfs_of(pictures, font);
  } catch (const UserError& error) {
    console.err << wrapped(fmt::format("trl: paper.tex has no figures: {}. {}", error.what(), error.help), 5)
                << '\n';
    return {};
  }
}

/// Returns the texts of the files that a study imports, except the library's, by their paths relative to the
/// study's folder.
std::map<std::string, std::string> own_imports(const ProgramOptions& options, const Program& program) {
  std::error_code none;
  const auto library = std::filesystem::weakly_canonical(find_home() / "stdlib", none),
             folder = std::filesystem::weakly_canonical(options.file, none).parent_path();
  std::map<std::string, std::string> out;
  for (const auto& [path, text] : program.files) {
    const auto file = std::filesystem::weakly_canonical(path, none);
    const bool of_library = file.lexically_relative(library).native().substr(0, 2) != "..";
    if (path != options.file && !of_library && std::filesystem::exists(file, none))
      out[file.lexically_proximate(folder).string()] = text;
  }
  return out;
}

/// Writes one experiment's paper. Returns whether no stage was missing for it.
bool write(const PaperCommand& options, const Program& program, const Job& job, const Store& store,
           Console& console) {
  if (const auto damaged = damaged_stages(job.plan, store, Check::sizes); !damaged.empty())
    throw UserError("the result of " + damaged.front().stage->slot + " is damaged: " + damaged.front().how,
                    "Make it again with: " + go_on_with(options.program));
  const Evidence evidence(job.plan, store);
  // The paths of folders on this machine are of no use to a reader.
  auto elsewhere = options.program;
  elsewhere.store = ProgramOptions().store, elsewhere.out = ProgramOptions().out, elsewhere.pdf_font = "";
  if (const std::filesystem::path file = options.program.file; file.is_absolute())
    elsewhere.file = file.filename().string();
  const auto text = program.files.find(options.program.file);
  const auto imported = own_imports(options.program, program);
  const paper::Study study{program.document,
                           evidence,
                           job.request,
                           options.program.sets,
                           elsewhere.file,
                           text != program.files.end() ? text->second : read_text(options.program.file),
                           imported,
                           documentation,
                           go_on_with(elsewhere),
                           go_on_with(elsewhere, "paper")};
  const auto missing = paper::missing_of(study);
  const auto document = paper::write_paper(study);
  std::map<std::string, std::string> files;
  const bool all = options.format == "all";
  if (all || options.format == "markdown") files["paper.md"] = paper::markdown_document(document);
  if (all || options.format == "html") files["paper.html"] = paper::html_document(document);
  if (all || options.format == "latex") {
    const auto pdfs = figures_of(document, options.program.font_of_pdf().value_or(usual_font), console);
    files["paper.tex"] = paper::latex_document(document, !pdfs.empty());
    for (const auto& [name, bytes] : pdfs) files[name + ".pdf"] = bytes;
  }
  if (files.contains("paper.md"))
    for (const auto& block : document.blocks)
      if (const auto* figures = std::get_if<paper::Figures>(&block))
        for (const auto& picture : figures->pictures)
          files[picture.name + ".svg"] = picture.graphic.svg(picture.caption);
  const auto folder = report_folder(options.program, job.plan) / "paper";
  make_report_folder(folder);
  for (const auto& [name, contents] : files) replace_text(folder / name, contents);
  for (const auto& [name, contents] : files)
    if (name.starts_with("paper.")) console.out << (folder / name).string() << '\n';
  if (missing.stages > 0)
    console.err << wrapped(
                       fmt::format(
                           "trl: this is a draft: {}{} of the {} stages of {} are missing. Run them with: {}",
                           std::filesystem::exists(options.program.store)
                               ? ""
                               : fmt::format("there is no store {}, and ", options.program.store),
                           missing.stages, missing.all_stages, job.plan.experiment,
                           go_on_with(options.program)),
                       5)
                << '\n';
  return missing.stages == 0;
}

int paper_of(const PaperCommand& options, Console& console) {
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  const Store store(options.program.store);
  bool finished = true;
  for (const auto& job : program->jobs) finished &= write(options, *program, job, store, console);
  return finished ? fine : failed;
}

}  // namespace

void add_paper(Command trl, Console& console, int& status) {
  auto options = std::make_shared<PaperCommand>();
  auto command =
      trl.add_command("paper", "Tell a study as the experiment section of a paper, from the store");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  add_run_name(command, options->program.label);
  command.add_option("--format", options->format, "latex, markdown or html; by default all of them")
      .one_of({"all", "latex", "markdown", "html"});
  command
      .add_option("--pdf-font", options->program.pdf_font, "The font of the letters in figures of paper.tex")
      .type_name("FONT");
  add_examples(command,
               "  trl paper experiments/ablation.trl               writes runs/ablation/paper/\n"
               "  cd runs/ablation/paper && pdflatex paper && pdflatex paper\n"
               "Setting and protocol can be written before the study is run: what is missing is\n"
               "said in the paper, no hypothesis is judged, and the exit status is 1.",
               "0 written, 1 errors or missing stages (a draft), 2 wrong usage");
  command.callback([options, &console, &status] {
    auto& program = options->program;
    if (program.sets.empty()) program.sets = settings_of_run(program.label.name, program.out);
    status = paper_of(*options, console);
  });
}

}  // namespace trl::interpreter
