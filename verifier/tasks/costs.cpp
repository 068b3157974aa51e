#include "verifier/tasks/costs.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <optional>

#include "base/operators/dtype.hpp"
#include "base/operators/einsum.hpp"
#include "base/operators/operator_ids.hpp"
#include "verifier/tasks/tensor_layout.hpp"

namespace trl::runtime {
namespace {

using operators::Family;
using Bytes = std::int64_t;

constexpr Bytes index_bytes = 8;  // PyTorch writes the places of largest elements as i64

/// Walks through an expression as PyTorch does and notes each launch.
class Launches {
 public:
  Launches(const Task& task, const Variation& variation)
      : task_(task), variation_(variation), at_(sizes(task, variation)) {}

  Layout visit(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) return {};
    if (node.kind == Expression::Kind::Input) return in_order(node);
    // A module's source computes a value once even if several operators use it. The text of other tasks
    // computes it again.
    if (task_.module)
      for (const auto& [known, layout] : known_)
        if (*known == node) return layout;
    Operands args;
    for (const Expression& argument : node.args) args.push_back(visit(argument));
    const Bytes most_read = read(args);
    const std::size_t before = costs.size();
    Layout value = carry_out(node, args);
    note_single_pass({costs.begin() + static_cast<std::ptrdiff_t>(before), costs.end()}, most_read, node);
    if (task_.module) known_.emplace_back(&node, value);
    return value;
  }

  std::vector<OperatorCost> costs;
  double single_passes = 0;  // as in single_pass_work

 private:
  using Operands = std::vector<Layout>;
  using Axes = Layout::Axes;

  Layout in_order(const Expression& node) const {
    return Layout::in_order(extents(node.shape, at_),
                            bytes_of(varied_dtype(task_, dtype_of(task_, node), variation_)));
  }

  void note_single_pass(const std::vector<OperatorCost>& launches, Bytes most_read, const Expression& node) {
    if (launches.empty()) return;
    Bytes in = 0;
    double flops = 0;
    for (const OperatorCost& one : launches) in += one.bytes_in, flops = std::max(flops, one.flops);
    single_passes += static_cast<double>(std::min(in, most_read) + in_order(node).bytes()) + flops;
  }

  // ---- launches ----

  void launch(const Expression& node, Bytes in, Bytes out, double flops, bool product = false) {
    costs.push_back({node.op, in, out, flops, product});
  }

  /// Launches one kernel for each number in `reads`. Such a kernel reads that many tensors of `bytes` bytes
  /// each and writes one.
  void passes(const Expression& node, Bytes bytes, std::initializer_list<int> reads) {
    for (const int count : reads)
      launch(node, count * bytes, bytes, static_cast<double>(bytes) / static_cast<double>(width_));
  }

  /// One launch that reads all arguments once.
  Layout single(const Expression& node, const Operands& args, Bytes more_out = 0, double flops_each = 1) {
    Layout out = in_order(node);
    std::int64_t most = out.elements();
    for (const Layout& one : args) most = std::max(most, one.elements());
    launch(node, read(args), out.bytes() + more_out, flops_each * static_cast<double>(most));
    return out;
  }

  static Bytes read(const Operands& args) {
    return std::accumulate(args.begin(), args.end(), Bytes{0},
                           [](Bytes sum, const Layout& one) { return sum + one.bytes(); });
  }

  /// Returns the layout of a tensor made contiguous. Notes the copy, unless the elements are in the order of
  /// memory already.
  Layout contiguous(const Expression& node, Layout x) {
    if (x.is_in_order()) return x;
    Layout copy = Layout::in_order(x.extents, x.width);
    launch(node, x.bytes(), copy.bytes(), 0);
    return copy;
  }

  // ---- operators ----

