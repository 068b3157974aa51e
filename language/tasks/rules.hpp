// What operators do to shapes and dtypes: the column of the table of operators that the language has.
#pragma once

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// Checks a call's arguments against each other and gives the value's type. Throws TaskError through
/// Call::fail.
using Rule = Type (*)(Call&);

Rule rule_of(Operator op);

// The rules, which operators share; each family is a file.
namespace rules {

// One tensor in, one of its shape out: elementwise.cpp
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

// Operands of broadcast shapes: binary.cpp
Type arithmetic(Call& call);
Type real_arithmetic(Call& call);
Type of_tensors(Call& call);
Type comparison(Call& call);
Type logic(Call& call);
Type where(Call& call);
Type masked_fill(Call& call);

// Values along axes become one: reductions.cpp
Type reduction(Call& call);
Type extremum(Call& call);
Type total(Call& call);
Type along_one(Call& call);
Type place(Call& call);
Type test(Call& call);

// Along an axis: scans.cpp
Type along(Call& call);
Type ordered(Call& call);
Type running(Call& call);
Type places(Call& call);
Type flip(Call& call);
Type topk(Call& call);
Type triangle(Call& call);
Type glu(Call& call);

// The same elements in another shape: views.cpp
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

// Tensors of no input: sizes.cpp
Type arange(Call& call);
Type size(Call& call);
Type results(Call& call);
Type zeros(Call& call);

// Parts of a tensor: indexing.cpp
Type narrow(Call& call);
Type select(Call& call);
Type index_select(Call& call);
Type gather(Call& call);
Type embedding(Call& call);
Type index_add(Call& call);
Type scatter_add(Call& call);
Type segment_reduce(Call& call);

// Sums of products: products.cpp
Type matmul(Call& call);
Type bmm(Call& call);
Type outer(Call& call);
Type einsum(Call& call);
Type rotary(Call& call);
Type linear(Call& call);
Type attention(Call& call);

// Values over their own statistics: norms.cpp
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
