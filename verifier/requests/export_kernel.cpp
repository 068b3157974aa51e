#include "verifier/requests/export_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "verifier/plan/launch_wrapper.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

// The code that loads the kernels; MEMBERS is replaced by one line per kernel.
constexpr const char* loading = R"(
// Loaded when first called, for the GPU that is current then.
struct Code {
  const char* name;
  const unsigned char* bytes;
  int shared_bytes;  // dynamic shared memory; -1: each launch says how much
};
struct KernelCode {
  Code cubin, ptx;   // for compute capability 9.0; for 8.0 and later
  int most_shared;   // the most bytes in any launch
};
)";

constexpr const char* load_function = R"(
namespace {

CUfunction load(const KernelCode& code, int& shared_bytes, std::map<const unsigned char*, CUmodule>& modules) {
  int device = 0, major = 0, minor = 0;
  TORCH_CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS, "no GPU is current");
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  const Code& chosen = major == 9 && minor == 0 ? code.cubin : code.ptx;
  CUmodule& module = modules[chosen.bytes];
  CUfunction function = nullptr;
  TORCH_CHECK(module != nullptr || cuModuleLoadData(&module, chosen.bytes) == CUDA_SUCCESS, chosen.name,
              " does not load on this GPU");
  TORCH_CHECK(cuModuleGetFunction(&function, module, chosen.name) == CUDA_SUCCESS, chosen.name, " is missing");
  shared_bytes = chosen.shared_bytes;
  if (const int most = std::max(shared_bytes, code.most_shared); most > 0)
    TORCH_CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most) == CUDA_SUCCESS,
                chosen.name, " needs ", most, " bytes of shared memory");
  return function;
}

)";

std::string byte_array(const std::string& symbol, const std::string& bytes) {
  std::string text = fmt::format("alignas(16) extern const unsigned char {}[] = {{", symbol);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    text += fmt::format("{}{},", i % 32 == 0 ? "\n    " : "", static_cast<unsigned char>(bytes[i]));
  return text + " 0};\n";
}

std::string parameters(const std::vector<WrapperInput>& inputs) {
  std::string text;
  for (const WrapperInput& input : inputs)
    text += fmt::format("{}const at::Tensor& {}", text.empty() ? "" : ", ", input.name);
  return text;
}

std::string described(const std::vector<WrapperInput>& inputs) {
  std::string text;
  for (const WrapperInput& input : inputs)
    text += fmt::format("{}`{}` {}[{}]", text.empty() ? "" : ", ", input.name, name(input.type),
                        fmt::join(input.shape, ", "));
  return text;
}

constexpr const char* source = R"TEXT(#include "{0}.hpp"

#include <cuda.h>

#include <algorithm>
#include <map>

#include "{0}_plan.hpp"
{2}
{1}{3}template <class Kernel>
void load_into(const KernelCode& code, Kernel& kernel, std::map<const unsigned char*, CUmodule>& modules) {{
  kernel.function = load(code, kernel.shared_bytes, modules);
}}

}}  // namespace

{7} {0}({4}) {{
  static const Kernels kernels = [] {{
    Kernels kernels;
    std::map<const unsigned char*, CUmodule> modules;
{5}    return kernels;
  }}();
  return forward(kernels{6});
}}

#ifdef TORCH_EXTENSION_NAME
#include <torch/extension.h>
PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {{
  module.def("{0}", &{0});
}}
#endif
)TEXT";

constexpr const char* cmake = R"TEXT(cmake_minimum_required(VERSION 3.18)
project({0} LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
# -DCMAKE_PREFIX_PATH="$(python -c 'import torch; print(torch.utils.cmake_prefix_path)')"
find_package(Torch REQUIRED)
find_package(CUDAToolkit REQUIRED)
add_library({0} SHARED {0}.cpp {0}_kernels.cpp)
target_link_libraries({0} PUBLIC ${{TORCH_LIBRARIES}} CUDA::cuda_driver)
)TEXT";

constexpr const char* readme = R"TEXT(# {0}

{1}

`{6} {0}({2})` on tensors of the current GPU: {3}. The result is {4}. Other sizes are refused: block and grid
sizes were chosen for these. {5} for compute capability 9.0 as machine code, and as PTX for all from 8.0 on.

    cmake -B build -DCMAKE_PREFIX_PATH="$(python -c 'import torch; print(torch.utils.cmake_prefix_path)')" && cmake --build build

or from Python:

    from torch.utils.cpp_extension import load
    {0} = load("{0}", ["{0}.cpp", "{0}_kernels.cpp"], extra_ldflags=["-lcuda"], extra_cflags=["-std=c++20"],
               with_cuda=True).{0}
)TEXT";

struct Code {
  Compiled cubin, ptx;
};

