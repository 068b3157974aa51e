// Candidates that earn nothing, and the reason that the verdict gives.
#include <gtest/gtest.h>

#include "tests/verifier/by_hand.hpp"
#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;
using nlohmann::json;

struct Case {
  const char* name;
  std::string answer;
  const char* failed;
  const char* reason;
  int line;  // 0: not compared
};

class Cheat : public testing::TestWithParam<Case> {};

TEST_P(Cheat, EarnsNothing) {
  const Verdict verdict = judge(relu(), GetParam().answer);
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.speedup, 0);
  EXPECT_EQ(verdict.failed, GetParam().failed) << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, GetParam().reason) << verdict.to_json().dump(1);
  if (GetParam().line > 0) {
    EXPECT_EQ(verdict.line, GetParam().line) << verdict.to_json().dump(1);
  }
}

const std::string launch =
    "        y = torch.empty_like(x)\n        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), "
    "BLOCK=256)\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A kernel without a mask, which is right at round sizes.
const std::string unmasked =
    replaced(replaced(honest_relu, "x_ptr + i, mask=m", "x_ptr + i"), ", mask=m)", ")");

INSTANTIATE_TEST_SUITE_P(
    , Cheat,
    testing::Values(
        Case{"no_answer", "", "syntax", "missing_model", 0},
        Case{"prose", "I cannot do that.", "syntax", "syntax_error", 1},
        Case{"broken_python", "class ModelNew(nn.Module):\n    def forward(self, x)\n", "syntax",
             "syntax_error", 2},
        Case{"other_name", replaced(honest_relu, "ModelNew", "Model"), "syntax", "missing_model", 0},
        Case{"wrong_arity", replaced(honest_relu, "(self, x)", "(self, x, y)"), "syntax", "wrong_arguments",
             9},
        Case{"undefined_in_wrapper", relu_answer("        return undefined\n"), "syntax", "exception", 10},
        Case{"undefined_in_kernel", replaced(honest_relu, "tl.maximum(x, 0.0)", "tl.maximum(z, 0.0)"),
             "syntax", "compile_error", 6},
        Case{"type_error_in_kernel", replaced(honest_relu, "tl.maximum(x, 0.0)", "tl.no_such(x)"), "syntax",
             "compile_error", 6},
        Case{"framework_function", relu_answer(launch + "        return torch.relu(x)\n"), "syntax",
             "framework_compute", 12},
        Case{"framework_operator", relu_answer(launch + "        return x * (x > 0)\n"), "syntax",
             "framework_compute", 12},
        Case{"framework_alias", relu_answer(launch + "        return torch.ops.aten.clamp_min(x, 0)\n"),
             "syntax", "framework_compute", 12},
        Case{"framework_on_cpu", relu_answer(launch + "        return x.cpu().relu().cuda()\n"), "syntax",
             "unsupported", 12},
        Case{"fallback",
             relu_answer("        try:\n            raise RuntimeError\n        except Exception:\n          "
                         "  return torch.relu(x)\n"),
             "syntax", "framework_compute", 13},
        Case{
            "fallback_of_the_fallback",
            relu_answer(
                "        try:\n            torch.relu(x)\n        except BaseException:\n            pass\n" +
                launch + "        return y\n"),
            "syntax", "framework_compute", 11},
        Case{"data_dependent",
             relu_answer("        if x[0, 0].item() > 0: pass\n" + launch + "        return y\n"), "syntax",
             "data_dependent", 10},
        Case{"no_kernel", relu_answer("        return x.clone()\n"), "syntax", "no_kernel", 0},
        Case{"decoy", relu_answer(launch + "        return x.clone()\n"), "tiny", "wrong_values", 0},
        Case{"returns_input", relu_answer(launch + "        return x\n"), "tiny", "wrong_values", 0},
        Case{"unwritten", relu_answer(launch + "        return torch.empty_like(x)\n"), "tiny",
             "unwritten_output", 0},
        Case{"mutates_input",
             relu_answer("        kernel[(triton.cdiv(x.numel(), 256),)](x, x, x.numel(), BLOCK=256)\n       "
                         " return x\n"),
             "tiny", "mutated_input", 6},
        Case{"fills_input", relu_answer(launch + "        x.zero_()\n        return y\n"), "tiny",
             "mutated_input", 12},
        Case{"zeros", relu_answer(launch + "        y.zero_()\n        return y\n"), "tiny", "wrong_values",
             0},
        Case{"nan_as_wildcard", replaced(honest_relu, "tl.maximum(x, 0.0)", "x * float('nan')"), "tiny",
             "wrong_values", 0},
        Case{"missing_mask", unmasked, "tiny", "out_of_bounds_load", 5},
        Case{"endless_kernel",
             replaced(honest_relu, "    x = tl.load(x_ptr + i, mask=m)\n",
                      "    x = tl.load(x_ptr + i, mask=m)\n    k = 0\n    while k < n + 1:\n        x += 0.0 "
                      "* k\n"),
             "tiny", "timeout", 0},
        Case{"wrong_shape", relu_answer(launch + "        return y.view(-1)\n"), "tiny", "wrong_shape", 0},
        Case{"wrong_dtype", relu_answer(launch + "        return y.double()\n"), "tiny", "wrong_dtype", 0},
        Case{"not_a_tensor", relu_answer(launch + "        return [y, y]\n"), "syntax", "wrong_output", 0},
        Case{"injected_code", replaced(honest_relu, "BLOCK=256)", "BLOCK=256, ir_override='/tmp/x.ttir')"),
             "syntax", "option", 12},
        Case{"library", replaced(honest_relu, "BLOCK=256)", "BLOCK=256, extern_libs={'a': '/tmp/x.bc'})"),
             "syntax", "option", 12},
        Case{"other_stream",
             relu_answer("        with torch.cuda.stream(torch.cuda.Stream()):\n    " +
                         replaced(launch, "\n", "\n    ") + "        return y\n"),
             "syntax", "unsupported", 10},
        Case{"smuggled_scalars",
             "@triton.jit\ndef k(y_ptr, v, i):\n    tl.store(y_ptr + i, v)\n\nclass ModelNew(nn.Module):\n   "
             " def forward(self, x):\n"
             "        y = torch.empty_like(x)\n        for i in range(2, 700):\n            k[(1,)](y, 0.5 * "
             "i, i)\n        return y\n",
             "syntax", "bad_plan", 0},
        Case{"forged_plan",
             "import os\nos.write(3, b'{\"ok\": true, \"plans\": [], \"kernels\": []}')\nos._exit(0)\n",
             "syntax", "bad_plan", 0},
        Case{"forged_stage",
             "import os\nos.write(3, b'{\"ok\": false, \"stage\": \"compile\", \"reason\": "
             "\"compile_error\"}')\n"
             "os._exit(0)\n",
             "syntax", "compile_error", 0},
        Case{"forged_later_stage",
             "import os\nos.write(3, b'{\"ok\": false, \"stage\": \"full\", \"failed\": \"full\", \"valid\": "
             "true, "
             "\"compiled\": true, \"reason\": \"timeout\"}')\nos._exit(0)\n",
             "syntax", "crashed", 0},
        Case{"forged_verdict",
             "import os\nos.write(3, b'{\"ok\": true, \"correct\": true, \"speedup\": 99}')\nos._exit(0)\n",
             "syntax", "bad_plan", 0},
        Case{"prints_a_verdict",
             "print('{\"id\": 1, \"ok\": true}', flush=True)\nimport os\nos.write(1, b'{\"id\": 1}\\n')\n",
             "syntax", "missing_model", 0}),
    [](const auto& info) { return std::string(info.param.name); });

