// What a candidate's code can do while it is recorded; the recorder survives it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/verifier/candidates.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

CandidateLimits small_limits() { return {2, 512 << 20, 4 << 20}; }

json record(const std::string& source) {
  const json shapes = json::array({{{"label", "original"},
                                    {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {64, 256}}}}},
                                    {"outputs", 1}}});
  return candidates::recorder().record({source}, shapes, small_limits());
}

// Code that runs before an honest answer.
json record_after(const std::string& code) { return record(code + "\n" + candidates::honest_relu); }

std::string reason(const json& answer) { return answer.value("ok", false) ? "" : answer.value("reason", ""); }

TEST(Recorder, WritesThePlanOfAnHonestWrapper) {
  const json answer = record(candidates::honest_relu);
  ASSERT_TRUE(answer["ok"]) << answer;
  const json& plan = answer["plans"][0];
  EXPECT_EQ(plan["buffers"].size(), 2u);
  EXPECT_EQ(plan["buffers"][0], json({{"bytes", 65536}, {"role", "input"}, {"input", 0}}));
  ASSERT_EQ(plan["steps"].size(), 1u);
  const json& launch = plan["steps"][0]["launch"];
  EXPECT_EQ(launch["grid"], json({64, 1, 1}));
  EXPECT_EQ(launch["args"][2], json({{"i32", 16384}}));
  EXPECT_EQ(launch["line"], 12);
  EXPECT_NE(answer["kernels"][0]["ttir"].get<std::string>().find("tt.store"), std::string::npos);
}

// An answer that another harness would take is told what is wanted here.
TEST(Recorder, AnAnswerForAnotherHarnessIsToldWhatIsWanted) {
  const std::string wanted = "; here `class ModelNew(nn.Module)` is wanted";
  for (const auto& [source, part] : std::vector<std::pair<std::string, std::string>>{
           {"def custom_kernel(data):\n    return data\n",
            "but custom_kernel, as GPU MODE's competitions want it" + wanted},
           {"from task import input_t\ndef custom_kernel(data):\n    return data\n",
            "imports task, which isn't installed where answers run, but custom_kernel, as GPU MODE's"},
           {"def solution(x):\n    return x\n", "but solution, as other harnesses want it" + wanted},
           {"import triton\n@triton.jit\ndef k(x):\n    pass\nclass Model:\n    pass\ndef scale(x):\n    "
            "return x\n",
            "but Model, scale" + wanted}}) {
    const json answer = record(source);
    EXPECT_NE(answer.value("message", "").find(part), std::string::npos) << answer;
  }
  EXPECT_EQ(record("x = 1\n")["message"], "the answer defines no class ModelNew");
  EXPECT_EQ(reason(record("def custom_kernel(data):\n    return data\n")), "missing_model");
}

json shape_of(int rows, int columns) {
  return {{"label", std::to_string(columns)},
          {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {rows, columns}}}}},
          {"outputs", 1},
          {"stretched", true}};
}

TEST(Recorder, RecordsStretchedSizesWithoutHintsAndShorterOnesWhereTheseFail) {
  json shapes = json::array({shape_of(64, 256), shape_of(3, 5119), shape_of(3, 1021), shape_of(5119, 3)});
  shapes[0].erase("stretched");
  shapes[2]["instead_of"] = 1;
  const json all = candidates::recorder().record({candidates::honest_relu}, shapes, small_limits());
  ASSERT_TRUE(all["ok"]) << all;
  EXPECT_EQ(all["plans"][1]["steps"][0]["launch"]["args"][2], json({{"i32", 3 * 5119}}));
  EXPECT_TRUE(all["plans"][2].contains("error")) << "the longer one is recorded";
  ASSERT_EQ(all["kernels"].size(), 2u) << "both stretched shapes have one kernel";
  const auto hints = [](const json& kernel) {
    return kernel["ttir"].get<std::string>().find("tt.divisibility") != std::string::npos;
  };
  EXPECT_TRUE(hints(all["kernels"][0]));
  EXPECT_FALSE(hints(all["kernels"][1]));

  std::string refusing = candidates::honest_relu;
  refusing.replace(refusing.find("        y = torch.empty_like(x)"), 0,
                   "        assert x.shape[1] <= 1024\n");
  const json shorter = candidates::recorder().record({refusing}, shapes, small_limits());
  ASSERT_TRUE(shorter["ok"]) << shorter;
  EXPECT_EQ(shorter["plans"][1]["error"]["reason"], "exception");
  EXPECT_FALSE(shorter["plans"][2].contains("error")) << shorter["plans"][2];
}

