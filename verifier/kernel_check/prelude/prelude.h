// All that a candidate can use; it is parsed once for all candidates.
#pragma once
#include <trl/standard.h>

#include <trl/math.h>

#include <trl/cuda_runtime.h>

#include <trl/cuda_fp16.h>

#include <trl/cuda_bf16.h>

#include <trl/cooperative_groups.h>

#include <trl/mma.h>

#include <trl/cub.h>

#include <trl/tensor.h>

#include <trl/recording.h>

#include <trl/example.h>
