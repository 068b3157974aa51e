#pragma once

#include <string>

namespace trl::operators {

/// The operators of tasks as a Markdown list, one item a family: those whose value's shape the task says, or
/// those whose shape readers infer. docs/interfaces.md, 1, has both.
std::string markdown_list(bool stated);

}  // namespace trl::operators
