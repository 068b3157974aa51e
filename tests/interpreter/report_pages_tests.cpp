// report.html, the LaTeX table and the pictures.
#include <gtest/gtest.h>

#include <sstream>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "base/support/digest.hpp"
#include "base/support/files.hpp"
#include "interpreter/report/comparison.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/html_sections.hpp"
#include "interpreter/report/latex.hpp"
#include "interpreter/report/pdf.hpp"
#include "interpreter/report/picture.hpp"
#include "interpreter/report/typeset.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/pdflatex.hpp"
#include "tests/interpreter/typed_signs.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

const Report& study_report() {
  static const Report report = finished_study().report();
  return report;
}

/// The first error in a text's XML tags (each must be closed, in order); empty if there is none.
std::string broken_tag(const std::string& text, const std::vector<std::string>& empty_ones = {}) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) return text.substr(at, 40);
    const auto tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with("?") || tag.starts_with("!") || tag.ends_with("/")) continue;
    const auto name = tag.substr(tag.starts_with("/"), tag.find_first_of(" \n\t") - tag.starts_with("/"));
    if (std::find(empty_ones.begin(), empty_ones.end(), name) != empty_ones.end()) continue;
    if (!tag.starts_with("/")) {
      open.push_back(name);
    } else {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "" : open.back());
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " stays open";
}

std::string without_style(const std::string& html) {
  const auto begin = html.find("<style>"), end = html.find("</style>");
  return html.substr(0, begin) + html.substr(end + 8);
}

/// Compiles a table in an article and returns the complaint; empty if there is none.
std::string compiled(const std::string& table, const std::string& option = "", bool labelled = true) {
  return typeset_by_pdflatex(
             {{"main.tex", table},
              {"page.tex",
               "\\documentclass" + option +
                   "{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{booktabs}\n\\begin{document}\n" +
                   (labelled ? "See Table~\\ref{tab:study-main}.\n" : "\\noindent") +
                   "\\input{main.tex}\n\\end{document}\n"}})
      .complaint;
}

}  // namespace

TEST(Report, IsTheSameBytesEachTime) {
  const auto again = finished_study().report();
  EXPECT_EQ(again.files.size(), study_report().files.size());
  for (const auto& [name, text] : study_report().files) EXPECT_EQ(again.files.at(name), text) << name;
  for (const char* name : {"main.md", "main.csv", "main.values.csv", "main.json", "main.tex", "main.svg",
                           "main.effects.csv", "main.tasks.csv", "main.tasks.svg", "learning.csv",
                           "learning.svg", "report.html", "hypotheses.json", "provenance.json"})
    EXPECT_TRUE(again.files.contains(name)) << name;
}

