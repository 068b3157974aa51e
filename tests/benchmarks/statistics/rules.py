"""Compares rules for the degrees of freedom of a variance of two parts, of which one has few: what their intervals cover.

    /tmp/parity/bin/python tests/benchmarks/statistics/rules.py        (parity.py says how that is made)

The tasks' part is 1, estimated with 59 degrees of freedom and here taken as known; `interaction` of it is in the seeds' part, too, which is
estimated with `freedom` degrees of freedom. `runs` is what runs add in truth, in multiples of the tasks' part. Printed are the share of
intervals that cover, and their width over that of the interval that knows the variance. No draws: 4000 quantiles of chi-squared.
"""
import numpy
from scipy import stats

TASKS = 59
QUANTILES = (numpy.arange(4000) + 0.5) / 4000


def t_half(variance, freedom):
    return stats.t.ppf(0.975, freedom) * numpy.sqrt(variance)


def satterthwaite(seeds, extra, freedom):
    variance = 1 + extra
    return t_half(variance, variance ** 2 / (1 / TASKS + seeds ** 2 / freedom))


def satterthwaite_truncated(seeds, extra, freedom):
    """What runs add, without the interaction, is taken for the second part."""
    variance = 1 + extra
    return t_half(variance, variance ** 2 / (1 / TASKS + extra ** 2 / freedom))


def harmonic(share):
    def half(seeds, extra, freedom):
        variance = 1 + extra
        part = numpy.minimum(1, share(seeds, extra) / variance)
        return t_half(variance, 1 / ((1 - part) / TASKS + part / freedom))
    return half


def cochran_cox(seeds, extra, freedom):
    tasks, few = stats.t.ppf(0.975, TASKS), stats.t.ppf(0.975, freedom)
    return (tasks + extra * few) / (1 + extra) * numpy.sqrt(1 + extra)


def banerjee(seeds, extra, freedom):
    return numpy.sqrt(stats.t.ppf(0.975, TASKS) ** 2 + extra * stats.t.ppf(0.975, freedom) ** 2)


def generalised(seeds, extra, freedom):
    """Weerahandi's: quantiles of the pivot Z sqrt(parts / chi-squared), by a fixed sample."""
    random = numpy.random.default_rng(1)
    z = random.standard_normal(100_000)
    tasks, few = TASKS / random.chisquare(TASKS, z.size), freedom / random.chisquare(freedom, z.size)
    grid = numpy.exp(numpy.linspace(-9, 9, 50))
    interaction = float(seeds.min() - extra.min())
    halves = [numpy.quantile(numpy.abs(z) * numpy.sqrt(tasks + numpy.maximum(0, x * few - interaction)), 0.95) for x in grid]
    return numpy.interp(numpy.log(seeds), numpy.log(grid), halves)


RULES = {"Satterthwaite": satterthwaite, "Satterthwaite, truncated": satterthwaite_truncated,
         "harmonic mean, share of what runs add": harmonic(lambda seeds, extra: extra),
         "harmonic mean, share of the seeds' part": harmonic(lambda seeds, extra: seeds),
         "harmonic mean, geometric mean of these (used)": harmonic(lambda seeds, extra: numpy.sqrt(seeds * extra)),
         "Cochran and Cox": cochran_cox, "Banerjee": banerjee, "generalised interval": generalised}
RUNS = (0, 0.25, 0.5, 1, 2, 4)


def main():
    print("| degrees of freedom, interaction, rule |", *(f"runs {runs} |" for runs in RUNS))
    print("|---|" + "---|" * len(RUNS))
    for freedom in (1, 2, 8):
        for interaction in (0.05, 0.3):
            for name, rule in RULES.items():
                cells = []
                for runs in RUNS:
                    seeds = numpy.maximum((interaction + runs) * stats.chi2.ppf(QUANTILES, freedom) / freedom, interaction)
                    half = rule(seeds, seeds - interaction, freedom)
                    covers = numpy.mean(2 * stats.norm.cdf(half / numpy.sqrt(1 + runs)) - 1)
                    cells.append(f"{100 * covers:.1f} ({numpy.mean(half) / 1.96 / numpy.sqrt(1 + runs):.2f}) |")
                print(f"| {freedom}, {interaction}, {name} |", *cells)


if __name__ == "__main__":
    main()
