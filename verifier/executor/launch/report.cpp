#include "verifier/executor/launch/report.hpp"

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
  undefined += other.undefined;
  orders += other.orders;
  contractions += other.contractions;
  return *this;
}

}  // namespace trl::executor
