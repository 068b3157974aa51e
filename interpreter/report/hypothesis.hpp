#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/plan/plan.hpp"
#include "interpreter/report/bootstrap.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// What an experiment says of a hypothesis: the mean difference between cells with and without an extension,
/// over all pairs of distinct cells that are otherwise alike.
struct HypothesisResult {
  std::string name, contrast, expect;
  Column metric;
  int pairs = 0;
  std::optional<Contrast> difference;
  std::string verdict;  ///< supported | contradicted | undecided | inert
};

HypothesisResult test_hypothesis(const std::string& name, const nlohmann::json& hypothesis, const Plan& plan,
                                 const Store& store);

/// Pairs (with, without) of rows, by number; cells folded into one count once.
std::vector<std::pair<std::size_t, std::size_t>> matching_pairs(const Plan& plan,
                                                                const std::string& extension);

std::string as_markdown(const HypothesisResult& result);
nlohmann::json as_json(const HypothesisResult& result);

}  // namespace trl::interpreter
