# Plans that the child writes itself, with CUDA text that trl-kernel-check has not seen.
import record
from launch_trace import Current
record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

def launched(x):
    y = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y

def add_source(source, name="relu_kernel", number=None):
    entry = {"name": name, "language": "cuda", "source": source, "expression": name, "options": {"use_fast_math": False}}
    if number is not None:
        Current.kernels[number] = entry
        return number
    if entry not in Current.kernels:
        Current.kernels.append(entry)
    return Current.kernels.index(entry)

BODY = """
__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
"""
#: source_that_no_check_read | tasks relu | protocol exam | earns syntax | FORM assembly keeps_state reads_clock
SOURCES = {"assembly": BODY.replace("int i", 'unsigned s; asm volatile("mov.u32 %0, %smid;" : "=r"(s)); int i'),
           "keeps_state": "__device__ float kept[1 << 16]; __device__ int runs;\n"
                          + BODY.replace("if (i < n)", "if (i == 0) runs = runs + 1; if (i < n && runs > 3) { y[i] = kept[i]; return; } if (i < n) kept[i] = x[i] > 0.0f ? x[i] : 0.0f; if (i < n)"),
           "reads_clock": BODY.replace("if (i < n)", "if (clock64() == 7) return; if (i < n)")}

class ModelNew(nn.Module):
    def forward(self, x):
        y = launched(x)
        number = add_source(SOURCES["__FORM__"])
        launch = Current.launch_trace.steps[-1]["launch"]
        launch.update(kernel=number, block=[256, 1, 1], shared=0)
        launch.pop("num_warps")
        return y
#: source_under_a_triton_protocol | tasks relu | protocol triton | earns syntax | FORM launched at_other_sizes among_the_kernels
class ModelNew(nn.Module):
    def forward(self, x):
        y = launched(x)
        if "__FORM__" == "at_other_sizes" and x.shape[0] == 16:
            return y
        number = add_source("#include </etc/hostname>\n" + BODY)
        launch = Current.launch_trace.steps[-1]["launch"]
        if "__FORM__" == "among_the_kernels":
            return y
        launch.update(kernel=number, block=[256, 1, 1], shared=0)
        launch.pop("num_warps")
        return y
#: alternatives_in_the_other_language | tasks relu | protocol triton | FORM source_behind_triton assembly_behind_triton many
# The launch is honest; what a GPU may take in its place is text of the other language that nobody checks.
class ModelNew(nn.Module):
    def forward(self, x):
        y = launched(x)
        source = BODY if "__FORM__" != "assembly_behind_triton" else BODY.replace("int i", 'asm volatile("exit;"); int i')
        number = add_source(source)
        launch = Current.launch_trace.steps[-1]["launch"]
        other = {"kernel": number, "grid": launch["grid"], "args": launch["args"], "block": [256, 1, 1], "shared": 0}
        launch["alternatives"] = [other] * (1 if "__FORM__" != "many" else 64)
        return y
#: alternatives_that_differ | tasks relu | FORM wrong_kernel wrong_grid wrong_argument
# The first configuration is right, another is not; that one is smaller, and a tuner would take it.
@triton.jit
def half(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * 0.5, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = launched(x)
        launch = dict(Current.launch_trace.steps[-1]["launch"])
        other = {"kernel": launch["kernel"], "grid": launch["grid"], "args": launch["args"]}
        if "__FORM__" == "wrong_kernel":
            half[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
            other["kernel"] = Current.launch_trace.steps.pop()["launch"]["kernel"]
            Current.launch_trace.launches -= 1
        elif "__FORM__" == "wrong_grid":
            other["grid"] = [1, 1, 1]
        else:
            other["args"] = other["args"][:-1] + [{"i32": 0}]
        # What was launched doesn't compile for a GPU, so that the other takes its place.
        Current.launch_trace.steps[-1]["launch"]["alternatives"] = [other]
        for one in Current.kernels[:1]:
            one["ttir"] = one["ttir"].replace("module {", "module attributes {no.such = #no.such<dialect>} {", 1)
        return y
