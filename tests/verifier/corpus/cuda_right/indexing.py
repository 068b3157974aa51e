#: transpose_tiled | tasks transpose | dims M=70 N=100
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transpose(const float* idata, float* odata, int height, int width) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

torch::Tensor transpose_cuda(torch::Tensor x) {
  int height = x.size(0), width = x.size(1);
  auto out = torch::empty({width, height}, x.options());
  dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
  dim3 block(TILE_DIM, BLOCK_ROWS);
  transpose<<<grid, block>>>(x.data_ptr<float>(), out.data_ptr<float>(), height, width);
  return out;
}
"""
module = load_inline(name="transpose", cpp_sources="torch::Tensor transpose_cuda(torch::Tensor x);",
                     cuda_sources=source, functions=["transpose_cuda"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.transpose_cuda(x)
#: permute_strides_argument | tasks permute | dims A=9 B=14 C=20
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

struct Shape {
  int sizes[3];
  int strides[3];
};

__global__ void gather_strided(const float* x, float* y, Shape shape, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rest = i, from = 0;
  for (int d = 2; d >= 0; --d) {
    from += rest % shape.sizes[d] * shape.strides[d];
    rest /= shape.sizes[d];
  }
  y[i] = x[from];
}

torch::Tensor permute_copy(torch::Tensor x, std::vector<int64_t> axes) {
  TORCH_CHECK(x.dim() == 3 && axes.size() == 3, "three dimensions");
  Shape shape;
  std::vector<int64_t> sizes;
  for (int d = 0; d < 3; ++d) {
    shape.sizes[d] = x.size(axes[d]);
    shape.strides[d] = x.stride(axes[d]);
    sizes.push_back(x.size(axes[d]));
  }
  auto y = torch::empty(sizes, x.options());
  const int n = x.numel();
  gather_strided<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), shape, n);
  return y;
}
"""
cpp = "torch::Tensor permute_copy(torch::Tensor x, std::vector<int64_t> axes);"
module = load_inline(name="permute_copy", cpp_sources=cpp, cuda_sources=source, functions=["permute_copy"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.permute_copy(x, [2, 0, 1])
#: embedding_rows | tasks embedding | dtypes f32 f16 | dims N=50 C=30 D=70
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename T>
__global__ void lookup(const int64_t* __restrict__ tokens, const T* __restrict__ table, T* __restrict__ out, int width) {
  const int64_t row = tokens[blockIdx.x];
  for (int d = threadIdx.x; d < width; d += blockDim.x) out[(int64_t)blockIdx.x * width + d] = table[row * width + d];
}

torch::Tensor embedding(torch::Tensor tokens, torch::Tensor table) {
  TORCH_CHECK(tokens.scalar_type() == torch::kLong, "indices must be int64");
  auto out = torch::empty({tokens.numel(), table.size(1)}, table.options());
  AT_DISPATCH_SWITCH(table.scalar_type(), "embedding",
    AT_DISPATCH_CASE(at::ScalarType::Float, [&] {
      lookup<scalar_t><<<tokens.numel(), 64>>>(tokens.data_ptr<int64_t>(), table.data_ptr<scalar_t>(),
                                               out.data_ptr<scalar_t>(), table.size(1));
    })
    AT_DISPATCH_CASE(at::ScalarType::Half, [&] {
      lookup<scalar_t><<<tokens.numel(), 64>>>(tokens.data_ptr<int64_t>(), table.data_ptr<scalar_t>(),
                                               out.data_ptr<scalar_t>(), table.size(1));
    }));
  return out;
}
"""
ops = load_inline(name="embedding", cpp_sources="torch::Tensor embedding(torch::Tensor tokens, torch::Tensor table);",
                  cuda_sources=source, functions=["embedding"])


class ModelNew(nn.Module):
    def forward(self, t, w):
        return ops.embedding(t, w)
#: concatenate_columns | tasks cat | dims M=20 N=33 K=50
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void concatenate(const float* a, const float* b, float* out, int rows, int n, int k) {
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = blockIdx.y;
  if (col < n + k) out[row * (n + k) + col] = col < n ? a[row * n + col] : b[row * k + col - n];
}

torch::Tensor concatenate_cuda(std::vector<torch::Tensor> parts) {
  auto a = parts[0], b = parts[1];
  const int rows = a.size(0), n = a.size(1), k = b.size(1);
  auto out = torch::empty({rows, n + k}, a.options());
  concatenate<<<dim3((n + k + 127) / 128, rows), 128>>>(a.data_ptr<float>(), b.data_ptr<float>(),
                                                        out.data_ptr<float>(), rows, n, k);
  return out;
}
"""
ops = load_inline(name="concatenate", cuda_sources=source, functions=["concatenate_cuda"],
                  cpp_sources="torch::Tensor concatenate_cuda(std::vector<torch::Tensor> parts);")


class ModelNew(nn.Module):
    def forward(self, x, y):
        return ops.concatenate_cuda([x, y])
#: flip_rows_from_a_file | tasks flip | dims M=25 N=91
import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

SOURCE = """
#include <torch/extension.h>

__global__ void flip_kernel(const float* x, float* y, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) {
    int row = i / cols;
    int col = i - row * cols;
    y[row * cols + (cols - 1 - col)] = x[i];
  }
}

torch::Tensor flip(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  flip_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("flip", &flip, "reverse every row");
}
"""

folder = tempfile.mkdtemp()
path = os.path.join(folder, "flip.cu")
with open(path, "w") as file:
    file.write(SOURCE)
module = load(name="flip", sources=[path], verbose=False)


class ModelNew(nn.Module):
    def forward(self, x):
        return module.flip(x)
#: gather_columns_bounds_asserted | tasks gather_columns | dims B=20 N=60 K=35
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cassert>

template <typename scalar_t, typename index_t>
__global__ void gather(const scalar_t* x, const index_t* index, scalar_t* out, int rows, int from, int to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * to) return;
  const index_t column = index[i];
  assert(column >= 0 && column < from);
  out[i] = x[i / to * from + column];
}

torch::Tensor gather_cuda(torch::Tensor x, torch::Tensor index) {
  auto out = torch::empty(index.sizes(), x.options());
  const int rows = x.size(0), from = x.size(1), to = index.size(1), threads = 128;
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "gather", [&] {
    gather<float, index_t><<<(rows * to + threads - 1) / threads, threads>>>(
        x.data_ptr<float>(), index.data_ptr<index_t>(), out.data_ptr<float>(), rows, from, to);
  });
  return out;
}
"""
ops = load_inline(name="gather", cpp_sources="torch::Tensor gather_cuda(torch::Tensor x, torch::Tensor index);",
                  cuda_sources=source, functions=["gather_cuda"])


class ModelNew(nn.Module):
    def forward(self, x, t):
        return ops.gather_cuda(x, t)
#: lower_triangle | tasks lower_triangle | dims M=50 N=65
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void keep_lower(float* matrix, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns && column > row) matrix[row * columns + column] = 0.f;
}

torch::Tensor lower(torch::Tensor x) {
  auto y = x.clone();
  const dim3 block(32, 4), grid((x.size(1) + 31) / 32, (x.size(0) + 3) / 4);
  keep_lower<<<grid, block>>>(y.data_ptr<float>(), y.size(0), y.size(1));
  return y;
}
"""
ops = load_inline(name="lower", cpp_sources="torch::Tensor lower(torch::Tensor x);", cuda_sources=source,
                  functions=["lower"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.lower(x)
