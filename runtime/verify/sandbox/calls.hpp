#pragma once
// The table of allowed system calls, from which filters are made.
#include <cstdint>
#include <span>

namespace trl::runtime::sandbox {

/// Sets of profiles.
enum Who : unsigned {
  plain = 1,
  nesting = 2,
  compiler = 4,
  candidate = 8,
  programs = plain | nesting | compiler,  ///< all that start programs and threads
  all = programs | candidate,
};

/// What of a call's arguments is looked at.
enum class Arguments {
  any,
  refused,           ///< with an error, where libraries call it and go on without
  descriptor,        ///< fcntl: duplicates and flags, no locks, leases, signals, sizes or seals
  terminal,          ///< ioctl: questions about a terminal, and a descriptor's flags
  own_process,       ///< prctl: names, the death signal, giving up rights
  own_name,          ///< prctl: names alone
  private_map,       ///< mmap: no shared memory and no huge pages of the machine's pool
  private_wait,      ///< futex: of this process's own memory
  hint,              ///< madvise: what changes nothing for other processes that map the same file
  plan_to_read,      ///< fadvise64: what evicts nothing
  second_is_signal,  ///< kill, tkill: no realtime signals, which queue
  third_is_signal,   ///< tgkill
  look_at_limit,     ///< prlimit64: of this process, and not changed
  no_namespace,      ///< clone: a process or a thread
  unix_pair,         ///< socketpair: AF_UNIX
};

struct AllowedCall {
  int number;
  unsigned who;  ///< of Who
  Arguments arguments;
  const char* why;
};

/// Every call that some profile allows; a call has one line for a set of profiles.
std::span<const AllowedCall> allowed_calls();

}  // namespace trl::runtime::sandbox