TEST(Html, NeedsNothingFromElsewhere) {
  const auto& html = study_report().files.at("report.html");
  for (const char* part : {"<script", "src=\"", "@import", "url(", "<link", "<iframe"})
    EXPECT_FALSE(has(html, part)) << part;
  auto rest = html;
  for (const char* name_space : {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"})
    for (std::size_t at; (at = rest.find(name_space)) != std::string::npos;)
      rest.erase(at, std::string(name_space).size());
  EXPECT_FALSE(has(rest, "://"));
}

TEST(Html, EscapesWhatCandidatesWrote) {
  const auto& html = study_report().files.at("report.html");
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;")) << "the answer's second line";
  EXPECT_TRUE(has(html, "&lt;img src=x&gt;")) << "the verdict's message";
  EXPECT_FALSE(has(html, "<img"));
  EXPECT_FALSE(has(html, "\x1b"));
  EXPECT_EQ(broken_tag(without_style(html), {"meta", "br"}), "");
}

TEST(Html, SaysFindingsFirstThenWhereTheyComeFrom) {
  const auto& html = study_report().files.at("report.html");
  std::size_t last = 0;
  for (const char* section :
       {"id=\"findings\"", "id=\"table-main\"", "<h3>Effects</h3>", "id=\"pictures\"", "id=\"curriculum\"",
        "id=\"failures\"", "id=\"protocol\"", "id=\"provenance\""}) {
    const auto at = html.find(section);
    ASSERT_NE(at, std::string::npos) << section;
    EXPECT_GT(at, last) << section;
    last = at;
  }
  for (const char* part :
       {"80 % power", "modelled for an H200", "keeps_incorrect", "studied", "out_of_bounds", "class=\"at\"",
        "trl candidate ", "accuracy in the formula", "prefers-color-scheme: dark"})
    EXPECT_TRUE(has(html, part)) << part;
}

TEST(Html, HasTheCurriculumsSharesAndTheAccuracyThatGaveThem) {
  auto& run = finished_study();
  const auto& html = study_report().files.at("report.html");
  const auto begin = html.find("id=\"curriculum\""), end = html.find("</section>", begin);
  const auto section = html.substr(begin, end - begin);
  int shown = 0, rounded = 0;
  for (const auto& row : run.plan.rows)
    for (const auto& round : row.traces[0].rounds) {
      const auto draw = run.store.stage(round.draw);
      if (!draw["spec"].contains("share")) continue;
      const auto& summary = draw["summary"];
      const double count = summary["counts"]["level2"], tasks = summary["tasks"],
                   wanted = summary["shares"]["level2"];
      char share[128], accuracy[64];
      std::snprintf(share, sizeof share, "</i></span> %.1f\u00a0%%<small>%g of %g tasks", 100 * count / tasks,
                    count, tasks);
      if (count / tasks != wanted) {
        char should[64];
        std::snprintf(should, sizeof should, "; should be %.1f\u00a0%%</small>", 100 * wanted);
        EXPECT_TRUE(has(section, std::string(share) + should)) << share << should << section;
        ++rounded;
      }
      std::snprintf(accuracy, sizeof accuracy, "level1 %.1f %%",
                    100 * draw["summary"]["accuracy"]["level1"].get<double>());
      EXPECT_TRUE(has(section, share) && has(section, accuracy)) << share << ' ' << accuracy;
      ++shown;
    }
  EXPECT_EQ(shown, 4 * 2);
  EXPECT_GT(rounded, 0) << "otherwise this test tells nothing about shares of which whole tasks fall short";
  EXPECT_TRUE(has(section, "level2 = 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1), level1 = rest")) << section;
}

TEST(Html, KnowsTheSecretByItsHashAlone) {
  auto& run = finished_study();
  const auto provenance = json::parse(study_report().files.at("provenance.json"));
  const auto hash = provenance["secret_sha256"].get<std::string>();
  EXPECT_EQ(hash, sha256_hex("trl secret " + run.store.secret()));
  EXPECT_TRUE(has(study_report().files.at("report.html"), hash));
  for (const auto& [name, text] : study_report().files) EXPECT_FALSE(has(text, run.store.secret())) << name;
}

TEST(Html, GivesTheDigestsOfModelAndData) {
  auto& run = finished_study();
  const auto& html = study_report().files.at("report.html");
  EXPECT_TRUE(has(html, run.plan.models.begin()->first));
  for (const auto& stage : run.plan.stages)
    if (stage.kind == "corpus") {
      EXPECT_TRUE(has(html, run.store.result(stage.key).digest("samples.jsonl")));
    }
}

TEST(Escape, LeavesNothingThatActs) {
  EXPECT_EQ(html_escaped("<a href=\"x\" b='&'>\t\n"), "&lt;a href=&quot;x&quot; b=&#39;&amp;&#39;&gt;\t\n");
  EXPECT_EQ(html_escaped("a\x1b[31m\xE2\x80\xAE"
                         "b\xff"),
            "a\xEF\xBF\xBD[31m\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(html_escaped("\u00e9 \u6c49"), "\u00e9 \u6c49");
  EXPECT_EQ(html_with_code("`a<b` and c"), "<code>a&lt;b</code> and c");
  EXPECT_EQ(terminal_safe("a\x1b]0;title\x07\tb\n\xE2\x80\xAE"), "a\\x1b]0;title\\x07    b\n\\u202e");
}

/// The study's table in another form.
std::string latex_of(const json& fields) {
  auto& run = finished_study();
  auto document = run.document;
  for (const auto& [name, value] : fields.items()) document["tables"]["main"][name] = value;
  return make_report(request_for(document, "study"), document, run.plan, run.store, {}).files.at("main.tex");
}

/// The study with its first two cells as the levels of a `zip` in the place of its extensions.
Plan zipped_plan() {
  auto plan = finished_study().plan;
  const std::string name = "rl.tasks_per_round, rl.candidates";
  const std::vector<std::string> levels = {"24, 4", "8, 12"};
  plan.rows.erase(plan.rows.begin() + 2, std::find_if(plan.rows.begin(), plan.rows.end(), [](const Row& row) {
                    return row.kind != Row::Kind::cell;
                  }));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    auto& row = plan.rows[i];
    row.label = "rl.tasks_per_round, rl.candidates = " + levels[i];
    row.levels = {{name, levels[i]}};
    row.extensions.clear(), row.same_as.clear(), row.folded.clear();
  }
  plan.factors = {{name, levels, false}};
  plan.inert.clear();
  return plan;
}

/// The rows of cells, controls and the baseline, and those of their suites, with their correct shares.
Table table_with_suites(const Plan& plan) {
  const Evidence evidence(plan, finished_study().store);
  const Inference inference(evidence);
  TableLayout layout;
  layout.name = "main";
  layout.rows = json{{"op", "+"}, {"args", {"cells", "controls", "suites"}}};
  layout.columns = {"valid", "correct"};
  return make_table(layout, inference);
}

TEST(Latex, RowsOfAGridKeepTheNameOfTheirSuite) {
  const auto tex =
      as_latex(table_with_suites(zipped_plan()), {.label = "tab:study-main", .caption = "c", .notes = {}});
  for (const char* level : {"24, 4", "8, 12"}) {
    EXPECT_TRUE(has(tex, "\n" + std::string(level) + " &"));
    for (const char* suite : {"level1", "level2"})
      EXPECT_TRUE(has(tex, "\n" + std::string(level) + " (" + suite + ") &")) << tex;
  }
  EXPECT_TRUE(has(tex, "imitate (level1) &") && has(tex, "base (level2) (baseline) &")) << tex;
  EXPECT_EQ(compiled(tex), "");
}

TEST(Comparisons, OfAZipCannotBeReadAsArithmetic) {
  auto plan = zipped_plan();
  const auto comparison = compare_factor(plan, "rl.candidates");
  EXPECT_EQ(comparison.name, "rl.tasks_per_round, rl.candidates: (8, 12) minus (24, 4)");
  EXPECT_EQ(comparison.words, "at `rl.tasks_per_round, rl.candidates` = (8, 12) minus at (24, 4)");
  EXPECT_FALSE(has(effect_meaning(plan), "extension") || has(interaction_meaning(plan), "extension"));
  plan.factors.push_back({"inputs", {"off", "on"}, true});
  EXPECT_TRUE(has(effect_meaning(plan), "with the extension minus") &&
              has(effect_meaning(plan), "of a setting"));
  EXPECT_EQ(varied_kinds(plan), "extension and setting");
  EXPECT_EQ(varied_kinds(finished_study().plan), "extension");
}

TEST(Latex, CompilesWithBooktabsAlone) { EXPECT_EQ(compiled(study_report().files.at("main.tex")), ""); }

TEST(Latex, IsAFloatOverOneOrTwoColumnsOrNone) {
  const auto usual = study_report().files.at("main.tex"), wide = latex_of({{"latex", "wide"}}),
             alone = latex_of({{"latex", "tabular"}});
  EXPECT_TRUE(has(usual, "\\begin{table}[tbp]") && has(usual, "\\end{table}"));
  EXPECT_TRUE(has(wide, "\\begin{table*}[tbp]") && has(wide, "\\end{table*}"));
  EXPECT_FALSE(has(wide, "\\begin{table}"));
  EXPECT_FALSE(has(alone, "{table"));
  EXPECT_TRUE(has(alone, "% Which extension helps?"));
  EXPECT_EQ(compiled(wide, "[twocolumn]"), "");
  EXPECT_EQ(compiled(latex_of({{"latex", "column"}}), "[twocolumn]"), "");
  EXPECT_EQ(compiled(alone, "", false), "");
  std::istringstream lines(alone);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.starts_with("%") || line.find("intervals") == std::string::npos) << line;
}

TEST(Latex, TheCommentOfAFileGivesItsFirstParagraphToACaption) {
  auto& run = finished_study();
  auto contents = report_contents(request_for(run.document, "study"), run.document, run.evidence, {});
  contents.tables.front().caption = "Which extension helps?\n\nEight minutes on two cores.";
  const auto tex = latex_page(contents, contents.tables.front());
  EXPECT_TRUE(has(tex, "\\caption{Which extension helps?}")) << tex;
  EXPECT_FALSE(has(tex, "Eight minutes"));
}

TEST(Latex, NotesAreAsWideAsTheTableAndTheCaptionStandsApart) {
  const auto tex = latex_of({{"columns", {"correct"}}});
  EXPECT_TRUE(has(tex, "\\begin{minipage}{\\trlwidth}")) << tex;
  EXPECT_EQ(compiled(tex), "");
  // With the package caption, which leaves the room on the other side unless it is told where the caption is.
  EXPECT_TRUE(has(tex, "\\captionsetup{position=top,skip=5pt}"));
  EXPECT_TRUE(has(study_report().files.at("main.tex"), "\\ifdefined\\captionsetup"));
}

/// Measures of the classes that papers are sent in, as preambles of our own: the text's width, the distance
/// of columns, and the size of letters.
struct Venue {
  const char* name;
  const char* preamble;
  std::vector<const char*> forms;
};
const std::vector<Venue> venues = {
    {"article", "\\documentclass{article}", {"table", "tabular"}},
    {"like NeurIPS",
     "\\documentclass[10pt]{article}\\usepackage[letterpaper,textwidth=5.5in,textheight=9in]{geometry}",
     {"table", "tabular"}},
    {"like ICML",
     "\\documentclass[10pt,twocolumn]{article}\\usepackage[letterpaper,textwidth=6.75in,textheight=9in,"
     "columnsep="
     "0.25in]{geometry}",
     {"column", "wide"}},
    {"like ACL",
     "\\documentclass[11pt,twocolumn]{article}\\usepackage[a4paper,textwidth=16cm,textheight=24.7cm,"
     "columnsep=0.6cm"
     "]{geometry}",
     {"column", "wide"}}};

TEST(Latex, FitsTheClassesOfPapers) {
  const auto& run = finished_study();
  const json columns = {"valid",   "correct", "values", "compiled", {{"call", "fast"}, {"args", {1.0}}},
                        "speedup", "cost",    "tokens"};
  const auto report =
      make_report(request_for(run.document, "study"), run.document, run.plan, run.store, {}, usual_font);
  for (const auto& [name, preamble, forms] : venues) {
    std::map<std::string, std::string> files;
    std::string body;
    for (const char* form : forms) {
      const auto all = fmt::format("{}.all", form), few = fmt::format("{}.few", form);
      files[all + ".tex"] = latex_of({{"latex", form}, {"columns", columns}, {"label", "tab:" + all}});
      files[few + ".tex"] =
          latex_of({{"latex", form}, {"columns", {"valid", "correct"}}, {"label", "tab:" + few}});
      for (const auto& one : {all, few}) body += "\\par\\noindent\\input{" + one + "}\n";
    }
    for (const auto& [file, bytes] : report.files)
      if (file.ends_with(".pdf") || file == "pictures.tex") files[file] = bytes;
    files["page.tex"] =
        std::string(preamble) +
        "\n\\usepackage[utf8]{inputenc}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n" + body +
        "\\clearpage\n\\input{pictures}\n\\end{document}\n";
    const auto made = typeset_by_pdflatex(files);
    EXPECT_EQ(made.complaint, "") << name;
    EXPECT_GT(made.pages, 1) << name;
  }
}

TEST(Latex, ALongNameGoesOnBesideItsIntervals) {
  auto plan = finished_study().plan;
  for (auto& row : plan.rows)
    if (row.kind == Row::Kind::control) row.label = "imitation_by_answers -> reinforcement_unfiltered";
  const Evidence evidence(plan, finished_study().store);
  TableLayout layout;
  layout.name = "main", layout.rows = {"cells", "controls"}, layout.columns = {"valid", "correct"};
  const auto table = make_table(layout, Inference(evidence));
  const auto tex =
      as_latex(table, {.label = "tab:study-main", .caption = "c", .form = LatexForm::column, .notes = {}});
  EXPECT_TRUE(has(tex, "\nimitation\\_by\\_answers $\\to$ &") &&
              has(tex, "\n\\quad reinforcement\\_unfiltered &"))
      << tex;
  EXPECT_EQ(compiled(tex, "[twocolumn]"), "");
}

TEST(Tables, MarkTheBestOnlyWhereItIsClearOfAllOthers) {
  const auto& run = finished_study();
  const auto table = make_table(request_for(run.document, "study").tables[0], run.inference);
  int marked = 0, unmarked = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    (table.best[i] ? marked : unmarked) += 1;
    if (!table.best[i]) continue;
    ASSERT_NE(column.better, contract::Better::unknown) << column.id;
    const auto& best = table.rows[*table.best[i]];
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      if (row == *table.best[i] || !table.rows[row].figures[i].value) continue;
      const double gap = *best.figures[i].value - *table.rows[row].figures[i].value;
      EXPECT_TRUE(column.better == contract::Better::higher ? gap > 0 : gap < 0) << column.id;
    }
  }
  EXPECT_GT(unmarked, 0);
  const auto note = best_note(table, "Bold");
  EXPECT_EQ(note.empty(), marked == 0) << "what bold means is said only where it occurs";
}

