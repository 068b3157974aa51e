// Requests to the kernel check and its answers with findings, as docs/interfaces.md, 4 describes them. This
// header includes nothing of LLVM, since tests and callers use it, too.
#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::kernel_check {

enum class Severity { warn, refuse };

struct Finding {
  std::string check;
  Severity severity = Severity::refuse;
  std::string reason;  ///< the reason in a verdict that is based on this finding
  std::string message, help;
  int line = 0, column = 0;  ///< in the source, from 1; 0: unknown
};

/// The limits of a GPU. The defaults are those of compute capability 9.0 (CUDA programming guide, technical
/// specifications per compute capability).
struct Limits {
  std::int64_t threads_per_block = 1024;
  std::array<std::int64_t, 3> block{1024, 1024, 64};
  std::array<std::int64_t, 3> grid{2147483647, 65535, 65535};
  std::int64_t shared_bytes = 48 << 10;         ///< shared memory per block without cudaFuncSetAttribute
  std::int64_t shared_bytes_optin = 227 << 10;  ///< shared memory per block with cudaFuncSetAttribute
};

/// The kind of source that is checked.
/// - cuda: kernels and the C++ wrapper that launches them
/// - launch_wrapper: only C++ that was generated from a launch plan, without the plan's kernels
enum class Language { cuda, launch_wrapper };

struct Request {
  nlohmann::json id;
  std::string source;
  Language language = Language::cuda;
  Limits limits;
  int milliseconds = 4000;  ///< the limit of CPU time for this candidate
  bool emit = false;  ///< whether to compile the host code to an object, if no check refuses the candidate
  /// Functions that Python may call; if empty, it may call the functions of PYBIND11_MODULE.
  std::vector<std::string> functions{};
};

struct Facts {
  struct Parameter {
    std::string name, type;
  };
  struct Kernel {
    std::string name;
    int line = 0;
    bool is_template = false;
    std::vector<Parameter> parameters;
  };
  struct Launch {
    std::string kernel;  ///< the kernel's name; empty when the kernel is a computed value
    int line = 0;
  };
  struct Function {
    std::string name, result;
    int line = 0;
    std::vector<Parameter> parameters;
  };
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<Function> functions;  ///< host functions that take or return tensors
};

struct Answer {
  std::vector<Finding> findings;  ///< sorted by position
  Facts facts;
  nlohmann::json emitted;  ///< the result of emit(): the keys object, kernels and device_source

  bool refused() const;
};

/// Parses a request (one line of JSON). Throws std::invalid_argument, whose message names the defect.
Request parse_request(const std::string& line);
nlohmann::json to_json(const Answer& answer, const nlohmann::json& id);

}  // namespace trl::kernel_check
