// Right values that don't come from kernels, and kernels that work in place.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using candidates::judge;
using nlohmann::json;

Task task(const json& dims, const json& inputs, json value, json output, const std::string& key) {
  json tensors = json::array(), sizes = json::array();
  for (const auto& [name, size] : dims.items()) sizes.push_back(json::array({name, size}));
  for (const auto& [name, shape] : inputs.items())
    tensors.push_back({{"name", name}, {"dtype", "f32"}, {"shape", shape}});
  return Task::parse({{"suite", "test"},
                      {"id", 1},
                      {"name", "test"},
                      {"doc", ""},
                      {"dims", std::move(sizes)},
                      {"inputs", std::move(tensors)},
                      {"value", std::move(value)},
                      {"output", {{"dtype", "f32"}, {"shape", std::move(output)}}},
                      {"key", key}});
}

json node(const char* op, json args, json attributes = nullptr, json shape = nullptr) {
  json made = {{"op", op}, {"args", std::move(args)}};
  if (!attributes.is_null()) made["attrs"] = std::move(attributes);
  if (!shape.is_null()) made["shape"] = std::move(shape);
  return made;
}

const json x = {{"input", "x"}}, y = {{"input", "y"}}, z = {{"input", "z"}}, w = {{"input", "w"}};

Task transpose() {
  return task({{"M", 48}, {"N", 80}}, {{"x", {"M", "N"}}}, node("transpose", json::array({x})), {"N", "M"},
              "transpose(x0:f32[d0,d1])");
}

Task transposed_relu() {
  return task({{"M", 48}, {"N", 80}}, {{"x", {"M", "N"}}},
              node("relu", json::array({node("transpose", json::array({x}))})), {"N", "M"},
              "relu(transpose(x0:f32[d0,d1]))");
}

Task cat() {
  return task({{"M", 32}, {"N", 24}}, {{"x", {"M", "N"}}, {"y", {"M", "N"}}},
              node("cat", json::array({x, y}), {{"axis", 0}}, {"2 * M", "N"}), {"2 * M", "N"},
              "cat[axis=0](x0:f32[d0,d1],x1:f32[d0,d1])");
}

Task cat_of_four() {
  return task({{"M", 32}, {"N", 24}},
              {{"w", {"M", "N"}}, {"x", {"M", "N"}}, {"y", {"M", "N"}}, {"z", {"M", "N"}}},
              node("cat", json::array({w, x, y, z}), {{"axis", 0}}, {"4 * M", "N"}), {"4 * M", "N"},
              "cat[axis=0](x0:f32[d0,d1],x1:f32[d0,d1],x2:f32[d0,d1],x3:f32[d0,d1])");
}

Task relu_of_cat() {
  return task({{"M", 32}, {"N", 24}}, {{"x", {"M", "N"}}, {"y", {"M", "N"}}},
              node("relu", json::array({node("cat", json::array({x, y}), {{"axis", 0}}, {"2 * M", "N"})})),
              {"2 * M", "N"}, "relu(cat[axis=0](x0:f32[d0,d1],x1:f32[d0,d1]))");
}

Task upper_triangle() {
  return task({{"M", 24}, {"N", 96}}, {{"x", {"M", "N"}}},
              node("triu", json::array({x}), {{"diagonal", 0}}, {"M", "N"}), {"M", "N"},
              "triu[diagonal=0](x0:f32[d0,d1])");
}

Task clamp(double bound) {
  return task({{"M", 48}, {"N", 80}}, {{"x", {"M", "N"}}},
              node("clamp", json::array({x}), {{"min", -bound}, {"max", bound}}), {"M", "N"},
              "clamp(x0:f32[d0,d1])");
}

