// Causal attention of one document (Dao et al., FlashAttention, 2022): scores are computed for a few queries
// at a time and never stored; the backward pass computes them again from the row's normaliser.

constexpr std::int64_t kQueries = 16;

// The parts of HeadAttention::scratch.
struct Rooms {
  std::int64_t keys, width;         // length and head size in whole panels
  float *by_key, *values_by_key;    // [keys / 32][head_size][32]: transposed
  float *by_size, *values_by_size;  // [width / 32][length][32]
  float *d_keys, *d_values;         // [length][width]
  float *queries, *d_mixed, *out;   // [kQueries][width]
  float *scores, *d_scores;         // [kQueries][keys]

  explicit Rooms(const HeadAttention& h) : keys(panelled(h.length)), width(panelled(h.head_size)) {
    float* next = h.scratch;
    const auto take = [&](std::int64_t count) {
      float* taken = next;
      next += count;
      return taken;
    };
    by_key = take(keys * h.head_size), values_by_key = take(keys * h.head_size);
    by_size = take(width * h.length), values_by_size = take(width * h.length);
    d_keys = take(width * h.length), d_values = take(width * h.length);
    queries = take(width * kQueries), d_mixed = take(width * kQueries), out = take(width * kQueries);
    scores = take(keys * kQueries), d_scores = take(keys * kQueries);
  }
};

// Packs rows [length][head_size], which lie `stride` apart, into panels whose columns are positions.
void pack_by_key(const float* rows, std::int64_t length, std::int64_t size, std::int64_t stride, float* out) {
  for (std::int64_t first = 0; first < length; first += kPanel, out += size * kPanel) {
    const std::int64_t count = length - first < kPanel ? length - first : kPanel;
    for (std::int64_t d = 0; d < size; ++d)
      for (std::int64_t i = 0; i < kPanel; ++i)
        out[d * kPanel + i] = i < count ? rows[(first + i) * stride + d] : 0.0F;
  }
}

// Packs the same rows into panels whose columns are the head's components.
void pack_by_size(const float* rows, std::int64_t length, std::int64_t size, std::int64_t stride,
                  float* out) {
  for (std::int64_t first = 0; first < size; first += kPanel, out += length * kPanel)
    for (std::int64_t t = 0; t < length; ++t)
      for (std::int64_t d = 0; d < kPanel; ++d)
        out[t * kPanel + d] = first + d < size ? rows[t * stride + first + d] : 0.0F;
}

void copy_rows(const float* rows, std::int64_t count, std::int64_t size, std::int64_t stride, float scale,
               std::int64_t width, float* out) {
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t d = 0; d < width; ++d)
      out[i * width + d] = d < size ? rows[i * stride + d] * scale : 0.0F;
}

float root(const HeadAttention& h) { return 1.0F / __builtin_sqrtf(static_cast<float>(h.head_size)); }

// Computes the scores of queries first … first + rows - 1 with all keys up to the last query's, rounded up to
// whole panels. Returns the number of keys.
std::int64_t scores(const HeadAttention& h, const Rooms& r, std::int64_t first, std::int64_t rows) {
  const std::int64_t keys = panelled(first + rows);
  product({rows, keys, h.head_size, r.queries, r.width, 1, r.by_key, h.head_size * kPanel, kPanel, r.scores,
           r.keys, false});
  return keys;
}

void attention(const HeadAttention& h) {
  const Rooms r(h);
  pack_by_key(h.key, h.length, h.head_size, h.stride, r.by_key);
  pack_by_size(h.value, h.length, h.head_size, h.stride, r.values_by_size);
  for (std::int64_t g = 0; g < h.groups; ++g) {
    for (std::int64_t first = 0; first < h.length; first += kQueries) {
      const std::int64_t rows = h.length - first < kQueries ? h.length - first : kQueries;
      copy_rows(h.query + g * h.head_size + first * h.stride, rows, h.head_size, h.stride, root(h), r.width,
                r.queries);
      const std::int64_t keys = scores(h, r, first, rows);
      float inverse[kQueries];
      for (std::int64_t i = 0; i < rows; ++i) {
        float* s = r.scores + i * r.keys;
        for (std::int64_t j = first + i + 1; j < keys; ++j) s[j] = -1e30F;
        Vector most = at(s);
        for (std::int64_t j = kLanes; j < keys; j += kLanes) most = at(s + j) > most ? at(s + j) : most;
        const float top = largest(most);
        Vector total = {};
        for (std::int64_t j = 0; j < keys; j += kLanes) total += at(s + j) = exponential(at(s + j) - top);
        for (std::int64_t j = first + i + 1; j < keys; ++j) s[j] = 0;
        const float whole = sum(total);
        inverse[i] = 1.0F / whole;
        h.normaliser[g * h.length + first + i] = top + __builtin_logf(whole);
      }
      product({rows, r.width, first + rows, r.scores, r.keys, 1, r.values_by_size, h.length * kPanel, kPanel,
               r.out, r.width, false});
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t d = 0; d < h.head_size; ++d)
          h.mixed[(first + i) * h.mixed_stride + g * h.head_size + d] = r.out[i * r.width + d] * inverse[i];
    }
  }
}

