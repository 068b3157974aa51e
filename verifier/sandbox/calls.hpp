#pragma once
// The table of allowed system calls, from which the filters are generated.
#include <cstdint>
#include <span>

namespace trl::runtime::sandbox {

/// Sets of profiles, as bits.
enum Who : unsigned {
  plain = 1,
  nesting = 2,
  compiler = 4,
  candidate = 8,
  executor = 16,
  programs = plain | nesting | compiler,  ///< all profiles whose processes start programs and threads
  all = programs | candidate,             ///< but for the executor's children, which need few calls
};

/// Which arguments of a call are allowed.
enum class Arguments {
  any,
  refused,           ///< none: the call fails with an error that libraries tolerate
  descriptor,        ///< fcntl: duplicates and flags, but no locks, leases, signals, sizes or seals
  terminal,          ///< ioctl: queries of a terminal, and a descriptor's flags
  own_process,       ///< prctl: names, the death signal, giving up rights
  own_name,          ///< prctl: names only
  private_map,       ///< mmap: no shared memory and no huge pages of the machine's pool
  no_code,           ///< mmap, mprotect: no executable memory
  private_wait,      ///< futex: only in this process's private memory
  hint,              ///< madvise: only advice that changes nothing for other processes that map the same file
  plan_to_read,      ///< fadvise64: only advice that evicts nothing
  second_is_signal,  ///< kill, tkill: no realtime signals, which queue
  third_is_signal,   ///< tgkill
  look_at_limit,     ///< prlimit64: reads limits of this process
  no_namespace,      ///< clone: a process or a thread
  thread,            ///< clone: a thread
  unix_pair,         ///< socketpair: AF_UNIX
};

struct AllowedCall {
  int number;
  unsigned who;  ///< bits of Who
  Arguments arguments;
  const char* why;
};

/// The calls of this number and later ones are newer than the table; they are the same on every architecture.
constexpr int first_young_call = 440;

/// All calls that some profile allows; a call has one line per set of profiles.
std::span<const AllowedCall> allowed_calls();

}  // namespace trl::runtime::sandbox
