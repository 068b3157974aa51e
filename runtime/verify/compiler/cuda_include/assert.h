// Kernels may assert; what fails so ends the launch.
#pragma once
#define assert(condition) ((condition) ? void(0) : __trap())
