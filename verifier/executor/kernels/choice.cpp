#include "verifier/executor/kernels/kernels.hpp"

namespace trl::executor {

namespace baseline {
extern const KernelSet set;
}
#ifdef TRL_EXECUTOR_AVX2
namespace avx2 {
extern const KernelSet set;
}
#endif

const KernelSet& kernels() {
#ifdef TRL_EXECUTOR_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_avx2) return avx2::set;
#endif
  return baseline::set;
}

}  // namespace trl::executor