TEST(Tables, MarkInLatexMarkdownAndHtmlAlike) {
  const auto& run = finished_study();
  auto table = make_table({"main", {"cells"}, {"valid", "correct"}}, run.inference);
  table.best = {std::nullopt, 1};
  const auto value = value_text(table.columns[1], *table.rows[1].figures[1].value);
  const auto count = [&](const std::string& text, const std::string& mark) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += mark.size()) ++found;
    return found;
  };
  const auto tex =
      as_latex(table, {.label = "tab:study-main", .caption = "c", .notes = short_notes(table, 1)});
  EXPECT_EQ(count(tex, "\\textbf{" + value + "}"), 1u) << tex;
  EXPECT_TRUE(has(tex, "Bold: the best figure of its column"));
  EXPECT_EQ(count(as_markdown(table), "**" + value + "**"), 1u);
  EXPECT_TRUE(has(as_markdown(table), "**Bold**: the best figure"));
  const auto html = figures_table(table, "", [](const TableRow&, const Column&) { return std::string(); });
  EXPECT_EQ(count(html, "<strong>" + value + "</strong>"), 1u) << html;
  EXPECT_EQ(count(html, "<strong>"), 1u);
  EXPECT_EQ(compiled(tex), "");
  table.best = {};
  EXPECT_FALSE(has(as_markdown(table), "Bold"));
}

