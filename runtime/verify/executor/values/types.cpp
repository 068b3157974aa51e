#include "runtime/verify/executor/values/types.hpp"

namespace trl::executor {

std::string to_string(const Type& type) {
  std::string element = name(type.scalar);
  if (type.scalar == Scalar::ptr) element += std::string("<") + name(type.pointee) + ">";
  if (!type.tensor) return element;
  std::string text = "tensor<";
  for (const std::int32_t extent : type.shape) text += std::to_string(extent) + "x";
  return text + element + ">";
}

}  // namespace trl::executor
