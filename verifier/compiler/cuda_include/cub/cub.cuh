// CUB's collectives within a warp or a block. The interface is as NVIDIA documents it; the implementation is
// the project's own, since none of the installed wheels has CUB's.
#pragma once
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "warp/warp_reduce.cuh"
