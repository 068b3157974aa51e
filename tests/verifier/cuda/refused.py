"""Candidates in CUDA that are refused, each with the reason and the text of the line."""

from honest import A, ELEMENTWISE, candidate

KERNEL = """#include <torch/extension.h>
__global__ void copy_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
"""


def wrapper(body, before=""):
    return KERNEL + before + """
torch::Tensor f(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
""" + body + """
  copy_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""


def with_body(body, before="", **more):
    return candidate(wrapper("  " + body, before), "return ext.f(x)", ["f"], **more)


def with_struct(declaration, value):
    return candidate(KERNEL + declaration + """
__global__ void both(const float* x, float* y, Two two) { y[0] = x[0] * two.a; }
torch::Tensor f(torch::Tensor x) {
  auto y = torch::zeros_like(x);
  both<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(), """ + value + """);
  return y;
}
""", "return ext.f(x)", ["f"])


def composed(body, how, launch="<<<(n + 255) / 256, 256>>>"):
    """A candidate whose source is computed from a string by an expression."""
    text = wrapper(body).replace("<<<(n + 255) / 256, 256>>>", launch)
    return candidate(text, "return ext.f(x)", ["f"]).replace("cuda_sources=cuda_source", "cuda_sources=cuda_source" + how)


# name: (candidate, reason, text on the line or None, limits)
REFUSED = {
    "item": (with_body("if (x.sum().item<float>() > 0) n = 0;"), ("data_dependent", "framework_compute"), "item<float>", {}),
    "cpu": (with_body("auto z = x.cpu();"), "data_dependent", "x.cpu()", {}),
    "to_cpu": (with_body("auto z = x.to(torch::kCPU);"), "data_dependent", "return ext.f(x)", {}),
    "computes": (with_body("y = torch::relu(x);"), "framework_compute", "torch::relu", {}),
    "computes_by_operator": (with_body("y = x + x;"), "framework_compute", "x + x", {}),
    "own_stream": (with_body("cudaStream_t s; cudaStreamCreate(&s);"), "unsupported", "cudaStreamCreate", {}),
    "hidden_stream": (with_body("long k = n + 5; copy_kernel<<<1, 1, 0, (cudaStream_t)k>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
                      "unsupported", "(cudaStream_t)k", {}),
    "cooperative": (with_body("void* a[] = {nullptr, nullptr, &n}; cudaLaunchCooperativeKernel((const void*)copy_kernel, 1, 1, a);"),
                    "unsupported", None, {}),
    "system": (with_body('system("ls");'), "forbidden", "system(", {}),
    "include": (with_body("", before='#include <fstream>\n'), "forbidden", "<fstream>", {}),
    "does_not_parse": (with_body("int k = ;"), "syntax_error", "int k = ;", {}),
    "unknown_function": (with_body("frobnicate(n);"), "unsupported", "frobnicate", {}),
    "missing_function": (candidate(ELEMENTWISE, "return ext.g(x)", ["g"]), "missing_function", None, {}),
    "arity": (candidate(ELEMENTWISE, "return ext.relu_cuda(x, 1)", ["relu_cuda"]), "wrong_arguments", "relu_cuda(x, 1)", {}),
    "wrong_type": (candidate(ELEMENTWISE, "return ext.relu_cuda(3.5)", ["relu_cuda"]), "wrong_arguments", "relu_cuda(3.5)", {}),
    "check_fails": (with_body('TORCH_CHECK(x.dim() == 5, "five dimensions");'), "exception", "x.dim() == 5", {}),
    "throws": (with_body('if (n > 0) throw std::runtime_error("no, not " + std::to_string(n));'), "exception", "return ext.f(x)", {}),
    "wrong_dtype": (with_body("auto p = x.data_ptr<double>(); (void)p;"), ("exception", "wrong_launch"), "ext.f(x)", {}),
    "constructor": (with_body("", before="__attribute__((constructor)) void early() {}\n"), "forbidden", "early", {}),
    "static_code": (with_body("", before="int made() { static int k; return ++k; }\nint early = made();\n"), "forbidden", None, {}),
    "endless": (with_body("for (volatile int i = 0;;) i = i + 1;"), "timeout", None, {"seconds": 1}),
    "allocates": (with_body("std::vector<long> v; for (long i = 0; i < 1l << 34; ++i) v.push_back(i); n += (int)v[n];"), "memory", None, {}),
    "recursion": (with_body("n += deep(n + 1);", before="int deep(int n) { volatile char room[4096]; room[n & 4095] = 1; return n == 0 ? 0 : deep(n + 1) + room[n & 7]; }\n"),
                  "crashed", "return ext.f(x)", {}),
    "stray_pointer": (with_body("copy_kernel<<<1, 1>>>(x.data_ptr<float>() - 1000000, y.data_ptr<float>(), n);"), "exception", "- 1000000", {}),
    "cpu_pointer": (with_body("y = torch::empty({n});"), ("exception", "wrong_launch"), "<<<", {}),
    "struct_argument": (with_struct("struct Two { float a; float (*f)(float); };", "Two{1.f, nullptr}"), "unsupported", "both<<<", {}),
    "struct_with_a_union": (with_struct("struct Two { float a; union { float b; int c; }; };", "Two{1.f, {2.f}}"), "unsupported", "both<<<", {}),
    "struct_with_a_stray_pointer": (with_struct("struct Two { float a; const float* p; };", "Two{1.f, x.data_ptr<float>() - 1000000}"),
                                    "exception", "both<<<", {}),
    "shared_memory_unasked": (with_body("copy_kernel<<<1, 32, 4 * (n + 20000)>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
                              "wrong_launch", "n + 20000", {}),
    "shared_memory_asked_for_another": (with_body("cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000);\n"
                                                  "  copy_kernel<<<1, 32, 4 * (n + 20000)>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);",
                                                  before="__global__ void other(float* y) { y[0] = 0.f; }\n"),
                                        "wrong_launch", "n + 20000", {}),
    # For sources that the candidate composes, a line is known where its text occurs once in the candidate.
    "composed_by_replace": (composed("  y = torch::relu(x);", '.replace("THREADS", "256")', "<<<(n + 255) / 256, THREADS>>>"), "framework_compute", "torch::relu", {}),
    "composed_by_adding": (composed("  int k = n + 70000;", ' + "// the end"', "<<<1, k>>>"), "wrong_launch", "<<<1, k", {}),
    "composed_by_strip": (composed('  TORCH_CHECK(x.dim() == 5, "five");', ".strip()"), "exception", "x.dim() == 5", {}),
    "lambda_for_a_kernel": (candidate("""#include <torch/extension.h>
