// The parts of the resolved program that an interpreter reads (docs/interfaces.md, 2).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/adapter.hpp"
#include "base/contract/call.hpp"
#include "base/contract/kernel_language.hpp"
#include "base/contract/protocol_options.hpp"
#include "base/contract/sampling.hpp"

namespace trl::contract {

/// The fields that every declaration with variants has, such as a training phase with the variant `sft`.
struct Declaration {
  std::string name, variant;
  std::string implementation;  ///< "train/finetune"
  std::optional<int> version;  ///< the implementation's version; none where the schema has no versions

  static Declaration read(const nlohmann::json& input);
  nlohmann::json write() const;
  /// Returns the implementation that carries out the declaration, and its version: "train/finetune 1".
  /// Returns null where the schema has no versions.
  nlohmann::json carried_out_by() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// A set of tasks, as ids of the resolved program's `tasks`.
struct TaskSet {
  std::vector<std::string> tasks;

  static TaskSet read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

struct Model {
  std::string name = "base";
  nlohmann::json weights;  ///< the source of the weights: a call such as `endpoint(…)`, or another reference
  std::optional<nlohmann::json> architecture;  ///< for a model that is trained from random weights
  std::string precision = "bf16";              ///< the precision of weights and activations
  std::string quantize = "none";
  nlohmann::json prompt = "module";  ///< the template of prompts: its name, its text, or a file
  /// The position in the source file that names the weights: "study.trl:3:20"; empty: unknown.
  std::string place;

  static Model read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The settings of an exam: its tasks, and how answers are sampled and verified.
struct Evaluation {
  TaskSet split;
  std::int64_t samples = 1;  ///< answers sampled for each task
  Sampling sampling;
  Episodes episodes;
  Precision precision = Precision::task;  ///< the lowest precision in which a candidate may compute
  OtherProtocol also_by = OtherProtocol::none;
  SecondBaseline second_baseline = SecondBaseline::none;

  static Evaluation read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The settings of one row of an experiment, which are the same for all its training seeds.
struct Experiment {
  Model model;
  std::optional<Adapter> adapter;
  std::optional<Evaluation> evaluate;
  std::optional<Evaluation> dev;  ///< the evaluation after each round of training
  KernelLanguage language = KernelLanguage::triton;

  static Experiment read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
