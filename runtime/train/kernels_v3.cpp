// For processors of level x86-64-v3. On other architectures it is compiled with the compiler's default
// options.
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "runtime/train/kernels.hpp"

namespace trl::runtime {
namespace level_v3 {
namespace {
#include "runtime/train/kernels.inl"
}  // namespace

extern const TrainingKernels training_table;
const TrainingKernels training_table = {product,       rms_norm,       rms_norm_backward,
                                        rotate,        gate,           gate_backward,
                                        add,           dropout,        masked,
                                        add_masked,    attention,      attention_backward,
                                        cross_entropy, log_probability};

}  // namespace level_v3
}  // namespace trl::runtime
