// CUDA's own, whose numbers of 64 bits are of another type than PyTorch's under NVRTC: they get other names.
#pragma once
#include "stdint.h"
#define uint32_t trl_pipeline_uint32
#define uint64_t trl_pipeline_uint64
#define uintptr_t trl_pipeline_uintptr
#include_next <cuda_pipeline_primitives.h>
#undef uint32_t
#undef uint64_t
#undef uintptr_t
