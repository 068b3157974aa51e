// How strictly and how far candidates are examined: the spec of the stage `verify` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/kernel_language.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/variation.hpp"
#include "base/contract/words.hpp"

namespace trl::contract {

/// Which kernels are compiled, and when.
enum class Compile {
  all,           ///< every one, before values are looked at: exams
  after_values,  ///< once all values are right, and then only the plan that is timed: training
};
template <>
struct Words<Compile> {
  static constexpr std::array<std::pair<Compile, const char*>, 2> list = {
      {{Compile::all, "all"}, {Compile::after_values, "after_values"}}};
};

/// How a candidate is timed on a GPU; as it stands, one shot after one warm-up.
struct Timing {
  int warmup = 1, trials = 1;
  double trim = 0;  ///< share cut from each end before the mean

  static Timing read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The share of the machine that one candidate may use. The defaults hold where a spec says nothing.
struct Limits {
  std::int64_t seconds = 10;                          ///< of CPU, of each process that works for it
  std::int64_t memory_bytes = std::int64_t{1} << 30;  ///< of each process
  double total_seconds = 60;                          ///< of CPU, of all of them together
  double wall_seconds = 300;                          ///< of all of them together

  static Limits read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct Protocol {
  static constexpr const char* kind = "verify";
  std::vector<Variation> variations = {{}};
  bool tiny = false;  ///< first at sizes of 4
  Compile compile = Compile::after_values;
  bool memory_checks = false;    ///< a memory error fails a candidate whose values are right
  bool strict = false;           ///< an exam's
  std::optional<Timing> timing;  ///< none: as `Timing` stands
  Limits limits;
  std::string modelled_for;  ///< the GPU that times are modelled for; empty where that isn't said
  bool timed = false;        ///< on the GPU
  std::optional<KernelLanguage> language;  ///< of every kernel that is launched; none: either
  Precision precision = Precision::task;   ///< the precision in which honest candidates may compute
  Framework framework = Framework::none;   ///< the work that PyTorch may do
  OtherProtocol also_by = OtherProtocol::none;
  SecondBaseline second_baseline = SecondBaseline::none;  ///< where it is timed

  /// Throws ContractError.
  static Protocol read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
