// The machine and libraries that made a stage's result (docs/interfaces.md, 3): `made_on` of the worker's
// answer and of stage.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::contract {

/// The machine and the software that computed a result. It enters no key.
struct MadeOn {
  std::string device = "cpu";  ///< `cpu`, or the name of the GPU that computed or timed: "NVIDIA H200"
  std::string cpu;             ///< the CPU's model name
  std::string capability;      ///< the vector unit that libtorch chose: "AVX512", "AVX2", "DEFAULT"
  std::string loops;           ///< the one that this project's own loops choose here: "x86-64-v4"
  int threads = 1;             ///< threads that the stage was given
  std::string driver;          ///< version of the GPU's driver; empty without a GPU, or where it isn't known
  std::string cuda;  ///< version of CUDA: its runtime's in libtorch, the driver's where kernels are timed
  std::map<std::string, std::string> versions;  ///< of libraries: {"libtorch": "2.11.0"}

  bool on_gpu() const { return device != "cpu"; }
  bool operator==(const MadeOn&) const = default;

  /// Throws ContractError.
  static MadeOn read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
