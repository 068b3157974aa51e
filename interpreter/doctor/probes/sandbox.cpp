// Whether candidates can be confined: user namespaces.
#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {
namespace {

bool is(const Machine& machine, const char* file, const char* value) {
  const auto text = machine.read(file);
  return text && text->substr(0, text->find_first_of(" \n")) == value;
}

/// The change that allows the sandbox, by this machine's settings.
std::string how_to_allow_it(const Machine& machine) {
  if (is(machine, "/proc/sys/user/max_user_namespaces", "0"))
    return "As root: sysctl user.max_user_namespaces=15000";
  if (is(machine, "/proc/sys/kernel/unprivileged_userns_clone", "0"))
    return "As root: sysctl kernel.unprivileged_userns_clone=1";
  if (is(machine, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
    return "As root: sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  std::string remedy;
  if (machine.read("/.dockerenv") || machine.read("/run/.containerenv"))
    remedy =
        "Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
        "--security-opt systempaths=unconfined";
  else
    remedy =
        "In a chroot the kernel refuses them always: enter the folder by pivot_root, as unshare and "
        "systemd-nspawn do";
  return remedy + ". Or pass --no-sandbox, which runs candidates with your own rights";
}

}  // namespace

std::vector<Finding> probe_sandbox(const Machine& machine, const Needs& needs) {
  const auto sandbox = machine.program().parent_path() / "trl-sandbox";
  if (!machine.executable(sandbox)) return {};  // probe_programs reports this
  const Filtered tried = machine.run({sandbox.string(), "--", "/bin/true"});
  if (tried.status == 0)
    return {{"user namespaces", Finding::Outcome::fine, "trl-sandbox confines a program", "", ""}};
  // "trl-sandbox: this machine does not allow the isolation of candidates: WHY. Allow …"
  const std::string start = "isolation of candidates: ";
  std::string why = tried.err;
  if (const auto at = why.find(start); at != std::string::npos) {
    why = why.substr(at + start.size());
    why = why.substr(0, why.find(". "));
  }
  return {{"user namespaces", needs.verification ? Finding::Outcome::lacking : Finding::Outcome::note,
           "refused: " + why, "to confine candidates", how_to_allow_it(machine)}};
}

}  // namespace trl::interpreter