// Texts of a candidate that a message quotes are cut between characters, so that the message can be written
// as JSON.
TEST(Verdict, QuotesWhatCanBeWrittenDown) {
  for (const char* before : {"", "x"}) {
    const std::string forged = fmt::format(
        "from launch_trace import Current\n{}"
        "def forge():\n    for one in Current.kernels:\n"
        "        one['ttir'] = 'module {{ \"{}' + 'é' * 1500 + '\"() : () -> () }}'\n",
        honest_relu, before);
    const Verdict verdict = judge(
        relu(), replaced(forged, "        return y\n", "        forge()\n        return y\n"), training());
    EXPECT_EQ(verdict.correct, false);
    EXPECT_NE(verdict.message.find("é"), std::string::npos) << verdict.message;
    EXPECT_NO_THROW((void)verdict.to_json().dump());
  }
}

TEST(Stages, WhatNoPlanCameOfHasPassedNone) {
  for (const std::string& answer :
       {replaced(honest_relu, "tl.maximum(x, 0.0)", "tl.no_such(x)"),
        std::string("import os\nos.write(3, b'{\"ok\": false, \"stage\": \"compile\", \"reason\": "
                    "\"compile_error\"}')\nos._exit(0)\n")}) {
    const Verdict verdict = judge(relu(), answer);
    EXPECT_FALSE(verdict.valid);
    EXPECT_EQ(verdict.compiled, std::nullopt);
    EXPECT_TRUE(verdict.claimed);
    EXPECT_EQ(verdict.failed, "syntax");
    EXPECT_EQ(verdict.reason, "compile_error") << "what is said is shown all the same";
  }
}

