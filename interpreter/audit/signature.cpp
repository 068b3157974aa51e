#include "interpreter/audit/signature.hpp"

#include <array>
#include <map>
#include <sstream>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/reading.hpp"
#include "interpreter/filter.hpp"
#include "interpreter/scratch.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

std::string line_of(const Store& store, const fs::path& file) {
  return sha256_of_file(file) + "  " + file.lexically_relative(store.root()).string();
}

fs::path description_of(const Store& store, const std::string& key) {
  return store.folder(key) / "stage.json";
}

/// Whether a line begins with the type of a public key, as `ssh-keygen` writes them.
bool is_public_key(const std::string& line) {
  for (const char* type : {"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"})
    if (line.starts_with(type)) return true;
  return false;
}

/// Returns the text of the file of allowed signers that ssh-keygen needs. `signed_by` is a public key, or the
/// path of a file with public keys or allowed signers.
std::string allowed_signers(const std::string& signed_by) {
  std::error_code error;
  const bool is_key = is_public_key(signed_by) && !fs::exists(signed_by, error);
  std::istringstream lines(is_key ? signed_by : read_text(signed_by, {.argument = true}));
  std::string allowed;
  for (std::string line; std::getline(lines, line);)
    allowed += (is_public_key(line) ? "key " : "") + line + "\n";
  return allowed;
}

/// The first line of ssh-keygen's output; `good` says whether it ended with status 0.
struct Keygen {
  bool good = false;
  std::string out;
};

Keygen ssh_keygen(std::vector<std::string> arguments, const std::string& input) {
  arguments.insert(arguments.begin(), "-Y");
  const auto ran = run_filter("ssh-keygen", arguments, input, {"LC_ALL=C"});
  if (ran.missing())
    throw UserError("there is no ssh-keygen on this machine, so no signature can be checked",
                    "Install OpenSSH: apt-get install openssh-client");
  auto out = ran.out.empty() ? ran.err : ran.out;
  out.erase(std::min(out.find('\n'), out.size()));
  return {ran.status == 0, out};
}

/// Reads the list: the digest of each file, by the file's name.
std::map<std::string, std::string> entries_of(const std::string& list) {
  constexpr std::size_t digits = 64;
  std::map<std::string, std::string> entries;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > digits + 2) entries[line.substr(digits + 2)] = line.substr(0, digits);
  return entries;
}

}  // namespace

std::string digests_of(const Store& store) {
  std::string list = line_of(store, store.root() / "secret") + "\n";
  for (const auto& key : store.keys())
    if (store.has(key)) list += line_of(store, description_of(store, key)) + "\n";
  return list;
}

CheckedSignature check_signature(const Store& store, const std::string& signed_by,
                                 const std::vector<std::string>& stages) {
  CheckedSignature checked;
  const auto allowed = allowed_signers(signed_by);
  const auto list = text_if_there(store.root() / digests_file, {.within = store.root()});
  const auto signature = store.root() / signature_file;
  if (!list || !fs::exists(signature)) {
    checked.findings.push_back({"", std::string("it isn't signed: it has no ") + digests_file + " and " +
                                        signature_file + " of `ssh-keygen -Y sign`"});
    return checked;
  }
  require_readable(signature, {.within = store.root()});
  const Scratch scratch;
  const auto signers = scratch.path() / "allowed_signers";
  write_text(signers, allowed);
  const auto found = ssh_keygen({"find-principals", "-s", signature, "-f", signers}, "");
  const auto verified =
      found.good
          ? ssh_keygen({"verify", "-f", signers, "-I", found.out, "-n", signature_namespace, "-s", signature},
                       *list)
          : found;
  if (!verified.good) {
    checked.findings.push_back({"", "its signature isn't one of " + signed_by + ": " + verified.out});
    return checked;
  }
  checked.signer = verified.out;
  const auto entries = entries_of(*list);
  for (const auto& [file, digest] : entries) checked.absent += !fs::exists(store.root() / file);
  const auto compare = [&](const std::string& key, const fs::path& file) {
    const auto entry = entries.find(file.lexically_relative(store.root()).string());
    if (entry == entries.end())
      checked.findings.push_back({key, "it isn't in the signed list"});
    else if (entry->second != sha256_of_file(file))
      checked.findings.push_back({key, "it isn't as the signed list says"});
  };
  if (fs::exists(store.root() / "secret")) compare("", store.root() / "secret");
  for (const auto& key : stages)
    if (store.has(key)) compare(key, description_of(store, key));
  return checked;
}

}  // namespace trl::interpreter
