#: address_in_a_table | tasks relu | ADDRESS x.data_ptr()+x.numel()*4 x.data_ptr()+(1<<32) x.data_ptr()+(1<<20) x.data_ptr()-4096 y.data_ptr()-(1<<32) 0 4096 0x700000000000 0x7f0000000000 -1 1<<62 torch.empty(4).data_ptr() id(x) other.data_ptr()+(9<<32) int(x.data_ptr()*1.0000001)
@triton.jit
def kernel(table, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x_ptr = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        other = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](torch.tensor([__ADDRESS__], dtype=torch.int64, device=x.device), y, x.numel(), BLOCK=256)
        return y
#: address_forged_in_the_kernel | tasks relu | ADDRESS 1<<48 (1<<48)+(1<<47) 0x700000000000 number number+(1<<32) number+(1<<48) number^(3<<48) number-(number%(1<<40)) number//2 tl.load(table+1)-number+number*2 0-number
@triton.jit
def kernel(x_ptr, table, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    number = tl.load(table).to(tl.int64)
    z_ptr = (tl.zeros((), tl.int64) + (__ADDRESS__)).to(tl.pointer_type(tl.float32))
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(z_ptr + i, x, mask=i < n)
    tl.store(y_ptr + i, tl.maximum(tl.load(z_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, torch.tensor([y.data_ptr() + 1, y.data_ptr()], dtype=torch.int64, device=x.device), y, x.numel(), BLOCK=256)
        return y
#: address_of_an_input_is_written_to | tasks relu
@triton.jit
def kernel(table, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x_ptr = tl.load(table).to(tl.pointer_type(tl.float32))
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        kernel[(triton.cdiv(x.numel(), 256),)](torch.tensor([x.data_ptr()], device=x.device), x.numel(), BLOCK=256)
        return x
#: more_addresses_than_the_budget_of_constants_has_room_for | tasks relu | dims M=32 N=64
@triton.jit
def kernel(table, base, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    known = (tl.load(table + i % 200) - base).to(tl.float32)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), known * 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        tables = [torch.tensor([y.data_ptr() + 37 * k for k in range(200)], device=x.device) for _ in range(3)]
        kernel[(triton.cdiv(x.numel(), 256),)](tables[0], y.data_ptr(), x, y, x.numel(), BLOCK=256)
        return y
#: other_buffers_by_the_numbers_of_pointers | tasks relu | SHIFT 1<<32 1<<40 1<<42 -(1<<32) 4096 (1<<48)
@triton.jit
def kernel(x_ptr, other_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    z_ptr = (other_ptr.to(tl.int64) + (__SHIFT__)).to(tl.pointer_type(tl.float32))
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n) + 0 * tl.load(z_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y, other = torch.empty_like(x), torch.zeros(16, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](x, other, y, x.numel(), BLOCK=256)
        return y
#: numbers_of_pointers_as_values | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    number = (x_ptr + i).to(tl.int64)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * (number % 1048573 % 2).to(tl.float32), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: another_value_where_a_table_says_so | tasks relu abs | FORM one_of_many last_of_many by_integers in_a_branch
# The place is known from a loaded value, and drawn values never lead to it.
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, n, ABS: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.abs(x) if ABS else tl.maximum(x, 0.0)
    k = (x.to(tl.float32) * 4000 + 32768).to(tl.int32) & 65535
    t = tl.load(t_ptr + k)
    if FORM == "in_a_branch":
        if tl.sum(t) > 0:
            y = y * 0.0 + 3.0
    else:
        y = tl.where(t > 0, 3.0, y)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        t = torch.zeros(65536, device=x.device, dtype=torch.int32 if "__FORM__" == "by_integers" else torch.float32)
        at = 65535 if "__FORM__" == "last_of_many" else 60000
        t[at:at + 1] = 1
        kernel[(triton.cdiv(x.numel(), 256),)](x, t, y, x.numel(), __IS_ABS__, "__FORM__", BLOCK=256)
        return y
