#include "runtime/sample/kernels.hpp"

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
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return level_v4::table;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return level_v3::table;
#endif
  return level_v2::table;
}

}  // namespace trl::runtime
