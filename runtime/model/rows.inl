// Loops over one row, for decoding and for training; included in the same way as vector.inl.
#include "runtime/model/vector.inl"

void rms_norm(const float* x, const float* weight, float epsilon, std::int64_t width, float* out) {
  Vector squares = {};
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) squares += at(x + i) * at(x + i);
  float total = sum(squares);
  for (std::int64_t j = i; j < width; ++j) total += x[j] * x[j];
  const float scale = 1.0F / __builtin_sqrtf(total / static_cast<float>(width) + epsilon);
  for (i = 0; i + kLanes <= width; i += kLanes) at(out + i) = at(x + i) * scale * at(weight + i);
  for (; i < width; ++i) out[i] = x[i] * scale * weight[i];
}

void rotate(float* x, const float* cosine, const float* sine, std::int64_t half) {
  std::int64_t i = 0;
  for (; i + kLanes <= half; i += kLanes) {
    const Vector a = at(x + i), b = at(x + half + i);
    at(x + i) = a * at(cosine + i) - b * at(sine + i);
    at(x + half + i) = b * at(cosine + i) + a * at(sine + i);
  }
  for (; i < half; ++i) {
    const float a = x[i], b = x[half + i];
    x[i] = a * cosine[i] - b * sine[i];
    x[half + i] = b * cosine[i] + a * sine[i];
  }
}

void gate(const float* gate, const float* up, std::int64_t width, float* out) {
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes)
    at(out + i) = at(gate + i) / (1.0F + exponential(-at(gate + i))) * at(up + i);
  if (i == width) return;
  float g[kLanes] = {}, u[kLanes] = {};
  for (std::int64_t j = i; j < width; ++j) g[j - i] = gate[j], u[j - i] = up[j];
  at(g) = at(g) / (1.0F + exponential(-at(g))) * at(u);
  for (std::int64_t j = i; j < width; ++j) out[j] = g[j - i];
}

void add(float* x, const float* y, std::int64_t width) {
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) at(x + i) += at(y + i);
  for (; i < width; ++i) x[i] += y[i];
}