template <typename F> __global__ void each(const float* x, float* y, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f(x[i]);
}
torch::Tensor f(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float by = 2.f;
  each<<<3, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), (int)x.numel(), [=] __device__(float v) { return v * by; });
  return y;
}
""", "return ext.f(x)", ["f"], more="extra_cuda_cflags=['--extended-lambda'], "), "unsupported", "each<<<", {}),
    "for_the_linker": (with_body("", more="extra_cflags=['-Wl,-rpath,/tmp'], "), "option", "load_inline(", {}),
    "block_too_large": (with_body("int k = n + 2000; copy_kernel<<<1, k>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"), "wrong_launch",
                        "n + 2000", {}),
    "include_path": (with_body("", more="extra_include_paths=['/tmp'], "), "option", "load_inline(", {}),
    "linked": (with_body("", more="extra_ldflags=['-lcublas'], "), "option", "load_inline(", {}),
    "included_file": (with_body("", more="extra_cuda_cflags=['-include', '/etc/passwd'], "), "option", "load_inline(", {}),
    "no_launch": (candidate(KERNEL + "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = 0;\n"
                            "copy_kernel<<<n, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }", "return ext.f(x)", ["f"]),
                  ("no_kernel", "wrong_launch"), "<<<n", {}),
}
INPUTS = [A]
