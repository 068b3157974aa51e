// Included once for each instruction set, inside a namespace of its own, and compiled with the matching
// -march. It must not use templates of the standard library: the linker would merge their copies across
// instruction sets.

typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
typedef int Integers __attribute__((vector_size(64), aligned(4), may_alias));

constexpr std::int64_t kLanes = 16;

__attribute__((always_inline)) inline Vector broadcast(float x) { return x - Vector{}; }

__attribute__((always_inline)) inline const Vector& at(const float* p) {
  return *reinterpret_cast<const Vector*>(p);
}

__attribute__((always_inline)) inline Vector& at(float* p) { return *reinterpret_cast<Vector*>(p); }

__attribute__((always_inline)) inline float sum(Vector v) {
  float total[4] = {0, 0, 0, 0};
  for (int i = 0; i < 16; ++i) total[i % 4] += v[i];
  return (total[0] + total[1]) + (total[2] + total[3]);
}

__attribute__((always_inline)) inline float largest(Vector v) {
  float most = v[0];
  for (int i = 1; i < 16; ++i) most = v[i] > most ? v[i] : most;
  return most;
}

// eˣ = 2ⁿ eʳ with |r| ≤ ln 2 / 2 and the Taylor series of eʳ to r⁶; relative error below 3e-7.
__attribute__((always_inline)) inline Vector exponential(Vector x) {
  x = x < -87.0F ? broadcast(-87.0F) : x;
  x = x > 88.0F ? broadcast(88.0F) : x;
  const float round = 12582912.0F;  // 1.5 · 2²³: adding it rounds to an integer
  const Vector n = (x * 1.44269504F + round) - round;
  const Vector r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Vector p = r * (1.0F / 720) + (1.0F / 120);
  p = p * r + (1.0F / 24);
  p = p * r + (1.0F / 6);
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const Integers exponent = (__builtin_convertvector(n, Integers) + 127) << 23;
  return p * reinterpret_cast<const Vector&>(exponent);
}