TEST(Columns, HaveTheTitleOfTheirAuthor) {
  const json titled = {{"call", "titled"},
                       {"args", {{{"call", "fast"}, {"args", {1.0}}}, "faster than PyTorch"}},
                       {"named", json::object()}};
  const auto column = parse_column(titled);
  EXPECT_EQ(column.title, "faster than PyTorch");
  EXPECT_EQ(column.id, "fast(1)");
  const auto tex = latex_of({{"columns", {"correct", titled}}});
  EXPECT_TRUE(has(tex, "\\% of 10 exam samples") && has(tex, " & faster than PyTorch \\\\")) << tex;
}

TEST(Tables, SayInWhichColumnsLessIsBetter) {
  const auto tex = latex_of({{"columns", {"correct", "tokens", "cost"}}});
  EXPECT_TRUE(has(tex, "correct (\\%) & tokens & cost (s) $\\downarrow$ \\\\")) << tex;
  EXPECT_TRUE(has(tex, "$\\downarrow$: less is better.")) << tex;
  EXPECT_FALSE(has(latex_of({{"columns", {"correct", "tokens"}}}), "downarrow"));
}

TEST(Latex, KeepsColumnsOfOneKindTogether) {
  const json columns = {"valid",   "correct", "values", "compiled", {{"call", "fast"}, {"args", {1.0}}},
                        "speedup", "cost",    "tokens"};
  const auto text = latex_of({{"columns", columns}});
  EXPECT_EQ(compiled(text), "");
  std::vector<std::string> heads;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("row &")) heads.push_back(line);
  ASSERT_GT(heads.size(), 1u);
  for (const auto& head : heads)
    EXPECT_EQ(has(head, "speedup"), has(head, "fast")) << "both are of speed: " << head;
}

