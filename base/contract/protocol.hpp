// How candidates are verified: the spec of the stage `verify` (docs/interfaces.md, 3).
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

/// When a candidate's kernels are compiled.
enum class Compile {
  all,           ///< all kernels, before any values are compared: for exams
  after_values,  ///< after all values are right, and only the kernels of the timed plan: for training
};
template <>
struct Words<Compile> {
  static constexpr std::array<std::pair<Compile, const char*>, 2> list = {
      {{Compile::all, "all"}, {Compile::after_values, "after_values"}}};
};

/// How a candidate is timed on a GPU. By default it runs once to warm up and is timed once.
struct Timing {
  int warmup = 1, trials = 1;
  double trim = 0;  ///< the share of the trials cut at each end, the fastest and the slowest, before the mean

  static Timing read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The resources that the verification of one candidate may use. A spec may override the defaults.
struct Limits {
  std::int64_t seconds = 10;  ///< CPU seconds of each process that works for the candidate
  std::int64_t memory_bytes = std::int64_t{1} << 30;  ///< memory of each process
  double total_seconds = 60;                          ///< CPU seconds of all these processes together
  double wall_seconds = 300;  ///< seconds in which none of these processes computes or waits for a core

  static Limits read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct Protocol {
  static constexpr const char* kind = "verify";
  std::vector<Variation> variations = {{}};
  bool tiny = false;  ///< whether the candidate is first tried with all dimensions at size 4
  Compile compile = Compile::after_values;
  bool memory_checks = false;  ///< whether a memory error fails a candidate, even if its values are right
  bool strict = false;  ///< whether this is an exam, with further checks and with plans.jsonl for audits
  std::optional<Timing> timing;  ///< none: the defaults of `Timing`
  Limits limits;
  std::string modelled_for;  ///< the GPU for which times are modelled: "H200"; empty: not stated
  bool timed = false;        ///< whether kernels are timed on the GPU
  std::optional<KernelLanguage> language;  ///< the language that every launched kernel must be in; none: any
  Precision precision = Precision::task;   ///< the lowest precision in which a candidate may compute
  Framework framework = Framework::none;   ///< the work that a candidate may leave to PyTorch
  OtherProtocol also_by = OtherProtocol::none;
  SecondBaseline second_baseline = SecondBaseline::none;  ///< only with `timed`
  /// Whether an answer whose text is all reasoning is judged by the last code block of its reasoning. Without
  /// it, such an answer isn't judged.
  bool judge_reasoning = false;

  /// Throws ContractError.
  static Protocol read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