// Kernels that pass on what they read, in place or elsewhere, and kernels that compute.
const std::string kernels = R"(
@triton.jit
def hand_on(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

@triton.jit
def clamp(x_ptr, y_ptr, n, bound, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.minimum(tl.maximum(v, -bound), bound), mask=i < n)

@triton.jit
def negative_to_zero(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, 0.0, mask=(i < n) & (v < 0))

@triton.jit
def upper(y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(y_ptr + i, mask=i < M * N)
    tl.store(y_ptr + i, tl.where(i % N >= i // N, v, 0.0), mask=i < M * N)

@triton.jit
def turn(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + (i % M) * N + i // M, mask=i < M * N)
    tl.store(y_ptr + i, v, mask=i < M * N)

def blocks(n):
    return (triton.cdiv(n, 256),)

class ModelNew(nn.Module):
)";

std::string answer(const std::string& forward) { return kernels + forward; }

struct Plot {
  const char* name;
  Task (*task)();
  std::string forward;
};

Protocol one_size() {
  Protocol protocol = candidates::training();
  protocol.strict = true;
  return protocol;
}

class Decoy : public testing::TestWithParam<Plot> {};

TEST_P(Decoy, IsFound) {
  const Verdict verdict = judge(GetParam().task(), answer(GetParam().forward), one_size());
  EXPECT_EQ(verdict.reason, "decoy_kernel") << verdict.to_json().dump(1);
  EXPECT_FALSE(verdict.correct);
  EXPECT_FALSE(verdict.values);
}

INSTANTIATE_TEST_SUITE_P(
    , Decoy,
    testing::Values(Plot{"TransposedByTheFrameworkHandedOnInPlace", transpose, R"(    def forward(self, x):
        y = x.t().contiguous()
        hand_on[blocks(y.numel())](y, y, y.numel(), BLOCK=256)
        return y
)"},
                    Plot{"TransposedByTheFrameworkHandedOn", transpose, R"(    def forward(self, x):
        t = x.t().contiguous()
        y = torch.empty_like(t)
        hand_on[blocks(y.numel())](t, y, y.numel(), BLOCK=256)
        return y
)"},
                    Plot{"HandedOnAndThenTransposedByTheFramework", transpose, R"(    def forward(self, x):
        t = torch.empty_like(x)
        hand_on[blocks(x.numel())](x, t, x.numel(), BLOCK=256)
        return t.t().contiguous()
)"},
                    Plot{"JoinedByTheFrameworkHandedOnInPlace", cat, R"(    def forward(self, x, y):
        out = torch.cat([x, y])
        hand_on[blocks(out.numel())](out, out, out.numel(), BLOCK=256)
        return out
)"},
                    Plot{"JoinedByTheFrameworkHandedOn", cat, R"(    def forward(self, x, y):
        joined = torch.cat([x, y])
        out = torch.empty_like(joined)
        hand_on[blocks(out.numel())](joined, out, out.numel(), BLOCK=256)
        return out
)"},
                    Plot{"HandedOnAndThenJoinedByTheFramework", cat, R"(    def forward(self, x, y):
        a, b = torch.empty_like(x), torch.empty_like(y)
        hand_on[blocks(x.numel())](x, a, x.numel(), BLOCK=256)
        hand_on[blocks(y.numel())](y, b, y.numel(), BLOCK=256)
        return torch.cat([a, b])
)"},
                    Plot{"ThreeQuartersJoinedByTheFramework", cat_of_four,
                         R"(    def forward(self, w, x, y, z):
        out = torch.empty((4 * x.shape[0], x.shape[1]), device=x.device, dtype=x.dtype)
        m, n = x.shape[0], x.numel()
        out[:m] = w
        out[m:2 * m] = x
        out[2 * m:3 * m] = y
        hand_on[blocks(n)](z, out[3 * m:], n, BLOCK=256)
        return out
)"},
                    Plot{"ThreeQuartersJoinedByTheFrameworkAndAllHandedOn", cat_of_four,
                         R"(    def forward(self, w, x, y, z):
        out = torch.empty((4 * x.shape[0], x.shape[1]), device=x.device, dtype=x.dtype)
        m, n = x.shape[0], x.numel()
        out[:m] = w
        out[m:2 * m] = x
        out[2 * m:3 * m] = y
        hand_on[blocks(n)](z, out[3 * m:], n, BLOCK=256)
        hand_on[blocks(4 * n)](out, out, 4 * n, BLOCK=256)
        return out
)"},
                    Plot{"RowsCutByTheFramework", upper_triangle, R"(    def forward(self, x):
        y = torch.zeros_like(x)
        for i in range(x.shape[0]):
            y[i, i:] = x[i, i:]
        hand_on[blocks(y.numel())](y, y, y.numel(), BLOCK=256)
        return y
)"}),
    [](const auto& info) { return std::string(info.param.name); });

class InPlace : public testing::TestWithParam<Plot> {};

TEST_P(InPlace, IsRight) {
  for (const bool tiny : {false, true}) {
    Protocol protocol = one_size();
    protocol.tiny = tiny;
    for (const char* variation : {"reseed", "resize(150%)"})
      protocol.variations.push_back(Variation::parse(variation));
    const Verdict verdict = judge(GetParam().task(), answer(GetParam().forward), protocol);
    EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , InPlace,
    testing::Values(Plot{"Relu", candidates::relu, R"(    def forward(self, x):
        y = x.clone()
        relu[blocks(y.numel())](y, y, y.numel(), BLOCK=256)
        return y
)"},
                    Plot{"ReluThatWritesZerosAlone", candidates::relu, R"(    def forward(self, x):
        y = x.clone()
        negative_to_zero[blocks(y.numel())](y, y.numel(), BLOCK=256)
        return y
)"},
                    Plot{"ReluOfWhatTheFrameworkJoined", relu_of_cat, R"(    def forward(self, x, y):
        out = torch.cat([x, y])
        relu[blocks(out.numel())](out, out, out.numel(), BLOCK=256)
        return out
)"},
                    Plot{"ReluOfWhatTheFrameworkTransposed", transposed_relu, R"(    def forward(self, x):
        y = x.t().contiguous()
        relu[blocks(y.numel())](y, y, y.numel(), BLOCK=256)
        return y
)"},
                    Plot{"ClampThatChangesLittle", [] { return clamp(3); }, R"(    def forward(self, x):
        y = x.clone()
        clamp[blocks(y.numel())](y, y, y.numel(), 3.0, BLOCK=256)
        return y
)"},
                    Plot{"TriangleOfAClone", upper_triangle, R"(    def forward(self, x):
        y = x.clone()
        upper[blocks(y.numel())](y, x.shape[0], x.shape[1], BLOCK=256)
        return y
)"},
                    Plot{"TransposeOfAClone", transpose, R"(    def forward(self, x):
        x = x.clone()
        y = torch.empty((x.shape[1], x.shape[0]), device=x.device, dtype=x.dtype)
        turn[blocks(y.numel())](x, y, x.shape[0], x.shape[1], BLOCK=256)
        return y
)"},
                    Plot{"HalfJoinedByAKernel", cat, R"(    def forward(self, x, y):
        out = torch.empty((2 * x.shape[0], x.shape[1]), device=x.device, dtype=x.dtype)
        hand_on[blocks(x.numel())](x, out, x.numel(), BLOCK=256)
        out[x.shape[0]:] = y
        return out
)"}),
    [](const auto& info) { return std::string(info.param.name); });

// A kernel that does nothing would pass where the task doesn't change small inputs, so it is judged with
// large ones.
TEST(InPlaceWork, IsLookedAtWhereItShows) {
  const Verdict verdict = judge(clamp(100), answer(R"(    def forward(self, x):
        y = x.clone()
        hand_on[blocks(y.numel())](y, y, y.numel(), BLOCK=256)
        return y
)"),
                                one_size());
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.reason, "wrong_values") << verdict.message;
}

}  // namespace
}  // namespace trl::runtime