TEST(Latex, SaysOfWhatNeighbouringSharesAreOnceAboveThem) {
  const json columns = {"valid", "correct", "speedup", {{"call", "fast"}, {"args", {1.0}}}, "cost"};
  const auto tex = latex_of({{"columns", columns}});
  EXPECT_TRUE(has(tex, "\\multicolumn{2}{c}{\\% of 10 exam samples}") && has(tex, "\n\\cmidrule(lr){2-3}\n"))
      << tex;
  for (const char* head : {"row & valid & correct", " & fast(1) (\\%)", " & cost (s)"})
    EXPECT_TRUE(has(tex, head)) << head << tex;
  EXPECT_EQ(compiled(tex), "");
  EXPECT_FALSE(has(latex_of({{"columns", {"correct", "cost"}}}), "cmidrule"))
      << "one column has its own head";
}

TEST(Latex, SplitsATableIntoEvenBlocks) {
  auto table =
      make_table(request_for(finished_study().document, "study").tables[0], finished_study().inference);
  const auto column = table.columns[1];
  table.columns.assign(8, column), table.best.assign(8, std::nullopt);
  for (auto& row : table.rows) row.figures.assign(8, row.figures[1]);
  for (const double width : {505.0, 400.0, 300.0, 243.0}) {
    const auto tex = as_latex(
        table, {.label = "tab:a", .caption = "c", .form = LatexForm::wide, .notes = {}, .width = width});
    std::vector<std::size_t> counts;
    std::istringstream lines(tex);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("row &"))
        counts.push_back(static_cast<std::size_t>(std::count(line.begin(), line.end(), '&')));
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_LE(*most - *least, (8 + counts.size() - 1) / counts.size() - 8 / counts.size() + 1)
        << width << tex;
  }
}

