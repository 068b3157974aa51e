#include "runtime/verify/executor/executor.hpp"

#include <exception>
#include <new>

#include "runtime/verify/executor/machine/launch.hpp"

namespace trl::executor {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::out_of_bounds_load:
      return "out_of_bounds_load";
    case Kind::out_of_bounds_store:
      return "out_of_bounds_store";
    case Kind::unwritten_read:
      return "unwritten_read";
    case Kind::read_only_store:
      return "read_only_store";
    case Kind::misaligned:
      return "misaligned";
    case Kind::race:
      return "race";
    case Kind::division_by_zero:
      return "division_by_zero";
    case Kind::assertion:
      return "assertion";
    case Kind::unsupported:
      return "unsupported";
    case Kind::launch:
      return "launch";
    case Kind::timeout:
      return "timeout";
    case Kind::deadlock:
      return "deadlock";
  }
  return "unknown";
}

bool is_memory_error(Kind kind) { return kind <= Kind::race; }

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const ir::Function& function : program_->functions) {
    if (function.is_public) names.push_back(function.name);
  }
  return names;
}

std::vector<Parameter> Module::parameters(std::string_view kernel) const {
  std::vector<Parameter> list;
  for (const ir::Function& function : program_->functions) {
    if (!function.is_public || function.name != kernel) continue;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Type& type = function.values[static_cast<std::size_t>(function.parameters[i])].type;
      const bool pointer = type.scalar == Scalar::ptr;
      list.push_back({function.parameter_names[i], name(pointer ? type.pointee : type.scalar), pointer});
    }
  }
  return list;
}

Counters& Counters::operator+=(const Counters& other) {
  launches += other.launches;
  programs += other.programs;
  operations += other.operations;
  loads += other.loads;
  stores += other.stores;
  sectors_read += other.sectors_read;
  sectors_written += other.sectors_written;
  sectors_read_first += other.sectors_read_first;
  sectors_written_first += other.sectors_written_first;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  flops += other.flops;
  dot_flops += other.dot_flops;
  dots += other.dots;
  unfilled_loads += other.unfilled_loads;
  return *this;
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