// Whether a kernel compiles is found by Triton's lowering alone, which must agree with the complete compiler.
TEST(Compile, IsToldByLoweringAlone) {
  KernelCompiler compiler(find_installation(), !candidates::unconfined(),
                          std::make_shared<CompiledKernels>());
  const auto recorded = [](const std::string& before) {
    std::string source = candidates::honest_relu;
    source.insert(source.find("    x = tl.load"), before);
    const json answer = record(source);
    EXPECT_TRUE(answer.value("ok", false)) << answer;
    return answer.value("/kernels/0/ttir"_json_pointer, "");
  };
  const auto compile = [&](const std::string& ttir, CompileTo to) {
    PlanKernel kernel;
    kernel.text = ttir;
    kernel.options = json{{"num_warps", 32}};  // each thread has little work, so it compiles quickly
    return compiler.compile(kernel, {}, to);
  };
  const std::string honest = recorded("");
  const Compiled whole = compile(honest, CompileTo::cubin), asked = compile(honest, CompileTo::verdict);
  EXPECT_TRUE(whole.ok) << whole.message;
  EXPECT_TRUE(asked.ok) << asked.message;
  EXPECT_FALSE(whole.cubin.empty());
  EXPECT_TRUE(asked.cubin.empty());

  // 272 KiB of shared memory are more than there is.
  const auto product = [](int inner) {
    return fmt::format(
        "    r = tl.arange(0, 256)[:, None]\n    c = tl.arange(0, {})\n"
        "    a = tl.load(x_ptr + (r + c[None, :]) % n).to(tl.float16)\n"
        "    b = tl.load(x_ptr + (c[:, None] + tl.arange(0, 16)[None, :]) % n).to(tl.float16)\n"
        "    tl.store(y_ptr + tl.arange(0, 256)[:, None] * 16 + tl.arange(0, 16)[None, :], tl.dot(a, b))\n",
        inner);
  };
  // Only ptxas reads the assembly that a candidate writes; its error message must be passed on.
  std::string assembly = honest;
  assembly.insert(
      assembly.find("    tt.return"),
      "    %nothing = arith.constant dense<0> : tensor<256xi32>\n"
      "    %no = tt.elementwise_inline_asm \"no_such.instruction $0, $1;\" {constraints = \"=r,r\", "
      "packed_element = 1 : i32, pure = false} %nothing : tensor<256xi32> -> tensor<256xi32>\n");
  for (const auto& [text, problem] : {std::pair{recorded(product(32)), ""},
                                      {recorded(product(512)), "bytes of shared memory"},
                                      {assembly, "no_such"}}) {
    const Compiled cubin = compile(text, CompileTo::cubin), verdict = compile(text, CompileTo::verdict);
    EXPECT_EQ(cubin.ok, std::string(problem).empty()) << cubin.message;
    EXPECT_EQ(verdict.ok, cubin.ok) << verdict.message;
    EXPECT_EQ(verdict.message, cubin.message);
    EXPECT_NE(cubin.message.find(problem), std::string::npos) << cubin.message;
  }
}

TEST(Recorder, WhatACandidatePrintsComesToNothing) {
  EXPECT_EQ(reason(record_after("for i in range(10000):\n    print('x' * 100, flush=True)\n"
                                "import sys\nsys.stderr.write('y' * 100000)")),
            "");
  // Nor can the candidate read a request.
  EXPECT_EQ(reason(record_after("import sys\nassert sys.stdin.read() == ''")), "");
}

// The kernel shows a process's name, which may be any bytes, in /proc.
TEST(Recorder, MayHaveANameThatIsNoText) {
  EXPECT_EQ(
      reason(record_after("import ctypes, time\nctypes.CDLL(None).prctl(15, b'\\xff\\xfe) R 1', 0, 0, 0)\n"
                          "time.sleep(1)")),
      "");
  EXPECT_EQ(reason(record(candidates::honest_relu)), "");
}

