// Draws random tasks: chains of operators on a matrix. The choice of operators and a numerical test
// (probe.hpp) keep their values well-conditioned.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/support/random.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

struct ChainShape {
  int shortest = 2;
  int longest = 8;
  OperatorPairs unseen = {};  // pairs of neighbouring operators that the chain must not have
};

/// Draws a chain of `shortest` to `longest` operators. It begins with the input x[M, N] or a matrix product
/// x[M, K] @ w[K, N], and may have further inputs y[M, N], b[N], c[M, 1]. It may end in a reduction, a
/// softmax, a norm or a transposition. The sizes are M = 64 and K = N = 256, the dtype is f32. The task's
/// suite, id and doc are empty; its name lists the operators.
Task random_chain(RandomStream& random, const ChainShape& shape);

/// A readable name of the task, made of its operators: "matmul_bias_gelu_scale".
std::string chain_name(const Task& task);

/// An English sentence that describes the task's computation.
std::string chain_doc(const Task& task);

/// The task as source text of a `.trl` file: "task name[M = 64, …](x: f32[M, N]) = gelu(x) * 0.5".
std::string task_source(const Task& task);

}  // namespace trl::runtime
