#pragma once

#include <string>

namespace trl::operators {

/// Returns the operators of tasks as a Markdown list, with one item for each family. If `stated`, these are
/// the operators whose result's shape a task states, otherwise those whose result's shape readers infer.
/// docs/interfaces.md, 1, contains both lists.
std::string markdown_list(bool stated);

}  // namespace trl::operators