  Layout carry_out(const Expression& node, Operands& args) {
    width_ = args.empty() || args[0].width == 0 ? in_order(node).width : args[0].width;
    const operators::Row& row = operators::row(node.op);
    switch (row.family) {
      case Family::made_of_results:
        return args.front();
      case Family::made_by_module:  // at least one pass over all tensors; no more is known
        return single(node, args);
      case Family::views:
        return view(node, args);
      case Family::parts:
        return part(node, args);
      case Family::products:
        return product(node, args);
      case Family::convolutions:
      case Family::transposed_convolutions:
        return convolution(node, args);
      case Family::norms:
        return norm(node, args);
      case Family::scans:
        return scan(node, args);
      case Family::losses:
        return loss(node, args);
      case Family::pools:
        args[0] = contiguous(node, args[0]);
        return single(
            node, args,
            name_of(node.op).find("max") != std::string::npos ? in_order(node).elements() * index_bytes : 0);
      case Family::reductions:
        return reduction(node, args);
      case Family::made_of_sizes:
        return node.op == Operator::size ? Layout{} : single(node, {});
      case Family::maps:
      case Family::broadcasts:
        return elementwise(node, args);
    }
    return single(node, args);
  }

  Layout elementwise(const Expression& node, const Operands& args) {
    const Layout& x = args.front();
    if (node.op == Operator::to && x.width == in_order(node).width &&
        dtype_of(task_, node) == dtype_of(task_, node.args[0]))
      return x;
    const Bytes bytes = x.bytes();
    switch (node.op) {
      case Operator::softsign:  // x / (|x| + 1)
        passes(node, bytes, {1, 1, 2});
        break;
      case Operator::tanhshrink:  // x - tanh(x)
        passes(node, bytes, {1, 2});
        break;
      case Operator::isinf:  // |x| == inf
        passes(node, bytes, {1});
        single(node, args);
        break;
      case Operator::isfinite: {  // (x == x) * (|x| != inf)
        single(node, args);
        passes(node, bytes, {1});
        single(node, args);
        launch(node, 2 * in_order(node).bytes(), in_order(node).bytes(), 0);
        break;
      }
      case Operator::masked_fill: {  // on a copy
        const Layout out = in_order(node);
        launch(node, x.bytes(), out.bytes(), 0);
        launch(node, out.bytes() + args[1].bytes(), out.bytes(), 0);
        break;
      }
      case Operator::where:  // numbers become tensors first
        for (std::size_t i = 1; i < args.size(); ++i)
          if (node.args[i].kind == Expression::Kind::Constant) launch(node, 0, in_order(node).width, 0);
        single(node, args);
        break;
      default:
        single(node, args);
    }
    // The result has the element order of the first dense argument with the result's shape.
    Layout out = in_order(node);
    for (const Layout& one : args)
      if (one.extents == out.extents && one.is_dense()) {
        out.strides = one.strides;
        break;
      }
    return out;
  }

  Layout view(const Expression& node, const Operands& args) {
    const Layout& x = args.front();
    const auto option = [&](const char* name) { return node.options.at(name).get<std::int64_t>(); };
    switch (node.op) {
      case Operator::transpose: {
        const bool named = node.options.contains("axis0");
        return x.transposed(named ? option("axis0") : 0, named ? option("axis1") : 1);
      }
      case Operator::permute:
        return x.permuted(node.options.at("axes").get<Axes>());
      case Operator::expand:
        return x.expanded(in_order(node).extents);
      case Operator::squeeze:
        return x.without(option("axis"));
      case Operator::unsqueeze:
        return x.with(option("axis"));
      case Operator::reshape:
      case Operator::flatten: {
        const Layout out = in_order(node);
        if (const auto same = x.viewed(out.extents)) return *same;
        launch(node, x.bytes(), out.bytes(), 0);
        return out;
      }
      case Operator::pad: {  // filled, then the inner part is copied
        const Layout out = in_order(node);
        launch(node, 0, out.bytes(), 0);
        launch(node, x.bytes(), x.elements() * x.width, 0);
        return out;
      }
      default:  // cat, stack, repeat_interleave
        return single(node, args, 0, 0);
    }
  }