TEST(Recorder, SaysWhichModuleIsMissing) {
  const json answer = record_after("import no_such_package.of_tensors");
  EXPECT_EQ(reason(answer), "exception");
  EXPECT_EQ(answer["message"], "the answer imports no_such_package, which isn't installed where answers run");
  EXPECT_EQ(answer["line"], 1);
}

// Every environment of Python that ./trl makes has pip, one with the tests' packages has the others, too.
TEST(Recorder, ImportsWhatIsListedAndNothingElseThatIsInstalled) {
  EXPECT_TRUE(record_after("import packaging.version, numpy, sympy").value("ok", false));
  for (const std::string name : {"pip", "transformers", "tokenizers", "no_such_package"}) {
    const json answer = record_after("import " + name);
    EXPECT_EQ(reason(answer), "exception");
    EXPECT_EQ(answer["message"], "the answer imports " + name + ", which isn't installed where answers run");
    const std::string looked =
        "import importlib.util\nassert importlib.util.find_spec('" + name + "') is None\n";
    EXPECT_EQ(reason(record_after(looked)), "");
    const std::string asked =
        "import importlib.metadata as m\nprint(m.version('torch'))\ntry:\n    m.version('" + name +
        "')\n    assert False\nexcept m.PackageNotFoundError:\n    pass\n";
    EXPECT_EQ(reason(record_after(asked)), "");
  }
}

TEST(Recorder, IsTheSameEachTime) {
  json first = record(candidates::honest_relu), second = record(candidates::honest_relu);
  first.erase("id");
  second.erase("id");
  EXPECT_EQ(first, second);
}

// What is drawn from the commitment would differ otherwise.
TEST(Recorder, WritesNothingOfWhereTritonLies) {
  std::string source = candidates::honest_relu;
  source.replace(source.find("tl.maximum(x, 0.0)"), 18, "tl.maximum(x, tl.sum(x) * 0)");
  const json answer = record(source);
  ASSERT_TRUE(answer["ok"]) << answer;
  const std::string text = answer["kernels"][0]["ttir"];
  EXPECT_NE(text.find("\"triton/language/standard.py\""), std::string::npos) << text;
  EXPECT_EQ(text.find("loc(\"/"), std::string::npos) << text;
}

TEST(Recorder, WritesTheOtherConfigurationsOfAnAutotunedLaunch) {
  const auto tuned = [](const std::string& configurations, const std::string& more = "") {
    std::string source = candidates::honest_relu;
    source.insert(0, "@triton.autotune([" + configurations + "], key=['n']" + more + ")\n");
    source.replace(source.find("(triton.cdiv(n, 256),)"), 22,
                   "lambda meta: (triton.cdiv(n, meta['BLOCK']),)");
    source.replace(source.find(", BLOCK=256"), 11, "");
    return record(source);
  };
  const json answer =
      tuned("triton.Config({'BLOCK': b}, num_warps=w) for b, w in ((256, 4), (128, 2), (64, 1))");
  ASSERT_TRUE(answer["ok"]) << answer;
  const json& steps = answer["plans"][0]["steps"];
  ASSERT_EQ(steps.size(), 1u);
  const json& launch = steps[0]["launch"];
  EXPECT_EQ(launch["grid"], json({64, 1, 1}));
  ASSERT_EQ(launch["alternatives"].size(), 2u);
  EXPECT_EQ(launch["alternatives"][0]["grid"], json({128, 1, 1}));
  EXPECT_EQ(launch["alternatives"][0]["args"], launch["args"]);
  const json kernel = answer["kernels"][launch["alternatives"][1]["kernel"].get<std::size_t>()];
  EXPECT_EQ(kernel["options"]["num_warps"], 1);

  // A block whose size is no power of two does not compile, so the next configuration is the launch.
  const json second = tuned("triton.Config({'BLOCK': b}) for b in (100, 64, 48)");
  ASSERT_TRUE(second["ok"]) << second;
  EXPECT_EQ(second["plans"][0]["steps"][0]["launch"]["grid"], json({256, 1, 1}));
  EXPECT_FALSE(second["plans"][0]["steps"][0]["launch"].contains("alternatives"));
  const json none = tuned("triton.Config({'BLOCK': b}) for b in (100, 48)");
  EXPECT_EQ(reason(none), "compile_error") << none;

  const json reset = tuned("triton.Config({'BLOCK': b}) for b in (128, 64)", ", reset_to_zero=['y_ptr']");
  ASSERT_TRUE(reset["ok"]) << reset;
  EXPECT_TRUE(reset["plans"][0]["steps"][0].contains("fill"));
  EXPECT_EQ(reset["plans"][0]["steps"][1]["launch"]["alternatives"].size(), 1u);
}

