#include "interpreter/report/contents.hpp"

#include <algorithm>

#include "base/support/counted.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/report/effect_pictures.hpp"
#include "interpreter/report/fast_profile.hpp"
#include "interpreter/report/latex.hpp"
#include "interpreter/report/pdf.hpp"
#include "interpreter/report/provenance.hpp"
#include "interpreter/report/runs.hpp"
#include "interpreter/report/servers.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string first_of(std::initializer_list<std::string> texts) {
  for (const auto& text : texts)
    if (!text.empty()) return text;
  return {};
}

std::string doc_of(const json& declaration) { return declaration.value("doc", std::string()); }

std::vector<std::uint64_t> seeds_of(const Plan& plan) {
  std::vector<std::uint64_t> seeds;
  if (!plan.rows.empty())
    for (const auto& trace : plan.rows.front().traces) seeds.push_back(trace.seed);
  return seeds;
}

std::string bullets(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += wrapped("- " + sentence, 2) + "\n";
  return text;
}

/// The precision that an exam allows, in a sentence.
std::string precision_fact(const std::string& precision) {
  if (precision == "task")
    return "precision: answers must compute in the task's own precision; f32 tasks refuse tf32 and half "
           "precision";
  return precision == "tf32" ? "precision: answers may round the factors of products to tf32, in every row"
                             : "precision: answers may round any value to f16 or bf16, in every row";
}

std::vector<InteractionPlot> interaction_plots(const Column& column, const Inference& inference) {
  std::vector<InteractionPlot> plots;
  if (inference.interactions(column).empty()) return plots;
  const auto cells = inference.cells_of_design();
  for (std::size_t a = 0; a < cells.factors.size(); ++a)
    for (std::size_t b = a + 1; b < cells.factors.size(); ++b) {
      auto& plot = plots.emplace_back();
      plot.first = cells.factors[a], plot.second = cells.factors[b];
      double counts[2][2] = {};
      for (std::size_t i = 0; i < cells.rows.size(); ++i) {
        const auto figure = inference.figure(column, inference.evidence().plan().rows[cells.rows[i]]);
        if (!figure.value) return {};
        const int x = cells.levels[i][a], y = cells.levels[i][b];
        plot.means[x][y] += *figure.value, counts[x][y] += 1;
      }
      for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y) plot.means[x][y] /= counts[x][y];
    }
  return plots;
}

/// The pictures of a table that aren't empty.
std::vector<Picture> pictures_of(const ReportedTable& reported, const Inference& inference,
                                 const std::vector<HypothesisResult>& hypotheses, bool only_table) {
  const auto& plan = inference.evidence().plan();
  const std::string begin = reported.layout.name + ".",
                    table = only_table ? "" : " of table " + reported.layout.name;
  std::vector<Picture> out;
  if (const auto primary = primary_column(reported.table)) {
    const auto& column = reported.table.columns[*primary];
    out.push_back(
        {begin + "effects",
         fmt::format("Effects{} on {}, with 95 % intervals; filled: declared by a hypothesis; grey: "
                     "smaller than the study finds with 80 % power; vermilion lines: the smallest effect "
                     "that matters to a hypothesis.",
                     table, column.title),
         forest(reported.effects, reported.interactions, column, *primary, hypotheses)});
    out.push_back(
        {begin + "half_normal",
         fmt::format("Half-normal plot of all effects{} on {}: those on the dotted line through 0 look like "
                     "noise.",
                     table, column.title),
         half_normal(inference.all_effects(column), column)});
    out.push_back(
        {begin + "interactions",
         fmt::format("Interactions{}: mean {} of the cells; solid: with the second extension, dashed: "
                     "without it. Extensions with parallel lines act by themselves.",
                     table, column.title),
         interactions(interaction_plots(column, inference), column)});
    if (reported.sweep) out.push_back(sweep_picture(*reported.sweep, column, begin + "best"));
  }
  out.push_back(fast_profile_picture(reported.fast, begin + "fast", plan.times_kernels));
  out.push_back(heat_map_picture(reported.tasks, begin + "tasks"));
  std::erase_if(out, [](const Picture& picture) { return picture.graphic.empty(); });
  return out;
}

ReportedPlot drawn(const Plot& plot, const Evidence& evidence) {
  ReportedPlot reported{plot, plot_points(plot, evidence), {}};
  if (!reported.points.empty())
    reported.picture = plot_picture(plot, reported.points, evidence.plan().times_kernels);
  return reported;
}

}  // namespace

