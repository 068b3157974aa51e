// For processors of level x86-64-v3. On other architectures it is compiled with the compiler's default
// options.
#include "runtime/sample/kernels.hpp"

namespace trl::runtime {
namespace level_v3 {
namespace {
#include "runtime/sample/kernels.inl"
}  // namespace

extern const Kernels table;
const Kernels table = {rms_norm, layer_norm, rotate, gate, gelu, add, attend, weights};

}  // namespace level_v3
}  // namespace trl::runtime
