// The machine and libraries on which a stage's result is made, as far as the computing process knows them.
#pragma once

#include <c10/core/Device.h>

#include "base/contract/made_on.hpp"

namespace trl::runtime {

/// This process's CPU and libtorch, and `threads` that a stage was given. The device is the CPU.
contract::MadeOn made_here(int threads);

/// Notes that tensors lived on an open device (`open_device`): of a GPU its name, driver and CUDA's runtime.
void note_device(contract::MadeOn& made_on, const c10::Device& device);

}  // namespace trl::runtime
