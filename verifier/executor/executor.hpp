#pragma once
// The CPU interpreter of Triton's TTIR (MLIR text as `make_ttir` of Triton 3.6 prints it) on checked memory.
#include <string_view>
#include <variant>

#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/memory.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/failure.hpp"
#include "verifier/executor/program/module.hpp"

namespace trl::executor {

/// Parses and checks a TTIR module. Any text is safe to pass: size, nesting and block sizes are capped.
std::variant<Module, ParseError> parse(std::string_view ttir);

/// Runs all programs of a launch. The result is the same as if the programs ran one after another in the
/// order that `options.order` gives. Never throws. Equal arguments give equal results unless
/// `options.limits.cancelled` is set.
Report run(const Module& module, const Launch& launch, Memory& memory, const Options& options = {});

}  // namespace trl::executor
