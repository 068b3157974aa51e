// The rules of operators: each rule checks a call's shapes and dtypes and computes the type of the result.
#pragma once

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// Checks whether a call's arguments fit together, and returns the type of the call's result. Throws
/// TaskError through Call::fail.
using Rule = Type (*)(Call&);

Rule rule_of(Operator op);

// The rules. Several operators may share a rule. Each family of rules has a source file.
namespace rules {

// Functions of one tensor whose result has the same shape: elementwise.cpp
Type same(Call& call);
Type same_number(Call& call);
Type finiteness(Call& call);
Type converted(Call& call);
Type clamp(Call& call);
Type hardtanh(Call& call);
Type shrink(Call& call);
Type celu(Call& call);
Type negated(Call& call);
Type prelu(Call& call);

// Functions of several operands that are broadcast to one shape: binary.cpp
Type arithmetic(Call& call);
Type real_arithmetic(Call& call);
Type of_tensors(Call& call);
Type comparison(Call& call);
Type logic(Call& call);
Type where(Call& call);
Type masked_fill(Call& call);

// Functions that reduce axes to one value: reductions.cpp
Type reduction(Call& call);
Type extremum(Call& call);
Type total(Call& call);
Type along_one(Call& call);
Type place(Call& call);
Type test(Call& call);

// Functions that work along an axis and keep it: scans.cpp
Type along(Call& call);
Type ordered(Call& call);
Type running(Call& call);
Type places(Call& call);
Type flip(Call& call);
Type topk(Call& call);
Type triangle(Call& call);
Type glu(Call& call);

// Functions that arrange elements in another shape: views.cpp
Type transpose(Call& call);
Type permute(Call& call);
Type reshape(Call& call);
Type flatten(Call& call);
Type repeated(Call& call);
Type unsqueeze(Call& call);
Type squeeze(Call& call);
Type expand(Call& call);
Type pad(Call& call);
Type cat(Call& call);
Type stack(Call& call);

// Functions that make a tensor from sizes, and the list of several results: sizes.cpp
Type arange(Call& call);
Type size(Call& call);
Type results(Call& call);
Type module_output(Call& call);
Type zeros(Call& call);

// Functions that read or update parts of a tensor: indexing.cpp
Type narrow(Call& call);
Type select(Call& call);
Type index_select(Call& call);
Type gather(Call& call);
Type embedding(Call& call);
Type index_add(Call& call);
Type scatter_add(Call& call);
Type segment_reduce(Call& call);

// Functions that compute sums of products: products.cpp
Type matmul(Call& call);
Type bmm(Call& call);
Type outer(Call& call);
Type einsum(Call& call);
Type rotary(Call& call);
Type linear(Call& call);
Type attention(Call& call);

// Normalisations by statistics of the values themselves: norms.cpp
Type over_axes(Call& call);
Type batch_norm(Call& call);
Type group_norm(Call& call);
Type instance_norm(Call& call);

// convolution.cpp
Type convolution(Call& call);
Type transposed(Call& call);

// pooling.cpp
Type pool(Call& call);
Type adaptive(Call& call);

// losses.cpp
Type pointwise(Call& call);
Type smooth(Call& call);
Type kl_div(Call& call);
Type margin_ranking(Call& call);
Type triplet(Call& call);
Type nll(Call& call);
Type cross_entropy(Call& call);
Type similarity(Call& call);
Type pairwise(Call& call);

}  // namespace rules
}  // namespace trl::language::tasks