  Layout part(const Expression& node, Operands& args) {
    const Layout out = in_order(node);
    const auto axis = [&] { return node.options.at("axis").get<std::int64_t>(); };
    // The rows that an index names are read; at most, that is the whole table.
    const auto picked = [&](const Layout& from, const Layout& index) {
      launch(node, index.bytes() + std::min(out.bytes(), from.bytes()), out.bytes(), 0);
      return out;
    };
    switch (node.op) {
      case Operator::narrow:
        return args[0].with_extents(out.extents);
      case Operator::select:
        return args[0].without(axis());
      case Operator::embedding:
        return picked(args[1], args[0]);
      case Operator::gather:
      case Operator::index_select:
        return picked(args[0], args[1]);
      case Operator::index_add:
      case Operator::scatter_add: {  // on a copy
        launch(node, args[0].bytes(), out.bytes(), 0);
        const Bytes touched = std::min(args[2].bytes(), out.bytes());
        launch(node, args[1].bytes() + args[2].bytes() + touched, touched,
               static_cast<double>(args[2].elements()));
        return out;
      }
      default:  // segment_reduce: the offsets, then the segments
        launch(node, args[1].bytes(), args[1].bytes(), 0);
        return single(node, args);
    }
  }

  Layout reduction(const Expression& node, const Operands& args) {
    if (node.op != Operator::logsumexp) return single(node, args);
    // amax; |max| == inf becomes 0; exp(x - max); sum; log and + max
    const Bytes wide = args[0].bytes(), narrow = in_order(node).bytes();
    launch(node, wide, narrow, 0);
    passes(node, narrow, {1, 1, 2});
    launch(node, wide + narrow, wide, 0);
    passes(node, wide, {1});
    launch(node, wide, narrow, 0);
    passes(node, narrow, {1, 2});
    return in_order(node);
  }

  Layout scan(const Expression& node, Operands& args) {
    constexpr double flops_each = 5;  // of a function over its statistics
    Layout& x = args.front();
    const Layout out = in_order(node);
    const Bytes bytes = out.bytes(), places = out.elements() * index_bytes;
    switch (node.op) {
      case Operator::glu:
      case Operator::flip:
      case Operator::roll:
      case Operator::tril:
      case Operator::triu:
        return single(node, args);
      case Operator::layer_norm:
      case Operator::rms_norm:
        return norm_of_rows(node, args, flops_each);
      case Operator::normalize: {  // length, at least eps, x over it
        const Bytes lengths =
            bytes / std::max<Bytes>(x.extents.empty() ? 1 : x.extents.at(axis_of(node, x)), 1);
        launch(node, x.bytes(), lengths, static_cast<double>(x.elements()));
        passes(node, lengths, {1});
        launch(node, x.bytes() + lengths, bytes, static_cast<double>(x.elements()));
        return out;
      }
      default:
        break;
    }
    x = contiguous(node, x);
    switch (node.op) {
      case Operator::softmin:  // softmax(-x)
        passes(node, x.bytes(), {1});
        return single(node, args, 0, flops_each);
      case Operator::softmax:
      case Operator::log_softmax:
        return single(node, args, 0, flops_each);
      case Operator::cummax:
      case Operator::cummin:
        return single(node, args, places);
      case Operator::sort:
      case Operator::argsort: {  // a copy, the places in order, two copies of these, and both sorted
        const Bytes values = x.bytes();
        launch(node, values, values, 0);
        launch(node, 0, places, 0);
        for (int i = 0; i < 2; ++i) launch(node, places, places, 0);
        launch(node, values + places, values + places, static_cast<double>(x.elements()));
        return out;
      }
      case Operator::topk: {  // found, then sorted
        launch(node, x.bytes(), bytes + places, static_cast<double>(x.elements()));
        launch(node, bytes + places, bytes + places, 0);
        return out;
      }
      default:  // cumsum, cumprod, logcumsumexp
        return single(node, args);
    }
  }

  static std::size_t axis_of(const Expression& node, const Layout& x) {
    const std::int64_t axis =
        node.options.contains("axis") ? node.options.at("axis").get<std::int64_t>() : node.axis;
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(x.extents.size()) : axis);
  }

