// Device code may assert; an assertion that fails ends the launch.
#pragma once
#define assert(condition) ((condition) ? void(0) : __trap())
