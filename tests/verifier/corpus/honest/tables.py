#: grouped_gemm_by_a_table_of_addresses | tasks bmm | dtypes f16 f32 | TABLE torch.tensor([t.data_ptr()for\x20t\x20in\x20ts],device=x.device) torch.tensor([t.data_ptr()for\x20t\x20in\x20ts],dtype=torch.uint64).cuda() torch.tensor([t.data_ptr()for\x20t\x20in\x20ts],dtype=torch.int64).to(x.device,non_blocking=True)
@triton.jit
def kernel(x_ptrs, w_ptrs, y_ptrs, sizes_ptr, groups, T: tl.constexpr, PROGRAMS: tl.constexpr, B: tl.constexpr):
    tile = tl.program_id(0)
    done = 0
    for g in range(groups):
        M = tl.load(sizes_ptr + g * 3)
        N = tl.load(sizes_ptr + g * 3 + 1)
        K = tl.load(sizes_ptr + g * 3 + 2)
        across = tl.cdiv(N, B)
        tiles = tl.cdiv(M, B) * across
        while tile >= done and tile < done + tiles:
            x_ptr = tl.load(x_ptrs + g).to(tl.pointer_type(T))
            w_ptr = tl.load(w_ptrs + g).to(tl.pointer_type(T))
            y_ptr = tl.load(y_ptrs + g).to(tl.pointer_type(T))
            rm = (tile - done) // across * B + tl.arange(0, B)
            rn = (tile - done) % across * B + tl.arange(0, B)
            acc = tl.zeros((B, B), dtype=tl.float32)
            for k in range(0, K, B):
                rk = k + tl.arange(0, B)
                a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
                b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
                acc += tl.dot(a, b, input_precision="ieee")
            tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(T), mask=(rm[:, None] < M) & (rn[None, :] < N))
            tile += PROGRAMS
        done += tiles

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty(x.shape[0], x.shape[1], w.shape[2], device=x.device, dtype=x.dtype)
        half = x.shape[1] // 2  # each batch is two groups of different heights
        xs, ws, ys, sizes = [], [], [], []
        for one in range(x.shape[0]):
            for rows in (slice(0, half + 3), slice(half + 3, None)):
                xs.append(x[one, rows]), ws.append(w[one]), ys.append(y[one, rows])
                sizes += [xs[-1].shape[0], w.shape[2], w.shape[1]]
        table = lambda ts: __TABLE__
        T = tl.float16 if x.dtype == torch.float16 else tl.float32
        kernel[(4,)](table(xs), table(ws), table(ys), torch.tensor(sizes, dtype=torch.int32, device=x.device), len(xs), T, PROGRAMS=4, B=16)
        return y
#: rows_of_separate_tensors_by_addresses | tasks row_sum | HOW scalar table filled shifted on_host pinned
@triton.jit
def add_up(x_ptr, y_ptr, N, B: tl.constexpr):
    total = tl.zeros((B,), tl.float32)
    for start in range(0, N, B):
        c = start + tl.arange(0, B)
        total += tl.load(x_ptr + c, mask=c < N, other=0.0)
    tl.store(y_ptr, tl.sum(total, 0))

@triton.jit
def by_number(x_address, y_address, N, row_bytes, B: tl.constexpr):
    row = tl.program_id(0)
    x_ptr = (x_address + row.to(tl.int64) * row_bytes).to(tl.pointer_type(tl.float32))
    y_ptr = y_address.to(tl.pointer_type(tl.float32), bitcast=True)
    add_up(x_ptr, y_ptr + row, N, B)

@triton.jit
def by_table(table, y_ptr, N, SHIFT: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    x_ptr = tl.cast(tl.load(table + row) + SHIFT, tl.pointer_type(tl.float32))
    add_up(x_ptr, y_ptr + row, N, B)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(M, device=x.device, dtype=x.dtype)
        if "__HOW__" == "scalar":
            by_number[(M,)](x.data_ptr(), y.data_ptr(), N, x.stride(0) * x.element_size(), B=32)
            return y
        if "__HOW__" == "table":
            table = torch.tensor([row.data_ptr() for row in x], dtype=torch.int64, device=x.device)
        elif "__HOW__" == "filled":
            table = torch.empty(M, dtype=torch.int64, device=x.device)
            for number, row in enumerate(x):
                table[number] = row.data_ptr()
        elif "__HOW__" == "on_host":
            table = torch.empty((2, M), dtype=torch.int64, pin_memory=True)
            for number, row in enumerate(x):
                table[1, number] = row.data_ptr()
            table = table.to(x.device, non_blocking=True)[1]
        elif "__HOW__" == "pinned":
            table = torch.tensor([row.data_ptr() for row in x], dtype=torch.int64, pin_memory=True).pin_memory().cuda(non_blocking=True)
        else:
            table = torch.as_tensor([row.data_ptr() - 64 for row in x[1:]], dtype=torch.int64, device=x.device)
            table = torch.cat([torch.full((1,), x.data_ptr(), device=x.device), table])
            by_table[(1,)](table, y, N, SHIFT=0, B=32)
            by_table[(M - 1,)](table[1:], y[1:], N, SHIFT=64, B=32)
            return y
        by_table[(M,)](table, y, N, SHIFT=0, B=32)
        return y
#: pages_of_a_cache | tasks embedding
@triton.jit
def kernel(index_ptr, pages_ptr, y_ptr, D, PAGE: tl.constexpr, BD: tl.constexpr):
    i = tl.program_id(0)
    index = tl.load(index_ptr + i)
    page = tl.load(pages_ptr + index // PAGE).to(tl.pointer_type(tl.float32))
    d = tl.arange(0, BD)
    row = tl.load(page + (index % PAGE) * D + d, mask=d < D)
    tl.store(y_ptr + i * D + d, row, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, t, w):
        pages = w.split(4)
        y = torch.empty(t.numel(), w.shape[1], device=w.device, dtype=w.dtype)
        table = torch.tensor([page.data_ptr() for page in pages], dtype=torch.uint64, device=w.device)
        kernel[(t.numel(),)](t, table, y, w.shape[1], PAGE=4, BD=triton.next_power_of_2(w.shape[1]))
        return y
