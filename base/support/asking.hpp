// The text in which a task is asked: a template in which {task} stands for the task's module. The library has
// two; an experiment may bring its own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/support/feedback.hpp"

namespace trl {

/// The names that such a template may contain.
inline constexpr std::array<Placeholder, 4> asked_placeholders = {{
    {"task", "the PyTorch module that the task is"},
    {"language", "the language of the kernels: Triton or CUDA C++"},
    {"gpu", "memory, bandwidth and operations a second of a GPU of the experiment's machine"},
    {"example", "a module that adds two tensors, and an answer to it in that language"},
}};

/// The library's template of this name: `zero_shot` or `one_shot`. Nothing for another name.
std::optional<std::string_view> library_prompt(std::string_view name);

/// The texts that replace {language} and {example}.
std::string language_in_prompt(bool cuda);
std::string example_in_prompt(bool cuda);

/// A task's prompt under a template; the module alone where the template is empty.
std::string asked(std::string_view text, std::string module);

}  // namespace trl