TEST(Recorder, SaysWhereAKernelHoldsWhatCannotBeReplayed) {
  std::string source = candidates::honest_relu;
  source.replace(source.find("tl.maximum(x, 0.0)"), 18,
                 "tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [x], tl.float32, True, 1)");
  const json assembly = record(source);
  EXPECT_EQ(reason(assembly), "unsupported") << assembly;
  EXPECT_EQ(assembly["line"], 6);
  for (const std::string option : {"num_ctas=2", "launch_cooperative_grid=True"}) {
    source = candidates::honest_relu;
    source.replace(source.find("BLOCK=256"), 9, "BLOCK=256, " + option);
    const json answer = record(source);
    EXPECT_EQ(reason(answer), "unsupported") << answer;
    EXPECT_EQ(answer["line"], 12);
    EXPECT_NE(answer["message"].get<std::string>().find(option.substr(0, option.find('='))),
              std::string::npos);
  }
}

struct Refusal {
  const char* name;
  const char* body;  // the body of forward, whose first line is line 10
  const char* reason;
  int line;
  const char* word;  // a word of the message
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithItsReasonAndItsLine) {
  const json answer = record(candidates::relu_answer(GetParam().body));
  EXPECT_EQ(reason(answer), GetParam().reason) << answer.dump().substr(0, 500);
  EXPECT_EQ(answer["line"], GetParam().line) << answer.dump().substr(0, 500);
  EXPECT_NE(answer.value("message", "").find(GetParam().word), std::string::npos) << answer["message"];
}

INSTANTIATE_TEST_SUITE_P(
    , Refused,
    testing::Values(
        Refusal{"indices", "        return x[[0, 1]]\n", "framework_compute", 10, "only kernels may compute"},
        Refusal{"flip", "        y = torch.empty_like(x)\n        y.copy_(x.flip(0))\n        return y\n",
                "framework_compute", 11, "flip"},
        Refusal{"many_numbers", "        return torch.arange(1000, device=x.device)\n", "framework_compute",
                10, "256 numbers"},
        Refusal{"contents", "        return x if int(x[0, 0]) else x\n", "data_dependent", 10, "contents"},
        Refusal{"code", "        print(kernel[(1,)](x, x, 1, BLOCK=16).asm['ptx'])\n        return x\n",
                "unsupported", 10, "code"},
        Refusal{"own_stream", "        torch.cuda.Stream()\n        return x\n", "unsupported", 10,
                "streams"},
        Refusal{"another_gpu", "        return torch.empty(4, device='cuda:1')\n", "exception", 10,
                "no GPU 1"},
        Refusal{"grid_of_floats",
                "        kernel[(x.numel() / 256,)](x, x, x.numel(), BLOCK=256)\n        return x\n",
                "exception", 10, "float"},
        Refusal{"tensor_on_the_cpu",
                "        kernel[(1,)](x, torch.empty(4), 4, BLOCK=16)\n        return x\n", "exception", 10,
                "on the CPU"},
        Refusal{"empty_grid", "        kernel[(0,)](x, x, 0, BLOCK=16)\n        return x\n", "no_kernel", 10,
                "grid is (0, 1, 1)"},
        Refusal{"two_results", "        kernel[(1,)](x, x, 1, BLOCK=16)\n        return x, x\n",
                "wrong_output", 9, "tuple"},
        Refusal{"unknown_option",
                "        kernel[(1,)](x, x, 1, BLOCK=16, waves_per_eu=2)\n        return x\n", "exception",
                10, "waves_per_eu"},
        Refusal{"forbidden_option",
                "        kernel[(1,)](x, x, 1, BLOCK=16, ptx_options='-O0')\n        return x\n", "option",
                10, "ptx_options"}),
    [](const auto& info) { return std::string(info.param.name); });

