#include "verifier/sandbox/privileges.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verifier/sandbox/filter.hpp"

namespace trl::runtime::sandbox {
namespace {

void limit(__rlimit_resource resource, rlim_t value) {
  rlimit now{};
  getrlimit(resource, &now);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
  rlimit next{value, value};
  setrlimit(resource, &next);
}

bool set_capabilities(std::uint32_t low) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  data[0].effective = data[0].permitted = data[0].inheritable = low;
  return syscall(SYS_capset, &header, data) == 0;
}

}  // namespace

void set_limits(const SandboxOptions& options) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_NPROC, options.processes);
  limit(RLIMIT_FSIZE, options.tmp_bytes);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  if (options.memory > 0) limit(RLIMIT_AS, options.memory);
}

bool drop_privileges(const SandboxOptions& options) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (options.isolate) {
    const int kept = options.nesting ? CAP_SYS_ADMIN : -1;
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; ++capability)
      if (capability != kept) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (!set_capabilities(kept < 0 ? 0 : 1u << kept)) return false;
    if (kept >= 0 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept, 0, 0) != 0) return false;
  }
  return install(make_filter(options.nesting ? Profile::nesting : Profile::plain));
}

void close_descriptors() {
  if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0)
    for (int fd = 3; fd < 65536; ++fd) close(fd);
}

std::vector<std::string> make_environment(const SandboxOptions& options) {
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin",
                                          "HOME=" + (options.isolate ? options.writable() : "/tmp"),
                                          "TMPDIR=" + (options.isolate ? options.writable() : "/tmp"),
                                          "USER=candidate",
                                          "LANG=C.UTF-8",
                                          "OMP_NUM_THREADS=1",
                                          "MKL_NUM_THREADS=1",
                                          "OPENBLAS_NUM_THREADS=1",
                                          "PYTHONHASHSEED=0",
                                          "PYTHONNOUSERSITE=1",
                                          "CUDA_VISIBLE_DEVICES=",
                                          "PYTHONDONTWRITEBYTECODE=1",
                                          std::string("TRL_ISOLATED=") + (options.isolate ? "1" : "0"),
                                          "TRL_CANDIDATE_FILTER=" + to_hex(make_filter(Profile::candidate)),
                                          "TRL_COMPILER_FILTER=" + to_hex(make_filter(Profile::compiler))};
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  return environment;
}

}  // namespace trl::runtime::sandbox
