// Matrices of few bits: what they stand for, their products, and models of them.
#include <gtest/gtest.h>

#include "base/tensors/safetensors.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/quantise.hpp"
#include "runtime/sample/drift.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/train/loss.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using Id = MatrixStorage::Id;
using testing::scattered_weights;
using testing::tiny_config;

constexpr Id kAll[] = {Id::int8, Id::llm_int8, Id::nf4};

at::Tensor random_matrix(std::int64_t rows, std::int64_t columns, const std::string& seed) {
  auto matrix = at::empty({rows, columns});
  RandomStream stream("quantise/" + seed);
  for (std::int64_t i = 0; i < matrix.numel(); ++i)
    matrix.mutable_data_ptr<float>()[i] = static_cast<float>(stream.normal());
  return matrix;
}

/// The matrix number by number, by the published definitions: QLoRA's appendix E, section 2 of LLM.int8().
at::Tensor by_definition(const at::Tensor& weight, Id storage) {
  static const std::vector<double> levels = {-1.0,
                                             -0.6961928009986877,
                                             -0.5250730514526367,
                                             -0.39491748809814453,
                                             -0.28444138169288635,
                                             -0.18477343022823334,
                                             -0.09105003625154495,
                                             0.0,
                                             0.07958029955625534,
                                             0.16093020141124725,
                                             0.24611230194568634,
                                             0.33791524171829224,
                                             0.44070982933044434,
                                             0.5626170039176941,
                                             0.7229568362236023,
                                             1.0};
  auto out = weight.clone().contiguous();
  float* x = out.mutable_data_ptr<float>();
  const auto group = storage == Id::nf4 ? 64 : weight.size(1);
  for (std::int64_t begin = 0; begin < out.numel(); begin += group) {
    const auto end = std::min(begin + group, out.numel());
    float most = 0;
    for (auto i = begin; i < end; ++i) most = std::max(most, std::abs(x[i]));
    for (auto i = begin; i < end && most > 0; ++i) {
      if (storage == Id::nf4) {
        const double scaled = static_cast<double>(x[i]) / most;
        double nearest = levels[0];
        for (const double level : levels)
          if (std::abs(level - scaled) < std::abs(nearest - scaled)) nearest = level;
        x[i] = static_cast<float>(nearest) * most;
      } else {
        x[i] = std::round(x[i] / (most / 127)) * (most / 127);
      }
    }
  }
  return out;
}

TEST(QuantiseTest, AMatrixStandsForTheNumbersOfItsDefinition) {
  for (const auto& [rows, columns] :
       {std::pair{1, 1}, {3, 5}, {7, 64}, {5, 65}, {33, 127}, {64, 96}, {2, 31}}) {
    auto weight = random_matrix(rows, columns, fmt::format("{}x{}", rows, columns));
    if (rows > 2) weight[1].zero_();
    for (const auto storage : kAll) {
      const auto matrix = quantise(weight, storage);
      const auto found = dequantise(matrix, at::kFloat);
      ASSERT_EQ(found.sizes(), weight.sizes());
      EXPECT_LT((found - by_definition(weight, storage)).abs().max().item<float>(), 1e-6)
          << name_of(storage) << " " << rows << " x " << columns;
      const auto* row = find_matrix_storage(name_of(storage));
      EXPECT_EQ(static_cast<double>(matrix.values.nbytes() + matrix.scale.nbytes()),
                row->bytes(rows, columns, 4))
          << name_of(storage) << ": the table says what it takes";
      // Numbers that are on their levels stay where they are.
      EXPECT_LT((dequantise(quantise(found, storage), at::kFloat) - found).abs().max().item<float>(), 1e-6);
    }
  }
}

TEST(QuantiseTest, NF4HasTheFirstOfTwoCodesInTheUpperHalfAndTakesTheLowerOfTwoAsNear) {
  const auto matrix = quantise(at::tensor({1.0F, -1.0F, 0.0F, 0.5F, -0.1F}).view({1, 5}), Id::nf4);
  // The last byte has one number; zero stands in its other half.
  EXPECT_TRUE(at::equal(matrix.values, at::tensor({0xF0, 0x7C, 0x67}, at::kByte))) << matrix.values;
  EXPECT_EQ(matrix.scale.item<float>(), 1);
  const float middle = (0.07958029955625534F + 0.0F) / 2;  // of the codes 7 and 8
  const auto between =
      quantise(at::tensor({1.0F, middle, std::nextafter(middle, 1.0F), -1.0F}).view({2, 2}), Id::nf4);
  EXPECT_TRUE(at::equal(between.values, at::tensor({0xF7, 0x80}, at::kByte))) << between.values;
  EXPECT_TRUE(at::equal(dequantise(quantise(at::zeros({3, 50}), Id::nf4), at::kFloat), at::zeros({3, 50})));
}