  /// layer_norm and rms_norm: PyTorch's kernel for the last axes, else the formula that the prompt writes.
  Layout norm_of_rows(const Expression& node, Operands& args, double flops_each) {
    constexpr std::int64_t vector = 4;  // elements that the kernel for whole rows reads at once
    Layout& x = args.front();
    const Layout out = in_order(node);
    const Bytes bytes = out.bytes();
    const bool last = !node.axes.empty() || axis_of(node, x) + 1 == x.extents.size();
    if (last) {
      x = contiguous(node, x);
      const std::size_t axes = std::max<std::size_t>(node.axes.size(), 1);
      const std::int64_t row =
          product_of({x.extents.end() - static_cast<std::ptrdiff_t>(axes), x.extents.end()});
      if (row % vector != 0) launch(node, x.bytes(), 2 * x.bytes() / row, 0);  // the statistics beforehand
      return single(node, args, 0, flops_each);
    }
    const Bytes rows = bytes / x.extents[axis_of(node, x)];
    if (node.op == Operator::rms_norm)
      passes(node, bytes, {1});  // x * x
    else
      launch(node, x.bytes(), rows, static_cast<double>(x.elements()));             // mean
    if (node.op == Operator::layer_norm) launch(node, x.bytes() + rows, bytes, 0);  // x - mean
    launch(node, x.bytes(), rows, static_cast<double>(x.elements()));  // mean of squares, variance
    passes(node, rows, {1, 1});                                        // + eps, rsqrt
    launch(node, x.bytes() + rows, bytes, 0);
    return out;
  }

  Layout norm(const Expression& node, Operands& args) {
    Layout& x = args.front();
    x = contiguous(node, x);
    const Bytes weights = read(args) - x.bytes();
    const bool weighted = args.size() > 1;
    const std::int64_t samples = x.extents.at(0), channels = x.extents.at(1);
    // A mean and a deviation are kept for each channel of the batch, each group, or each channel of a sample.
    const Bytes statistics =
        8 * (node.op == Operator::batch_norm   ? channels
             : node.op == Operator::group_norm ? samples * node.options.at("num_groups").get<std::int64_t>()
                                               : samples * channels);
    const double elements = static_cast<double>(x.elements());
    if (node.op == Operator::instance_norm)  // a weight and a bias are repeated for each sample
      for (std::size_t i = 1; i < args.size(); ++i)
        launch(node, args[i].bytes(), samples * args[i].bytes(), 0);
    if (weighted && node.op != Operator::group_norm) {  // cuDNN's kernel holds the values that it read
      launch(node, x.bytes() + weights, x.bytes() + statistics, 3 * elements);
      return in_order(node);
    }
    launch(node, x.bytes(), statistics, elements);
    if (weighted)  // factor and summand of each channel of a sample
      launch(node, statistics + weights, 8 * samples * channels, 0);
    else if (node.op != Operator::group_norm)  // deviations
      launch(node, statistics / 2, statistics / 2, 0);
    launch(node, x.bytes() + statistics + weights, x.bytes(), 2 * elements);
    return in_order(node);
  }

  Layout convolution(const Expression& node, Operands& args) {
    const bool transposed = operators::row(node.op).family == Family::transposed_convolutions;
    for (std::size_t i = 0; i < 2; ++i) args[i] = contiguous(node, args[i]);
    const Layout out = in_order(node);
    const double sums = static_cast<double>(transposed ? args[0].elements() : out.elements());
    launch(node, args[0].bytes() + args[1].bytes(), out.bytes(),
           2 * sums * static_cast<double>(args[1].elements()) / static_cast<double>(args[1].extents[0]));
    if (args.size() > 2)  // cuDNN's result gets the bias by a launch of its own
      launch(node, out.bytes() + args[2].bytes(), out.bytes(), static_cast<double>(out.elements()));
    return out;
  }

  // ---- products ----

  static std::int64_t product_of(const Axes& axes) {
    return std::accumulate(axes.begin(), axes.end(), std::int64_t{1}, std::multiplies<>());
  }

  /// Whether cuBLAS can take the tensor without a copy: with all rows as one matrix if `folded`, else as a
  /// batch of matrices along one axis. One of the tensor's last two axes must be contiguous.
  static bool is_matrix(const Layout& x, bool folded) {
    const std::size_t rank = x.extents.size();
    if (rank < 2) return true;
    if (x.strides[rank - 1] != 1 && x.strides[rank - 2] != 1) return false;
    const Axes batch(x.extents.begin(), x.extents.end() - 2);
    const Axes matrix(x.extents.end() - 2, x.extents.end());
    if (folded) return x.viewed({product_of(batch) * matrix[0], matrix[1]}).has_value();
    return x.viewed({product_of(batch), matrix[0], matrix[1]}).has_value();
  }

