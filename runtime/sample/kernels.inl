#include "runtime/model/rows.inl"

void layer_norm(const float* x, const float* weight, const float* bias, float epsilon, std::int64_t width,
                float* out) {
  // The sum of squared distances from the mean, in a pass of its own, doesn't cancel as mean(x²) - mean(x)²
  // does.
  Vector parts = {};
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) parts += at(x + i);
  float total = sum(parts);
  for (std::int64_t j = i; j < width; ++j) total += x[j];
  const float mean = total / static_cast<float>(width);
  Vector squares = {};
  for (i = 0; i + kLanes <= width; i += kLanes) squares += (at(x + i) - mean) * (at(x + i) - mean);
  total = sum(squares);
  for (std::int64_t j = i; j < width; ++j) total += (x[j] - mean) * (x[j] - mean);
  const float scale = 1.0F / __builtin_sqrtf(total / static_cast<float>(width) + epsilon);
  for (i = 0; i + kLanes <= width; i += kLanes)
    at(out + i) = (at(x + i) - mean) * scale * at(weight + i) + at(bias + i);
  for (; i < width; ++i) out[i] = (x[i] - mean) * scale * weight[i] + bias[i];
}

__attribute__((always_inline)) inline Vector gelu_of(Vector x) {
  return x / (1.0F + exponential(-1.5957691216F * (x + 0.044715F * x * x * x)));  // 2 √(2/π)
}

void gelu(const float* x, std::int64_t width, float* out) {
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) at(out + i) = gelu_of(at(x + i));
  if (i == width) return;
  float rest[kLanes] = {};
  for (std::int64_t j = i; j < width; ++j) rest[j - i] = x[j];
  at(rest) = gelu_of(at(rest));
  for (std::int64_t j = i; j < width; ++j) out[j] = rest[j - i];
}

// Computes the scores of one piece and returns how many were written: whole vectors, in which lanes past the
// length get -1e30.
template <int Groups>
__attribute__((always_inline)) inline std::int64_t score(const float* query, std::int64_t size,
                                                         const HeadCache& piece, float scale,
                                                         std::int64_t stride, float* scores, Vector* most) {
  const std::int64_t blocks = (piece.length + kLanes - 1) / kLanes;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const float* keys = piece.keys + block * size * kLanes;
    Vector even[Groups] = {}, odd[Groups] = {};
    for (std::int64_t d = 0; d < size; d += 2) {  // head sizes are even
      for (int g = 0; g < Groups; ++g) {
        even[g] += at(keys + d * kLanes) * query[g * size + d];
        odd[g] += at(keys + (d + 1) * kLanes) * query[g * size + d + 1];
      }
    }
    const std::int64_t valid = piece.length - block * kLanes;
    for (int g = 0; g < Groups; ++g) {
      Vector s = (even[g] + odd[g]) * scale;
      if (valid < kLanes) {
        for (int lane = 0; lane < kLanes; ++lane) s[lane] = lane < valid ? s[lane] : -1e30F;
      }
      at(scores + g * stride + block * kLanes) = s;
      most[g] = s > most[g] ? s : most[g];
    }
  }
  return blocks * kLanes;
}

template <int Groups>
__attribute__((always_inline)) inline void attend_groups(const float* query, std::int64_t size,
                                                         const HeadCache* pieces, std::int64_t parts,
                                                         float* scores, float* out) {
  std::int64_t stride = 0;
  for (std::int64_t p = 0; p < parts; ++p) stride += padded(pieces[p].length);
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(size));
  Vector most[Groups];
  for (int g = 0; g < Groups; ++g) most[g] = broadcast(-1e30F);
  std::int64_t begin = 0;
  for (std::int64_t p = 0; p < parts; ++p) {
    begin += score<Groups>(query, size, pieces[p], scale, stride, scores + begin, most);
  }
  float normaliser[Groups];
  for (int g = 0; g < Groups; ++g) {
    const float top = largest(most[g]);
    Vector total = {};
    for (std::int64_t i = 0; i < stride; i += kLanes) {
      const Vector e = exponential(at(scores + g * stride + i) - top);
      at(scores + g * stride + i) = e;
      total += e;
    }
    normaliser[g] = 1.0F / sum(total);
  }
  for (std::int64_t d = 0; d < size; d += kLanes) {
    Vector mixed[Groups] = {}, other[Groups] = {};
    begin = 0;
    for (std::int64_t p = 0; p < parts; ++p) {
      const float* values = pieces[p].values + d;
      const std::int64_t length = pieces[p].length, row = padded(size);
      std::int64_t t = 0;
      for (; t + 1 < length; t += 2) {
        const Vector first = at(values + t * row), second = at(values + (t + 1) * row);
        for (int g = 0; g < Groups; ++g) {
          mixed[g] += first * scores[g * stride + begin + t];
          other[g] += second * scores[g * stride + begin + t + 1];
        }
      }
      if (t < length) {
        for (int g = 0; g < Groups; ++g) mixed[g] += at(values + t * row) * scores[g * stride + begin + t];
      }
      begin += padded(length);
    }
    for (int g = 0; g < Groups; ++g) {
      const Vector v = (mixed[g] + other[g]) * normaliser[g];
      for (std::int64_t lane = 0; lane < kLanes && d + lane < size; ++lane)
        out[g * size + d + lane] = v[lane];
    }
  }
}

void attend(const float* query, std::int64_t groups, std::int64_t size, const HeadCache* pieces,
            std::int64_t parts, float* scores, float* out) {
  for (; groups >= 4; groups -= 4, query += 4 * size, out += 4 * size) {
    attend_groups<4>(query, size, pieces, parts, scores, out);
  }
  for (; groups >= 2; groups -= 2, query += 2 * size, out += 2 * size) {
    attend_groups<2>(query, size, pieces, parts, scores, out);
  }
  if (groups == 1) attend_groups<1>(query, size, pieces, parts, scores, out);
}

void weights(const float* x, std::int64_t count, float temperature, float* out) {
  float most = x[0];
  for (std::int64_t i = 1; i < count; ++i) most = x[i] > most ? x[i] : most;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) at(out + i) = exponential((at(x + i) - most) / temperature);
  if (i == count) return;
  float rest[kLanes] = {};
  for (std::int64_t j = i; j < count; ++j) rest[j - i] = x[j];
  at(rest) = exponential((at(rest) - most) / temperature);
  for (std::int64_t j = i; j < count; ++j) out[j] = rest[j - i];
}
