#pragma once
// Exports a verified candidate as C++ source, which can be built without Triton, Python or this project.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "verifier/plan/plan.hpp"
#include "verifier/services/recorder.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Creates `folder` and writes into it: NAME.hpp and NAME.cpp (a function on PyTorch's tensors),
/// NAME_plan.hpp (the launch plan at the task's own sizes), NAME_kernels.cpp (each kernel as a cubin for
/// compute capability 9.0 and as PTX for 8.0 and later), a CMakeLists.txt and a README.md. Returns the names
/// of the files. `name` is a C++ identifier. Throws UserError when a kernel doesn't compile or a file can't
/// be written.
std::vector<std::string> export_kernel(const std::filesystem::path& folder, const std::string& name,
                                       const Task& task, const Recording& recording, KernelCompiler& compiler,
                                       const std::function<bool()>& cancelled = {});

}  // namespace trl::runtime
