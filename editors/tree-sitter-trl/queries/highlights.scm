; What is what in a .trl file. A later pattern wins over an earlier one.

(comment) @comment
(doc) @comment.documentation

[ "if" "then" "else" ] @keyword.conditional
[ "and" "or" "not" "in" ] @keyword.operator
[ "import" "as" ] @keyword.import
"allow" @keyword.directive

(identifier) @variable
(path (identifier) . (identifier) @variable.member)
(member name: (identifier) @variable.member)

(import path: (path (identifier) @module))
(import name: (identifier) @module)

(kind) @keyword.type
(declared) @type.definition
((declaration kind: (kind) @keyword.type name: (declared) @constant)
  (#eq? @keyword.type "let"))
((declaration kind: (kind) @keyword.type name: (declared) @function . (parameters))
  (#eq? @keyword.type "let"))
((declaration kind: (kind) @keyword.type name: (declared) @function)
  (#any-of? @keyword.type "task" "function"))
(base (path (identifier) @type))
(section name: (path (identifier) @property))
(field name: (path (identifier) @property))
(label (identifier) @variable.parameter)
(parameter name: (identifier) @variable.parameter)
(dimension name: (identifier) @constant)
(type (path (identifier) @type))
(allow rule: (path (identifier) @attribute))

(call function: (path (identifier) @function.call .))
((call function: (path (identifier) @function.builtin .))
  (#any-of? @function.builtin
    ; <words functions+tensor_functions as     @quoted>
    "abs" "accuracy" "adaptive_avg_pool1d" "adaptive_avg_pool2d" "adaptive_avg_pool3d" "adaptive_max_pool1d"
    "adaptive_max_pool2d" "adaptive_max_pool3d" "add" "all" "amax" "amin" "any" "arange" "argmax" "argmin" "argsort"
    "asinh" "atan" "atan2" "avg_pool1d" "avg_pool2d" "avg_pool3d" "base" "batch_norm"
    "binary_cross_entropy_with_logits" "bmm" "cast" "cat" "ceil" "celu" "chains" "clamp" "conv1d" "conv2d" "conv3d"
    "conv_transpose1d" "conv_transpose2d" "conv_transpose3d" "corpus" "correct_after" "cos" "cosh"
    "cosine_similarity" "cross_entropy" "cummax" "cummin" "cumprod" "cumsum" "deg2rad" "div" "einsum" "elu"
    "embedding" "endpoint" "eq" "erf" "erfc" "exp" "exp2" "expand" "expm1" "fast" "fast_over_compiled" "field"
    "flatten" "flip" "floor" "frac" "fractional" "gather" "ge" "gelu" "generations" "glu" "grid" "group_norm" "gt"
    "hardshrink" "hardsigmoid" "hardswish" "hardtanh" "header" "hinge_embedding_loss" "huber_loss" "huggingface"
    "hypot" "imported" "index_add" "index_select" "instance_norm" "isfinite" "isinf" "isnan" "kernelbench"
    "kernelbook" "kl_div" "l1_loss" "layer_norm" "le" "leaky_relu" "lerp" "linear" "log" "log10" "log1p" "log2"
    "log_softmax" "logaddexp" "logcumsumexp" "logical_and" "logical_not" "logical_or" "logsigmoid" "logsumexp" "lt"
    "margin_ranking_loss" "masked_fill" "matmul" "max" "max_pool1d" "max_pool2d" "max_pool3d" "maximum" "mean" "min"
    "minimum" "mish" "mod" "modules" "mse_loss" "mul" "narrow" "ne" "neg" "nll_loss" "normalize" "outer" "pad"
    "pairwise_distance" "pass_at" "path" "permute" "pow" "prelu" "prod" "random" "reciprocal" "relu" "relu6"
    "remainder" "repeat_interleave" "reshape" "resize" "results" "rms_norm" "roll" "rotary_embedding" "round"
    "rsqrt" "sample" "scale" "scaled_dot_product_attention" "scatter_add" "segment_reduce" "select" "selu" "sigmoid"
    "sign" "silu" "sin" "sinc" "sinh" "size" "smooth_l1_loss" "soft_margin_loss" "softmax" "softmin" "softplus"
    "softshrink" "softsign" "sort" "sqrt" "square" "squeeze" "stack" "std" "sub" "subsets" "sum" "tan" "tanh"
    "tanhshrink" "threshold" "titled" "to" "topk" "transpose" "tril" "triplet_margin_loss" "triu" "trunc"
    "unsqueeze" "var" "vector_norm" "where" "zeros" "zip"
    ; </words>
  ))
((type (path (identifier) @type.builtin))
  (#any-of? @type.builtin
    ; <words types+dtypes as     @quoted>
    "bandwidth" "bf16" "bool" "bytes" "condition" "count" "duration" "either" "expression" "f16" "f32" "f8e4m3"
    "f8e5m2" "factor" "fraction" "group" "i16" "i32" "i64" "i8" "list" "many" "map" "money" "name" "number" "one_of"
    "optional" "overrides" "pipeline" "price" "share" "suite" "sum" "text" "u8" "verdict"
    ; </words>
  ))
((path . (identifier) @constant.builtin .)
  (#any-of? @constant.builtin
    ; <words constants as     @quoted>
    "false" "none" "rest" "true"
    ; </words>
  ))

[ (number) (number_with_unit) ] @number
(unit) @type.qualifier
(text) @string
(escape) @string.escape

[ "=" "->" ".." "+" "-" "*" "/" "@" "^" "==" "!=" "<" "<=" ">" ">=" ] @operator
[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket
[ "," ":" "." ] @punctuation.delimiter
