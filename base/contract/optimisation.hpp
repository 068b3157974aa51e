// How weights are trained, as declarations and specs of stages say it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// Whether AdamW's moments begin anew with each training or go on from the adapter's last one.
enum class OptimiserState { fresh, carried };
template <>
struct Words<OptimiserState> {
  static constexpr std::array<std::pair<OptimiserState, const char*>, 2> list = {
      {{OptimiserState::fresh, "fresh"}, {OptimiserState::carried, "carried"}}};
};

/// How AdamW is led.
struct Optimisation {
  double learning_rate = 0;           ///< at its highest
  double warmup = 0;                  ///< share of the steps over which it rises
  std::string schedule = "constant";  ///< how it falls after that: constant, linear, cosine
  double weight_decay = 0;
  double clip = 0;  ///< largest norm of the gradient; 0: any
  static Optimisation read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

template <class Form, class Self>
void Optimisation::fields(Form& form, Self& self) {
  form.field("learning_rate", self.learning_rate);
  form.field_or("warmup", self.warmup);
  form.field_or("schedule", self.schedule);
  form.field_or("weight_decay", self.weight_decay);
  form.field_or_none("clip", self.clip, 0);
}

/// How an adapter learns from samples: what every declaration that fine-tunes says.
struct Passes {
  std::int64_t epochs = 1, batch = 1;
  Optimisation optimisation;
  static Passes read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

template <class Form, class Self>
void Passes::fields(Form& form, Self& self) {
  form.field("epochs", self.epochs);
  form.field("batch", self.batch);
  Optimisation::fields(form, self.optimisation);
}

}  // namespace trl::contract
