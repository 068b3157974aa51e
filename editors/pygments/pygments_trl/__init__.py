"""A Pygments lexer of .trl files. `trl docs --editors editors` renews the lists of words."""

from pygments.lexer import RegexLexer, bygroups, default, include, words
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

__all__ = ["TrlLexer"]

# fmt: off
CONSTANTS = (
    # <words constants as     @list>
    'false', 'none', 'rest', 'true',
    # </words>
)
VARIANTS = (
    # <words variants as     @list>
    'adaptive_curriculum', 'best_of_n', 'calibrated_timing', 'dpo', 'grpo', 'memory_checks', 'multi_input',
    'placebo', 'policy_gradient', 'pretrain', 'sft', 'staged_evaluation', 'timing_noise', 'weighted_sft',
    # </words>
)
VALUES = (
    # <words values as     @list>
    'all_linear', 'answers', 'base', 'bf16', 'c_fc', 'c_proj', 'candidates', 'carried', 'cell', 'cells',
    'clip_share', 'code_tokens', 'column', 'compiled', 'constant', 'controls', 'correct', 'cosine', 'cost', 'cuda',
    'dev', 'different', 'distinct', 'down_proj', 'drop', 'entropy', 'epilogue', 'extreme', 'f16', 'f32', 'fresh',
    'full', 'gate_proj', 'gradient_norm', 'greater', 'half', 'ignore', 'int8', 'k_proj', 'keep', 'kernel_share',
    'kernelbench', 'kl', 'leave_one_out', 'less', 'linear', 'llm_int8', 'loss', 'margin', 'masked_without_other',
    'max_completion_tokens', 'max_tokens', 'mean', 'measure', 'merged', 'mismatch_share', 'module', 'nf4', 'o_proj',
    'one_shot', 'original', 'plan_reward', 'plan_tokens', 'purity', 'q_proj', 'random', 'ratio', 'ratio_deviation',
    'refuse', 'reject', 'rejected_answers', 'reseed', 'reward', 'round', 'same', 'sampled_share', 'samples',
    'sampling_deviation', 'sampling_ratio', 'seed', 'seeds', 'sglang', 'short', 'skip', 'speedup',
    'speedup_over_compiled', 'start', 'stop', 'suites', 'survives', 'table', 'tabular', 'task', 'temperature',
    'tf32', 'tokens', 'top_k', 'top_p', 'training', 'triton', 'truncate', 'truncated', 'unmerged', 'up_proj', 'usd',
    'v_proj', 'valid', 'values', 'vllm', 'wide', 'won', 'zero_shot',
    # </words>
)
FUNCTIONS = (
    # <words functions+tensor_functions as     @list>
    'abs', 'accuracy', 'adaptive_avg_pool1d', 'adaptive_avg_pool2d', 'adaptive_avg_pool3d', 'adaptive_max_pool1d',
    'adaptive_max_pool2d', 'adaptive_max_pool3d', 'add', 'all', 'amax', 'amin', 'any', 'arange', 'argmax', 'argmin',
    'argsort', 'asinh', 'atan', 'atan2', 'avg_pool1d', 'avg_pool2d', 'avg_pool3d', 'base', 'batch_norm',
    'binary_cross_entropy_with_logits', 'bmm', 'cast', 'cat', 'ceil', 'celu', 'chains', 'clamp', 'conv1d', 'conv2d',
    'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'corpus', 'correct_after', 'cos', 'cosh',
    'cosine_similarity', 'cross_entropy', 'cummax', 'cummin', 'cumprod', 'cumsum', 'deg2rad', 'div', 'einsum',
    'elu', 'embedding', 'endpoint', 'eq', 'erf', 'erfc', 'exp', 'exp2', 'expand', 'expm1', 'fast',
    'fast_over_compiled', 'field', 'flatten', 'flip', 'floor', 'frac', 'fractional', 'gather', 'ge', 'gelu',
    'generations', 'glu', 'grid', 'group_norm', 'gt', 'hardshrink', 'hardsigmoid', 'hardswish', 'hardtanh',
    'header', 'hinge_embedding_loss', 'huber_loss', 'huggingface', 'hypot', 'imported', 'index_add', 'index_select',
    'instance_norm', 'isfinite', 'isinf', 'isnan', 'kernelbench', 'kernelbook', 'kl_div', 'l1_loss', 'layer_norm',
    'le', 'leaky_relu', 'lerp', 'linear', 'log', 'log10', 'log1p', 'log2', 'log_softmax', 'logaddexp',
    'logcumsumexp', 'logical_and', 'logical_not', 'logical_or', 'logsigmoid', 'logsumexp', 'lt',
    'margin_ranking_loss', 'masked_fill', 'matmul', 'max', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'maximum',
    'mean', 'min', 'minimum', 'mish', 'mod', 'modules', 'mse_loss', 'mul', 'narrow', 'ne', 'neg', 'nll_loss',
    'normalize', 'outer', 'pad', 'pairwise_distance', 'pass_at', 'path', 'permute', 'pow', 'prelu', 'prod',
    'random', 'reciprocal', 'relu', 'relu6', 'remainder', 'repeat_interleave', 'reshape', 'resize', 'results',
    'rms_norm', 'roll', 'rotary_embedding', 'round', 'rsqrt', 'sample', 'scale', 'scaled_dot_product_attention',
    'scatter_add', 'segment_reduce', 'select', 'selu', 'sigmoid', 'sign', 'silu', 'sin', 'sinc', 'sinh', 'size',
    'smooth_l1_loss', 'soft_margin_loss', 'softmax', 'softmin', 'softplus', 'softshrink', 'softsign', 'sort',
    'sqrt', 'square', 'squeeze', 'stack', 'std', 'sub', 'subsets', 'sum', 'tan', 'tanh', 'tanhshrink', 'threshold',
    'titled', 'to', 'topk', 'transpose', 'tril', 'triplet_margin_loss', 'triu', 'trunc', 'unsqueeze', 'var',
    'vector_norm', 'where', 'zeros', 'zip',
    # </words>
)
TYPES = (
    # <words types+dtypes as     @list>
    'bandwidth', 'bf16', 'bool', 'bytes', 'condition', 'count', 'duration', 'either', 'expression', 'f16', 'f32',
    'f8e4m3', 'f8e5m2', 'factor', 'fraction', 'group', 'i16', 'i32', 'i64', 'i8', 'list', 'many', 'map', 'money',
    'name', 'number', 'one_of', 'optional', 'overrides', 'pipeline', 'price', 'share', 'suite', 'sum', 'text', 'u8',
    'verdict',
    # </words>
)
UNITS = (
    # <words units as     @list>
    'GiB', 'KiB', 'MiB', 'h', 'min', 'ms', 's', 'tokens', 'us', 'usd',
    # </words>
)
RESERVED = (
    # <words keywords as     @list>
    'allow', 'and', 'else', 'if', 'import', 'in', 'not', 'or', 'then',
    # </words>
)
# fmt: on

