#include "interpreter/report/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/hypothesis.hpp"
#include "interpreter/report/provenance.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string seeds_text(const Plan& plan) {
  std::string text;
  if (!plan.rows.empty())
    for (const auto& trace : plan.rows.front().traces)
      text += (text.empty() ? "" : ", ") + std::to_string(trace.seed);
  return text;
}

std::string header(const TableLayout& layout, const json& document, const json& experiment,
                   const Plan& plan) {
  std::string text = fmt::format("# {}: {}\n\n", plan.experiment, layout.name);
  if (const auto doc = experiment.value("doc", ""); !doc.empty())
    text += wrapped(doc) + "\n\n";
  else if (const auto about = document.value("doc", ""); !about.empty())
    text += wrapped(about) + "\n\n";
  const auto seeds = seeds_text(plan);
  text += fmt::format("- seed{}: {}\n", seeds.find(',') == std::string::npos ? "" : "s", seeds);
  if (experiment.contains("evaluate")) {
    const auto& exam = experiment["evaluate"];
    const auto tasks = exam.at("split").at("tasks").size();
    const auto samples = exam.at("samples").get<int>();
    text += fmt::format("- exam: {} tasks x {} sample{}, temperature {:g}, at most {} tokens\n", tasks,
                        samples, samples == 1 ? "" : "s", exam.at("temperature").get<double>(),
                        exam.at("max_tokens").get<int>());
  }
  text += exam_text();
  text += "- brackets: 95 % percentile bootstrap, 2,000 resamples, clustered by task" +
          std::string(seeds.find(',') == std::string::npos ? "" : " and seed") +
          ";\n  one without width says that all samples were alike, not that it is certain\n";
  const int distinct = static_cast<int>(std::count_if(
      plan.rows.begin(), plan.rows.end(), [](const Row& r) { return r.kind == Row::Kind::cell; }));
  if (plan.cells > distinct)
    text += fmt::format("- {} cells, {} of them distinct on this machine\n", plan.cells, distinct);
  for (const auto& allowed : experiment.value("allowed", json::array()))
    text += wrapped(fmt::format("- allowed: {}, because \"{}\" ({})\n", allowed.value("rule", "?"),
                                allowed.value("reason", ""), allowed.value("where", "")),
                    2);
  return text + "\n";
}

}  // namespace

std::string exam_text() {
  return "- the exam is the same for every row: original, scale(2), reseed, resize(150%),\n"
         "  cast(f16); sizes of 4 first; every kernel compiled; memory errors fail\n"
         "- tolerance: |got - reference| <= a + r |reference|, reference in f64;\n"
         "  f32 a = r = 1e-4, f16 1e-2, bf16 2e-2\n"
         "- kernel times are modelled for an H200 from counted memory accesses and\n"
         "  launches, not measured: fast and speedup too\n";
}

bool ReportRequest::wants_purity() const {
  for (const auto& table : tables)
    for (const auto& column : table.columns)
      if (parse_column(column).name == "purity") return true;
  for (const auto& plot : plots)
    if (plot.y == "purity") return true;
  for (const auto& [name, hypothesis] : hypotheses)
    if (parse_column(hypothesis.at("metric")).name == "purity") return true;
  return false;
}

std::vector<std::string> named_experiments(const json& document) {
  std::set<std::string> names;
  for (const char* part : {"tables", "plots", "hypotheses"}) {
    const auto declarations = document.value(part, json::object());
    for (const auto& [name, declaration] : declarations.items())
      names.insert(declaration.at("of").get<std::string>());
  }
  if (names.empty())
    for (const auto& [name, experiment] : document.at("experiments").items()) names.insert(name);
  return {names.begin(), names.end()};
}

ReportRequest request_for(const json& document, const std::string& experiment) {
  ReportRequest request{experiment, {}, {}, {}};
  const auto tables = document.value("tables", json::object());
  const auto plots = document.value("plots", json::object());
  const auto hypotheses = document.value("hypotheses", json::object());
  const auto is_of = [&](const json& declaration) { return declaration.at("of") == experiment; };
  const bool own =
      std::any_of(tables.begin(), tables.end(), is_of) || std::any_of(plots.begin(), plots.end(), is_of);
  for (const auto& [name, table] : tables.items())
    if (is_of(table) || !own) request.tables.push_back({name, table.at("rows"), table.at("columns")});
  for (const auto& [name, plot] : plots.items())
    if (is_of(plot) || !own) request.plots.push_back(parse_plot(name, plot));
  for (const auto& [name, hypothesis] : hypotheses.items())
    if (is_of(hypothesis)) request.hypotheses.emplace_back(name, hypothesis);
  if (request.tables.empty())
    request.tables.push_back(
        {"main", {"cells", "controls"}, {"valid", "compiled", "correct", "speedup", "cost"}});
  for (const auto& table : request.tables) {
    for (const auto& column : table.columns) parse_column(column);
    check_rows(table);
  }
  return request;
}

std::map<std::string, std::string> make_report(const ReportRequest& request, const json& document,
                                               const Plan& plan, const Store& store,
                                               const std::vector<std::string>& sets) {
  std::map<std::string, std::string> files;
  const auto& experiment = document.at("experiments").at(plan.experiment);
  std::string hypotheses;
  auto tested = json::array();
  for (const auto& [name, hypothesis] : request.hypotheses) {
    const auto result = test_hypothesis(name, hypothesis, plan, store);
    hypotheses += as_markdown(result);
    tested.push_back(as_json(result));
  }
  for (const auto& layout : request.tables) {
    const auto table = make_table(layout, plan, store);
    std::string text = header(layout, document, experiment, plan) + as_markdown(table);
    if (!hypotheses.empty()) text += "\n## Hypotheses\n\n" + hypotheses;
    text += "\n" + reference_line(table);
    files[layout.name + ".md"] = text;
    files[layout.name + ".csv"] = as_csv(table, true);
    files[layout.name + ".values.csv"] = as_csv(table, false);
    files[layout.name + ".json"] = as_json(table).dump(1) + "\n";
  }
  if (!tested.empty()) files["hypotheses.json"] = tested.dump(1) + "\n";
  for (const auto& plot : request.plots) {
    const auto points = plot_points(plot, plan, store);
    files[plot.name + ".csv"] = as_csv(plot, points);
    files[plot.name + ".svg"] = as_svg(plot, points, plan.experiment);
  }
  files["provenance.json"] = provenance(document, plan, store, sets).dump(1) + "\n";
  return files;
}

void make_report_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UserError("cannot create " + folder.string() + ": " + error.message(),
                    "Choose another place with --out DIR.");
  if (::access(folder.c_str(), W_OK) != 0)
    throw UserError("cannot write in " + folder.string() + ": " + std::strerror(errno),
                    "Choose another place with --out DIR.");
}

std::vector<std::filesystem::path> write_report(const std::map<std::string, std::string>& files,
                                                const std::filesystem::path& folder) {
  make_report_folder(folder);
  std::vector<std::filesystem::path> tables;
  for (const auto& [name, text] : files) {
    replace_text(folder / name, text);
    if (name.ends_with(".md")) tables.push_back(folder / name);
  }
  return tables;
}

}  // namespace trl::interpreter
