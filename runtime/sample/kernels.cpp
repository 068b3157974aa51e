#include "runtime/sample/kernels.hpp"

#include "base/support/machine.hpp"

namespace trl::runtime {

namespace level_v2 {
extern const Kernels table;
}
namespace level_v3 {
extern const Kernels table;
}
namespace level_v4 {
extern const Kernels table;
}

const Kernels& kernels() {
  switch (vector_level()) {
    case VectorLevel::v4:
      return level_v4::table;
    case VectorLevel::v3:
      return level_v3::table;
    case VectorLevel::v2:
      break;
  }
  return level_v2::table;
}

}  // namespace trl::runtime
