// Distribution functions and quantiles, computed by Boost.Math, which only distributions.cpp includes.
#pragma once

namespace trl::statistics {

/// Returns P(Z ≤ x) for the standard normal distribution.
double normal_probability(double x);
/// Returns the x with P(Z ≤ x) = probability, where 0 < probability < 1.
double normal_quantile(double probability);

/// Returns P(T ≤ x) for Student's t distribution. The degrees of freedom are > 0 and needn't be whole;
/// infinity gives the normal distribution.
double t_probability(double x, double degrees_of_freedom);
/// Returns the x with P(T ≤ x) = probability for Student's t distribution, where 0 < probability < 1.
double t_quantile(double probability, double degrees_of_freedom);
/// Returns P(|T| ≥ |x|) for Student's t distribution.
double t_two_sided(double x, double degrees_of_freedom);
/// Returns P(T ≤ x) for the noncentral t distribution.
double noncentral_t_probability(double x, double degrees_of_freedom, double noncentrality);

/// Returns the x with P(χ² ≤ x) = probability for the χ² distribution, where 0 < probability < 1.
double chi_squared_quantile(double probability, double degrees_of_freedom);

}  // namespace trl::statistics
