// Writes a study as the experiment section of a paper, from its .trl file and the store alone.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/paper/document.hpp"
#include "interpreter/report/contents.hpp"

namespace trl::interpreter::paper {

/// The documentation of a name of the language, such as `best_of_n` or `verdict.speedup`; empty if it has
/// none.
using Documentation = std::function<std::string(const std::string& name)>;

/// The sources of a paper.
struct Study {
  const nlohmann::json& document;  ///< the resolved document
  const Evidence& evidence;        ///< with the plan and the store
  const ReportRequest& request;
  const std::vector<std::string>& sets;         ///< overrides of the command line
  std::string file, text;                       ///< the name and the text of the .trl file
  std::map<std::string, std::string> imported;  ///< the texts of files of the study's own that it imports
  Documentation documentation;
  std::string run_command, paper_command;  ///< the commands that make results and paper again

  const Plan& plan() const { return evidence.plan(); }
  const nlohmann::json& experiment() const { return document.at("experiments").at(plan().experiment); }
};

/// The missing parts of a study: the number of stages, and for each row the seeds that aren't finished.
struct Missing {
  std::size_t stages = 0, all_stages = 0;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> rows;
};
Missing missing_of(const Study& study);

/// Writes the paper of a study. If results are missing, the paper has the setting, the protocol, the figures
/// of finished rows, and a list of the missing results. It then has no effects and no verdicts on hypotheses,
/// since all hypotheses are judged together.
Document write_paper(const Study& study);

// Parts of the paper, in their order.
std::vector<Block> setting(const Study& study);
std::vector<Block> protocol(const Study& study);
std::vector<Block> results(const Study& study, const ReportContents& contents);
std::vector<Block> unfinished_results(const Study& study, const Missing& missing);
std::vector<Block> limits(const Study& study, const ReportContents* contents);
std::vector<Block> cost(const Study& study);
std::vector<Block> reproducibility(const Study& study);

// Words that the parts share.

/// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& texts);
/// "one" to "twelve", then digits.
std::string number_word(std::size_t number);
/// "three seeds": a number in words with its noun.
std::string in_words(std::size_t number, const std::string& noun);
/// A number in a sentence: "0.05", "2·10⁻⁴".
std::string number_in_words(double number);
/// The first sentence of a text, with its full stop.
std::string first_sentence(const std::string& text);
std::string capitalised(std::string text);
/// The names of declarations as code: "`inputs` and `memory`".
std::string names_in_words(const std::vector<std::string>& names);
/// "seeds 1, 2 and 3".
std::string seeds_in_words(const Plan& plan);
/// "2 h 5 min", "41 s".
std::string duration_in_words(double seconds);
/// Says in words what a column measures: "share of the answers that are correct"; for columns that plots
/// don't show, the title with its meaning.
std::string measure_in_words(const Column& column, bool modelled);
/// Names a comparison in words: "the modelled speedup of the correct answers, geometric mean, with `inputs`
/// minus without".
std::string contrast_in_words(const Column& column, const Comparison& comparison, bool modelled);

}  // namespace trl::interpreter::paper
