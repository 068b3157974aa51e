#include "interpreter/doctor/nodes.hpp"

#include <algorithm>

#include "base/support/counted.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Nodes on the same host have the same name, so the beginning of the node's id is added.
std::string name_of(const json& node) {
  constexpr std::size_t shown = 8;
  return node.at("name").get<std::string>() + " " + node.at("id").get<std::string>().substr(0, shown);
}

Finding finding_of(const json& node, bool another_confines) {
  const auto lacks = node.at("lacks").get<std::string>();
  if (!lacks.empty())
    return {name_of(node), Finding::Outcome::lacking, lacks, "the same build of trl as here",
            "Install it at the same path, or the same wheel trl-kernels beside that node's Ray"};
  const auto resources =
      fmt::format("{}, {}", counted(static_cast<std::size_t>(node.at("cores").get<double>()), "core"),
                  counted(static_cast<std::size_t>(node.at("gpus").get<double>()), "GPU"));
  if (const auto why = node.at("not_confined").get<std::string>(); !why.empty())
    return {name_of(node), another_confines ? Finding::Outcome::note : Finding::Outcome::lacking,
            resources + "; can't confine candidates: " + why, "to verify there",
            "`trl doctor` on that node says how to allow it"};
  return {name_of(node), Finding::Outcome::fine,
          resources + ", confines candidates, " +
              (node.at("shared").get<bool>() ? "has this store" : "gets files from here"),
          "", ""};
}

}  // namespace

std::vector<Finding> findings_of(const json& nodes) {
  const auto confines = [](const json& node) {
    return node.at("lacks").get<std::string>().empty() && node.at("not_confined").get<std::string>().empty();
  };
  const bool any = std::any_of(nodes.begin(), nodes.end(), confines);
  std::vector<Finding> findings;
  for (const auto& node : nodes) findings.push_back(finding_of(node, any));
  return findings;
}

}  // namespace trl::interpreter