TEST(Latex, CompilesWhateverTheDocCommentHolds) {
  auto table =
      make_table(request_for(finished_study().document, "study").tables[0], finished_study().inference);
  const LatexText text{
      .label = "tab:study-main",
      .caption =
          "50 % of $x_1 & {y} \\ ~ ^ # <b> \"q\" | \u2192 \u6c49 \u00e9 `code_1` ` \u2026 \u00b5 \x01\n\nnew",
      .notes = {"note with `a_b` and 100 %"}};
  EXPECT_EQ(compiled(as_latex(table, text)), "");
}

TEST(Latex, SaysHowManyAndHowSure) {
  const auto& tex = study_report().files.at("main.tex");
  for (const char* part :
       {"\\toprule", "\\bottomrule", "\\caption{Which extension helps?}", "$n=10$", "95 \\% intervals",
        "modelled for an H200", "imitate $\\to$ unfiltered", "n counts "})
    EXPECT_TRUE(has(tex, part)) << part;
  for (const char* part : {"keeps\\_incorrect", "a study finds"}) {
    EXPECT_FALSE(has(tex, part)) << part;
    EXPECT_TRUE(has(latex_of({{"notes", "full"}}), part)) << part;
  }
}

TEST(Latex, HasTheCaptionAndLabelOfItsTable) {
  const auto tex = latex_of({{"caption", "Which checks teach?"}, {"label", "tab:checks"}});
  EXPECT_TRUE(has(tex, "\\caption{Which checks teach?}\n\\label{tab:checks}\n")) << tex;
  EXPECT_TRUE(has(latex_of({{"label", "a}\\input{/etc/passwd"}}), "\\label{a--input--etc-passwd}\n"));
}

TEST(Latex, EscapesEverySpecialCharacter) {
  EXPECT_EQ(latex_escaped("a_b & 5 % {x} $ # ~ ^ \\"),
            "a\\_b \\& 5 \\% \\{x\\} \\$ \\# \\textasciitilde{} \\textasciicircum{} \\textbackslash{}");
  EXPECT_EQ(latex_escaped("`a_b` ` \u2192 \u6c49"), "\\texttt{a\\_b} \\textasciigrave{} $\\to$ ?");
  EXPECT_EQ(latex_escaped("with \u2020 and \u2021, \u00b7 \u221a"),
            "with $\\dagger$ and $\\ddagger$, $\\cdot$ $\\surd$");
}

TEST(Latex, NothingThatTheReportWritesBecomesAQuestionMark) {
  for (const auto& tex : {study_report().files.at("main.tex"), latex_of({{"notes", "full"}})}) {
    EXPECT_FALSE(has(tex, "?,") || has(tex, " ? ") || has(tex, "]?"));
    EXPECT_TRUE(has(tex, "with $\\dagger$"));
  }
}

TEST(Pictures, AreWholeAndSayWhatTheyShow) {
  for (const char* name : {"main.svg", "learning.svg", "main.tasks.svg", "main.effects.svg",
                           "main.half_normal.svg", "main.interactions.svg"}) {
    const auto& svg = study_report().files.at(name);
    EXPECT_EQ(broken_tag(svg), "") << name;
    EXPECT_TRUE(has(svg, "<title>study") || has(svg, " aria-label=\"")) << name;
  }
  const auto& learning = study_report().files.at("learning.svg");
  for (const char* part :
       {"mean reward of the round’s candidates, n = 20", "95 % over tasks, of this training run only",
        "modelled, not measured", "imitate → unfiltered"})
    EXPECT_TRUE(has(learning, part) || has(html_escaped(learning), part)) << part;
}

