// The settings of the optimiser, as programs and specs of stages state them.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// Whether AdamW's moments start at zero in each training, or continue from the adapter's last training.
enum class OptimiserState { fresh, carried };
template <>
struct Words<OptimiserState> {
  static constexpr std::array<std::pair<OptimiserState, const char*>, 2> list = {
      {{OptimiserState::fresh, "fresh"}, {OptimiserState::carried, "carried"}}};
};

/// The settings of AdamW and of its learning rate.
struct Optimisation {
  double learning_rate = 0;           ///< the highest learning rate of the schedule
  double warmup = 0;                  ///< the share of the steps over which the learning rate rises, 0 to 1
  std::string schedule = "constant";  ///< the learning rate after the warm-up: constant, linear, cosine
  double weight_decay = 0;
  double clip = 0;  ///< gradients are scaled down to at most this norm; 0: no clipping
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

/// How an adapter is trained on samples: the settings that every fine-tuning declaration has.
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
