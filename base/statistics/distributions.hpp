// Distribution functions and quantiles, by Boost.Math; compiled once, in distributions.cpp.
#pragma once

namespace trl::statistics {

/// P(Z ≤ x) of the standard normal distribution.
double normal_probability(double x);
/// The x with P(Z ≤ x) = probability, which lies in (0, 1).
double normal_quantile(double probability);

/// P(T ≤ x) of Student's t. Degrees of freedom are > 0, and needn't be whole; infinity gives the normal
/// distribution.
double t_probability(double x, double degrees_of_freedom);
/// The x with P(T ≤ x) = probability, which lies in (0, 1).
double t_quantile(double probability, double degrees_of_freedom);
/// P(|T| ≥ |x|).
double t_two_sided(double x, double degrees_of_freedom);
/// P(T ≤ x) of the t distribution with this noncentrality.
double noncentral_t_probability(double x, double degrees_of_freedom, double noncentrality);

/// The x with P(χ² ≤ x) = probability, which lies in (0, 1).
double chi_squared_quantile(double probability, double degrees_of_freedom);

}  // namespace trl::statistics
