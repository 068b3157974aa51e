#pragma once

#include <string>
#include <vector>

#include "interpreter/report/series.hpp"

namespace trl::interpreter {

/// The numbers of one row under one seed as an event file of TensorBoard: records of TFRecord, each a message
/// Event with one scalar, whose tag is the number's series (tensorflow/core/util/event.proto).
std::string tensorboard_events(const std::vector<Measured>& numbers);

}  // namespace trl::interpreter
