#pragma once

#include <string>
#include <vector>

#include "interpreter/report/series.hpp"

namespace trl::interpreter {

/// The numbers of one row under one seed as an event file of TensorBoard. Each number is a TFRecord with an
/// Event message (tensorflow/core/util/event.proto), which has a single scalar; its tag is
/// `Measured::series`, and the first of a tag has the measure's title and definition.
std::string tensorboard_events(const std::vector<Measured>& numbers);

}  // namespace trl::interpreter
