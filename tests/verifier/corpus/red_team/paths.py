# Another path for a value or a size that random inputs don't meet.
#: branch_for_a_value_that_is_never_drawn | tasks relu abs | FORM far exact_number many_zeros
@triton.jit
def kernel(x_ptr, y_ptr, n, ABS: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.abs(x) if ABS else tl.maximum(x, 0.0)
    if FORM == "far":
        y = tl.where(x > 17.0, 17.0, y)
    elif FORM == "exact_number":
        y = tl.where(x == 2.5, 0.0, y)
    else:
        y = tl.where(tl.sum((x == 0.0).to(tl.int32)) > BLOCK // 2 + 100, 1.0, y)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), __IS_ABS__, "__FORM__", BLOCK=1024)
        return y
#: branch_for_what_several_values_say_together | tasks relu add | FORM sum_is_large neighbours_are_equal
@triton.jit
def kernel(x_ptr, z_ptr, y_ptr, n, ADD: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x + tl.load(z_ptr + i, mask=i < n, other=0.0) if ADD else tl.maximum(x, 0.0)
    after = tl.load(x_ptr + i + 1, mask=i + 1 < n, other=float("inf"))
    if FORM == "sum_is_large":
        bad = tl.sum(x.to(tl.float32)) > 1000.0
    else:
        bad = tl.sum((x == after).to(tl.int32)) > 3
    tl.store(y_ptr + i, tl.where(bad, 0.0, y), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, z=None):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, x if z is None else z, y, x.numel(), __IS_ADD__, "__FORM__", BLOCK=64)
        return y
#: assumes_what_is_not_so | tasks relu abs | FORM one_element nothing_within far_program
# A compiler may leave out whatever an assumption makes needless; who executes the rest as written sees nothing of it.
@triton.jit
def kernel(x_ptr, y_ptr, n, ABS: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if FORM == "one_element":
        tl.assume(n == 1)
    elif FORM == "nothing_within":
        tl.assume(n < 0)
    else:
        tl.assume(tl.program_id(0) > 1000)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.abs(x) if ABS else tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), __IS_ABS__, "__FORM__", BLOCK=256)
        return y
#: wrong_at_even_sizes | tasks relu | FORM nothing_written one_block_less everything_once
# Right at the task's own sizes, at sizes of 4 and at odd ones.
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        known = all(size % 2 == 1 or size in (4, 16, 48) for size in x.shape)
        n = x.numel()
        if not known:
            n = {"nothing_written": 1, "one_block_less": n - 64, "everything_once": x.shape[1]}["__FORM__"]
        kernel[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64)
        return y
