#include "tests/operators/markdown_list.hpp"

#include <algorithm>

#include "base/operators/operator.hpp"

namespace trl::operators {
namespace {

/// What stands before a family's operators, and the parameters that it says of all of them.
struct Heading {
  std::string text;
  std::vector<std::string> shared;
};

Heading heading_of(Family family) {
  switch (family) {
    case Family::maps:
      return {"elementwise (x)", {"x"}};
    case Family::broadcasts:
      return {"with broadcasting (x, y)", {"x", "y"}};
    case Family::reductions:
      return {"reductions (x, axis, keepdim = false)", {"x", "axis", "keepdim"}};
    case Family::scans:
      return {"along an axis (x)", {"x"}};
    case Family::views:
      return {"views (x)", {"x"}};
    case Family::made_of_sizes:
      return {"tensors of no input", {}};
    case Family::made_of_results:
      return {"several results", {}};
    case Family::made_by_module:
      return {"values of modules, in tasks of files alone", {}};
    case Family::parts:
      return {"parts (x)", {"x"}};
    case Family::products:
      return {"products", {}};
    case Family::norms:
      return {"norms (x, weight = none, bias = none, eps = 1e-05)", {"x", "weight", "bias", "eps"}};
    case Family::convolutions:
      return {"convolutions (x, weight, bias = none, stride = 1, padding = 0, dilation = 1, groups = 1)",
              {"x", "weight", "bias", "stride", "padding", "dilation", "groups"}};
    case Family::transposed_convolutions:
      return {"transposed convolutions (the same, and output_padding = 0 before groups)",
              {"x", "weight", "bias", "stride", "padding", "output_padding", "dilation", "groups"}};
    case Family::pools:
      return {"pools (x)", {"x"}};
    case Family::losses:
      return {"losses (x, y, reduction = mean)", {"x", "y", "reduction"}};
  }
  return {};
}

/// "leaky_relu(negative_slope = 0.01)", without the parameters that the heading says where the operator has
/// them all, in the same place.
std::string item(const Row& row, std::vector<std::string> shared) {
  const bool alike = !shared.empty() && row.parameters.front().name == shared.front() &&
                     std::all_of(shared.begin(), shared.end(),
                                 [&](const std::string& name) { return row.parameter(name) != nullptr; });
  if (!alike) shared.clear();
  std::string rest;
  for (const Parameter& own : row.parameters)
    if (std::find(shared.begin(), shared.end(), own.name) == shared.end())
      rest += (rest.empty() ? "" : ", ") + own.name + own.default_text();
  return rest.empty() ? row.name : row.name + "(" + rest + ")";
}

/// Words of a paragraph in lines of a width; lines after the first are indented.
std::string wrapped(const std::vector<std::string>& words) {
  constexpr std::size_t width = 128;
  std::string text, line = "-";
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > width) {
      text += line + "\n";
      line = " ";
    }
    line += " " + word;
  }
  return text + line + "\n";
}

}  // namespace

std::string markdown_list(bool stated) {
  std::string text;
  std::vector<std::string> words;
  for (int family = 0; family <= static_cast<int>(Family::losses); ++family) {
    const Heading heading = heading_of(static_cast<Family>(family));
    words = {heading.text + ":"};
    for (const Row* row : by_name())
      if (row->family == static_cast<Family>(family) && !row->is_alias() &&
          (row->form == Form::Stated) == stated)
        words.push_back(item(*row, heading.shared));
    if (words.size() > 1) text += wrapped(words);
  }
  return text;
}

}  // namespace trl::operators
