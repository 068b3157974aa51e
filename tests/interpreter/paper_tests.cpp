// `trl paper`: a study told as a paper, in LaTeX, Markdown and HTML.
#include "interpreter/paper/paper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "interpreter/report/findings.hpp"
#include "interpreter/report/latex.hpp"
#include "interpreter/report/pdf.hpp"
#include "interpreter/wrap.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/pdflatex.hpp"
#include "tests/interpreter/typed_signs.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;

namespace {

/// What the schema says of the names that the fixture's study uses.
std::string docs(const std::string& name) {
  if (name == "best_of_n")
    return "Rounds of sampling, verifying, selecting the best answers and fine-tuning on them.";
  if (name == "verdict.correct") return "The values are right in every variation.";
  return "";
}

/// The paper of a study, whose file's text is `text`.
paper::Document paper_of(const FinishedStudy& run, const json& document,
                         const std::string& text = "import x\n") {
  static const std::vector<std::string> none;
  const auto request = request_for(document, "study");
  const paper::Study study{document,
                           run.evidence,
                           request,
                           none,
                           "study.trl",
                           text,
                           {},
                           docs,
                           "trl run study.trl",
                           "trl paper study.trl"};
  return paper::write_paper(study);
}

const paper::Document& finished_paper() {
  static const paper::Document document = paper_of(finished_study(), finished_study().document);
  return document;
}

/// A LaTeX document with its figures, for pdfTeX.
std::map<std::string, std::string> latex_files(const paper::Document& document) {
  std::vector<const Picture*> pictures;
  for (const auto& block : document.blocks)
    if (const auto* figures = std::get_if<paper::Figures>(&block))
      for (const auto& picture : figures->pictures) pictures.push_back(&picture);
  std::map<std::string, std::string> files;
  for (auto& [name, bytes] : pdfs_of(pictures, usual_font)) files[name + ".pdf"] = std::move(bytes);
  files["page.tex"] = paper::latex_document(document, !files.empty());
  return files;
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

paper::Equation equation(const char* name, const json& body) {
  return {name, {"c"}, formulas::Expression::read(body)};
}

}  // namespace

TEST(Paper, CompilesToAFewPages) {
  const auto made = typeset_by_pdflatex(latex_files(finished_paper()));
  EXPECT_EQ(made.complaint, "");
  EXPECT_GE(made.pages, 2);
  EXPECT_LE(made.pages, 4);
}

TEST(Paper, LeavesTheLastFiguresOutWhereThereIsNoRoom) {
  auto document = finished_paper();
  const auto figures = [&]() -> paper::Figures& {
    return std::get<paper::Figures>(
        *std::find_if(document.blocks.begin(), document.blocks.end(),
                      [](const auto& block) { return std::holds_alternative<paper::Figures>(block); }));
  };
  Graphic graphic(narrow_picture, 180);
  graphic.line({{10, 10}, {200, 150}}, {"#000000", 1});
  figures().left_out.clear(), figures().pictures.clear(), figures().about.clear();
  // A table of two blocks has a page for itself; with one the figures have room.
  for (auto& block : document.blocks)
    if (auto* table = std::get_if<paper::TableFloat>(&block)) {
      table->table.columns.resize(4), table->table.best.resize(4);
      for (auto& row : table->table.rows) row.figures.resize(4);
    }
  for (int i = 0; i < 9; ++i) {
    figures().pictures.push_back({fmt::format("number{}", i), "A line.", graphic});
    figures().about.push_back("the same again");
  }
  fit(document, 4);
  const auto shown = figures().pictures.size();
  EXPECT_GT(shown, 1u);
  EXPECT_LT(shown, 9u);
  ASSERT_EQ(figures().left_out.size(), 9 - shown);
  EXPECT_EQ(figures().left_out.back(), "number8");
  EXPECT_TRUE(has(paper::markdown_document(document), "The report also has"));
  const auto made = typeset_by_pdflatex(latex_files(document));
  EXPECT_EQ(made.complaint, "");
  EXPECT_LE(made.pages, 4) << shown << " figures";
  // Nothing but figures is left out.
  fit(document, 0);
  EXPECT_TRUE(figures().pictures.empty());
  EXPECT_TRUE(has(paper::markdown_document(document), "number0"));
}

TEST(Paper, EndsInSmallerLettersWhereThatSparesAPage) {
  const auto pages = [](int lines) {
    auto document = finished_paper();
    auto& listing = std::get<paper::Listing>(document.blocks.back());
    listing.text.clear();
    for (int i = 0; i < lines; ++i) listing.text += "train way : sft { epochs = 1 }\n";
    const auto tex = paper::latex_document(document, false);
    return std::pair(typeset_by_pdflatex({{"page.tex", tex}}).pages,
                     has(tex, "\\raggedbottom\\fontsize{7}{8}\\selectfont"));
  };
  const auto short_one = pages(20), long_one = pages(66);
  EXPECT_FALSE(short_one.second);
  EXPECT_TRUE(long_one.second);
  EXPECT_EQ(long_one.first, short_one.first);
}

TEST(Paper, HoldsNamesOfAnyLengthAndBeginning) {
  paper::Document document{"A title", "", {}};
  paper::Digests digests{"Digests", {}};
  for (const std::size_t length : {10, 80, 160})
    digests.of.emplace_back(
        std::string(length / 5, 'a') + " " + std::string(length / 5, 'b') + ", `file.json`",
        std::string(64, 'f'));
  document.blocks = {paper::Section{"Results"}, paper::Items{{"[original], 50", "* a star"}}, digests,
                     paper::Listing{"The file", "import x\n"}};
  EXPECT_EQ(typeset_by_pdflatex({{"page.tex", paper::latex_document(document, false)}}).complaint, "");
  auto table =
      make_table(request_for(finished_study().document, "study").tables[0], finished_study().inference);
  int number = 0;
  for (auto& row : table.rows) {
    auto named = *row.row;
    named.label = (number++ % 2 ? "[original], " : "* ") + named.label;
    row.row = std::make_shared<Row>(named);
  }
  document.blocks = {paper::TableFloat{table, "tab:a", "Rows that begin with brackets.", {}}};
  EXPECT_EQ(typeset_by_pdflatex({{"page.tex", paper::latex_document(document, false)}}).complaint, "");
}

TEST(Paper, CompilesWithoutFiguresToo) {
  const auto tex = paper::latex_document(finished_paper(), false);
  EXPECT_FALSE(has(tex, "includegraphics"));
  EXPECT_EQ(typeset_by_pdflatex({{"page.tex", tex}}).complaint, "");
}

TEST(Paper, IsTheSameBytesEachTime) {
  const auto again = paper_of(finished_study(), finished_study().document);
  EXPECT_EQ(paper::latex_document(again, true), paper::latex_document(finished_paper(), true));
  EXPECT_EQ(paper::markdown_document(again), paper::markdown_document(finished_paper()));
  EXPECT_EQ(paper::html_document(again), paper::html_document(finished_paper()));
}

TEST(Paper, TellsTheStudyInItsThreeFormsAlike) {
  const auto& run = finished_study();
  const auto request = request_for(run.document, "study");
  const auto results = report_contents(request, run.document, run.evidence, {});
  auto tex = paper::latex_document(finished_paper(), true);
  for (std::size_t at; (at = tex.find("\\allowbreak{}")) != std::string::npos;) tex.erase(at, 13);
  const auto markdown = paper::markdown_document(finished_paper()),
             html = paper::html_document(finished_paper());
  for (const auto& text : {tex, markdown, html}) {
    for (const char* section :
         {"Setting", "Protocol", "Results", "Limits", "Cost", "Reproducibility", "study.trl"})
      EXPECT_TRUE(has(text, section)) << section;
    for (const auto& result : results.hypotheses)
      EXPECT_TRUE(has(text, paper::capitalised(result.verdict())));
    for (const auto& row : results.tables[0].table.rows)
      EXPECT_TRUE(has(text, value_text(results.tables[0].table.columns[0], *row.figures[0].value)));
    EXPECT_TRUE(has(text, "not measured")) << "modelled times";
    EXPECT_FALSE(has(text, "nan") && !has(run.document.dump(), "nan"));
  }
  for (const auto& model : run.plan.models) EXPECT_TRUE(has(markdown, model.first));
  EXPECT_TRUE(has(markdown, "**Exploratory.**"));
  EXPECT_FALSE(has(markdown, "(exploratory)") || has(markdown, "on no other column")) << "it is said once";
}

TEST(Paper, HasTheSignsOfPrint) {
  EXPECT_EQ(typed_sign(paper::html_document(finished_paper())), "");
  const auto markdown = paper::markdown_document(finished_paper());
  EXPECT_TRUE(has(markdown, "| imitate → unfiltered ")) << markdown;
  const auto tex = paper::latex_document(finished_paper(), false);
  EXPECT_TRUE(has(tex, "imitate $\\to$ unfiltered &"));
}

TEST(Paper, BreaksNoCommandShortlyBeforeItsEnd) {
  paper::Document document;
  document.title = "a";
  document.blocks.emplace_back(paper::Paragraph{
      "", "`trl run experiments/ablation.trl --set reinforce.keep=2 --set imitate.epochs=0.25`"});
  const auto tex = paper::latex_document(document, false);
  EXPECT_TRUE(has(tex, "experiments/\\allowbreak{}ablation.trl --set reinforce.\\allowbreak{}keep=2 "))
      << tex;
  EXPECT_TRUE(has(tex, "epochs=\\allowbreak{}0.25}")) << tex;
}

TEST(Paper, WithoutResultsSaysWhatIsMissingAndClaimsNothing) {
  const Scratch scratch;
  const StoreWriter store(write_secret(scratch.path / "store"));
  const auto& run = finished_study();
  const Evidence evidence(run.plan, store);
  const std::vector<std::string> none;
  const auto request = request_for(run.document, "study");
  const paper::Study study{
      run.document,         evidence, request, none, "study.trl", "import x\n", {}, docs, "trl run study.trl",
      "trl paper study.trl"};
  EXPECT_EQ(paper::missing_of(study).stages, run.plan.stages.size());
  EXPECT_EQ(paper::missing_of(study).rows.size(), run.plan.rows.size());
  const auto document = paper::write_paper(study);
  const auto markdown = paper::markdown_document(document);
  EXPECT_TRUE(has(markdown, "isn’t finished") && has(markdown, "`trl run study.trl`")) << markdown;
  EXPECT_TRUE(has(markdown, "## Setting") && has(markdown, "## Protocol"));
  for (const char* claim : {"upported", "quivalent:", "| row"}) EXPECT_FALSE(has(markdown, claim)) << claim;
  EXPECT_EQ(typeset_by_pdflatex(latex_files(document)).complaint, "");
}

TEST(Paper, OfAPartHasTheFiguresOfFinishedRowsAlone) {
  FinishedStudy run;
  const auto& cut = run.plan.rows.front();
  run.store.discard({cut.traces.front().exam_verify});
  const auto markdown = paper::markdown_document(paper_of(run, run.document));
  EXPECT_TRUE(has(in_one_line(markdown), "These rows lack results: `" + cut.label + "`")) << markdown;
  EXPECT_TRUE(has(markdown, "Rows without figures aren’t finished."));
  const auto line_of = [&](const std::string& label) {
    const auto at = markdown.find("\n| " + label + " ");
    return at == std::string::npos ? std::string()
                                   : markdown.substr(at + 1, markdown.find('\n', at + 1) - at - 1);
  };
  EXPECT_EQ(line_of(cut.label).find_first_of("0123456789"), std::string::npos) << line_of(cut.label);
  EXPECT_NE(line_of(run.plan.rows[1].label).find_first_of("0123456789"), std::string::npos);
  EXPECT_FALSE(has(markdown, "hypothesis is supported"));
}

TEST(Paper, EscapesWhatAFileSays) {
  const auto& run = finished_study();
  auto document = run.document;
  document["doc"] = "Is \\input{/etc/passwd} <script>alert(1)</script> safe & 100 %?";
  document["experiments"]["study"]["doc"] = "";
  const auto paper_document =
      paper_of(run, document, "## ``` \\end{document} </pre><script> \xE2\x86\x92 \x01 $x_1$ 'a' `b`\n\tx\n");
  const auto html = paper::html_document(paper_document);
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_TRUE(has(html, "&lt;script&gt;"));
  const auto tex = paper::latex_document(paper_document, false);
  EXPECT_FALSE(has(tex, "\\input{/etc"));
  EXPECT_EQ(typeset_by_pdflatex({{"page.tex", tex}}).complaint, "");
  EXPECT_TRUE(has(paper::markdown_document(paper_document), "\n````trl\n"));
}

TEST(Paper, SentencesOfMarkdownFitATerminal) {
  std::istringstream lines(paper::markdown_document(finished_paper()));
  for (std::string line; std::getline(lines, line) && !line.starts_with("```");) {
    // A table, a picture, a formula, or a digest, which is one long word.
    const bool whole = line.starts_with("|") || line.starts_with("!") || line.starts_with("    ") ||
                       line.find(' ', 2) == std::string::npos;
    if (!whole) {
      EXPECT_LE(display_width(line), 80u) << line;
    }
  }
}

TEST(PaperMath, IsOfRewards) {
  const json correct = {{"member", {{"name", "c"}}}, {"name", "correct"}};
  const json speed = {{"member", {{"name", "c"}}}, {"name", "speedup"}};
  const json capped = {
      {"op", "+"}, {"args", {0.7, {{"op", "*"}, {"args", {0.3, {{"call", "min"}, {"args", {speed, 1}}}}}}}}};
  const auto choice = equation("r", {{"if", {correct, capped, 0}}});
  EXPECT_EQ(
      paper::math_of(choice),
      "r(c) = \\begin{cases}\n0.7+0.3\\,\\min(\\text{speedup}, 1) & \\text{if }\\text{correct}, \\\\\n0 & "
      "\\text{otherwise}\n\\end{cases}");
  EXPECT_EQ(paper::code_of(choice), "r(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0");
  const auto difference =
      equation("s.level2", {{"op", "-"}, {"args", {1, {{"op", "-"}, {"args", {speed, 1e-5}}}}}});
  EXPECT_EQ(paper::math_of(difference), "s_{\\text{level2}}(c) = 1-(\\text{speedup}-10^{-5})");
  json wide = speed;
  for (int i = 0; i < 8; ++i) wide = {{"op", "+"}, {"args", {wide, speed}}};
  EXPECT_FALSE(paper::math_of(equation("r", wide))) << "it is wider than a column";
}

TEST(PaperWords, AreSentences) {
  EXPECT_EQ(paper::first_sentence("By Shao et al. 2024, eq. 3: a\nb. Then more."),
            "By Shao et al. 2024, eq. 3: a b.");
  EXPECT_EQ(paper::first_sentence("Which helps? More."), "Which helps?");
  EXPECT_EQ(paper::first_sentence("Version 1.5 of it"), "Version 1.5 of it.");
  EXPECT_EQ(paper::enumerated({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(paper::in_words(3, "seed"), "three seeds");
  EXPECT_EQ(paper::duration_in_words(59.6), "1 min 0 s");
  EXPECT_EQ(paper::number_in_words(0.05), "0.05");
  EXPECT_EQ(paper::number_in_words(2e-4), "2·10⁻⁴");
  EXPECT_EQ(paper::number_in_words(1e-5), "10⁻⁵");
  EXPECT_EQ(latex_escaped("2·10⁻⁴"), "2$\\cdot$10$^-$$^4$");
  // A measure that plots don't show is told with its meaning, and never by its title alone.
  const Comparison comparison{"inputs", "with `inputs` minus without", {}, 0};
  for (const auto& facts : contract::columns) {
    const auto text = paper::contrast_in_words(column_of(facts.which, 3), comparison, true);
    EXPECT_TRUE(text.starts_with("the ") && has(text, ", with `inputs` minus without,")) << text;
    EXPECT_FALSE(has(text, ";") || has(text, "the by turn")) << text;
  }
  EXPECT_EQ(paper::contrast_in_words(column_of(ColumnName::correct_after, 3), comparison, true),
            "the share “by turn 3” (a right answer within the first 3 turns), with `inputs` minus without,");
}

TEST(Paper, OfAServersModelSaysNothingOfTrainingAndWeights) {
  const auto& run = finished_study();
  auto document = run.document;
  auto& experiment = document["experiments"]["study"];
  experiment["model"]["weights"] = {{"call", "endpoint"},
                                    {"args", {"http://localhost:8000/v1"}},
                                    {"named", {{"name", "coder"}, {"attempts", 8}, {"body", json::array()}}}};
  for (const char* field : {"train", "adapter", "estimate"}) experiment.erase(field);
  experiment["controls"] = json::array();
  const std::vector<std::string> none;
  const auto request = request_for(run.document, "study");
  const paper::Study study{document,     run.evidence, request, none,  "study.trl",
                           "import x\n", {},           docs,    "run", "paper"};
  std::string text;
  for (const auto& block : paper::setting(study))
    if (const auto* paragraph = std::get_if<paper::Paragraph>(&block)) text += paragraph->text + "\n";
  EXPECT_TRUE(has(text, "The model is `base`, which a server has as `coder` (`http://localhost:8000/v1`)."))
      << text;
  EXPECT_TRUE(has(text, "Every row answers the same exam of ")) << text;
  for (const char* part : {"attempts", "declared in", "After training", "weights"})
    EXPECT_FALSE(has(text, part)) << part << text;
}

TEST(Paper, TellsWhatWaysToTrainHaveInCommonOnce) {
  const auto& run = finished_study();
  auto document = run.document;
  auto& experiment = document["experiments"]["study"];
  json other;
  for (const auto& phase : experiment.at("train"))
    if (phase.contains("rounds")) other = phase;
  ASSERT_TRUE(other.is_object()) << experiment.at("train");
  const std::string first = other.at("name");
  other["name"] = "other", other["variant"] = "weighted_sft";
  experiment["controls"] = {json::array({other})};
  const std::vector<std::string> none;
  const auto request = request_for(run.document, "study");
  const auto setting_of = [&] {
    const paper::Study study{document,     run.evidence, request, none,  "study.trl",
                             "import x\n", {},           docs,    "run", "paper"};
    return paper::setting(study);
  };
  const auto text_of = [](const std::vector<paper::Block>& blocks) {
    std::string text;
    for (const auto& block : blocks)
      if (const auto* paragraph = std::get_if<paper::Paragraph>(&block)) text += paragraph->text + "\n";
    return text;
  };
  const std::string text = text_of(setting_of());
  for (const char* part :
       {"Rounds, tasks and sampling are as for `", "The optimiser is that of `", "The reward is that of `"})
    EXPECT_TRUE(has(text, part + first + "`.")) << part << text;
  // Another reward, and another temperature, are told.
  auto& changed = experiment["controls"][0][0];
  changed["temperature"] = 0.123;
  changed["reward"]["formula"]["body"] = 1;
  const std::string told = text_of(setting_of());
  EXPECT_TRUE(has(told, "0.123")) << told;
  EXPECT_FALSE(has(told, "The reward is that of")) << told;
  // Without extensions none are off.
  auto plan = run.plan;
  plan.factors.clear();
  experiment["extensions"] = json::array();
  experiment["controls"].push_back(experiment["controls"][0]);
  const Evidence evidence(plan, run.store);
  const paper::Study study{document,     evidence, request, none,  "study.trl",
                           "import x\n", {},       docs,    "run", "paper"};
  const std::string plain = text_of(paper::setting(study));
  EXPECT_TRUE(has(plain, "The controls are `other`, which leaves the later training out; and `other`"))
      << plain;
}

TEST(Paper, SaysThatTheDesignReplacesWhatItVaries) {
  const auto& run = finished_study();
  auto plan = run.plan;
  plan.factors = {{"reinforce.turns, reinforce.candidates", {"1, 14", "3, 6"}, false}};
  const Evidence evidence(plan, run.store);
  const std::vector<std::string> none;
  const auto request = request_for(run.document, "study");
  const paper::Study study{run.document, evidence, request, none,  "study.trl",
                           "import x\n", {},       docs,    "run", "paper"};
  std::string text;
  for (const auto& block : paper::setting(study))
    if (const auto* paragraph = std::get_if<paper::Paragraph>(&block)) text += paragraph->text + "\n";
  EXPECT_TRUE(has(text,
                  "varies `reinforce.turns, reinforce.candidates` ((1, 14) and (3, 6)), in the place of "
                  "what is said of it above, which gives"))
      << text;
  EXPECT_TRUE(has(text, " weights beside the model's ") || !has(run.document.dump(), "\"trained\"")) << text;
}
