#include "verifier/executor/machine/tracer.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "verifier/executor/program/operation_names.hpp"

namespace trl::executor {
namespace {

std::string text_of(double value) {
  if (std::isnan(value)) return "nan";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

// ---- values and their origins ----

Tracer::Origins& Tracer::origins(Frame& frame, int value) {
  if (frame.origins.empty()) frame.origins.resize(frame.slots.size());
  return frame.origins[static_cast<std::size_t>(value)];
}

std::uint32_t Tracer::origin(Frame& frame, int value, std::int64_t element) {
  const Origins& list = origins(frame, value);
  if (list.empty()) return 0;
  const std::size_t at = list.size() == 1 ? 0 : static_cast<std::size_t>(element);
  return at < list.size() ? list[at] : 0;
}

bool Tracer::real(const Frame& frame, int value) const {
  return is_float(machine_.value(frame, value).type.scalar);
}

const std::byte* Tracer::raw(Frame& frame, int value, std::int64_t element) {
  const Machine::Slot& slot = machine_.slot(frame, value);
  return slot.data + (slot.n == 1 ? 0 : element) * slot.size;
}

double Tracer::number(Frame& frame, int value, std::int64_t element) {
  const Scalar scalar = machine_.value(frame, value).type.scalar;
  const std::byte* const from = raw(frame, value, element);
  if (scalar == Scalar::f64) {
    double wide;
    std::memcpy(&wide, from, sizeof wide);
    return wide;
  }
  if (is_float(scalar)) {
    float narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    return narrow;
  }
  std::int64_t integer = 0;
  std::memcpy(&integer, from, static_cast<std::size_t>(storage_bytes(scalar)));
  return static_cast<double>(integer);
}

std::uint32_t Tracer::add(const ir::Operation& op, std::string what, std::uint32_t cause) {
  return trace_.add({std::move(what), machine_.findings_.source(op.location)}, cause);
}

void Tracer::Search::see(double element, std::uint32_t number) {
  if (std::isnan(element) && !nan) {
    nan = true;
    origin = number;
  } else if (std::isinf(element) && !nan && !inf) {
    inf = true;
    origin = number;
  }
}

// ---- after operations ----

void Tracer::after(Frame& frame, const ir::Operation& op) {
  if (paused_) return;
  switch (op.code) {
    case Code::constant:
      return constant(frame, op);
    case Code::splat:
    case Code::reshape:
    case Code::broadcast:
    case Code::trans:
    case Code::join:
    case Code::cat:
    case Code::split:
    case Code::gather:
      return moved(frame, op);
    case Code::load:
    case Code::atomic_rmw:
    case Code::atomic_cas:
      load(frame, op);
      if (op.code == Code::atomic_rmw) store(frame, op);
      return;
    case Code::store:
      return store(frame, op);
    case Code::reduce:
    case Code::scan:
      return along_axis(frame, op);
    case Code::dot:
      return dot(frame, op);
    case Code::dot_scaled:
      return note(frame, op.results[0], [&](std::int64_t i, double value) {
        Search search;
        search.see(number(frame, op.operands[2], i), origin(frame, op.operands[2], i));
        return explain(op, search, value, [&] { return "a scaled dot gives " + text_of(value); });
      });
    case Code::map:
      return mapped(frame, op);
    default:
      if (is_elementwise(op.code)) elementwise(frame, op);
  }
}

void Tracer::assign(Frame& to_frame, const int* to, Frame& from_frame, const int* from, std::size_t count) {
  if (paused_) return;
  std::vector<Origins> taken(count);
  for (std::size_t i = 0; i < count; ++i) taken[i] = origins(from_frame, from[i]);
  for (std::size_t i = 0; i < count; ++i) origins(to_frame, to[i]) = std::move(taken[i]);
}

void Tracer::constant(Frame& frame, const ir::Operation& op) {
  Origins& list = origins(frame, op.results[0]);
  list.clear();
  if (!real(frame, op.results[0])) return;
  const std::int64_t n = machine_.slot(frame, op.results[0]).n;
  for (std::int64_t i = 0; i < n; ++i) {
    const double value = number(frame, op.results[0], i);
    if (std::isfinite(value)) continue;
    list.resize(static_cast<std::size_t>(n), 0);
    list[static_cast<std::size_t>(i)] = add(op, "the constant is " + text_of(value));
  }
}

/// The operation with its numbers, as `a / b is nan` or `exp(a) is inf`.
std::string Tracer::expression(Frame& frame, const ir::Operation& op, std::int64_t element) {
  std::string text;
  const std::string_view name = operation_name(op.code), sign = operation_sign(op.code);
  if (!sign.empty() && op.operands.size() == 2) {
    text = text_of(number(frame, op.operands[0], element)) + " " + std::string(sign) + " " +
           text_of(number(frame, op.operands[1], element));
  } else {
    for (const int operand : op.operands) {
      text += (text.empty() ? "" : ", ") + text_of(number(frame, operand, element));
    }
    text = std::string(name) + "(" + text + ")";
  }
  const Type& type = machine_.value(frame, op.results[0]).type;
  if (op.code == Code::truncf || op.code == Code::truncf_rtz)
    text += std::string(" as ") + trl::executor::name(type.scalar);
  return text + " is " + text_of(number(frame, op.results[0], element));
}

template <class Find>
void Tracer::note(Frame& frame, int result, Find find) {
  Origins& list = origins(frame, result);
  list.clear();
  if (!real(frame, result)) return;
  const std::int64_t n = machine_.slot(frame, result).n;
  for (std::int64_t i = 0; i < n; ++i) {
    const double value = number(frame, result, i);
    if (std::isfinite(value)) continue;
    const std::uint32_t origin = find(i, value);
    list.resize(static_cast<std::size_t>(n), 0);
    list[static_cast<std::size_t>(i)] = origin;
  }
}

template <class What>
std::uint32_t Tracer::explain(const ir::Operation& op, const Search& search, double value, What what) {
  const bool handed_on = search.origin != 0 && (search.nan || (search.inf && std::isinf(value)));
  return handed_on ? search.origin : add(op, what(), search.origin);
}

void Tracer::elementwise(Frame& frame, const ir::Operation& op) {
  note(frame, op.results[0], [&](std::int64_t i, double value) {
    Search search;
    if (op.code == Code::select) {
      const int chosen = op.operands[holds(frame, op.operands[0], i) ? 1 : 2];
      search.see(number(frame, chosen, i), origin(frame, chosen, i));
    } else {
      for (const int operand : op.operands) {
        if (real(frame, operand)) search.see(number(frame, operand, i), origin(frame, operand, i));
      }
    }
    return explain(op, search, value, [&] { return expression(frame, op, i); });
  });
}

void Tracer::mapped(Frame& frame, const ir::Operation& op) {
  for (const int result : op.results) {
    note(frame, result, [&](std::int64_t i, double value) {
      Search search;
      for (const int operand : op.operands) {
        if (real(frame, operand)) search.see(number(frame, operand, i), origin(frame, operand, i));
      }
      return explain(op, search, value, [&] { return "the mapped function gives " + text_of(value); });
    });
  }
}

/// Carries out the operation itself on origins instead of elements.
void Tracer::moved(Frame& frame, const ir::Operation& op) {
  const std::size_t sources = op.code == Code::join || op.code == Code::cat ? 2 : 1;
  bool any = false;
  for (std::size_t i = 0; i < sources; ++i) any = any || !origins(frame, op.operands[i]).empty();
  for (const int result : op.results) origins(frame, result).clear();
  if (!any) return;
  std::vector<std::pair<int, Machine::Slot>> saved;
  std::vector<Origins> from(sources), to(op.results.size());
  const auto borrow = [&](int value, Origins& list) {
    Machine::Slot& slot = machine_.slot(frame, value);
    saved.emplace_back(value, slot);
    slot.data = slot.own = reinterpret_cast<std::byte*>(list.data());
    slot.size = sizeof(std::uint32_t);
  };
  for (std::size_t i = 0; i < sources; ++i) {
    from[i] = origins(frame, op.operands[i]);
    from[i].resize(static_cast<std::size_t>(machine_.slot(frame, op.operands[i]).n), 0);
    if (i == 0 || op.operands[1] != op.operands[0]) borrow(op.operands[i], from[i]);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i].resize(static_cast<std::size_t>(machine_.value(frame, op.results[i]).count), 0);
    borrow(op.results[i], to[i]);
    machine_.slot(frame, op.results[i]).capacity = static_cast<std::int64_t>(to[i].size());
  }
  switch (op.code) {
    case Code::broadcast:
      machine_.broadcast(frame, op);
      break;
    case Code::trans:
      machine_.trans(frame, op);
      break;
    case Code::join:
    case Code::cat:
      machine_.join(frame, op);
      break;
    case Code::split:
      machine_.split(frame, op);
      break;
    case Code::gather:
      machine_.gather(frame, op);
      break;
    default:
      machine_.share(frame, op.results[0], op.operands[0],
                     op.code == Code::splat ? 1 : machine_.slot(frame, op.operands[0]).n);
  }
  for (const int result : op.results) {
    const Machine::Slot& slot = machine_.slot(frame, result);
    const auto* const numbers = reinterpret_cast<const std::uint32_t*>(slot.data);
    Origins& list = origins(frame, result);
    list.assign(numbers, numbers + slot.n);
    for (std::uint32_t& number : list) {
      if (number > trace_.origins_.size()) number = 0;  // a gather with an index outside of the block
    }
  }
  for (auto one = saved.rbegin(); one != saved.rend(); ++one) machine_.slot(frame, one->first) = one->second;
}

// ---- memory ----

namespace {

std::uint64_t place_of(const std::byte* pointer) {
  std::uint64_t packed;
  std::memcpy(&packed, pointer, sizeof packed);
  return packed;
}

}  // namespace

std::uint32_t Tracer::loaded(Frame& frame, const ir::Operation& op, std::int64_t element, double value) {
  const bool is_load = op.code == Code::load;
  const std::size_t mask = is_load ? 1 : 2;
  if (op.has_mask && !holds(frame, op.operands[mask], element)) {
    if (!op.has_other) return add(op, "the mask is off: what the atomic gives there is undefined");
    const std::uint32_t other = origin(frame, op.operands[2], element);
    return other != 0 ? other : add(op, "`other` is " + text_of(value) + " where the mask is off");
  }
  const std::uint64_t pointer = place_of(raw(frame, op.operands[0], element));
  const int buffer = address::buffer(pointer);
  const std::int64_t offset = address::offset(pointer), size = memory_bytes(op.scalar);
  if (buffer < 0 || buffer >= machine_.places_.size()) return add(op, "the load is outside of every buffer");
  const Place& place = machine_.places_[buffer];
  if (offset < 0 || offset > place.size - size) return add(op, "the load is outside of " + *place.name);
  if (offset % size != 0) return add(op, "the load's address is misaligned");
  if (is_load && place.written != nullptr &&
      std::memchr(place.written + offset, 0, static_cast<std::size_t>(size)))
    return add(op, "nothing has written what is loaded from " + *place.name);
  const std::uint32_t known = trace_.at(Trace::key(buffer, offset));
  return known != 0 ? known : add(op, *place.name + " holds " + text_of(value));
}

void Tracer::load(Frame& frame, const ir::Operation& op) {
  note(frame, op.results[0], [&](std::int64_t i, double value) { return loaded(frame, op, i, value); });
}

void Tracer::store(Frame& frame, const ir::Operation& op) {
  if (!real(frame, op.operands[1])) return;
  std::int64_t n = 1;
  for (const int operand : op.operands) n = std::max(n, machine_.slot(frame, operand).n);
  for (std::int64_t i = 0; i < n; ++i) {
    if (op.has_mask && !holds(frame, op.operands[2], i)) continue;
    if (std::isfinite(number(frame, op.operands[1], i))) continue;
    const std::uint64_t pointer = place_of(raw(frame, op.operands[0], i));
    trace_.put(Trace::key(address::buffer(pointer), address::offset(pointer)),
               origin(frame, op.operands[1], i));
  }
}

// ---- blocks ----

void Tracer::along_axis(Frame& frame, const ir::Operation& op) {
  const Axis axis = machine_.axis_of(frame, op);
  const bool scan = op.code == Code::scan;
  const std::int64_t length = scan ? axis.length : 1;
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    note(frame, op.results[r], [&](std::int64_t i, double value) {
      const std::int64_t inner = i % axis.inner, at = i / axis.inner % length,
                         outer = i / axis.inner / length;
      Search search;
      for (std::int64_t k = 0; k < axis.length; ++k) {
        if (scan && (op.reverse ? k < at : k > at)) continue;
        const std::int64_t element = (outer * axis.length + k) * axis.inner + inner;
        search.see(number(frame, op.operands[r], element), origin(frame, op.operands[r], element));
      }
      return explain(op, search, value, [&] {
        return std::string(search.inf ? "infinite" : "finite") + " values, put together, give " +
               text_of(value);
      });
    });
  }
}

void Tracer::dot(Frame& frame, const ir::Operation& op) {
  const std::vector<std::int32_t>& shape = machine_.value(frame, op.results[0]).type.shape;
  const std::size_t rank = shape.size();
  const std::int64_t m = shape[rank - 2], n = shape[rank - 1];
  const std::int64_t k = machine_.value(frame, op.operands[0]).type.shape[rank - 1];
  note(frame, op.results[0], [&](std::int64_t i, double value) {
    const std::int64_t batch = i / (m * n), row = i / n % m, column = i % n;
    Search search;
    search.see(number(frame, op.operands[2], i), origin(frame, op.operands[2], i));
    for (std::int64_t p = 0; p < k; ++p) {
      const std::int64_t a = (batch * m + row) * k + p, b = (batch * k + p) * n + column;
      search.see(number(frame, op.operands[0], a), origin(frame, op.operands[0], a));
      search.see(number(frame, op.operands[1], b), origin(frame, op.operands[1], b));
    }
    return explain(op, search, value, [&] { return "a dot of finite values gives " + text_of(value); });
  });
}

}  // namespace trl::executor