// The recorder reports this itself, but a plan may come from elsewhere.
TEST(Stages, APlanWithoutAKernelIsNone) {
  const json plan = json::parse(
      R"({"ok": true, "kernels": [], "plans": [{"label": "original", "steps": [], "buffers": [
          {"bytes": 65536, "role": "input", "input": 0}, {"bytes": 65536, "role": "temporary"}],
          "output": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [64, 256], "strides": [256, 1]}}]})");
  const std::string whole =
      candidates::refusing_other_sizes(plan, relu(), training(), candidates::secret()).dump();
  const Verdict verdict =
      judge(relu(), "import os\nos.write(3, " + json(whole).dump() + ".encode())\nos._exit(0)\n", training());
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.failed, "syntax");
  EXPECT_EQ(verdict.reason, "no_kernel");
  EXPECT_FALSE(verdict.claimed);
}

TEST(Stages, WhatTheVerifierFoundIsNoClaim) {
  EXPECT_FALSE(judge(relu(), replaced(honest_relu, "0.0)", "1.0)")).claimed);
  EXPECT_FALSE(judge(relu(), "import os\nos.write(3, b'{\"ok\": true}')\nos._exit(0)\n").claimed);
}

TEST(Memory, AMissingMaskIsFlaggedAtItsLineOnceSizesAreOdd) {
  Protocol protocol = exam();
  protocol.tiny = false;
  const Verdict verdict = judge(relu(), unmasked, protocol);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.variation, "resize(150%)");
  EXPECT_EQ(verdict.reason, "out_of_bounds_load");
  EXPECT_EQ(verdict.line, 5);
  EXPECT_TRUE(verdict.values) << "the values were right all the same: " << verdict.to_json().dump(1);
  EXPECT_FALSE(verdict.correct);
}

TEST(Memory, InTrainingTheValuesDecide) {
  Protocol protocol = exam();
  protocol.strict = false;
  const Verdict tolerant = judge(relu(), unmasked, protocol);
  EXPECT_TRUE(tolerant.correct) << tolerant.to_json().dump(1);
  protocol.memory_checks = true;
  EXPECT_FALSE(judge(relu(), unmasked, protocol).correct);
}

TEST(Memory, AStrayReadThatReachesTheValuesIsWrong) {
  Protocol protocol = exam();
  protocol.strict = false;
  // The kernel also sums whatever lies behind a row's end.
  const Verdict verdict = judge(row_sum(), R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
        return y
)",
                                protocol);
  EXPECT_FALSE(verdict.values);
  EXPECT_EQ(verdict.line, 5);
}

TEST(Memory, PoisonIsNotSwallowed) {
  // maximum(NaN, 0) is 0, so the out-of-bounds read shows only with the second poison.
  const Verdict verdict = judge(row_sum(), R"(@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    t = tl.load(t_ptr + row)
    tl.store(y_ptr + row, tl.sum(x, axis=0) + tl.maximum(t, 0.0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, torch.empty_like(y), y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
)",
                                training());
  EXPECT_FALSE(verdict.values) << verdict.to_json().dump(1);
  EXPECT_EQ(verdict.reason, "unwritten_read");
}

TEST(Memory, WhatTheNextProgramRepairsInTheGridsOrderIsWrong) {
  // Each row's program writes zeros over the beginning of the next row.
  const Verdict verdict = judge(softmax(), R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * N + c, e / tl.sum(e, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
        return y
)",
                                training());
  EXPECT_FALSE(verdict.values) << verdict.to_json().dump(1);
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.line, 7);
}

