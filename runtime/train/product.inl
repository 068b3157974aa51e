// Products of matrices in tiles that stay in registers.

// The part of a Vector that a register holds. GCC 12 keeps wider vectors in memory, not in pairs of
// registers, and on processors without AVX-512 a product then takes twenty times as long. Each number is the
// same sum in the same order.
#if defined(__AVX512F__)
constexpr int kTileRows = 8;  // a tile has so many rows of two vectors each, which takes half of 32 registers
constexpr int kPartLanes = 16;
#elif defined(__AVX__)
constexpr int kTileRows = 3;  // of four parts: 12 of 16 registers, 3 for numbers of a and one for parts of b
constexpr int kPartLanes = 8;
#else
constexpr int kTileRows = 2;
constexpr int kPartLanes = 4;
#endif
typedef float Part __attribute__((vector_size(4 * kPartLanes), aligned(4), may_alias));

template <int Rows, int Vectors>
__attribute__((always_inline)) inline void tile(const Product& p, const float* a, const float* b, float* c,
                                                const float* next, std::int64_t step) {
  constexpr int parts = Vectors * kLanes / kPartLanes;
  const auto part = [](const float* numbers) { return *reinterpret_cast<const Part*>(numbers); };
  Part total[Rows][parts];
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < parts; ++v) total[r][v] = p.add ? part(c + r * p.c_row + v * kPartLanes) : Part{};
  for (std::int64_t k = 0; k < p.count; ++k, next += step) {
    __builtin_prefetch(next, 0, 2);
    Part row[parts];
    for (int v = 0; v < parts; ++v) row[v] = part(b + v * kPartLanes);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < parts; ++v) total[r][v] += row[v] * a[r * p.a_row];
    a += p.a_step;
    b += p.b_row;
  }
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < parts; ++v) *reinterpret_cast<Part*>(c + r * p.c_row + v * kPartLanes) = total[r][v];
}

template <int Count>
struct Rows {
  static constexpr int value = Count;
};

template <int Vectors>
void panel(const Product& p, const float* b, float* c) {
  // Prefetches the next panel into the cache, a few floats at each row of this one: waiting for panels that
  // were used long ago would take a third of the time.
  const std::int64_t step = p.rows > kTileRows ? (kPanel * kTileRows - 1) / p.rows + 1 : 0;
  const float* next = b + p.b_panel;
  std::int64_t i = 0;
  for (; i + kTileRows <= p.rows; i += kTileRows, next += step * p.count)
    tile<kTileRows, Vectors>(p, p.a + i * p.a_row, b, c + i * p.c_row, next, step);
  const auto rest = [&](auto rows) {
    tile<decltype(rows)::value, Vectors>(p, p.a + i * p.a_row, b, c + i * p.c_row, next, 0);
    i += decltype(rows)::value;
  };
  if constexpr (kTileRows > 4)
    if (i + 4 <= p.rows) rest(Rows<4>());
  if constexpr (kTileRows > 2)
    if (i + 2 <= p.rows) rest(Rows<2>());
  if (i < p.rows) rest(Rows<1>());
}

void product(const Product& p) {
  std::int64_t column = 0;
  const float* b = p.b;
  for (; column + kPanel <= p.width; column += kPanel, b += p.b_panel) panel<2>(p, b, p.c + column);
  if (column < p.width) panel<1>(p, b, p.c + column);
}
