// Signed stores: a list of digests that ssh-keygen signs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/audit/store_keys.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The names, in a store, of the list of digests and of its signature by `ssh-keygen -Y sign`.
inline constexpr const char *digests_file = "digests", *signature_file = "digests.sig";
/// The purpose of the signature: a signature with the same key for another purpose isn't accepted.
inline constexpr const char* signature_namespace = "trl-store";

/// Returns the list of digests, in the form of sha256sum, of the store's secret and of each stage.json (which
/// holds the digests of its stage's files). Throws ReadError.
std::string digests_of(const Store& store);

struct CheckedSignature {
  std::string signer;      ///< in words; empty if the signature isn't good
  std::size_t absent = 0;  ///< files of the signed list that this store lacks
  std::vector<StageFinding>
      findings;  ///< the parts that aren't signed; a finding without a key is about the whole store
};

/// Checks the signature of a store's list of digests, and compares the digests with the store's secret and
/// with stage.json of the given stages. `signed_by` is a public key ("ssh-ed25519 AAAA…"), a file of public
/// keys, or a file of allowed signers (ssh-keygen(1)). Throws UserError if there is no such key or file, or
/// no ssh-keygen.
CheckedSignature check_signature(const Store& store, const std::string& signed_by,
                                 const std::vector<std::string>& stages);

}  // namespace trl::interpreter
