#include "interpreter/report/report.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <set>

#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/exam_details.hpp"
#include "interpreter/report/fast_profile.hpp"
#include "interpreter/report/findings.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/report/observed.hpp"
#include "interpreter/report/picture.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
using nlohmann::json;

std::string exam_text() {
  std::string text;
  for (const auto& facts : {exam_facts(), exam_details()})
    for (const auto& fact : facts) text += wrapped("- " + fact, 2) + "\n";
  return text;
}

namespace {

/// The columns of a table that no file declares, as files write them.
std::vector<json> default_columns() {
  std::vector<json> columns;
  for (const auto which :
       {ColumnName::valid, ColumnName::compiled, ColumnName::correct, ColumnName::speedup, ColumnName::cost})
    columns.emplace_back(contract::facts_of(which).name);
  return columns;
}

}  // namespace

ReportRequest request_for(const json& document, const std::string& experiment) {
  ReportRequest request{experiment, {}, {}, {}};
  const auto reported = reported_on(document, experiment);
  for (const auto& [name, table] : reported.tables)
    request.tables.push_back(
        {name, table.at("rows"), table.at("columns"), latex_form(table.value("latex", "table")),
         table.value("notes", "short") == "full", table.value("caption", ""), table.value("label", "")});
  for (const auto& [name, plot] : reported.plots) request.plots.push_back(parse_plot(name, plot));
  for (const auto& [name, hypothesis] : reported.hypotheses)
    request.hypotheses.emplace_back(name, hypothesis);
  if (request.tables.empty())
    request.tables.push_back(
        {"main", {"cells", "controls"}, default_columns(), LatexForm::table, false, "", ""});
  for (const auto& table : request.tables)
    for (const auto& column : table.columns) parse_column(column);
  return request;
}

Report make_report(const ReportRequest& request, const json& document, const Plan& plan, const Store& store,
                   const std::vector<std::string>& sets, const std::optional<std::string>& pdf_font) {
  const Evidence evidence(plan, store);
  const auto contents = report_contents(request, document, evidence, sets, pdf_font);
  Report report;
  auto& files = report.files;
  for (const Picture* picture : contents.pictures()) {
    files[picture->name + ".svg"] = picture->graphic.svg(picture->caption);
    if (const auto pdf = contents.pdfs.find(picture->name); pdf != contents.pdfs.end())
      files[picture->name + ".pdf"] = pdf->second;
    else
      report.absent.push_back(picture->name + ".pdf");
  }
  if (contents.pdfs.empty())
    report.absent.push_back("pictures.tex");
  else
    files["pictures.tex"] = latex_figures(contents);
  for (const auto& reported : contents.tables) {
    const auto& table = reported.table;
    files[table.name + ".md"] = markdown_page(contents, reported);
    files[table.name + ".csv"] = as_csv(table, true);
    files[table.name + ".values.csv"] = as_csv(table, false);
    files[table.name + ".json"] = as_json(table).dump(1) + "\n";
    files[table.name + ".tex"] = latex_page(contents, reported);
    files[table.name + ".svg"] = as_svg(
        table, plan.experiment + ": " + first_paragraph(reported.caption),
        std::string(
            contents.inference.seeds() > 1
                ? "Brackets and lines: 95 % intervals over tasks and training seeds. "
                : "Brackets and lines: 95 % intervals over tasks; with † of this training run only. ") +
            (plan.times_kernels ? "Kernel times are measured on the GPU."
                                : "Kernel times are modelled for an H200, not measured."));
    if (!reported.effects.empty())
      files[table.name + ".effects.csv"] =
          effects_csv(reported.effects, reported.interactions, table.columns);
    if (!reported.fast.empty()) files[table.name + ".fast.csv"] = fast_profile_csv(reported.fast);
    if (reported.sweep) files[table.name + ".best.csv"] = sweep_csv(*reported.sweep);
    files[table.name + ".tasks.csv"] = as_csv(reported.tasks);
    files[table.name + ".samples.json"] = samples_json(table.name, observed(table, contents.inference));
    report.tables += as_markdown(table);
  }
  for (const auto& [plot, points, picture] : contents.plots) files[plot.name + ".csv"] = as_csv(plot, points);
  if (!contents.hypotheses.empty()) {
    auto tested = json::array();
    for (const auto& result : contents.hypotheses) tested.push_back(as_json(result));
    files["hypotheses.json"] = tested.dump(1) + "\n";
  }
  for (const auto& sentence : findings(contents)) report.findings += wrapped(sentence) + "\n";
  files["report.html"] = html_page(contents);
  files["provenance.json"] = contents.provenance.dump(1) + "\n";
  report.warnings = contents.warnings;
  std::vector<std::size_t> rows(plan.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (auto mixed = mixed_hardware(plan, store, rows)) report.warnings.push_back(std::move(*mixed));
  return report;
}

void make_report_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw DiskError("create", folder, error.value());
  if (::access(folder.c_str(), W_OK) != 0) throw DiskError("write in", folder, errno);
}

namespace {

/// Lets only one process at a time write files to a folder. If the file system has no locks, it doesn't wait.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

std::vector<std::filesystem::path> write_report(const Report& report, const std::filesystem::path& folder) {
  make_report_folder(folder);
  const FolderLock lock(folder);
  std::vector<std::filesystem::path> tables;
  for (const auto& name : report.absent) std::filesystem::remove(folder / name);
  for (const auto& [name, text] : report.files) {
    replace_text(folder / name, text);
    if (name.ends_with(".md")) tables.push_back(folder / name);
  }
  return tables;
}

}  // namespace trl::interpreter