  Layout product(const Expression& node, Operands& args) {
    const Layout out = in_order(node);
    const auto flops = [&](double terms) { return 2 * static_cast<double>(out.elements()) * terms; };
    const auto extent = [&](std::size_t i, std::size_t from_end) {
      return static_cast<double>(args[i].extents.at(args[i].extents.size() - from_end));
    };
    switch (node.op) {
      case Operator::matmul: {
        const bool batched = args[0].extents.size() > 2 && args[1].extents.size() > 2;
        for (Layout& one : args) {
          if (batched) {
            Axes whole(out.extents.begin(), out.extents.end() - 2);
            whole.insert(whole.end(), one.extents.end() - 2, one.extents.end());
            one = one.expanded(whole);
          }
          if (!is_matrix(one, false) && (batched || !is_matrix(one, true))) one = contiguous(node, one);
        }
        launch(node, read(args), out.bytes(), flops(extent(0, 1)), true);
        return out;
      }
      case Operator::linear: {
        const double terms = flops(extent(0, 1));
        if (args.size() < 3 || is_matrix(args[0], true)) {
          launch(node, read(args), out.bytes(), terms, true);
        } else {  // a batch of products, then the bias
          launch(node, args[0].bytes() + args[1].bytes(), out.bytes(), terms, true);
          launch(node, out.bytes() + args[2].bytes(), out.bytes(), static_cast<double>(out.elements()));
        }
        return out;
      }
      case Operator::scaled_dot_product_attention:
        launch(node, read(args), out.bytes(),
               2 * extent(1, 2) * static_cast<double>(args[0].elements() + out.elements()), true);
        return out;
      case Operator::einsum: {
        const auto equation = operators::parse_einsum(node.options.at("equation").get<std::string>()).value();
        double terms = 1;
        for (const char letter : equation.summed()) {
          const std::size_t of_x = equation.x.find(letter), of_y = equation.y.find(letter);
          terms *= static_cast<double>(of_x != std::string::npos ? args[0].extents.at(of_x)
                                                                 : args[1].extents.at(of_y));
        }
        launch(node, read(args), out.bytes(), flops(terms), true);
        return out;
      }
      case Operator::rotary_embedding: {  // four products, two sums, and both halves joined
        const Bytes half = out.bytes() / 2;
        for (int i = 0; i < 4; ++i) launch(node, half + args[1].bytes(), half, 0);
        passes(node, half, {2, 2});
        launch(node, out.bytes(), out.bytes(), 0);
        return out;
      }
      default:  // outer
        return single(node, args);
    }
  }

  // ---- losses ----