std::vector<const Picture*> ReportContents::pictures() const {
  std::vector<const Picture*> all;
  for (const auto& reported : tables)
    for (const auto& picture : reported.pictures) all.push_back(&picture);
  for (const auto& reported : plots)
    if (!reported.picture.graphic.empty()) all.push_back(&reported.picture);
  return all;
}

ReportContents report_contents(const ReportRequest& request, const json& document, const Evidence& evidence,
                               const std::vector<std::string>& sets,
                               const std::optional<std::string>& pdf_font) {
  const auto& plan = evidence.plan();
  const auto& experiment = document.at("experiments").at(plan.experiment);
  ReportContents contents{document, experiment, evidence, Inference(evidence), {}, {}, {}, {}, {}, {}};
  const auto& inference = contents.inference;
  contents.hypotheses = test_hypotheses(request.hypotheses, inference, experiment);
  const auto declared = document.value("tables", json::object());
  for (const auto& layout : request.tables) {
    ReportedTable reported;
    reported.layout = layout;
    reported.table = make_table(layout, inference);
    reported.caption = first_of({layout.caption, doc_of(declared.value(layout.name, json::object())),
                                 doc_of(experiment), doc_of(document), plan.experiment + ": " + layout.name});
    reported.effects = effects_of(reported.table.columns, inference, contents.hypotheses);
    if (const auto primary = primary_column(reported.table)) {
      reported.interactions = inference.interactions(reported.table.columns[*primary]);
      reported.sweep = sweep_of(reported.table.columns[*primary], inference);
    }
    const auto& columns = reported.table.columns;
    if (std::any_of(columns.begin(), columns.end(),
                    [](const Column& one) { return one.needs == ColumnNeeds::kernel_times; }))
      reported.fast = fast_profile(evidence);
    reported.tasks = heat_map(reported.table, evidence);
    reported.pictures = pictures_of(reported, inference, contents.hypotheses, request.tables.size() == 1);
    contents.tables.push_back(std::move(reported));
  }
  for (const auto& plot : request.plots) {
    contents.plots.push_back(drawn(plot, evidence));
    // Rows with different verifiers become comparable if one verifier judges all of them.
    if (auto examined = judged_by_exam(plot))
      if (auto reported = drawn(*examined, evidence); !reported.points.empty())
        contents.plots.push_back(std::move(reported));
  }
  contents.provenance = provenance(document, plan, evidence.store(), sets);
  if (pdf_font) try {
      contents.pdfs = pdfs_of(contents.pictures(), *pdf_font);
    } catch (const UserError& error) {
      contents.warnings.push_back(
          fmt::format("pictures as PDF are left out: {}. {}", error.what(), error.help));
    }
  return contents;
}

std::vector<std::string> exam_facts(bool measured_times, const std::string& precision, bool imported) {
  std::string variations;
  for (const auto& variation : exam_variations())
    variations += (variations.empty() ? "" : ", ") + variation.text();
  return {(imported ? "the exam is the same for every row but those that are imported: "
                    : "the exam is the same for every row: ") +
              variations + "; sizes of 4 first; every kernel compiled; memory errors fail",
          precision_fact(precision),
          "tolerance: for each element, the error of an honest computation of the task with these inputs, "
          "against f64; `trl explain exam` has the formula",
          std::string(measured_times
                          ? "kernel times are measured on the GPU, candidate and reference as CUDA graphs "
                            "with a cold L2: 10 "
                            "warm-up runs, 50 trials, trimmed mean of 10 %; fast and speedup use these times"
                          : "kernel times are modelled for an H200 from counted memory accesses and "
                            "launches, not measured: "
                            "fast and speedup too") +
              (imported ? "; imported rows have times of their own" : "")};
}

std::string sampling_words(const contract::Sampling& sampling) {
  std::string words = fmt::format("temperature {:g}", sampling.temperature);
  if (sampling.top_k > 0) words += fmt::format(", top_k {}", sampling.top_k);
  if (sampling.top_p < 1) words += fmt::format(", top_p {:g}", sampling.top_p);
  for (std::size_t i = 0; i < sampling.stop.size(); ++i)
    words += (i == 0 ? ", stop " : " or ") + json(sampling.stop[i]).dump();
  return words + fmt::format(", at most {} tokens", sampling.max_tokens);
}

