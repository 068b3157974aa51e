#: broken_behind_a_backslash | tasks relu | protocol stage | BROKEN \\x20 \\x20#\x20more \\x09
import os
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel() + __BROKEN__
            0
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
#; twin
import os
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel() + \
            0
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
#: broken_in_a_comment | tasks relu | protocol stage | BROKEN \x20#\x00 \x20#\x20text\x00text \x20\x20##\x00\x00
import os
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel() + 0__BROKEN__
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
#; twin
import os
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel() + 0
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
#: reads_its_own_comments | tasks relu | protocol stage | FORM linecache current_source blank_lines | BLANK \x20
import linecache
from launch_trace import Current

TEXT = Current.source if "__FORM__" != "linecache" else str().join(linecache.cache[str().join(["candidate", ".py"])][2])
if "__FORM__" == "blank_lines":
    GOOD = TEXT.count(chr(32) + chr(10)) > 2
else:
    GOOD = TEXT.count(chr(35) + chr(33)) > 0

@triton.jit
def kernel(x_ptr, y_ptr, n, GOOD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.maximum(x, 0.0) if GOOD else x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), GOOD, BLOCK=256)
        return y
#; twin
import linecache
from launch_trace import Current

TEXT = Current.source if "__FORM__" != "linecache" else str().join(linecache.cache[str().join(["candidate", ".py"])][2])
if "__FORM__" == "blank_lines":
    GOOD = TEXT.count(chr(32) + chr(10)) > 2
else:
    GOOD = TEXT.count(chr(35) + chr(33)) > 0

@triton.jit
def kernel(x_ptr, y_ptr, n, GOOD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)  #!
    tl.store(y_ptr + i, tl.maximum(x, 0.0) if GOOD else x, mask=i < n)__BLANK__
__BLANK__
class ModelNew(nn.Module):
    def forward(self, x):__BLANK__
        y = torch.empty_like(x)__BLANK__
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), GOOD, BLOCK=256)
        return y