/// A relu whose kernel takes `argument` in addition to its output; `made` is code of __init__.
std::string with_parameters(const std::string& made, const std::string& argument) {
  return R"(@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n) * tl.load(w_ptr)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
)" + made +
         R"(
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, )" +
         argument + R"(, y, x.numel(), BLOCK=256)
        return y
)";
}

TEST(Recorder, ParametersAndBuffersOfTheModelBelongToTheGpu) {
  for (const auto& [made, argument] : std::vector<std::pair<std::string, std::string>>{
           {"        self.w = nn.Parameter(torch.ones(3))\n", "self.w"},
           {"        self.register_buffer('w', torch.tensor([1.0, 2.0]))\n", "self.w"},
           {"        self.part = nn.LayerNorm(4)\n        self.other = nn.Linear(4, 4)\n",
            "self.part.weight"},
           {"        self.w = nn.Parameter(torch.empty(2))\n        nn.init.ones_(self.w)\n"
            "        self.same = self.w\n",
            "self.same"}}) {
    SCOPED_TRACE(made);
    const Verdict verdict = candidates::judge(candidates::relu(), with_parameters(made, argument));
    EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  }
}

TEST(Recorder, AConstantIsOneStepHoweverItWasWritten) {
  for (const char* made : {"torch.empty(200).fill_(2.0)", "torch.zeros(200).fill_(2.0)",
                           "torch.full((200,), 2.0)", "torch.empty(200).copy_(torch.tensor(2.0))"}) {
    const json answer =
        record(with_parameters(std::string("        self.register_buffer('w', ") + made + ")\n", "self.w"));
    const json& steps = answer.at("plans")[0].at("steps");
    EXPECT_EQ(steps.size(), 2u) << made << steps;
    EXPECT_EQ(steps[0].at("fill").at("value"), 2.0) << made;
  }
}

TEST(Recorder, RandomParametersStayWhereNoKernelReachesThem) {
  const json answer = record(with_parameters("        self.part = nn.Linear(4, 4)\n", "self.part.weight"));
  EXPECT_EQ(reason(answer), "unsupported") << answer;
  EXPECT_NE(answer["message"].get<std::string>().find("a parameter of ModelNew whose contents are random"),
            std::string::npos)
      << answer;
}

TEST(Recorder, SaysWhichLaunchTheCompilerDiedOf) {
  // An atomic on one address with many values makes Triton's own process end, by some signal.
  std::string source = candidates::honest_relu;
  source.replace(source.find("tl.store("),
                 source.find('\n', source.find("tl.store(")) - source.find("tl.store("),
                 "tl.atomic_max(y_ptr, x)");
  const json answer = record(source);
  EXPECT_EQ(reason(answer), "crashed") << answer;
  EXPECT_EQ(answer["line"], 12) << answer;
  EXPECT_NE(answer["message"].get<std::string>().find("the compiler ended by SIG"), std::string::npos)
      << answer;
}

TEST(Recorder, DoesNotReadGluon) {
  const json answer = record(R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
@gluon.jit
def kernel(x_ptr, y_ptr, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(y_ptr + i, gl.load(x_ptr + i))
class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(64,)](x, y, BLOCK=256)
        return y
)");
  EXPECT_EQ(reason(answer), "unsupported") << answer;
  EXPECT_EQ(answer["line"], 10) << answer;
}

struct Attack {
  const char* name;
  const char* code;
  const char* reason;
};

class Attacked : public testing::TestWithParam<Attack> {};

TEST_P(Attacked, EndsWithItsReasonAndTheRecorderLivesOn) {
  const json before = record(candidates::honest_relu);
  const json answer = record_after(GetParam().code);
  EXPECT_EQ(reason(answer), GetParam().reason) << answer.dump().substr(0, 500);
  EXPECT_EQ(answer["id"], before["id"].get<int>() + 1) << "it had to be started anew";
  EXPECT_TRUE(record(candidates::honest_relu)["ok"]);
}

