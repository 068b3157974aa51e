#include "verifier/executor/executor.hpp"

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "verifier/executor/check/check.hpp"
#include "verifier/executor/machine/launch.hpp"
#include "verifier/executor/paths/decisions.hpp"
#include "verifier/executor/program/choices.hpp"
#include "verifier/executor/text/lexer.hpp"
#include "verifier/executor/text/parser.hpp"

namespace trl::executor {

std::variant<Module, ParseError> parse(std::string_view ttir) {
  try {
    ir::Program program = Parser(ttir).program();
    check(program);
    ir::find_decisions(program);
    ir::find_choices(program);
    for (ir::Function& function : program.functions) ir::place_values(function);
    return Module(std::make_shared<const ir::Program>(std::move(program)));
  } catch (const Failure& failure) {
    return error_at(ttir, failure);
  } catch (const std::bad_alloc&) {
    return ParseError{"the module needs too much memory", 0, 0};
  } catch (const std::exception& error) {
    return ParseError{std::string("the module can't be read: ") + error.what(), 0, 0};
  }
}

Report run(const Module& module, const Launch& launch, Memory& memory, const Options& options) {
  Report report;
  const auto reject = [&report](Kind kind, std::string message) {
    report.ok = false;
    Finding& finding = report.findings.emplace_back();
    finding.kind = kind;
    finding.message = std::move(message);
  };
  const ir::Function* kernel = nullptr;
  int candidates = 0;
  for (const ir::Function& function : module.program().functions) {
    if (!function.is_public || (!launch.kernel.empty() && function.name != launch.kernel)) continue;
    kernel = &function;
    ++candidates;
  }
  if (candidates != 1) {
    reject(Kind::launch, candidates == 0 ? "the module has no kernel " + launch.kernel
                                         : std::string("the module has several kernels: name one"));
    return report;
  }
  try {
    run_launch({module.program(), *kernel, launch, options}, memory, report);
  } catch (const std::bad_alloc&) {
    reject(Kind::unsupported, "the launch needs more memory than there is");
  } catch (const std::exception& error) {
    reject(Kind::unsupported, std::string("the executor refuses: ") + error.what());
  }
  return report;
}

}  // namespace trl::executor
