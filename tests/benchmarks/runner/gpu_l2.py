"""Tests whether a kernel can keep its data in the L2 cache from one timed run to the next.

    gpu_l2.py [--verify TRL_VERIFY] [--repeats 5]
The runner times an elementwise kernel as it is, and with loads and stores that ask for `evict_last`, which keeps lines in the cache
while other memory is written. Between timed runs the cache should be cold for both, so that their times are equal. Prints the ratio
of times measured next to each other, as the median of the repeats with minimum and maximum.
"""
import argparse
import statistics
import sys

from feed import Feed

KERNEL = '''@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n{load})
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n{store})

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
'''
LAST = ', eviction_policy="evict_last"'
FORMS = {'evict_last loads': (LAST, ''), 'evict_last stores': ('', LAST), 'both': (LAST, LAST)}


def relu(mebibytes):
    rows = mebibytes * (1 << 18) // 1024
    return {'suite': 'l2', 'id': 1, 'name': 'relu', 'doc': '', 'dims': [['M', rows], ['N', 1024]],
            'inputs': [{'name': 'x', 'dtype': 'f32', 'shape': ['M', 'N']}],
            'value': {'op': 'relu', 'args': [{'input': 'x'}]},
            'output': {'dtype': 'f32', 'shape': ['M', 'N']}, 'key': 'relu(x0:f32[d0,d1])'}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--repeats', type=int, default=5)
    options = parser.parse_args()
    feed = Feed(options.verify, '--gpu-alone')

    def time(task, load, store):
        verdict = feed.verify({'task': task, 'answer': KERNEL.format(load=load, store=store)})['verdict']
        if not verdict['correct']:
            sys.exit(f'{verdict["reason"]}: {verdict["message"]}')
        return verdict['time_us']

    for mebibytes in (1, 4, 16):
        task = relu(mebibytes)
        time(task, '', '')
        for name, (load, store) in FORMS.items():
            ratios = []
            for _ in range(options.repeats):
                before, with_last, after = time(task, '', ''), time(task, load, store), time(task, '', '')
                ratios.append(2 * with_last / (before + after))
            print(f'{mebibytes:3} MiB   {name:17} / ordinary   {statistics.median(ratios):.3f} '
                  f'[{min(ratios):.3f}, {max(ratios):.3f}]   n = {options.repeats}', flush=True)
    feed.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
