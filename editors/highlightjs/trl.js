// .trl for highlight.js: hljs.registerLanguage('trl', trl). `trl docs --editors editors` renews the lists of words.
const KEYWORDS = [
  // <words keywords as   @list>
  'allow', 'and', 'else', 'if', 'import', 'in', 'not', 'or', 'then',
  // </words>
];
const CONSTANTS = [
  // <words constants as   @list>
  'false', 'none', 'rest', 'true',
  // </words>
];
const VARIANTS = [
  // <words variants as   @list>
  'adaptive_curriculum', 'best_of_n', 'calibrated_timing', 'dpo', 'grpo', 'memory_checks', 'multi_input', 'placebo',
  'policy_gradient', 'pretrain', 'sft', 'staged_evaluation', 'timing_noise', 'weighted_sft',
  // </words>
];
const VALUES = [
  // <words values as   @list>
  'all_linear', 'answers', 'base', 'bf16', 'c_fc', 'c_proj', 'candidates', 'carried', 'cell', 'cells', 'clip_share',
  'code_tokens', 'column', 'compiled', 'constant', 'controls', 'correct', 'cosine', 'cost', 'cuda', 'dev',
  'different', 'distinct', 'down_proj', 'drop', 'entropy', 'epilogue', 'extreme', 'f16', 'f32', 'fresh', 'full',
  'gate_proj', 'gradient_norm', 'greater', 'half', 'ignore', 'int8', 'k_proj', 'keep', 'kernel_share',
  'kernelbench', 'kl', 'leave_one_out', 'less', 'linear', 'llm_int8', 'loss', 'margin', 'masked_without_other',
  'max_completion_tokens', 'max_tokens', 'mean', 'measure', 'merged', 'mismatch_share', 'module', 'nf4', 'o_proj',
  'one_shot', 'original', 'plan_reward', 'plan_tokens', 'purity', 'q_proj', 'random', 'ratio', 'ratio_deviation',
  'refuse', 'reject', 'rejected_answers', 'reseed', 'reward', 'round', 'same', 'sampled_share', 'samples',
  'sampling_deviation', 'sampling_ratio', 'seed', 'seeds', 'sglang', 'short', 'skip', 'speedup',
  'speedup_over_compiled', 'start', 'stop', 'suites', 'survives', 'table', 'tabular', 'task', 'temperature', 'tf32',
  'tokens', 'top_k', 'top_p', 'training', 'triton', 'truncate', 'truncated', 'unmerged', 'up_proj', 'usd', 'v_proj',
  'valid', 'values', 'vllm', 'wide', 'won', 'zero_shot',
  // </words>
];
const FUNCTIONS = [
  // <words functions+tensor_functions as   @list>
  'abs', 'accuracy', 'adaptive_avg_pool1d', 'adaptive_avg_pool2d', 'adaptive_avg_pool3d', 'adaptive_max_pool1d',
  'adaptive_max_pool2d', 'adaptive_max_pool3d', 'add', 'all', 'amax', 'amin', 'any', 'arange', 'argmax', 'argmin',
  'argsort', 'asinh', 'atan', 'atan2', 'avg_pool1d', 'avg_pool2d', 'avg_pool3d', 'base', 'batch_norm',
  'binary_cross_entropy_with_logits', 'bmm', 'cast', 'cat', 'ceil', 'celu', 'chains', 'clamp', 'conv1d', 'conv2d',
  'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'corpus', 'correct_after', 'cos', 'cosh',
  'cosine_similarity', 'cross_entropy', 'cummax', 'cummin', 'cumprod', 'cumsum', 'deg2rad', 'div', 'einsum', 'elu',
  'embedding', 'endpoint', 'eq', 'erf', 'erfc', 'exp', 'exp2', 'expand', 'expm1', 'fast', 'fast_over_compiled',
  'field', 'flatten', 'flip', 'floor', 'frac', 'fractional', 'gather', 'ge', 'gelu', 'generations', 'glu', 'grid',
  'group_norm', 'gt', 'hardshrink', 'hardsigmoid', 'hardswish', 'hardtanh', 'header', 'hinge_embedding_loss',
  'huber_loss', 'huggingface', 'hypot', 'imported', 'index_add', 'index_select', 'instance_norm', 'isfinite',
  'isinf', 'isnan', 'kernelbench', 'kernelbook', 'kl_div', 'l1_loss', 'layer_norm', 'le', 'leaky_relu', 'lerp',
  'linear', 'log', 'log10', 'log1p', 'log2', 'log_softmax', 'logaddexp', 'logcumsumexp', 'logical_and',
  'logical_not', 'logical_or', 'logsigmoid', 'logsumexp', 'lt', 'margin_ranking_loss', 'masked_fill', 'matmul',
  'max', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'maximum', 'mean', 'min', 'minimum', 'mish', 'mod', 'modules',
  'mse_loss', 'mul', 'narrow', 'ne', 'neg', 'nll_loss', 'normalize', 'outer', 'pad', 'pairwise_distance', 'pass_at',
  'path', 'permute', 'pow', 'prelu', 'prod', 'random', 'reciprocal', 'relu', 'relu6', 'remainder',
  'repeat_interleave', 'reshape', 'resize', 'results', 'rms_norm', 'roll', 'rotary_embedding', 'round', 'rsqrt',
  'sample', 'scale', 'scaled_dot_product_attention', 'scatter_add', 'segment_reduce', 'select', 'selu', 'sigmoid',
  'sign', 'silu', 'sin', 'sinc', 'sinh', 'size', 'smooth_l1_loss', 'soft_margin_loss', 'softmax', 'softmin',
  'softplus', 'softshrink', 'softsign', 'sort', 'sqrt', 'square', 'squeeze', 'stack', 'std', 'sub', 'subsets',
  'sum', 'tan', 'tanh', 'tanhshrink', 'threshold', 'titled', 'to', 'topk', 'transpose', 'tril',
  'triplet_margin_loss', 'triu', 'trunc', 'unsqueeze', 'var', 'vector_norm', 'where', 'zeros', 'zip',
  // </words>
];
const TYPES = [
  // <words types+dtypes as   @list>
  'bandwidth', 'bf16', 'bool', 'bytes', 'condition', 'count', 'duration', 'either', 'expression', 'f16', 'f32',
  'f8e4m3', 'f8e5m2', 'factor', 'fraction', 'group', 'i16', 'i32', 'i64', 'i8', 'list', 'many', 'map', 'money',
  'name', 'number', 'one_of', 'optional', 'overrides', 'pipeline', 'price', 'share', 'suite', 'sum', 'text', 'u8',
  'verdict',
  // </words>
];
const UNITS = [
  // <words units as   @list>
  'GiB', 'KiB', 'MiB', 'h', 'min', 'ms', 's', 'tokens', 'us', 'usd',
  // </words>
];

