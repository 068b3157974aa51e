// The collectives of CUB that kernels use within a warp or a block: their interface as NVIDIA documents it, with an
// implementation of our own, since no wheel here has CUB's.
#pragma once
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "warp/warp_reduce.cuh"
