#include "base/statistics/distributions.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace trl::statistics {
namespace {

using namespace boost::math::policies;
/// Computes in double alone: these results need no digits of long double, which takes twice as long.
using Double = policy<promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Double>;
using StudentT = boost::math::students_t_distribution<double, Double>;
using NoncentralT = boost::math::non_central_t_distribution<double, Double>;

}  // namespace

double normal_probability(double x) { return cdf(Normal(), x); }

double normal_quantile(double probability) { return quantile(Normal(), probability); }

double t_probability(double x, double degrees_of_freedom) {
  return std::isinf(degrees_of_freedom) ? normal_probability(x) : cdf(StudentT(degrees_of_freedom), x);
}

double t_quantile(double probability, double degrees_of_freedom) {
  return std::isinf(degrees_of_freedom) ? normal_quantile(probability)
                                        : quantile(StudentT(degrees_of_freedom), probability);
}

double t_two_sided(double x, double degrees_of_freedom) {
  return 2 * t_probability(-std::abs(x), degrees_of_freedom);
}

double noncentral_t_probability(double x, double degrees_of_freedom, double noncentrality) {
  return std::isinf(degrees_of_freedom) ? normal_probability(x - noncentrality)
                                        : cdf(NoncentralT(degrees_of_freedom, noncentrality), x);
}

double chi_squared_quantile(double probability, double degrees_of_freedom) {
  return 2 * boost::math::gamma_p_inv(degrees_of_freedom / 2, probability, Double());
}

}  // namespace trl::statistics
