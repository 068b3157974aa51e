#pragma once
// The table of allowed system calls, from which the system-call filters are made.
#include <cstdint>
#include <span>

namespace trl::runtime::sandbox {

/// The profiles (filter.hpp) as bits, which are combined to sets.
enum Who : unsigned {
  plain = 1,
  nesting = 2,
  compiler = 4,
  candidate = 8,
  executor = 16,
  programs = plain | nesting | compiler,  ///< all profiles whose processes start programs and threads
  all = programs | candidate,             ///< all profiles except `executor`, which needs few calls
};

/// The arguments with which a system call is allowed.
enum class Arguments {
  any,
  refused,           ///< no arguments: the call always fails, with an error that libraries tolerate
  descriptor,        ///< fcntl: duplicates and flags, but no locks, leases, signals, sizes or seals
  terminal,          ///< ioctl: queries of a terminal, and flags of a descriptor
  own_process,       ///< prctl: names of processes and memory, the parent-death signal, giving up rights
  own_name,          ///< prctl: only names of processes and memory
  private_map,       ///< mmap: no shared memory and no huge pages of the machine's pool
  no_code,           ///< mmap, mprotect: no executable memory
  private_wait,      ///< futex: only in private memory of this process
  hint,              ///< madvise: only advice that doesn't affect other processes that map the same file
  plan_to_read,      ///< fadvise64: only advice that evicts no cached pages
  second_is_signal,  ///< kill, tkill: no realtime signals, which queue
  third_is_signal,   ///< tgkill: no realtime signals
  look_at_limit,     ///< prlimit64: only reading the limits of this process
  no_namespace,      ///< clone: a new process or thread, without new namespaces
  thread,            ///< clone: only a new thread
  unix_pair,         ///< socketpair: only AF_UNIX
};

struct AllowedCall {
  int number;
  unsigned who;  ///< bits of Who
  Arguments arguments;
  const char* why;
};

/// System calls with this number or a higher number are newer than the table. Such numbers are the same on
/// every architecture.
constexpr int first_young_call = 440;

/// Returns the table of all calls that at least one profile allows. A call has several entries if profiles
/// allow it with different arguments.
std::span<const AllowedCall> allowed_calls();

}  // namespace trl::runtime::sandbox
