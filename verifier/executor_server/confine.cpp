#include "verifier/executor_server/confine.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>

namespace trl::runtime {
namespace {

bool limit(__rlimit_resource resource, rlim_t value) {
  const rlimit both{value, value};
  return setrlimit(resource, &both) == 0;
}

}  // namespace

bool confine(std::uint64_t memory_bytes, const std::vector<sock_filter>& filter) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  // RLIMIT_DATA counts private writable memory, and not what threads reserve without using it.
  return limit(RLIMIT_DATA, memory_bytes) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
         limit(RLIMIT_NOFILE, 0) && sandbox::install(filter);
}

}  // namespace trl::runtime