// For one query: turns scores in r.scores into probabilities, and gradients of probabilities in r.d_scores
// into gradients of scores.
void score_gradient(const HeadAttention& h, const Rooms& r, std::int64_t g, std::int64_t query,
                    std::int64_t i, std::int64_t keys) {
  float *s = r.scores + i * r.keys, *d = r.d_scores + i * r.keys;
  const float normaliser = h.normaliser[g * h.length + query];
  const float* mixed = h.mixed + query * h.mixed_stride + g * h.head_size;
  float delta = 0;
  for (std::int64_t k = 0; k < h.head_size; ++k) delta += mixed[k] * r.d_mixed[i * r.width + k];
  for (std::int64_t j = query + 1; j < keys; ++j) s[j] = -1e30F;
  for (std::int64_t j = 0; j < keys; j += kLanes) {
    const Vector p = exponential(at(s + j) - normaliser);
    at(s + j) = p;
    at(d + j) = p * (at(d + j) - delta);
  }
  for (std::int64_t j = query + 1; j < keys; ++j) s[j] = d[j] = 0;
}

void attention_backward(const HeadAttention& h) {
  const Rooms r(h);
  const std::int64_t size = h.head_size;
  pack_by_key(h.key, h.length, size, h.stride, r.by_key);
  pack_by_key(h.value, h.length, size, h.stride, r.values_by_key);
  pack_by_size(h.key, h.length, size, h.stride, r.by_size);
  for (std::int64_t i = 0; i < h.length * r.width; ++i) r.d_keys[i] = r.d_values[i] = 0;
  for (std::int64_t g = 0; g < h.groups; ++g) {
    for (std::int64_t first = 0; first < h.length; first += kQueries) {
      const std::int64_t rows = h.length - first < kQueries ? h.length - first : kQueries;
      const std::int64_t seen = first + rows;
      copy_rows(h.query + g * size + first * h.stride, rows, size, h.stride, root(h), r.width, r.queries);
      copy_rows(h.d_mixed + g * size + first * h.mixed_stride, rows, size, h.mixed_stride, 1.0F, r.width,
                r.d_mixed);
      const std::int64_t keys = scores(h, r, first, rows);
      product({rows, keys, size, r.d_mixed, r.width, 1, r.values_by_key, size * kPanel, kPanel, r.d_scores,
               r.keys, false});
      for (std::int64_t i = 0; i < rows; ++i) score_gradient(h, r, g, first + i, i, keys);
      product(
          {seen, r.width, rows, r.scores, 1, r.keys, r.d_mixed, kPanel, r.width, r.d_values, r.width, true});
      product(
          {seen, r.width, rows, r.d_scores, 1, r.keys, r.queries, kPanel, r.width, r.d_keys, r.width, true});
      product({rows, r.width, seen, r.d_scores, r.keys, 1, r.by_size, h.length * kPanel, kPanel, r.out,
               r.width, false});
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t d = 0; d < size; ++d)
          h.d_query[(first + i) * h.stride + g * size + d] = r.out[i * r.width + d] * root(h);
    }
  }
  for (std::int64_t t = 0; t < h.length; ++t) {
    for (std::int64_t d = 0; d < size; ++d) {
      h.d_key[t * h.stride + d] = r.d_keys[t * r.width + d];
      h.d_value[t * h.stride + d] = r.d_values[t * r.width + d];
    }
  }
}
