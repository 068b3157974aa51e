#include "runtime/train/kernels.hpp"

namespace trl::runtime {

namespace level_v2 {
extern const TrainingKernels training_table;
}
namespace level_v3 {
extern const TrainingKernels training_table;
}
namespace level_v4 {
extern const TrainingKernels training_table;
}

const TrainingKernels& training_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return level_v4::training_table;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return level_v3::training_table;
#endif
  return level_v2::training_table;
}

std::int64_t attention_scratch(std::int64_t length, std::int64_t head_size) {
  constexpr std::int64_t queries = 16;
  const std::int64_t keys = panelled(length), width = panelled(head_size);
  return 2 * keys * head_size + 4 * width * length + 3 * width * queries + 2 * keys * queries;
}

}  // namespace trl::runtime