std::vector<std::string> facts(const ReportContents& contents) {
  const auto& plan = contents.evidence.plan();
  const auto& experiment = contents.experiment;
  std::vector<std::string> sentences;
  const auto seeds = seeds_of(plan);
  std::string listed;
  for (const auto seed : seeds) listed += (listed.empty() ? "" : ", ") + std::to_string(seed);
  sentences.push_back((seeds.size() == 1 ? "seed: " : "seeds: ") + listed);
  if (experiment.contains("evaluate") && experiment["evaluate"].is_object()) {
    const auto& exam = experiment["evaluate"];
    const auto samples = exam.at("samples").get<std::size_t>();
    sentences.push_back(fmt::format("exam: {} tasks x {}, {}", exam.at("split").at("tasks").size(),
                                    counted(samples, "sample"),
                                    sampling_words(contract::Sampling::read(exam))));
    if (const auto episodes = contract::Episodes::read(exam); episodes.turns > 1)
      sentences.push_back(
          fmt::format("an exam's sample is an episode of up to {} turns, which ends with the first right "
                      "answer; columns count the answer that it ends with, and later turns are asked by {}",
                      episodes.turns, json(episodes.feedback).dump()));
  }
  if (experiment.contains("model") && experiment["model"].is_object())
    if (const auto quantize = experiment["model"].value("quantize", "none"); quantize != "none")
      sentences.push_back("the frozen model's matrices are stored as " + quantize);
  for (auto& sentence : server_sentences(contents.evidence)) sentences.push_back(std::move(sentence));
  const json evaluation = experiment.value("evaluate", json());
  const auto precision = evaluation.is_object() ? evaluation.value("precision", "task") : "task";
  for (auto& fact : exam_facts(plan.times_kernels, precision, !plan.imported.empty()))
    sentences.push_back(std::move(fact));
  if (auto sentence = evidence_sentence(contents.evidence); !sentence.empty())
    sentences.push_back(std::move(sentence));
  if (auto sentence = survival_sentence(contents.evidence); !sentence.empty())
    sentences.push_back(std::move(sentence));
  if (auto sentence = unjudged_sentence(contents.evidence); !sentence.empty())
    sentences.push_back(std::move(sentence));
  for (auto& sentence : contents.inference.sentences()) sentences.push_back(std::move(sentence));
  const auto distinct = std::count_if(plan.rows.begin(), plan.rows.end(),
                                      [](const Row& row) { return row.kind == Row::Kind::cell; });
  if (plan.cells > distinct)
    sentences.push_back(fmt::format("{} cells, {} of them distinct on this machine", plan.cells, distinct));
  for (const auto& allowed : experiment.value("allowed", json::array()))
    sentences.push_back(fmt::format("allowed: {}, because \"{}\" ({})", allowed.value("rule", "?"),
                                    allowed.value("reason", ""), allowed.value("where", "")));
  return sentences;
}

std::vector<std::string> findings(const ReportContents& contents) {
  std::vector<std::string> sentences;
  for (const auto& hypothesis : contents.hypotheses) sentences.push_back(sentence(hypothesis));
  if (!contents.tables.empty())
    if (const auto rows = rows_sentence(contents.tables.front()); !rows.empty()) sentences.push_back(rows);
  for (auto& sentence : idle_round_sentences(contents.evidence)) sentences.push_back(std::move(sentence));
  for (auto& sentence : absent_sentences(contents.evidence)) sentences.push_back(std::move(sentence));
  for (auto& sentence : run_sentences(contents.evidence.plan(), contents.evidence.store()))
    sentences.push_back(std::move(sentence));
  return sentences;
}

std::string rows_sentence(const ReportedTable& reported) {
  const auto primary = primary_column(reported.table);
  return reported.sweep && primary ? sweep_sentence(*reported.sweep, reported.table.columns[*primary])
                                   : extremes(reported.table);
}

namespace {

/// The first column in which the first row has a figure.
std::string example_column(const Table& table) {
  const auto& figures = table.rows.front().figures;
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (figures[i].value) return table.columns[i].id;
  return table.columns.front().id;
}

}  // namespace

std::string trace_command(const ReportContents& contents, const Table& table, const std::string& row,
                          const std::string& column) {
  return fmt::format("trl trace {} '{}[{}, {}]'", contents.document.value("file", "FILE"), table.name, row,
                     column);
}

