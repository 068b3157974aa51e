// The machine and libraries that computed a stage's result (docs/interfaces.md, 3): the field `made_on` of
// the worker's answer and of stage.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::contract {

/// The machine and the software that computed a result. No stage's key contains it.
struct MadeOn {
  /// `cpu`, or the GPU on which the model ran or kernels were timed: "NVIDIA H200".
  std::string device = "cpu";
  std::string cpu;         ///< the CPU's model name
  std::string capability;  ///< the vector unit that libtorch chose: "AVX512", "AVX2", "DEFAULT"
  std::string loops;       ///< the vector instructions that this project's own loops use: "x86-64-v4"
  int threads = 1;         ///< number of threads that the stage could use
  std::string driver;      ///< version of the GPU's driver; empty without a GPU, or if unknown
  /// The version of CUDA: of libtorch's runtime or, where kernels were timed, of the driver.
  std::string cuda;
  std::map<std::string, std::string> versions;  ///< versions of libraries: {"libtorch": "2.11.0"}

  bool on_gpu() const { return device != "cpu"; }
  bool operator==(const MadeOn&) const = default;

  /// Throws ContractError.
  static MadeOn read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