TEST(Pictures, ALongTitleIsBroken) {
  auto& run = finished_study();
  const auto table = make_table({"main", {"cells"}, {"correct"}}, run.inference);
  const std::string word = "kernels ";
  std::string title;
  for (int i = 0; i < 20; ++i) title += word;
  const auto svg = as_svg(table, title, "note");
  EXPECT_EQ(broken_tag(svg), "");
  EXPECT_FALSE(has(svg, word + word + word + word + word + word + word + "</text>"));
  EXPECT_TRUE(has(svg, ">kernels kernels"));
}

TEST(Pictures, TheTaskMapHasACellForEachRowAndTask) {
  const auto& csv = study_report().files.at("main.tasks.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 11 * 5);
  auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  const auto table = make_table(request_for(run.document, "study").tables[0], run.inference);
  const auto map = heat_map(table, evidence);
  ASSERT_EQ(map.tasks.size(), 5u);
  EXPECT_EQ(map.tasks[0].group, "level1");
  EXPECT_EQ(map.tasks[4].group, "level2");
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    double sum = 0;
    for (const double share : map.shares[row]) sum += share;
    EXPECT_NEAR(sum / 5, *table.rows[row].figures[2].value, 1e-12) << "two samples of each of five tasks";
  }
}

TEST(Pictures, TheTaskMapHasARowOfAllSuites) {
  const auto& run = finished_study();
  const Evidence evidence(run.plan, run.store);
  auto table = table_with_suites(run.plan);
  ASSERT_EQ(table.rows.size(), 3u * 11);
  const auto map = heat_map(table, evidence);
  const auto whole =
      heat_map(make_table(request_for(run.document, "study").tables[0], run.inference), evidence);
  EXPECT_EQ(map.rows, whole.rows);
  EXPECT_EQ(as_csv(map), as_csv(whole));
  EXPECT_EQ(map.samples, whole.samples);
  // Where the suites stand alone, the map is the same.
  std::erase_if(table.rows, [](const TableRow& row) { return row.row->suite.empty(); });
  EXPECT_EQ(as_csv(heat_map(table, evidence)), as_csv(whole));
}