/// LLM.int8() number by number, with each row's outliers apart.
at::Tensor llm_int8_product(const at::Tensor& x, const QuantisedMatrix& matrix) {
  const auto dequantised = dequantise(matrix, at::kDouble);
  const auto weight = dequantised.accessor<double, 2>();
  const auto values = matrix.values.accessor<std::int8_t, 2>();
  const auto given = x.accessor<float, 2>();
  const auto scale = matrix.scale.accessor<float, 1>();
  auto result = at::zeros({x.size(0), matrix.out}, at::kDouble);
  auto y = result.accessor<double, 2>();
  for (std::int64_t r = 0; r < x.size(0); ++r) {
    double most = 0;
    for (std::int64_t k = 0; k < matrix.in; ++k)
      if (std::abs(given[r][k]) < 6) most = std::max<double>(most, std::abs(given[r][k]));
    for (std::int64_t n = 0; n < matrix.out; ++n) {
      std::int64_t inner = 0;
      double outer = 0;
      for (std::int64_t k = 0; k < matrix.in; ++k) {
        if (std::abs(given[r][k]) >= 6)
          outer += given[r][k] * weight[n][k];
        else if (most > 0)
          inner += std::lround(given[r][k] * 127 / most) * values[n][k];
      }
      y[r][n] = static_cast<double>(inner) * most / 127 * scale[n] + outer;
    }
  }
  return result;
}

TEST(QuantiseTest, ProductsAreThoseOfTheDefinitions) {
  for (const auto& [rows, in, out] : {std::tuple{1, 5, 3}, {16, 33, 7}, {5, 64, 17}, {35, 48, 40}}) {
    const auto weight = random_matrix(out, in, fmt::format("w{}x{}", out, in));
    auto x = random_matrix(rows, in, fmt::format("x{}x{}", rows, in));
    x[0][2] = 9.5;
    x[rows - 1][in - 1] = -6;
    if (rows > 4) x[3].zero_();
    if (rows > 4) x[2].fill_(7);
    const auto bias = random_matrix(1, out, "bias")[0];
    for (const auto storage : kAll) {
      const auto matrix = quantise(weight, storage);
      const auto linear = Linear::quantised(matrix, bias);
      const auto expected =
          (storage == Id::llm_int8 ? llm_int8_product(x, matrix)
                                   : x.to(at::kDouble).matmul(dequantise(matrix, at::kDouble).t())) +
          bias;
      const auto most = expected.abs().max().item<double>();
      EXPECT_LT((linear(x) - expected).abs().max().item<double>(), 1e-5 * most) << name_of(storage);
      EXPECT_LT((linear.each_row(x) - expected).abs().max().item<double>(), 1e-5 * most) << name_of(storage);
      EXPECT_LT((linear(x.to(at::kBFloat16)) - expected).abs().max().item<double>(), 0.05 * most)
          << name_of(storage);
      EXPECT_EQ(linear(x.view({1, rows, in})).sizes(), (std::vector<std::int64_t>{1, rows, out}));
    }
  }
}

TEST(QuantiseTest, IntegerProductsAreExact) {
  for (const auto& [rows, in, out] : {std::tuple{1, 1, 1}, {3, 1023, 5}, {17, 1024, 2}, {5, 3001, 9}}) {
    // The largest numbers of one sign, so that sums are as large as they can be, and others.
    auto x = at::full({rows, in}, 127, at::kChar), values = at::full({out, in}, -127, at::kChar);
    for (std::int64_t n = 1; n < out; ++n)
      for (std::int64_t k = 0; k < in; ++k)
        values.mutable_data_ptr<std::int8_t>()[n * in + k] =
            static_cast<std::int8_t>((n * 37 + k * 101) % 255 - 127);
    const auto expected = at::matmul(x.to(at::kDouble), values.to(at::kDouble).t());
    EXPECT_TRUE(at::equal(integer_product(x, values).to(at::kDouble), expected)) << in;
  }
}