INSTANTIATE_TEST_SUITE_P(
    , Attacked,
    testing::Values(
        Attack{"endless_loop", "while True: pass", "timeout"},
        Attack{"ignores_sigterm",
               "import signal\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
               "timeout"},
        Attack{"fork_bomb", "import os\nwhile True: os.fork()", "processes"},
        Attack{"fork_bomb_caught", "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
               "timeout"},
        Attack{"threads", "import threading\nthreading.Thread(target=print).start()", "exception"},
        Attack{"memory_hog", "a = []\nwhile True: a.append(bytearray(1 << 24))", "memory"},
        Attack{"disk_filler",
               "import os; f = open(os.environ['TMPDIR'] + '/full', 'wb')\nwhile True: f.write(bytes(1 << "
               "20)); f.flush()",
               "exception"},
        Attack{"network", "import socket\nsocket.create_connection(('127.0.0.1', 80))", "forbidden"},
        Attack{"runs_programs", "import subprocess\nsubprocess.run(['/bin/true'])", "processes"},
        Attack{"replaces_itself", "import os\nos.execv('/bin/true', ['true'])", "forbidden"},
        Attack{"exits", "import os\nos._exit(0)", "crashed"},
        Attack{"exits_politely", "raise SystemExit(0)", "exception"},
        Attack{"segfaults", "import ctypes\nctypes.string_at(0)", "crashed"},
        Attack{"deep_recursion", "def f(): f()\nf()", "exception"},
        Attack{"forges_nonsense", "import os\nos.write(3, b'{\"ok\": true, \"plans\": 7'); os._exit(0)",
               "crashed"},
        Attack{"floods_the_result", "import os\nwhile True: os.write(3, b'x' * 65536)", "too_large"},
        Attack{"says_that_the_sandbox_fails",
               "import os\nos.write(3, b'{\"ok\": false, \"reason\": \"sandbox\"}'); os._exit(0)", "crashed"},
        Attack{"kills_its_group", "import os\nos.kill(0, 9)\nos._exit(0)", "crashed"},
        Attack{"writes_torch", "import torch, os\nopen(torch.__file__, 'a')", "forbidden"},
        Attack{"new_namespaces",
               "import ctypes, os\nl = ctypes.CDLL(None, use_errno=True)\n"
               "if l.unshare(0x10000000) != 0: raise OSError(ctypes.get_errno(), 'refused')",
               "forbidden"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Recorder, AForgedResultIsJustAPlan) {
  const json answer =
      record_after("import os\nos.write(3, b'{\"ok\": true, \"plans\": [], \"kernels\": []}'); os._exit(0)");
  EXPECT_TRUE(answer["ok"]);  // parse_recording then reports that there isn't one plan per shape
}

TEST(Recorder, CannotReadTheTestersFiles) {
  if (candidates::unconfined()) GTEST_SKIP() << "this machine allows no isolation";
  const std::filesystem::path secret = std::filesystem::temp_directory_path() / "trl-recorder-secret.txt";
  std::ofstream(secret) << "expected";
  EXPECT_EQ(reason(record_after("open('" + secret.string() + "')")), "exception");
  EXPECT_EQ(reason(record_after("import os\nassert not os.path.exists('" + secret.string() + "')")), "");
  EXPECT_EQ(reason(record_after("import os\nassert os.listdir(os.environ['TMPDIR']) == []")), "");
  EXPECT_EQ(reason(record_after("import os\nassert os.listdir('/proc') == []")), "");
  std::filesystem::remove(secret);
}

TEST(Recorder, LeavesNothingForTheNextCandidate) {
  if (candidates::unconfined()) GTEST_SKIP() << "this machine allows no isolation";
  EXPECT_EQ(reason(record_after(
                "import os\nopen(os.environ['TMPDIR'] + '/note', 'w').write('left')\ntorch.left = 1")),
            "");
  EXPECT_EQ(reason(record_after("import os\nassert not os.path.exists(os.environ['TMPDIR'] + '/note') and "
                                "not hasattr(torch, 'left')")),
            "");
}

TEST(Recorder, HoldsNoDescriptorButTheResult) {
  EXPECT_EQ(
      reason(record_after("import os\nfor fd in range(5, 60):\n    try: os.fstat(fd); raise SystemExit(fd)\n"
                          "    except OSError: pass")),
      "");
}

}  // namespace
}  // namespace trl::runtime
