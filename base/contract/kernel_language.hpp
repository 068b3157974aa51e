// What kernels are written in.
#pragma once

#include <array>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// What kernels are written in.
enum class KernelLanguage { triton, cuda };
template <>
struct Words<KernelLanguage> {
  static constexpr std::array<std::pair<KernelLanguage, const char*>, 2> list = {
      {{KernelLanguage::triton, "triton"}, {KernelLanguage::cuda, "cuda"}}};
};

}  // namespace trl::contract