  Layout loss(const Expression& node, Operands& args) {
    const Layout out = in_order(node);
    const auto stated = node.options.find("reduction");
    const std::string reduction = stated == node.options.end() ? "" : stated->second.get<std::string>();
    Bytes wide = 0;  // the bytes of the tensors of differences
    for (const Layout& one : args) wide = std::max(wide, one.bytes());
    const auto reduce = [&](Bytes bytes) {
      if (reduction == "none" || reduction.empty()) return;
      launch(node, bytes, out.bytes(), static_cast<double>(bytes) / static_cast<double>(width_));
      if (reduction == "batchmean") passes(node, out.bytes(), {1});
    };
    const auto lengths = [&](Bytes rows) {  // |x - y + eps| of each row
      passes(node, wide, {2, 1});
      launch(node, wide, rows, 0);
    };
    switch (node.op) {
      case Operator::mse_loss:
      case Operator::huber_loss:
      case Operator::smooth_l1_loss:
        passes(node, wide, {2});
        break;
      case Operator::l1_loss:  // x - y, |…|
        passes(node, wide, {2, 1});
        break;
      case Operator::kl_div:  // y log y, y x, their difference; or exp(y), y - x, their product
        passes(node, wide, {1, 2, 2});
        break;
      case Operator::binary_cross_entropy_with_logits:  // logsigmoid(x), 1, 1 - y, * x, - logsigmoid(x)
        launch(node, 0, width_, 0);
        passes(node, wide, {1, 1, 2, 2});
        break;
      case Operator::soft_margin_loss:  // -y, * x, exp, log1p; then the result is copied
        passes(node, wide, {1, 2, 1, 1});
        reduce(wide);
        if (out.bytes() < wide) passes(node, out.bytes(), {1});
        return out;
      case Operator::margin_ranking_loss:  // -y, x1 - x2, their product, + margin, at least 0
        passes(node, wide, {1, 2, 2, 1, 1});
        break;
      case Operator::hinge_embedding_loss:  // 0, margin, - x, at least 0, y != 1, where, y != -1, where, +
        passes(node, wide, {0, 0, 2, 1, 1, 3, 1, 3, 2});
        break;
      case Operator::pairwise_distance:
        lengths(out.bytes());
        return out;
      case Operator::triplet_margin_loss: {
        const Bytes rows = wide / std::max<Bytes>(args[0].extents.back(), 1);
        lengths(rows);
        lengths(rows);
        passes(node, rows, {1, 2, 1});  // + margin, - the other, at least 0
        reduce(rows);
        return out;
      }
      case Operator::cosine_similarity: {  // for x and y: length, a copy, at least eps, x over it; then the
                                           // sum
        for (int i = 0; i < 2; ++i) {
          launch(node, wide, out.bytes(), 0);
          passes(node, out.bytes(), {1, 1});
          launch(node, wide + out.bytes(), wide, 0);
        }
        launch(node, 0, width_, 0);  // the number eps
        passes(node, wide, {2});
        launch(node, wide, out.bytes(), 0);
        return out;
      }
      case Operator::nll_loss:
        launch(node, read(args) - args[0].bytes() + args[1].elements() * args[0].width, out.bytes(), 0);
        return out;
      case Operator::cross_entropy:
        return cross_entropy(node, args);
      default:
        single(node, args);
    }
    reduce(wide);
    return out;
  }

  Layout cross_entropy(const Expression& node, Operands& args) {
    const Layout out = in_order(node);
    const Layout x = contiguous(node, args[0]);
    const Bytes wide = x.bytes();
    const bool smooth = attribute(node, "label_smoothing") != 0;
    launch(node, wide, wide, 5 * static_cast<double>(x.elements()));  // log_softmax
    if (!operators::is_integer(dtype_of(task_, node.args[1]))) {      // a target of probabilities
      if (smooth) passes(node, wide, {1, 1});
      passes(node, wide, {2});
      launch(node, wide, out.bytes(), static_cast<double>(x.elements()));
      passes(node, out.bytes(), {1, 1});  // -, over the number of rows
      return out;
    }
    const Bytes rows = args[1].elements() * x.width;
    launch(node, args[1].bytes() + rows, out.bytes(), 0);  // nll_loss
    if (smooth) {
      launch(node, wide, rows, static_cast<double>(x.elements()));  // sum over the classes
      passes(node, rows, {1, 1, 2, 1, 1});  // -, ignored rows found, filled, others, and these as integers
      for (int i = 0; i < 2; ++i) launch(node, rows, out.bytes(), 0);  // their number and sum
      passes(node, out.bytes(), {2, 1, 1, 2});                         // mean, both losses weighed and added
    }
    return out;
  }

  const Task& task_;
  const Variation& variation_;
  const Sizes at_;
  Bytes width_ = 4;  // the bytes of an element of the operator's first argument
  std::vector<std::pair<const Expression*, Layout>> known_;
};

}  // namespace

std::vector<OperatorCost> operator_costs(const Task& task, const Variation& variation) {
  Launches launches(task, variation);
  launches.visit(task.value);
  return std::move(launches.costs);
}

double single_pass_work(const Task& task, const Variation& variation) {
  Launches launches(task, variation);
  launches.visit(task.value);
  return launches.single_passes;
}

}  // namespace trl::runtime