TEST(Pictures, AreWrittenAsPdfWithTheSameBytesWhereThatIsAsked) {
  const auto& run = finished_study();
  const auto plain = run.report();
  const auto made = [&] {
    return make_report(request_for(run.document, "study"), run.document, run.plan, run.store, {}, usual_font);
  };
  const auto report = made();
  for (const char* name : {"learning.pdf", "learning.exam.pdf", "main.effects.pdf", "main.tasks.pdf"}) {
    ASSERT_TRUE(report.files.contains(name)) << name;
    EXPECT_TRUE(report.files.at(name).starts_with("%PDF-")) << name;
    EXPECT_FALSE(plain.files.contains(name)) << name;
    EXPECT_TRUE(
        has(report.files.at("pictures.tex"), std::string(name).substr(0, std::string(name).size() - 4)));
  }
  EXPECT_EQ(made().files, report.files);
  EXPECT_FALSE(has(report.files.at("learning.pdf"), "/CreationDate"));
  EXPECT_TRUE(has(report.files.at("learning.pdf"), "/FontFile2")) << "letters are inside";
  for (const auto& [name, text] : plain.files) EXPECT_EQ(report.files.at(name), text) << name;
  if (std::system("which pdflatex > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  const Scratch scratch;
  write_report(report, scratch.path);
  write_text(
      scratch.path / "paper.tex",
      "\\documentclass{article}\\usepackage{graphicx}\n\\begin{document}\\input{pictures}\\end{document}\n");
  const auto command =
      "cd " + scratch.path.string() + " && pdflatex -interaction=nonstopmode paper.tex > log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_text(scratch.path / "log");
}

TEST(Pictures, SayWhoseVerifierJudged) {
  const auto files = finished_study().report().files;
  EXPECT_TRUE(has(files.at("learning.svg"), "each row by its own verifier"));
  EXPECT_TRUE(has(files.at("learning.exam.svg"), "every row by the exam"));
  EXPECT_TRUE(files.at("learning.exam.csv").starts_with("row,seed,round,purity,"))
      << files.at("learning.exam.csv");
}

TEST(Pictures, WithoutMatplotlibOrTheFontTheRestIsMadeAndTheReasonSaid) {
  const auto& run = finished_study();
  const auto with_font = [&](const char* font) {
    return make_report(request_for(run.document, "study"), run.document, run.plan, run.store, {}, font);
  };
  const auto strange = with_font("No Such Font");
  ASSERT_EQ(strange.warnings.size(), 1u);
  EXPECT_TRUE(has(strange.warnings[0],
                  "pictures as PDF are left out: there is no font called No Such Font here. "
                  "There are "))
      << strange.warnings[0];
  EXPECT_TRUE(has(strange.warnings[0], "STIXGeneral"));
  const Scratch scratch;
  // A Python without matplotlib: one that looks for packages nowhere.
  write_text(scratch.path / "python", "#!/bin/sh\nexec /usr/bin/python3 -S -I \"$@\"\n");
  fs::permissions(scratch.path / "python", fs::perms::owner_all);
  const std::string before = std::getenv("TRL_PYTHON") ? std::getenv("TRL_PYTHON") : "";
  ::setenv("TRL_PYTHON", (scratch.path / "python").c_str(), 1);
  const auto report = with_font(usual_font);
  before.empty() ? ::unsetenv("TRL_PYTHON") : ::setenv("TRL_PYTHON", before.c_str(), 1);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(has(report.warnings[0], "this Python has no matplotlib") &&
              has(report.warnings[0], "pip install"))
      << report.warnings[0];
  for (const auto& [name, text] : finished_study().report().files)
    EXPECT_TRUE(report.files.contains(name)) << name;
  write_text(scratch.path / "learning.pdf", "left over");
  write_report(report, scratch.path);
  EXPECT_FALSE(fs::exists(scratch.path / "learning.pdf"));
  EXPECT_TRUE(fs::exists(scratch.path / "learning.svg"));
}

TEST(Pictures, LongNamesThatDifferStayDifferent) {
  const std::vector<std::string> names = {"reinforce.learning_rate = 1e-05, keep = 1 of many",
                                          "reinforce.learning_rate = 2e-05, keep = 1 of many", "short"};
  const auto shown = shortened(names, 20);
  EXPECT_NE(shown[0], shown[1]);
  EXPECT_EQ(shown[2], "short");
  EXPECT_TRUE(has(shown[0], "…"));
  const auto alone = shortened({names[0]}, 20);
  EXPECT_EQ(alone[0], "reinforce.…1 of many");
  EXPECT_EQ(shortened({"same same same", "same same same"}, 5), (std::vector<std::string>{"sa…me", "sa…me"}));
}

TEST(Pictures, TextIsTypeset) {
  EXPECT_EQ(typeset("imitate -> unfiltered, -0.5 (-3) a-b 1e-5"), "imitate → unfiltered, −0.5 (−3) a-b 1e-5");
  EXPECT_EQ(typeset("inputs x memory"), "inputs × memory");
  EXPECT_EQ(typeset("a + x + b, x86_64, x0.98 [x0.9, x1.05]"), "a + x + b, x86_64, ×0.98 [×0.9, ×1.05]");
  EXPECT_EQ(typeset("p >= 0.05, n <= 3, a != b"), "p ≥ 0.05, n ≤ 3, a ≠ b");
  EXPECT_EQ(typeset("it isn't \"so\" (\"or\"), the rows' names, 'a"),
            "it isn’t “so” (“or”), the rows’ names, 'a");
  EXPECT_EQ(typeset("-"), "–");
  EXPECT_EQ(typeset("-3 to -1"), "−3 to −1");
  EXPECT_EQ(typeset_sentence("`a -> b` isn't a -> b"), "`a -> b` isn’t a → b");
  EXPECT_EQ(html_with_code("`a -> b` -> \"c\" & `d"), "<code>a -&gt; b</code> → “c” &amp; <code>d</code>");
}

TEST(Pages, HaveTheSignsOfPrint) {
  EXPECT_EQ(typed_sign(study_report().files.at("report.html")), "");
  EXPECT_TRUE(has(study_report().files.at("report.html"), "<th scope=\"row\">imitate → unfiltered</th>"));
  for (const auto& [name, text] : study_report().files) {
    if (!name.ends_with(".svg")) continue;
    EXPECT_EQ(typed_sign(text), "") << name;
  }
}
