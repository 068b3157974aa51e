// Writes how answers are judged, the hypotheses, and the statistics.
#include "base/statistics/decision.hpp"
#include "interpreter/paper/paper.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/report/planning.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {
using nlohmann::json;

std::string verification(const Study& study) {
  std::vector<std::string> variations;
  for (const auto& variation : exam_variations()) variations.push_back("`" + variation.text() + "`");
  const auto exam = study.experiment().value("evaluate", json::object());
  const auto precision = exam.is_object() ? exam.value("precision", "task") : "task";
  std::string text =
      "An answer is reduced to its compiled kernels and a list of their launches before any data exists; the "
      "inputs are then drawn from a secret. It is correct if its values are those of the PyTorch module, the "
      "reference, under each variation of the inputs (" +
      enumerated(variations) +
      ") and no kernel accesses memory outside its buffers. Values are compared with a reference in 64-bit "
      "floating point, element by element, within the error of an honest computation with these inputs.";
  text += precision == "task"   ? " Answers must compute in the task's own precision."
          : precision == "tf32" ? " Answers may round the factors of products to TF32, in every row."
                                : " Answers may round any value to half precision, in every row.";
  text += study.plan().times_kernels ? " Kernel times are measured on the GPU, answer and reference side by "
                                       "side as CUDA graphs with a cold "
                                       "L2 cache: 10 warm-up runs and 50 trials, of which the mean without "
                                       "the slowest and fastest tenth "
                                       "counts."
                                     : " Kernel times are modelled for an H200 from counted memory accesses, "
                                       "arithmetic and launches; none "
                                       "was measured, and neither was a speed-up.";
  return text;
}

std::string claims_of(const std::string& name, const json& hypothesis, const Plan& plan) {
  const auto expectation = expectation_of(hypothesis);
  const auto column = parse_column(hypothesis.at("metric"));
  const auto smallest = hypothesis.value("smallest_effect", json());
  const bool ratio = column.mean == Mean::geometric;
  std::string size;
  if (smallest.is_number())
    size = column.mean == Mean::share ? fmt::format("{:.3g} points", 100 * smallest.get<double>())
                                      : fmt::format("{:.3g}\u00a0%", 100 * smallest.get<double>());
  const char* claim = expectation == statistics::Expectation::greater     ? "is greater than "
                      : expectation == statistics::Expectation::less      ? "is less than "
                      : expectation == statistics::Expectation::different ? "differs from "
                                                                          : "";
  std::string text = fmt::format(
      "`{}`: {} ", name, contrast_in_words(column, comparison_of(hypothesis, plan), !plan.times_kernels));
  if (expectation == statistics::Expectation::same)
    text += "lies within " + (size.empty() ? std::string("what matters") : size) + " of " +
            (ratio ? "equality" : "0");
  else
    text += claim + std::string(ratio ? "a ratio of 1" : "0") +
            (size.empty() ? "" : "; " + size + " or more would matter");
  if (const auto looks = looks_of(hypothesis); looks > 1)
    text += fmt::format("; up to {} looks at the data were declared", number_word(looks));
  return text + ".";
}

std::string statistics_paragraph(const Study& study) {
  const auto seeds = study.plan().rows.empty() ? std::size_t{0} : study.plan().rows.front().traces.size();
  std::string text = seeds > 1 ? fmt::format(
                                     "Intervals are of 95\u00a0%, by t, and about the recipe: tasks and the "
                                     "{} training seeds are both "
                                     "random (crossed random effects). ",
                                     number_word(seeds))
                               : std::string(
                                     "Intervals are of 95\u00a0%, by t over tasks, and about this one "
                                     "training run: another seed may "
                                     "give other figures by an amount that one seed can't tell. ");
  text +=
      "Differences pair rows by task, and by seed where they go on from one training run; what runs vary by "
      "is pooled "
      "over all cells and controls. Rows that gave the same answers under every seed count as one run. "
      "Several answers "
      "to a task count within the task.";
  if (study.request.hypotheses.size() > 1)
    text += fmt::format(
        " The {} hypotheses are one family, whose p-values are adjusted by Holm's method; intervals "
        "aren't adjusted.",
        number_word(study.request.hypotheses.size()));
  if (!study.request.hypotheses.empty())
    text +=
        " What a study of this size finds is the smallest true difference that it detects with 80\u00a0% "
        "power.";
  return text;
}

}  // namespace

std::vector<Block> protocol(const Study& study) {
  std::vector<Block> out = {Section{"Protocol"}};
  out.push_back(Paragraph{"Verification.", verification(study)});
  if (study.request.hypotheses.empty()) {
    out.push_back(
        Paragraph{"Hypotheses.", "The file declares none, so that all that is found is exploratory."});
  } else {
    const auto count = study.request.hypotheses.size();
    const auto alpha = study.request.hypotheses.front().second.value("alpha", 0.05);
    out.push_back(Paragraph{
        "Hypotheses.",
        fmt::format("The file declares {}, judged at a level of {:.3g}\u00a0%:",
                    count == 1 ? "one hypothesis" : number_word(count) + " hypotheses", 100 * alpha)});
    Items claims;
    for (const auto& [name, hypothesis] : study.request.hypotheses)
      claims.texts.push_back(claims_of(name, hypothesis, study.plan()));
    out.push_back(std::move(claims));
  }
  out.push_back(Paragraph{"Statistics.", statistics_paragraph(study)});
  return out;
}

}  // namespace trl::interpreter::paper
