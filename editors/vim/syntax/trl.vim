" Syntax of .trl files. What a word is follows from where it stands (language/GRAMMAR.md); words of the schema are marked
" besides. `trl docs --editors editors` renews the lists of words.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax sync fromstart

" Names, from those that say least: a later match at the same place wins.
syntax match trlName '\<\h\w*\>' contains=trlKnownValue
syntax match trlMember '\.\@<=\h\w*\>'
syntax match trlLabel '\<\h\w*\%(\.\h\w*\)*\ze\s*=\%(=\)\@!'
syntax match trlCall '\<\h\w*\ze(' contains=trlFunction
syntax match trlSection '\<\h\w*\%(\.\h\w*\)*\ze\s*{'
syntax match trlField '\%(^\|[{,]\)\@1<=\s*\zs\h\w*\%(\.\h\w*\)*\ze\s*\%(=\%(=\)\@!\|:\)'
syntax match trlField '\%(^\|[{,]\)\@1<=\s*\zs\h\w*\%(\.\h\w*\)*\ze([^()]*\%(([^()]*)[^()]*\)*)\s*\%(=\%(=\)\@!\|:\)'
syntax match trlType ':\s*\zs\h\w*\%(\.\h\w*\)*' contains=trlBuiltinType,trlVariant

" kind name
syntax match trlKind '\%(^\|[{,]\)\@1<=\s*\zs\h\w*\ze[ \t]\+\h\w*' nextgroup=trlDeclared skipwhite contains=trlKnownKind
syntax match trlDeclared '\h\w*' contained
" <words kinds as syntax keyword trlKnownKind contained @words>
syntax keyword trlKnownKind contained evaluation experiment extension hypothesis let lora machine model plot split
syntax keyword trlKnownKind contained suite table task train
" </words>
" <words variants as syntax keyword trlVariant contained @words>
syntax keyword trlVariant contained adaptive_curriculum best_of_n calibrated_timing dpo grpo memory_checks
syntax keyword trlVariant contained multi_input placebo policy_gradient pretrain sft staged_evaluation timing_noise
syntax keyword trlVariant contained weighted_sft
" </words>
" <words types+dtypes as syntax keyword trlBuiltinType contained @words>
syntax keyword trlBuiltinType contained bandwidth bf16 bool bytes condition count duration either expression f16 f32
syntax keyword trlBuiltinType contained f8e4m3 f8e5m2 factor fraction group i16 i32 i64 i8 list many map money name
syntax keyword trlBuiltinType contained number one_of optional overrides pipeline price share suite sum text u8
syntax keyword trlBuiltinType contained verdict
" </words>

" Values that a field can have, and functions, where they are called.
" <words values as syntax keyword trlKnownValue contained @words>
syntax keyword trlKnownValue contained all_linear answers base bf16 c_fc c_proj candidates carried cell cells
syntax keyword trlKnownValue contained clip_share code_tokens column compiled constant controls correct cosine cost
syntax keyword trlKnownValue contained cuda dev different distinct down_proj drop entropy epilogue extreme f16 f32
syntax keyword trlKnownValue contained fresh full gate_proj gradient_norm greater half ignore int8 k_proj keep
syntax keyword trlKnownValue contained kernel_share kernelbench kl leave_one_out less linear llm_int8 loss margin
syntax keyword trlKnownValue contained masked_without_other max_completion_tokens max_tokens mean measure merged
syntax keyword trlKnownValue contained mismatch_share module nf4 o_proj one_shot original plan_reward plan_tokens
syntax keyword trlKnownValue contained purity q_proj random ratio ratio_deviation refuse reject rejected_answers
syntax keyword trlKnownValue contained reseed reward round same sampled_share samples sampling_deviation
syntax keyword trlKnownValue contained sampling_ratio seed seeds sglang short skip speedup speedup_over_compiled
syntax keyword trlKnownValue contained start stop suites survives table tabular task temperature tf32 tokens top_k
syntax keyword trlKnownValue contained top_p training triton truncate truncated unmerged up_proj usd v_proj valid
syntax keyword trlKnownValue contained values vllm wide won zero_shot
" </words>
" <words functions+tensor_functions as syntax keyword trlFunction contained @words>
syntax keyword trlFunction contained abs accuracy adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
syntax keyword trlFunction contained adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d add all amax amin
syntax keyword trlFunction contained any arange argmax argmin argsort asinh atan atan2 avg_pool1d avg_pool2d
syntax keyword trlFunction contained avg_pool3d base batch_norm binary_cross_entropy_with_logits bmm cast cat ceil
syntax keyword trlFunction contained celu chains clamp conv1d conv2d conv3d conv_transpose1d conv_transpose2d
syntax keyword trlFunction contained conv_transpose3d corpus correct_after cos cosh cosine_similarity cross_entropy
syntax keyword trlFunction contained cummax cummin cumprod cumsum deg2rad div einsum elu embedding endpoint eq erf
syntax keyword trlFunction contained erfc exp exp2 expand expm1 fast fast_over_compiled field flatten flip floor
syntax keyword trlFunction contained frac fractional gather ge gelu generations glu grid group_norm gt hardshrink
syntax keyword trlFunction contained hardsigmoid hardswish hardtanh header hinge_embedding_loss huber_loss
syntax keyword trlFunction contained huggingface hypot imported index_add index_select instance_norm isfinite isinf
syntax keyword trlFunction contained isnan kernelbench kernelbook kl_div l1_loss layer_norm le leaky_relu lerp
syntax keyword trlFunction contained linear log log10 log1p log2 log_softmax logaddexp logcumsumexp logical_and
syntax keyword trlFunction contained logical_not logical_or logsigmoid logsumexp lt margin_ranking_loss masked_fill
syntax keyword trlFunction contained matmul max max_pool1d max_pool2d max_pool3d maximum mean min minimum mish mod
syntax keyword trlFunction contained modules mse_loss mul narrow ne neg nll_loss normalize outer pad
syntax keyword trlFunction contained pairwise_distance pass_at path permute pow prelu prod random reciprocal relu
syntax keyword trlFunction contained relu6 remainder repeat_interleave reshape resize results rms_norm roll
syntax keyword trlFunction contained rotary_embedding round rsqrt sample scale scaled_dot_product_attention
syntax keyword trlFunction contained scatter_add segment_reduce select selu sigmoid sign silu sin sinc sinh size
syntax keyword trlFunction contained smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign
syntax keyword trlFunction contained sort sqrt square squeeze stack std sub subsets sum tan tanh tanhshrink
syntax keyword trlFunction contained threshold titled to topk transpose tril triplet_margin_loss triu trunc
syntax keyword trlFunction contained unsqueeze var vector_norm where zeros zip
" </words>
" <words constants as syntax keyword trlConstant @words>
syntax keyword trlConstant false none rest true
" </words>

