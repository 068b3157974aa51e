// The prompt of a task: a template in which {task} is replaced by the task's PyTorch module. The library has
// two templates; an experiment may have its own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/support/feedback.hpp"

namespace trl {

/// The names in braces that a template of a task's prompt may contain, with their meanings.
inline constexpr std::array<Placeholder, 4> asked_placeholders = {{
    {"task", "the PyTorch module that the task is"},
    {"language", "the language of the kernels: Triton or CUDA C++"},
    {"gpu", "memory, bandwidth and operations a second of a GPU of the experiment's machine"},
    {"example", "a module that adds two tensors, and an answer to it in that language"},
}};

/// Returns the library's template `zero_shot` or `one_shot`; nothing for another name.
std::optional<std::string_view> library_prompt(std::string_view name);

/// Return the texts that replace {language} and, respectively, {example} in a template.
std::string language_in_prompt(bool cuda);
std::string example_in_prompt(bool cuda);

/// Returns a task's prompt: the template `text` with the task's module in place of {task}; the module alone
/// if the template is empty.
std::string asked(std::string_view text, std::string module);

}  // namespace trl