// A row's outliers and its scale are its own: what stands beside it changes nothing, to the bit.
TEST(QuantiseTest, ARowsProductDoesNotDependOnTheOthers) {
  const auto weight = random_matrix(40, 96, "rows");
  auto x = random_matrix(48, 96, "rows of x");
  x[7][3] = 20;
  x[30][3] = -8;
  for (const auto storage : kAll) {
    const auto linear = Linear::quantised(quantise(weight, storage), {});
    const auto all = linear.each_row(x);
    for (const std::int64_t row : {0, 7, 15, 30, 47}) {
      auto alone = at::zeros({16, 96});
      alone[0] = x[row];
      EXPECT_TRUE(at::equal(linear.each_row(alone)[0], all[row])) << name_of(storage) << " " << row;
    }
  }
}

TEST(QuantiseTest, GradientsFlowToXByTheNumbersThatTheMatrixStandsFor) {
  const auto weight = random_matrix(13, 21, "gradient");
  for (const auto storage : kAll) {
    const auto matrix = quantise(weight, storage);
    const auto linear = Linear::quantised(matrix, random_matrix(1, 13, "bias")[0]);
    const auto x = random_matrix(6, 21, "x").view({2, 3, 21}).set_requires_grad(true);
    const auto of_y = random_matrix(6, 13, "of y").view({2, 3, 13});
    (linear(x) * of_y).sum().backward();
    const auto expected = at::matmul(of_y, dequantise(matrix, at::kFloat));
    EXPECT_LT((x.grad() - expected).abs().max().item<float>(), 1e-5) << name_of(storage);
  }
}

/// A model of few bits from a folder, and the same weights rounded once and kept in f32.
class QuantisedModelTest : public ::testing::Test {
 protected:
  QuantisedModelTest() {
    config_.tied_embeddings = false;
    config_.intermediate = 37;  // blocks of nf4 go over the ends of rows
    config_.end_tokens = {0};
    weights_ = scattered_weights(config_);
    write_text(folder_.folder("model") / "config.json", to_json(config_).dump());
    write_safetensors(folder_ / "model/model.safetensors", {weights_, {}});
  }

  std::shared_ptr<const LanguageModel> quantised(Id storage) {
    return load_frozen(folder_ / "model", at::kCPU, at::kFloat, storage);
  }
  LanguageModel rounded(Id storage) {
    auto weights = weights_;
    for (const auto& name : quantised_names(config_))
      weights[name] = dequantise(quantise(weights[name], storage), at::kFloat);
    return {config_, weights, at::kFloat, LanguageModel::Use::frozen_differentiable};
  }
  Lora adapter() {
    const auto patterns =
        nlohmann::json::array({testing::modules("q_proj|down_proj", {{"rank", 5}, {"alpha", 4}})});
    const auto fresh = Lora::fresh(
        config_, lora_settings({{"rank", 3}, {"alpha", 6}, {"patterns", patterns}}, config_.family), 3);
    auto pairs = fresh.pairs();
    for (auto& [module, pair] : pairs)
      pair.b = 0.3 * random_matrix(pair.b.size(0), pair.b.size(1), "b" + std::to_string(module.first));
    return {fresh.settings(), pairs};
  }
  static GenerateSettings settings(std::int64_t rows, int threads) {
    GenerateSettings settings;
    settings.max_tokens = 14;
    settings.ends = {0};
    settings.choices = 300;
    settings.rows = rows;
    settings.threads = threads;
    return settings;
  }
  static std::vector<Prompt> prompts() {
    std::vector<Prompt> made;
    for (int p = 0; p < 5; ++p) {
      Prompt prompt;
      for (int i = 0; i <= 4 * p; ++i) prompt.tokens.push_back((p * 37 + i * 11) % 300);
      for (int s = 0; s < 2; ++s) prompt.samples.push_back(random_key(fmt::format("{}/{}", p, s)));
      made.push_back(prompt);
    }
    return made;
  }
  static std::vector<std::vector<Token>> tokens_of(const std::vector<std::vector<Answer>>& answers) {
    std::vector<std::vector<Token>> tokens;
    for (const auto& samples : answers)
      for (const auto& answer : samples) tokens.push_back(answer.tokens);
    return tokens;
  }

  testing::TemporaryFolder folder_;
  ModelConfig config_ = tiny_config();
  Weights weights_;
};