syntax keyword trlConditional if then else
syntax keyword trlOperatorWord and or not in
syntax match trlImport '^\s*\zsimport\>.*' contains=trlImportWord,trlComment
syntax keyword trlImportWord import as contained
syntax match trlAllow '\<allow\ze('

syntax match trlOperator '->\|\.\.\|[=!<>]=\|[-+*/@^<>=]'
" <words units as syntax match trlNumber '\v<\d+(\.\d+)?([eE][+-]?\d+)?(\s*[%]|\s*(@alternatives)>(\()@!)?' contains=trlUnit>
syntax match trlNumber '\v<\d+(\.\d+)?([eE][+-]?\d+)?(\s*[%]|\s*(usd|us|tokens|s|ms|min|h|MiB|KiB|GiB)>(\()@!)?' contains=trlUnit
" </words>
" <words units as syntax match trlUnit '\v[%]|(\d\s*)@<=(@alternatives)>' contained>
syntax match trlUnit '\v[%]|(\d\s*)@<=(usd|us|tokens|s|ms|min|h|MiB|KiB|GiB)>' contained
" </words>

syntax region trlText start='"' skip='\\.' end='"' end='$' contains=trlEscape,trlWrongEscape oneline
syntax match trlWrongEscape '\\.' contained
syntax match trlEscape '\\\%([nt"\\]\|u{\x\{1,6}}\)' contained
syntax match trlComment '#.*$' contains=trlTodo,@Spell
syntax match trlDocumentation '^\s*\zs##.*$' contains=@Spell
syntax match trlDocumentation '{\@1<=\s*\zs##.*$' contains=@Spell
syntax keyword trlTodo TODO FIXME contained
syntax region trlBlock start='{' end='}' transparent fold

highlight default link trlKind Statement
highlight default link trlKnownKind Keyword
highlight default link trlDeclared Structure
highlight default link trlVariant Type
highlight default link trlBuiltinType Type
highlight default link trlType Type
highlight default link trlField Identifier
highlight default link trlSection Identifier
highlight default link trlLabel Identifier
highlight default link trlCall Function
highlight default link trlFunction Function
highlight default link trlKnownValue Constant
highlight default link trlConstant Boolean
highlight default link trlConditional Conditional
highlight default link trlOperatorWord Operator
highlight default link trlOperator Operator
highlight default link trlImportWord Include
highlight default link trlAllow PreProc
highlight default link trlNumber Number
highlight default link trlUnit Special
highlight default link trlText String
highlight default link trlEscape SpecialChar
highlight default link trlWrongEscape Error
highlight default link trlComment Comment
highlight default link trlDocumentation SpecialComment
highlight default link trlTodo Todo

let b:current_syntax = 'trl'
