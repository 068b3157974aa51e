#include "runtime/verify/plan/seal.hpp"

#include <string>

namespace trl::runtime {

RandomKey input_key(std::string_view secret, std::string_view seal, std::string_view purpose) {
  return secret_key(secret, std::string(seal) + "/" + std::string(purpose));
}

}  // namespace trl::runtime
