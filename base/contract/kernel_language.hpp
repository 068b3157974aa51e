// The language in which kernels are written.
#pragma once

#include <array>
#include <utility>

#include "base/contract/words.hpp"

namespace trl::contract {

/// The language in which kernels are written.
enum class KernelLanguage { triton, cuda };
template <>
struct Words<KernelLanguage> {
  static constexpr std::array<std::pair<KernelLanguage, const char*>, 2> list = {
      {{KernelLanguage::triton, "triton"}, {KernelLanguage::cuda, "cuda"}}};
};

}  // namespace trl::contract
