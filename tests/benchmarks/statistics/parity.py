"""Writes tests/statistics/parity.txt: what SciPy and statsmodels say of the same inputs as statistics.

    python3 -m venv /tmp/parity && /tmp/parity/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    /tmp/parity/bin/python tests/benchmarks/statistics/parity.py >tests/statistics/parity.txt

Each line is a name, inputs, "=" and outputs, as `parity_tests.cpp` reads them.
"""
import numpy
import pandas
import scipy
import statsmodels
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

random = numpy.random.default_rng(7)


def line(name, inputs, outputs):
    print(name, *(repr(float(x)) for x in inputs), "=", *(repr(float(x)) for x in outputs))


def functions():
    for p in (0.0005, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9999):
        line("normal_quantile", [p], [stats.norm.ppf(p)])
        for df in (0.7, 1, 2, 3.4, 10, 59, 500):
            line("t_quantile", [p, df], [stats.t.ppf(p, df)])
        for df in (1, 2, 7.5, 60):
            line("chi_squared_quantile", [p, df], [stats.chi2.ppf(p, df)])
    for x in (-8, -1.3, 0, 0.4, 2.2, 12):
        for df in (0.7, 1, 4, 30):
            line("t_probability", [x, df], [stats.t.cdf(x, df)])
            for shift in (0, 1, 2.8):
                line("noncentral_t_probability", [x, df, shift], [stats.nct.cdf(x, df, shift)])
    for successes, samples in ((0, 10), (3, 10), (81, 263), (15, 148), (29, 29), (2, 600)):
        for confidence in (0.95, 0.99):
            line("wilson", [successes, samples, confidence],
                 proportion_confint(successes, samples, 1 - confidence, "wilson"))


def families():
    for values in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.04, 0.04, 0.04], [0.6, 0.001, 0.9, 0.02, 0.013, 0.5]):
        line("holm", values, multipletests(values, method="holm")[1])


def samples():
    for n in (3, 8, 60):
        x = random.normal(0.2, 1, n)
        described = DescrStatsW(x)
        line("t_interval", x, [described.mean, described.std_mean, *described.tconfint_mean()])
        for margin in (0.3, 1):
            line("tost", [margin, *x], [described.ttost_mean(-margin, margin)[0]])
        y = x + random.normal(0.3, 0.5, n)
        paired = stats.ttest_rel(x, y)
        bounds = paired.confidence_interval()
        line("paired", [*x, *y], [(x - y).mean(), paired.pvalue, bounds.low, bounds.high])


def clusters():
    """Robust errors of a mean, clustered by task or by seed."""
    for tasks in (5, 20):
        task = numpy.repeat(numpy.arange(tasks), random.integers(1, 6, tasks))
        value = random.normal(size=tasks)[task] + random.normal(size=len(task))
        fit = sm.OLS(value, numpy.ones(len(value))).fit(cov_type="cluster", cov_kwds={"groups": task})
        line("clustered_by_task", [tasks, *numpy.column_stack([task, value]).ravel()], [fit.params[0], fit.bse[0]])
    for tasks, seeds in ((6, 3), (15, 2)):
        value = (random.normal(size=(tasks, 1)) + random.normal(size=(1, seeds)) + random.normal(size=(tasks, seeds)))
        task, seed = numpy.indices(value.shape)
        found = []
        for groups in (task, seed):
            fit = sm.OLS(value.ravel(), numpy.ones(value.size)).fit(cov_type="cluster", cov_kwds={"groups": groups.ravel()})
            found.append(fit.bse[0] ** 2)
        line("variance_by_task_and_seed", [tasks, seeds, *value.ravel()], found)


def components():
    """Variance components of balanced layouts with positive estimates, by the analysis of variance and by REML."""
    for tasks, seeds, repeats in ((12, 3, 2), (20, 4, 3)):
        by_squares = [0]
        while min(by_squares) <= 0:
            value = (random.normal(0, 1, (tasks, 1, 1)) + random.normal(0, 0.8, (1, seeds, 1)) +
                     random.normal(0, 0.6, (tasks, seeds, 1)) + random.normal(0, 0.7, (tasks, seeds, repeats)))
            task, seed, _ = numpy.indices(value.shape)
            data = pandas.DataFrame({"value": value.ravel(), "task": task.ravel(), "seed": seed.ravel(), "one": 1})
            squares = sm.stats.anova_lm(smf.ols("value ~ C(task) * C(seed)", data).fit())["mean_sq"]
            sample, both = squares["Residual"], squares["C(task):C(seed)"]
            by_squares = [(squares["C(task)"] - both) / (seeds * repeats), (squares["C(seed)"] - both) / (tasks * repeats),
                          (both - sample) / repeats, sample]
        line("components_by_anova", [tasks, seeds, repeats, *value.ravel()], by_squares)
        parts = {"task": "0 + C(task)", "seed": "0 + C(seed)", "cell": "0 + C(task):C(seed)"}
        model = smf.mixedlm("value ~ 1", data, groups="one", vc_formula=parts)
        fit = model.fit(reml=True, method=["bfgs", "powell", "bfgs"], gtol=1e-10, xtol=1e-12, ftol=1e-14, maxiter=2000)
        by_name = dict(zip(model.exog_vc.names, fit.vcomp))
        line("components_by_reml", [tasks, seeds, repeats, *value.ravel()],
             [by_name["task"], by_name["seed"], by_name["cell"], fit.scale])


def designs():
    """Main effects of a 2^3 design, judged by its interactions: the regression on main effects alone."""
    for _ in range(2):
        means = random.normal(0.5, 0.1, 8)
        levels = numpy.array([[row >> factor & 1 for factor in range(3)] for row in range(8)])
        fit = sm.OLS(means, sm.add_constant(levels)).fit()
        bounds = fit.conf_int()
        line("main_effects", means, [x for f in (1, 2, 3) for x in (fit.params[f], fit.bse[f], fit.pvalues[f], *bounds[f])])


def powers():
    for effect, n, alpha in ((0.5, 20, 0.05), (0.2, 60, 0.05), (1, 8, 0.01)):
        line("power", [effect, n, alpha], [TTestPower().power(effect, n, alpha)])


if __name__ == "__main__":
    print(f"# SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, NumPy {numpy.__version__}; written by "
          "tests/benchmarks/statistics/parity.py")
    for part in (functions, families, samples, clusters, components, designs, powers):
        part()