std::string markdown_page(const ReportContents& contents, const ReportedTable& reported) {
  const auto& table = reported.table;
  const auto& caption = reported.caption;
  const auto& effects = reported.effects;
  const auto& interactions = reported.interactions;
  std::string text =
      fmt::format("# {}: {}\n\n{}\n\n", contents.evidence.plan().experiment, table.name, wrapped(caption));
  text += bullets(facts(contents)) + "\n" + as_markdown(table) + markdown_legend(table);
  if (!effects.empty()) {
    text += "\n## Effects\n\n";
    text += wrapped("Mean over pairs of cells of " + effect_meaning(contents.evidence.plan()) +
                    "; each task compared with itself. Speed-ups are compared as ratios on tasks that both "
                    "solve. An effect that no hypothesis declared is exploratory: among several some "
                    "are clear of 0 by chance.") +
            "\n\n" + effects_markdown(effects, table.columns);
    if (!interactions.empty())
      text += wrapped(interaction_meaning(contents.evidence.plan()) + "; exploratory.") + "\n\n" +
              interactions_markdown(interactions, table.columns[*primary_column(table)]);
  }
  if (const auto sentences = findings(contents); !sentences.empty())
    text += (text.ends_with("\n\n") ? "" : "\n") + std::string("## Findings\n\n") + bullets(sentences);
  if (!contents.hypotheses.empty()) text += "\n" + wrapped(detectable_note()) + "\n";
  if (const auto reference = reference_line(table); !reference.empty()) text += "\n" + reference;
  if (!table.columns.empty() && !table.rows.empty())
    text += "\nThe candidates behind any figure can be listed, as for this one:\n\n    " +
            trace_command(contents, table, table.rows.front().row->label, example_column(table)) + "\n";
  return text;
}

namespace {

/// Adds notes about the meaning of a table's arrows and bold letters, and about rows that were merged or gave
/// the same answers.
void add_notes_of_marks(std::vector<std::string>& notes, const Table& table) {
  for (auto& note : {direction_note(table), best_note(table, "Bold")})
    if (!note.empty()) notes.push_back(note);
  for (auto& sentence : row_sentences(table)) notes.push_back(std::move(sentence));
}

}  // namespace

std::vector<std::string> short_notes(const Table& table, std::size_t seeds) {
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::string>> counts;  // the things that n counts, and the columns
  bool times = false;
  for (const auto& column : table.columns) {
    const auto found = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& one) { return one.first == column.counted; });
    if (found == counts.end())
      counts.emplace_back(column.counted, column.title);
    else
      found->second += ", " + column.title;
    times |= column.of_times();
  }
  std::string counted;
  for (const auto& [what, titles] : counts)
    counted += (counted.empty() ? "" : "; ") + what + (counts.size() > 1 ? " (" + titles + ")" : "");
  if (!counted.empty()) notes.push_back("n counts " + counted + ".");
  bool these_runs = false;
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      these_runs |= interval_text(table.columns[i], row.figures[i]).ends_with("†");
  notes.push_back(
      seeds > 1 ? fmt::format("Brackets: 95 % intervals over tasks and {} training seeds, both random{}.",
                              seeds, these_runs ? "; with † over the tasks of these training runs alone" : "")
                : std::string("Brackets: 95 % intervals over tasks; with † of this training run alone."));
  if (times)
    notes.push_back(std::string("Kernel times are ") +
                    (table.modelled ? "modelled for an H200, not measured" : "measured") +
                    (table.imported.empty() ? "." : ", but for imported rows."));
  add_notes_of_marks(notes, table);
  return notes;
}

namespace {

std::vector<std::string> full_notes(const ReportContents& contents, const Table& table) {
  std::vector<std::string> notes;
  std::string counted;
  for (const auto& column : table.columns)
    counted += fmt::format("{}{}: {} ({})", counted.empty() ? "" : "; ", column.title, column.meaning,
                           column.counted);
  notes.push_back("Columns, and what n counts: " + counted + ".");
  add_notes_of_marks(notes, table);
  std::string all;
  for (const auto& fact : facts(contents)) all += (all.empty() ? "" : "; ") + fact;
  notes.push_back("Protocol: " + all + ".");
  for (const auto& hypothesis : contents.hypotheses) notes.push_back(sentence(hypothesis));
  if (!contents.hypotheses.empty()) notes.push_back(detectable_note());
  return notes;
}

}  // namespace

std::string label_of(const TableLayout& layout, const std::string& experiment) {
  auto label = layout.label.empty() ? "tab:" + experiment + "-" + layout.name : layout.label;
  // The label may come from others. A character that ends the label's braces could begin a command of LaTeX.
  std::replace_if(
      label.begin(), label.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != ':' && c != '.' && c != '-'; }, '-');
  return label;
}

std::string first_paragraph(const std::string& text) { return text.substr(0, text.find("\n\n")); }

std::string latex_page(const ReportContents& contents, const ReportedTable& reported) {
  LatexText text;
  text.label = label_of(reported.layout, contents.evidence.plan().experiment);
  text.caption =
      reported.layout.caption.empty() ? first_paragraph(reported.caption) : reported.layout.caption;
  text.form = reported.layout.latex;
  text.notes = reported.layout.full_notes ? full_notes(contents, reported.table)
                                          : short_notes(reported.table, contents.inference.seeds());
  return as_latex(reported.table, text);
}

}  // namespace trl::interpreter