TEST_F(QuantisedModelTest, IsTheModelOfTheRoundedWeightsAndKeepsNoOthers) {
  const auto tokens = at::arange(40).view({2, 20});
  const LanguageModel whole(config_, weights_, at::kFloat, LanguageModel::Use::frozen);
  for (const auto storage : kAll) {
    const auto model = quantised(storage);
    EXPECT_EQ(model->storage(), storage);
    for (const auto& name : quantised_names(config_)) EXPECT_FALSE(model->weights().contains(name)) << name;
    EXPECT_EQ(model->weights().size() + quantised_names(config_).size(), weights_.size());
    EXPECT_TRUE(at::equal(model->head().weight(), weights_.at("lm_head.weight")))
        << "the head stays as it is";
    const auto logits = model->logits(model->hidden(tokens));
    const auto reference = rounded(storage);
    const auto expected = reference.logits(reference.hidden(tokens));
    const auto most = expected.abs().max().item<float>();
    // llm_int8 rounds activations besides.
    EXPECT_LT((logits - expected).abs().max().item<float>(), (storage == Id::llm_int8 ? 0.15 : 1e-4) * most);
    EXPECT_GT((logits - whole.logits(whole.hidden(tokens))).abs().max().item<float>(), 1e-3 * most);
  }
  EXPECT_NE(quantised(Id::nf4), quantised(Id::int8)) << "models are cached by their storage";
}

// What is sampled is what is trained on: the loops, tensor operations and whole forward passes agree, with an
// adapter that is not merged.
TEST_F(QuantisedModelTest, AnswersAreDrawnFromTheModelThatIsTrained) {
  const auto lora = adapter();
  for (const auto storage : {Id::none, Id::int8, Id::llm_int8, Id::nf4}) {
    const auto model = quantised(storage);
    for (const Lora* adapter : {static_cast<const Lora*>(nullptr), &lora}) {
      const auto expected = tokens_of(generate(*model, adapter, prompts(), settings(32, 1), {}));
      EXPECT_EQ(tokens_of(generate(*model, adapter, prompts(), settings(3, 2), {})), expected)
          << name_of(storage) << ": answers depend neither on batching nor on threads";
      EXPECT_EQ(tokens_of(generate_by_tensors(*model, prompts(), settings(8, 1), {}, adapter)), expected)
          << name_of(storage);
      auto greedy = settings(8, 1);
      greedy.temperature = 0;
      greedy.ends.clear();
      auto tokens = prompts()[3].tokens;
      const auto answer = generate(*model, adapter, {prompts()[3]}, greedy, {})[0][0].tokens;
      tokens.insert(tokens.end(), answer.begin(), answer.end());
      const std::vector<std::int64_t> wide(tokens.begin(), tokens.end());
      const auto best =
          model->logits(model->hidden(at::tensor(wide, at::kLong).unsqueeze(0), adapter))[0].argmax(-1);
      for (std::size_t t = prompts()[3].tokens.size(); t < tokens.size(); ++t)
        EXPECT_EQ(best[static_cast<std::int64_t>(t) - 1].item<std::int64_t>(), tokens[t]) << name_of(storage);
    }
  }
}

TEST_F(QuantisedModelTest, AnAdaptersGradientsAreThoseOnTheRoundedWeights) {
  const std::vector<Document> documents = {{{1, 2, 3, 4, 5, 6, 7}, 3}, {{9, 8, 7, 6}, 1}};
  const auto batch = make_batch(documents, {0, 1}, config_.context, at::kCPU);
  for (const auto storage : {Id::int8, Id::nf4}) {
    const auto gradients = [&](const LanguageModel& model) {
      auto own = adapter().leaves(at::kFloat);
      answer_loss(model, batch, &own).backward();
      return own.gradients();
    };
    const auto found = gradients(*quantised(storage)), expected = gradients(rounded(storage));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_LT((found[i] - expected[i]).abs().max().item<float>(),
                1e-3 * expected[i].abs().max().item<float>() + 1e-6)
          << name_of(storage) << " " << i;
  }
}

TEST_F(QuantisedModelTest, DriftKnowsTheAdapterThatIsNotMerged) {
  const auto model = quantised(Id::nf4);
  const auto lora = adapter();
  const std::vector<Document> documents = {{{1, 2, 3, 4, 5, 6, 7}, 3}};
  const auto none = [] {};
  EXPECT_NEAR(measure_drift(*model, model.get(), documents, none).kl, 0, 1e-6);
  EXPECT_GT(measure_drift(*model, model.get(), documents, none, kDriftBudget, &lora).kl, 1e-3);
}

TEST(QuantiseTest, AnUnknownStorageIsRefusedWithAllThatThereAre) {
  EXPECT_EQ(storage_named("none"), Id::none);
  try {
    storage_named("int4");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.help, "use one of none, int8, llm_int8, nf4");
  }
}

}  // namespace
}  // namespace trl::runtime
