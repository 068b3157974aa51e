// The request `merge`: a model's weights with an adapter in its matrices.
#include "base/stage/stage.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/model/load.hpp"

namespace trl::runtime {

nlohmann::json run_merge(Stage& stage) {
  const auto config = read_config(stage.input("model"));
  const auto weights = read_weights(stage.input("model"), config);
  const auto lora = read_adapter(stage.input("adapter"), config);
  stage.check_cancelled();
  Safetensors content;
  content.metadata["format"] = "pt";
  content.tensors = lora.merged(weights);
  stage.check_cancelled();
  write_safetensors(stage.output / "model.safetensors", content);
  return {{"matrices", lora.pairs().size()}};
}

}  // namespace trl::runtime
