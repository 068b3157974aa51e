// The machine and libraries on which a stage's result is made, as far as this process knows them.
#pragma once

#include <c10/core/Device.h>

#include "base/contract/made_on.hpp"

namespace trl::runtime {

/// Returns a record with this process's CPU and libtorch, and with the CPU as the device. `threads` is the
/// number of threads that the stage uses.
contract::MadeOn made_here(int threads);

/// Records that tensors were on `device`, which `open_device` opened. For a GPU its name, its driver and the
/// version of the CUDA runtime are recorded.
void note_device(contract::MadeOn& made_on, const c10::Device& device);

}  // namespace trl::runtime