NAME = r"(?!(?:" + "|".join(RESERVED) + r")\b)[A-Za-z_]\w*"
PATH = NAME + r"(?:\." + NAME + r")*"
NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"


class TrlLexer(RegexLexer):
    """For .trl files: experiments of reinforcement learning on kernels."""

    name = "trl"
    aliases = ["trl"]
    filenames = ["*.trl"]
    mimetypes = ["text/x-trl"]

    tokens = {
        "root": [
            (r"\ufeff", Text),
            include("item"),
        ],
        "blank": [
            (r"[ \t]+", Whitespace),
            (r"\r?\n", Whitespace),
            (r"#.*", Comment.Single),
        ],
        # The places where an item may begin.
        "item": [
            (r"(^[ \t]*)(##.*)", bygroups(Whitespace, String.Doc)),
            (r"(?<=\{)([ \t]*)(##.*)", bygroups(Whitespace, String.Doc)),
            include("blank"),
            (
                r"(import)([ \t]+)("
                + PATH
                + r")(?:([ \t]+)(as)([ \t]+)("
                + NAME
                + r"))?",
                bygroups(
                    Keyword.Namespace,
                    Whitespace,
                    Name.Namespace,
                    Whitespace,
                    Keyword.Namespace,
                    Whitespace,
                    Name.Namespace,
                ),
            ),
            (r"(allow)(\()", bygroups(Keyword.Pseudo, Punctuation), "allow"),
            (
                rf"({NAME})([ \t]+)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
                "head",
            ),
            (
                rf"({PATH})([ \t]*)(\{{)",
                bygroups(Name.Attribute, Whitespace, Punctuation),
            ),
            (
                rf"({PATH})(\()",
                bygroups(Name.Attribute, Punctuation),
                ("typed", "parameters"),
            ),
            (
                rf"({PATH})([ \t]*)(=)(?!=)",
                bygroups(Name.Attribute, Whitespace, Operator),
                ("value", "more"),
            ),
            (rf"({PATH})(?=[ \t]*:)", Name.Attribute, "typed"),
            (r"[{},]", Punctuation),
            (r".", Error),
        ],
        "allow": [
            include("blank"),
            (PATH, Name.Label),
            include("text"),
            (r",", Punctuation),
            (r"\)", Punctuation, "#pop"),
            default("#pop"),
        ],
        # After a declaration's name.
        "head": [
            (r"[ \t]+", Whitespace),
            (r"\[", Punctuation, "dimensions"),
            (r"\(", Punctuation, "parameters"),
            (r"(:)([ \t]*)", bygroups(Punctuation, Whitespace), "base"),
            (r"=(?!=)", Operator, ("#pop", "value", "more")),
            (r"\{", Punctuation, "#pop"),
            default("#pop"),
        ],
        "base": [
            (words(VARIANTS, suffix=r"\b(?!\.)"), Name.Builtin, "#pop"),
            (PATH, Name.Class, "#pop"),
            default("#pop"),
        ],
        "dimensions": [
            (
                rf"({NAME})([ \t]*)(=)?",
                bygroups(Name.Constant, Whitespace, Operator),
                "value",
            ),
            (r"\]", Punctuation, "#pop"),
            include("blank"),
            (r",", Punctuation),
            default("#pop"),
        ],
        "parameters": [
            (NAME, Name.Variable),
            (r"(:)([ \t]*)", bygroups(Punctuation, Whitespace), "type"),
            (r"\)", Punctuation, "#pop"),
            include("blank"),
            (r",", Punctuation),
            default("#pop"),
        ],
        # After a field's name or parameters.
        "typed": [
            (r"[ \t]+", Whitespace),
            (r"(:)([ \t]*)", bygroups(Punctuation, Whitespace), "type"),
            (r"in\b", Operator.Word, "limits"),
            (r"=(?!=)", Operator, ("#pop", "value", "more")),
            default("#pop"),
        ],
        "limits": [
            (r"(?=[ \t]*=(?!=))", Text, "#pop"),
            include("value"),
        ],
        "type": [
            (words(TYPES, suffix=r"\b"), Keyword.Type),
            (PATH, Keyword.Type),
            (r"[(\[]", Punctuation, "brackets"),
            default("#pop"),
        ],
        # A value ends at a comma or a closing bracket that it hasn't opened, or at the end of its
        # line. It goes on in the next line behind an operator or a keyword, and before `then` and
        # `else`.
        "value": [
            (r"(?:->|\.\.|==|!=|<=|>=|[-+*/@^<>=])", Operator, "more"),
            (r"(?:and|or|not)\b", Operator.Word, "more"),
            (r"(?:if|then|else)\b", Keyword, "more"),
            # Newlines before `then` and `else`.
            (r"(?=(?:[ \t]*(?:#[^\n]*)?\r?\n)+[ \t]*(?:then|else)\b)", Text, "more"),
            (r"[ \t]+", Whitespace),
            (r"#.*", Comment.Single),
            (r"[(\[]", Punctuation, "brackets"),
            include("operand"),
            (r"(?=[\r\n,}\])])", Text, "#pop"),
            (r".", Error),
        ],
        # Newlines and comments after an operator.
        "more": [
            include("blank"),
            default("#pop"),
        ],
        "brackets": [
            (r"[)\]]", Punctuation, "#pop"),
            (r"[(\[]", Punctuation, "#push"),
            include("blank"),
            (
                rf"({PATH})([ \t]*)(=)(?!=)",
                bygroups(Name.Variable, Whitespace, Operator),
            ),
            (r"(?:->|\.\.|==|!=|<=|>=|[-+*/@^<>])", Operator),
            (r"(?:and|or|not|in)\b", Operator.Word),
            (r"(?:if|then|else)\b", Keyword),
            include("operand"),
            (r",", Punctuation),
            default("#pop"),
        ],
        "operand": [
            include("text"),
            (
                rf"({NUMBER})([ \t]*)(%|(?:{'|'.join(UNITS)})\b(?!\())(?!\w)",
                bygroups(Number, Whitespace, Keyword.Type),
            ),
            (rf"{NUMBER}(?!\w)", Number),
            (words(FUNCTIONS, suffix=r"(?=\()"), Name.Builtin),
            (rf"{NAME}(?=\()", Name.Function),
            (words(CONSTANTS, suffix=r"\b"), Keyword.Constant),
            (rf"(\.)({NAME})", bygroups(Punctuation, Name.Property)),
            (words(VALUES, prefix=r"(?<!\.)", suffix=r"\b(?![.\[])"), Name.Constant),
            (NAME, Name),
        ],
        "text": [
            (r'"', String, "string"),
        ],
        "string": [
            (r'\\(?:[nt"\\]|u\{[0-9A-Fa-f]{1,6}\})', String.Escape),
            (r'[^"\\\r\n]+', String),
            (r'"', String, "#pop"),
            (r"\\.", Error),
            default("#pop"),
        ],
    }
