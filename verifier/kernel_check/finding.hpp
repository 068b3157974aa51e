// The findings of a check, as docs/interfaces.md, 4 describes them. This header needs no LLVM, since tests
// and callers use it, too.
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
  std::string reason;  ///< the verdict's reason
  std::string message, help;
  int line = 0, column = 0;  ///< in the source, from 1; 0: unknown
};

/// The limits of a device. The defaults belong to compute capability 9.0 (CUDA programming guide,
/// technical specifications per compute capability).
struct Limits {
  std::int64_t threads_per_block = 1024;
  std::array<std::int64_t, 3> block{1024, 1024, 64};
  std::array<std::int64_t, 3> grid{2147483647, 65535, 65535};
  std::int64_t shared_bytes = 48 << 10;         ///< without cudaFuncSetAttribute
  std::int64_t shared_bytes_optin = 227 << 10;  ///< with cudaFuncSetAttribute
};

/// `cuda`: kernels and their wrapper. `launch_wrapper`: C++ that was generated from a plan, whose kernels are
/// elsewhere.
enum class Language { cuda, launch_wrapper };

struct Request {
  nlohmann::json id;
  std::string source;
  Language language = Language::cuda;
  Limits limits;
  int milliseconds = 4000;  ///< for this candidate
  bool emit = false;        ///< whether to compile the host code to an object, if nothing is refused
  /// Functions that Python may call; if empty, PYBIND11_MODULE's.
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
    std::string kernel;  ///< empty where it is computed
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
  nlohmann::json emitted;  ///< further keys of the answer: object, kernels, device_source

  bool refused() const;
};

/// Reads one request. Throws std::invalid_argument, whose message names the defect.
Request parse_request(const std::string& line);
nlohmann::json to_json(const Answer& answer, const nlohmann::json& id);

}  // namespace trl::kernel_check
