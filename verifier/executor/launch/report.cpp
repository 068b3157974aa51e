#include "verifier/executor/launch/report.hpp"

#include <algorithm>

namespace trl::executor {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::out_of_bounds_load:
      return "out_of_bounds_load";
    case Kind::out_of_bounds_store:
    case Kind::stray_store:
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
    case Kind::untrue_hint:
      return "untrue_hint";
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

ProgramWork& ProgramWork::operator+=(const ProgramWork& other) {
  loads += other.loads;
  sectors += other.sectors;
  distinct += other.distinct;
  steps += other.steps;
  lanes += other.lanes;
  flops += other.flops;
  dot_flops += other.dot_flops;
  return *this;
}

ProgramWork& ProgramWork::operator-=(const ProgramWork& other) {
  loads -= other.loads;
  sectors -= other.sectors;
  distinct -= other.distinct;
  steps -= other.steps;
  lanes -= other.lanes;
  flops -= other.flops;
  dot_flops -= other.dot_flops;
  return *this;
}

ProgramWork largest(const ProgramWork& a, const ProgramWork& b) {
  return {std::max(a.loads, b.loads),        std::max(a.sectors, b.sectors), std::max(a.distinct, b.distinct),
          std::max(a.steps, b.steps),        std::max(a.lanes, b.lanes),     std::max(a.flops, b.flops),
          std::max(a.dot_flops, b.dot_flops)};
}

ProgramWork work_of(const Counters& counters) {
  return {counters.loads,
          counters.sectors_read + counters.sectors_written,
          counters.sectors_by_program,
          counters.steps,
          counters.lanes,
          counters.flops,
          counters.dot_flops};
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
  sectors_by_program += other.sectors_by_program;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  flops += other.flops;
  dot_flops += other.dot_flops;
  dots += other.dots;
  steps += other.steps;
  lanes += other.lanes;
  asks += other.asks;
  same_place = std::max(same_place, other.same_place);
  most = largest(most, other.most);
  clock_ns = std::max(clock_ns, other.clock_ns);
  unfilled_loads += other.unfilled_loads;
  undefined += other.undefined;
  orders += other.orders;
  contractions += other.contractions;
  return *this;
}

Counters extrapolated(Counters counters, std::uint64_t programs, std::uint64_t sectors) {
  const double share =
      static_cast<double>(programs) / static_cast<double>(std::max<std::uint64_t>(counters.programs, 1));
  for (std::uint64_t* const one :
       {&counters.loads, &counters.stores, &counters.sectors_read, &counters.sectors_written,
        &counters.sectors_read_first, &counters.sectors_written_first, &counters.sectors_by_program,
        &counters.bytes_read, &counters.bytes_written, &counters.flops, &counters.dot_flops, &counters.dots,
        &counters.steps, &counters.lanes, &counters.asks, &counters.same_place})
    *one = static_cast<std::uint64_t>(static_cast<double>(*one) * share);
  counters.launches = 1;
  counters.programs = programs;
  counters.sectors_read_first = std::min(counters.sectors_read_first, sectors);
  counters.sectors_written_first = std::min(counters.sectors_written_first, sectors);
  return counters;
}

}  // namespace trl::executor
