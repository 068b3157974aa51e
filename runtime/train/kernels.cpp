#include "runtime/train/kernels.hpp"

#include "base/support/machine.hpp"

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
  switch (vector_level()) {
    case VectorLevel::v4:
      return level_v4::training_table;
    case VectorLevel::v3:
      return level_v3::training_table;
    case VectorLevel::v2:
      break;
  }
  return level_v2::training_table;
}

std::int64_t attention_scratch(std::int64_t length, std::int64_t head_size) {
  constexpr std::int64_t queries = 16;
  const std::int64_t keys = panelled(length), width = panelled(head_size);
  return 2 * keys * head_size + 4 * width * length + 3 * width * queries + 2 * keys * queries;
}

}  // namespace trl::runtime