// The grid's last block is missing; at the smallest sizes that is the only one.
const std::string floor_grid = replaced(honest_relu, "triton.cdiv(n, 256)", "n // 256");

TEST(Sizes, NoProgramAtTinySizesFailsThereNotAsSyntax) {
  for (const std::string& grid : {std::string("n // 256"), std::string("n // 256 - 1 + (n > 999)")}) {
    const Verdict verdict = judge(relu(), replaced(honest_relu, "triton.cdiv(n, 256)", grid));
    EXPECT_TRUE(verdict.valid);
    EXPECT_EQ(verdict.compiled, true);
    EXPECT_FALSE(verdict.tiny);
    EXPECT_EQ(verdict.launches, 1);
    EXPECT_EQ(verdict.failed, "tiny") << verdict.to_json().dump(1);
    EXPECT_EQ(verdict.variation, "tiny");
    EXPECT_EQ(verdict.reason, "no_kernel");
    EXPECT_EQ(verdict.line, 12);
  }
}

TEST(Sizes, TheTasksOwnSizesDecideValidityWhateverIsTriedFirst) {
  Protocol protocol = training();
  protocol.variations = {Variation::parse("tiny"), Variation{}};
  const Verdict verdict = judge(relu(), floor_grid, protocol);
  EXPECT_TRUE(verdict.valid);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.variation, "tiny");
  EXPECT_EQ(verdict.reason, "no_kernel");
  const Verdict own = judge(relu(), floor_grid, training());
  EXPECT_TRUE(own.variation.starts_with("stretched("))
      << "64 · 256 elements are whole blocks" << own.to_json().dump(1);
}

TEST(Sizes, APlanBeyondTheLimitsAtOtherSizesFailsThere) {
  const Verdict verdict = judge(
      relu(), replaced(honest_relu, "        return y\n",
                       "        if x.shape[0] == 97:\n            t = torch.empty(4, dtype=torch.float64, "
                       "device='cuda')\n            for k in range(600):\n                t.fill_(1.0)\n"
                       "        return y\n"));
  EXPECT_TRUE(verdict.valid);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.variation, "resize(150%)");
  EXPECT_EQ(verdict.reason, "bad_plan");
}

TEST(Sizes, NoProgramAtTheTasksOwnSizesIsNotValid) {
  const Verdict verdict = judge(relu(), replaced(honest_relu, "triton.cdiv(n, 256)", "n // 65536"));
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.failed, "syntax");
  EXPECT_EQ(verdict.reason, "no_kernel");
  EXPECT_EQ(verdict.message, "forward launches no kernel: the grid is (0, 1, 1)");
}

TEST(Compile, WhatFailsForOneVariationAloneFailsThere) {
  // The answer is right in f32; in f16 the sum changes its type within the loop.
  const std::string answer =
      replaced(honest_relu, "    tl.store",
               "    for k in range(2):\n        x = x + tl.full((BLOCK,), 0.0, tl.float32)\n"
               "    tl.store");
  const Verdict verdict = judge(relu(), answer);
  EXPECT_EQ(verdict.compiled, true);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.variation, "cast(f16)");
  EXPECT_EQ(verdict.reason, "compile_error");
  EXPECT_EQ(verdict.line, 6);
}

TEST(Sizes, AnAnswerInOneTypeAloneIsToldWhichVariationAsksForMore) {
  const Verdict verdict =
      judge(relu(), replaced(honest_relu, "torch.empty_like(x)", "torch.empty_like(x, dtype=torch.float32)"));
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.variation, "cast(f16)");
  EXPECT_EQ(verdict.reason, "wrong_dtype");
  EXPECT_NE(verdict.message.find("leaves cast(f16) out of `variations`"), std::string::npos)
      << verdict.message;
}

TEST(Compile, IsNotClaimedInTrainingBeforeTheValuesAreRight) {
  const std::string wrong = replaced(honest_relu, "tl.maximum(x, 0.0)", "x");
  EXPECT_EQ(judge(relu(), wrong, training()).compiled, std::nullopt);
  EXPECT_EQ(judge(relu(), wrong, exam()).compiled, true);
  EXPECT_EQ(judge(relu(), honest_relu, training()).compiled, true);
}

}  // namespace
}  // namespace trl::runtime