/// Returns a text by others as part of a line of Markdown. Its special characters are escaped, so that they
/// are shown as they are.
std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : comment_text(text)) {
    if (std::string_view("`*_[]<>#!|&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Returns the name of a kernel in its machine code, which the compiler's process reports. The name is
/// checked, since it becomes a literal in C++.
const std::string& checked_symbol(const Compiled& compiled) {
  for (const char c : compiled.name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$' && c != '.')
      throw UserError("the compiler calls a kernel " + comment_text(compiled.name) + ", which is no symbol");
  return compiled.name;
}

Compiled must_compile(KernelCompiler& compiler, const PlanKernel& kernel, bool portable,
                      const std::function<bool()>& cancelled) {
  Compiled compiled =
      compiler.compile(kernel, cancelled, portable ? CompileTo::portable_ptx : CompileTo::cubin);
  if (!compiled.ok)
    throw UserError(fmt::format("`{}` does not compile{}: {}", kernel.name,
                                portable ? " for compute capability 8.0" : "", compiled.message));
  return compiled;
}

/// The largest number of bytes of dynamic shared memory in the plan's launches of a kernel.
std::uint32_t most_shared(const Plan& plan, std::size_t kernel) {
  std::uint32_t most = 0;
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step);
        launch != nullptr && launch->kernel == static_cast<int>(kernel))
      most = std::max(most, launch->shared);
  return most;
}

}  // namespace

std::vector<std::string> export_kernel(const std::filesystem::path& folder, const std::string& name,
                                       const Task& task, const Recording& recording, KernelCompiler& compiler,
                                       const std::function<bool()>& cancelled) {
  const Plan& plan = recording.plans.at(0);
  std::vector<bool> launched(recording.kernels.size());
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step))
      launched[static_cast<std::size_t>(launch->kernel)] = true;
  std::vector<WrapperInput> inputs;
  for (const TensorShape& input : input_shapes(task, Variation{}))
    inputs.push_back({input.name, element_type(input.dtype).value(), input.extents});
  const std::vector<std::string> input_names = wrapper_inputs(plan, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].name = input_names[i];
  std::vector<WrapperKernel> kernels;
  std::string arrays, declared, loaded;
  // Kernels with the same text share one cubin and its variables.
  std::map<std::string, std::string> symbols;
  const auto symbol = [&](const char* kind, const std::string& bytes) {
    const auto [found, added] =
        symbols.try_emplace(bytes, fmt::format("{}_{}_{}", name, kind, symbols.size()));
    if (added) {
      arrays += byte_array(found->second, bytes);
      declared += fmt::format("extern const unsigned char {}[];\n", found->second);
    }
    return found->second;
  };
  for (const PlanKernel& kernel : recording.kernels)
    kernels.push_back({kernel.name, 128, 0, kernel.language == PlanKernel::Language::cuda ? 0 : 2});
  const std::vector<std::string> members = wrapper_members(kernels);
  for (std::size_t i = 0; i < recording.kernels.size(); ++i) {
    const PlanKernel& kernel = recording.kernels[i];
    if (!launched[i]) continue;
    const bool cuda = kernel.language == PlanKernel::Language::cuda;
    const Code code{must_compile(compiler, kernel, false, cancelled),
                    must_compile(compiler, kernel, true, cancelled)};
    kernels[i].threads = code.cubin.threads, kernels[i].shared_bytes = code.cubin.shared;
    const auto one = [&](const char* kind, const Compiled& compiled) {
      return fmt::format("{{\"{}\", {}, {}}}", checked_symbol(compiled), symbol(kind, compiled.cubin),
                         cuda ? -1 : static_cast<int>(compiled.shared));
    };
    const std::string cubin = one("cubin", code.cubin), ptx = one("ptx", code.ptx);
    loaded += fmt::format("    load_into({{{}, {}, {}}}, kernels.{}, modules);\n", cubin, ptx,
                          most_shared(plan, i), members[i]);
  }
  std::string call;
  for (const WrapperInput& input : inputs) call += ", " + input.name;
  std::string results;
  for (const TensorShape& one : output_shapes(task, Variation{}))
    results += fmt::format("{}{}[{}]", results.empty() ? "" : ", ", one.dtype, fmt::join(one.extents, ", "));

  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& file, const std::string& text) {
    write_text(folder / file, text);
  };
  write(name + ".hpp", fmt::format("#pragma once\n#include <ATen/ATen.h>\n{}\n/// {}\n{} {}({});\n",
                                   plan.outputs.size() > 1 ? "\n#include <vector>\n" : "",
                                   comment_text(task.doc.empty() ? task.name : task.doc),
                                   wrapper_result(plan), name, parameters(inputs)));
  write(name + ".cpp", fmt::format(source, name, declared, loading, load_function, parameters(inputs), loaded,
                                   call, wrapper_result(plan)));
  write(name + "_plan.hpp", "#pragma once\n" + launch_wrapper(plan, kernels, inputs));
  write(name + "_kernels.cpp", "// Kernels as machine code and as PTX.\n" + arrays);
  write("CMakeLists.txt", fmt::format(cmake, name));
  const auto count = static_cast<int>(std::count(launched.begin(), launched.end(), true));
  write("README.md",
        fmt::format(readme, name, markdown_text(task.doc), parameters(inputs), described(inputs), results,
                    count == 1 ? "Its kernel is here" : fmt::format("Its {} kernels are here", count),
                    wrapper_result(plan)));
  return {name + ".hpp",         name + ".cpp",    name + "_plan.hpp",
          name + "_kernels.cpp", "CMakeLists.txt", "README.md"};
}

}  // namespace trl::runtime