const NAME = '(?!(?:' + KEYWORDS.join('|') + ')\\b)[A-Za-z_]\\w*';
const PATH = NAME + '(?:\\.' + NAME + ')*';
const word = (words) => '(?:' + words.join('|') + ')\\b';

/** @param {import('highlight.js').HLJSApi} hljs */
export default function trl(hljs) {
  const first = '(?<=^[ \\t]*|[{,][ \\t]*)';
  return {
    name: 'trl',
    aliases: ['trl'],
    contains: [
      { scope: 'comment', match: /(?<=^[ \t]*)##.*$/ },
      { scope: 'comment', match: /(?<=\{[ \t]*)##.*$/ },
      hljs.COMMENT('#', '$', { relevance: 0 }),
      {
        scope: 'string',
        begin: '"',
        end: '"',
        illegal: '\\n',
        contains: [{ scope: 'char.escape', match: /\\(?:[nt"\\]|u\{[0-9A-Fa-f]{1,6}\})/ }],
      },
      {
        match: [/^[ \t]*/, /import/, /[ \t]+/, PATH, /[ \t]+/, /as/, /[ \t]+/, NAME],
        scope: { 2: 'keyword', 4: 'title', 6: 'keyword', 8: 'title' },
      },
      {
        match: [/^[ \t]*/, /import/, /[ \t]+/, PATH],
        scope: { 2: 'keyword', 4: 'title' },
      },
      { match: [/\ballow/, /\(/, PATH], scope: { 1: 'meta', 3: 'symbol' } },
      // kind name
      { match: [first + NAME, /[ \t]+/, NAME, '(?=[ \\t]*[{=:\\[(])'], scope: { 1: 'keyword', 3: 'title.class' } },
      { match: [/:/, /[ \t]*/, word(TYPES)], scope: { 3: 'type' } },
      { match: [/:/, /[ \t]*/, word(VARIANTS)], scope: { 3: 'built_in' } },
      { match: [/:/, /[ \t]*/, PATH], scope: { 3: 'title.class.inherited' } },
      { scope: 'attr', match: first + PATH + '(?=[ \\t]*(?:=(?!=)|:|\\{)|\\([^()]*\\)[ \\t]*(?:=(?!=)|:))' },
      { scope: 'params', match: '\\b' + PATH + '(?=[ \\t]*=(?!=))' },
      { scope: 'number', match: '\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?:[ \\t]*(?:%|' + word(UNITS) + '(?!\\()))?' },
      { scope: 'built_in', match: '\\b(?:' + FUNCTIONS.join('|') + ')(?=\\()' },
      { scope: 'title.function', match: '\\b' + NAME + '(?=\\()' },
      { match: [/(?<=[\w)\]])\./, NAME], scope: { 2: 'property' }, relevance: 0 },
      { scope: 'keyword', match: '\\b' + word(KEYWORDS) },
      { scope: 'literal', match: '\\b' + word(CONSTANTS) },
      { scope: 'literal', match: '\\b' + word(VALUES) + '(?![.\\[(])' },
      { scope: 'variable', match: '\\b' + NAME },
      { scope: 'operator', match: /->|\.\.|[=!<>]=|[-+*/@^<>=]/ },
      { scope: 'punctuation', match: /[{}[\](),:]/ },
    ],
  };
}
