"""Chat templates beside transformers: templates in the style of published families with random conversations, expressions and statements
one by one. --folders compares the templates of model folders."""
import argparse
import datetime
import json
import os
import pathlib
import random
import sys
import tempfile
import warnings

os.environ["TRANSFORMERS_VERBOSITY"] = "error"

from support import need, probe

transformers, chat_template_utils, tokenizers, _ = need("transformers", "transformers.utils.chat_template_utils", "tokenizers", "jinja2")


# Of Python, about random templates that jinja2 has compiled to it.
warnings.simplefilter("ignore", SyntaxWarning)


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2025, 7, 4)


chat_template_utils.datetime = Clock

# As a family writes its template, with the constructs that it uses. None is a published template.
STYLES = {
    "chatml with tools": r"""{%- if tools %}
    {{- '<|im_start|>system\n' }}
    {%- if messages[0]['role'] == 'system' %}
        {{- messages[0]['content'] }}
    {%- else %}
        {{- 'You help with kernels.' }}
    {%- endif %}
    {{- "\n\nFunctions:\n<tools>" }}
    {%- for tool in tools %}
        {{- "\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\n</tools>\n{\"name\": <name>}<|im_end|>\n" }}
{%- else %}
    {%- if messages[0]['role'] == 'system' %}
        {{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
    {%- endif %}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>' + message.role }}
        {%- if message.content %}
            {{- '\n' + message.content }}
        {%- endif %}
        {%- for tool_call in message.tool_calls %}
            {%- if tool_call.function is defined %}
                {%- set tool_call = tool_call.function %}
            {%- endif %}
            {{- '\n<tool_call>\n{"name": "' }}
            {{- tool_call.name }}
            {{- '", "arguments": ' }}
            {{- tool_call.arguments | tojson }}
            {{- '}\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\n' }}
    {%- elif message.role == "tool" %}
        {%- if (loop.index0 == 0) or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\n<tool_response>\n' + message.content + '\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %}
""",
    "thinking": r"""{%- set ns = namespace(last_question=messages|length - 1, looking=true) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.looking and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.looking = false %}
        {%- set ns.last_question = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if message.role == "assistant" %}
        {%- set thoughts = '' %}
        {%- if message.reasoning_content is string %}
            {%- set thoughts = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set thoughts = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_question %}
            {%- if loop.last or (not loop.last and thoughts) %}
                {{- '<|' + message.role + '|>\n<think>\n' + thoughts.strip('\n') + '\n</think>\n\n' + content.lstrip('\n') }}
            {%- else %}
                {{- '<|' + message.role + '|>\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|' + message.role + '|>\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}{{- '\n' }}{%- endif %}
                {%- if call.function %}{%- set call = call.function %}{%- endif %}
                {{- '{"name": "' ~ call.name ~ '", "arguments": ' }}
                {%- if call.arguments is string %}
                    {{- call.arguments }}
                {%- else %}
                    {{- call.arguments | tojson }}
                {%- endif %}
                {{- '}' }}
            {%- endfor %}
        {%- endif %}
    {%- else %}
        {{- '<|' + message.role + '|>\n' + content + '<|end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|assistant|>\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}""",
    "alternating with system inside": r"""{% if messages[0]['role'] == 'system' %}{% set rest = messages[1:] %}{% set system = messages[0]['content'] %}{% else %}{% set rest = messages %}{% set system = false %}{% endif %}{% for message in rest %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate user/assistant/…') }}{% endif %}{% if loop.index0 == 0 and system != false %}{% set content = '<<SYS>>\n' + system + '\n<</SYS>>\n\n' + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' '  + content | trim + ' ' + eos_token }}{% endif %}{% endfor %}""",
    "headers with tools and a date": r"""{{- bos_token }}
{%- if custom_tools is defined %}
    {%- set tools = custom_tools %}
{%- endif %}
{%- if not tools_in_user_message is defined %}
    {%- set tools_in_user_message = true %}
{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|header|>system<|/header|>\n\n" }}
{%- if builtin_tools is defined or tools is not none %}
    {{- "Environment: ipython\n" }}
{%- endif %}
{%- if builtin_tools is defined %}
    {{- "Tools: " + builtin_tools | reject('equalto', 'code_interpreter') | join(", ") + "\n\n"}}
{%- endif %}
{{- "Today: " + date_string + "\n\n" }}
{%- if tools is not none and not tools_in_user_message %}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\n\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message }}
{{- "<|eot|>" }}
{%- if tools_in_user_message and not tools is none %}
    {%- if messages | length != 0 %}
        {%- set first_user_message = messages[0]['content']|trim %}
        {%- set messages = messages[1:] %}
    {%- else %}
        {{- raise_exception("Cannot put tools in the first user message when there's no first user message!") }}
    {%- endif %}
    {{- '<|header|>user<|/header|>\n\n' -}}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
    {%- endfor %}
    {{- first_user_message + "<|eot|>"}}
{%- endif %}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|header|>' + message['role'] + '<|/header|>\n\n'+ message['content'] | trim + '<|eot|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("This model only supports single tool-calls at once!") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {%- if builtin_tools is defined and tool_call.name in builtin_tools %}
            {{- "<|python|>" + tool_call.name + ".call(" }}
            {%- for arg_name, arg_val in tool_call.arguments | items %}
                {{- arg_name + '="' ~ arg_val ~ '"' }}
                {%- if not loop.last %}
                    {{- ", " }}
                {%- endif %}
                {%- endfor %}
            {{- ")" }}
        {%- else  %}
            {{- '{"name": "' + tool_call.name + '", "parameters": ' }}
            {{- tool_call.arguments | tojson }}
            {{- "}" }}
        {%- endif %}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|header|>assistant<|/header|>\n\n' }}
{%- endif %}
""",
    "instruction and response": r"""{% if not add_generation_prompt is defined %}
{% set add_generation_prompt = false %}
{% endif %}
{%- set ns = namespace(found=false) -%}
{%- for message in messages -%}
    {%- if message['role'] == 'system' -%}
        {%- set ns.found = true -%}
    {%- endif -%}
{%- endfor -%}
{{bos_token}}{%- if not ns.found -%}
{{'You are a programmer.\n'}}
{%- endif %}
{%- for message in messages %}
    {%- if message['role'] == 'system' %}
{{ message['content'] }}
    {%- else %}
        {%- if message['role'] == 'user' %}
{{'### Instruction:\n' + message['content'] + '\n'}}
        {%- else %}
{{'### Response:\n' + message['content'] + '\n<|EOT|>\n'}}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{% if add_generation_prompt %}
{{'### Response:'}}
{% endif %}
""",
    "plain blocks": """{{bos_token}}{{'You complete programs.\\n\\n'}}
{% for message in messages %}
  {% if message['role'] == 'system' %}
    {{ raise_exception('System messages are not allowed.') }}
  {% endif %}
    {% if message['role'] == 'user' %}
{{'### Instruction\\n' + message['content'] + '\\n\\n'}}
    {% else %}
{{'### Response\\n'}}{% generation %}{{ message['content'] }}{% endgeneration %}{{'<|endoftext|>\\n\\n'}}
    {% endif %}
  {# a comment
     of two lines #}
{% endfor %}
{%+ if add_generation_prompt +%}
  ### Response
{%- endif %}

""",
    "macros": r"""{% macro part(content, prefix='', last=false) -%}
    {%- if content is string -%}{{ prefix ~ content }}
    {%- elif content is mapping -%}{{ content.text | default('?', true) }}
    {%- elif content is iterable -%}
        {%- for item in content if item is not none -%}{{ part(item, prefix=loop.index ~ ':') }}{%- if not loop.last %}, {% endif -%}{%- endfor -%}
    {%- endif -%}{{ '.' if last }}
{%- endmacro %}
{%- set roles = {'user': 'U', 'assistant': 'A', "tool": 'T'} -%}
{% set heading %}
  == {{ messages | map(attribute='role') | unique | join('+') }} ==
{% endset %}
{{ heading | trim | upper }}
{% for message in messages | selectattr('role', 'ne', 'system') %}
{{ roles.get(message.role, message['role'] | title) }}: {{ part(message.content, last=loop.last) }}
{% if loop.index > 3 %}{% break %}{% endif %}
{% else %}
nothing
{% endfor %}
{% for key, value in (messages | first).items() %}{{ key }}={{ value | string | length }};{% endfor %}
{{ (messages | rejectattr('role', 'equalto', 'user') | list)[-1:] | map(attribute='content') | map('trim') | list | length }}
""",
}

VARIABLES = dict(text="  Ein Maß, naïve ﬁ 👍🏽\n\n zwei ", word="kernel", n=7, zero=0, x=2.5, big=1e20, small=1e-5, yes=True, no=False, nothing=None,
                 items_=[3, 1, 2], words=["b", "A", "c", "b"], nested=[[1, 2], [3, [4]]], empty=[], table={"b": 1, "a": "ü", "items": [1], "n": None},
                 rows=[{"role": "user", "content": "a", "n": {"k": 1}}, {"role": "tool", "content": ["x", 1], "n": {"k": 2}}, {"role": "user"}])

# Each is rendered alone. Of each both sides give the same text, or both an error.
EXPRESSIONS = """text.strip() | text.strip(' \\n') | text.lstrip() ~ '|' | text.rstrip('zwei \\n') | text.split() | word.split('e') | word.split('e', 1) | word.rsplit('e', 1)
text|trim|length | text|length | text[2:5] | text[::-1] | text[-3:] | text[100:] | text[3] | text[99] | word[-1] | word[1:-1:2] | word[::-2]
word.upper() | word.title() | word.capitalize() | 'a b-c(d'|title | "it's".title() | word.startswith('ker') | word.startswith(('x', 'k')) | word.endswith('el') | word.replace('e', 'EE') | word.replace('e', '', 1)
word.find('n') | word.find('z') | text.find('👍') | word.count('e') | ','.join(words) | word|replace('k', 'c') | word.removeprefix('ker') | word.removesuffix('nel') | 'a\\nb\\r\\nc'.splitlines()
n + 1 | n - 8 | n * 2 | n / 2 | n // 2 | -n // 2 | n % 4 | -n % 4 | n ** 2 | x * 2 | x // 1 | -x % 2 | n / 7 | big | small | 1.0 | 1e16 | 123456789.123 | 0.1 + 0.2 | yes + 1 | 2 * 'ab' | 'ab' * 0 | -n|string | (-n)|string | 1 / 0 | n % 0
n ~ x ~ nothing ~ yes | 'a' 'b' | "a\\tb\\x41\\u00e9\\"" | 'it\\'s' | '\\d' | [1, 'a', none, true, 2.0] | (1,) | (1, 2) | () | {'a': 1, 'b': [1, {'c': none}]} | {} | [] | [1,] | ["it's", 'q"q', '\\n'] | table
not n | not zero | n and zero | zero or word | nothing or empty or 'last' | n if yes else 2 | n if no | (n if no) is defined | n if no else x if no else word | yes and not no | not no and yes | 1 < n < 9 | 1 < n > 9 | 1 == 1.0 | yes == 1 | 'a' < 'b' | 'a' < 1 | n == '7' | [1] == [1.0] | (1,) == [1] | none == undefined_thing | undefined_thing == other_thing
3 in items_ | 4 not in items_ | 'er' in word | 'a' in table | 1 in word | 'x' in undefined_thing | 'b' in words and 'z' not in words | not 'z' in words
items_[0] | items_[-1] | items_[9] | items_[1:] | items_[:-1] | items_[::-1] | items_[::2] | items_['a'] | nested[1][1][0] | nested.1.0 | table.a | table['b'] | table.missing | table['missing'] | table['items'] | table.n | table.n.deeper | undefined_thing.deeper | nothing.deeper | n.deeper | word.deeper | rows[1].n.k | rows[0]['n']['k'] | rows[2].content | rows[2].content.more
undefined_thing | undefined_thing + 1 | undefined_thing|length | undefined_thing|default('d') | undefined_thing|default | nothing|default('d') | nothing|default('d', true) | ''|d('e', boolean=true) | undefined_thing|trim | undefined_thing is defined | undefined_thing is undefined | undefined_thing is none | undefined_thing|list | undefined_thing ~ 'x' | undefined_thing() | word() | undefined_thing|tojson
n is number | x is float | n is integer | yes is integer | yes is boolean | word is string | words is sequence | table is mapping | words is iterable | word is iterable | n is iterable | nothing is iterable | nothing is none | n is not none | n is odd | n is even | n is divisibleby 7 | n is divisibleby(2) | n is eq 7 | n is equalto(8) | n is gt 3 | n is in items_ | 3 is in items_ | word is in ['kernel'] | yes is true | no is false | n is true | yes is sameas true | range is callable | table.items is callable | words is mapping | n is unknown_test
table|tojson | table|tojson(indent=2) | nested|tojson(indent=2) | words|tojson | text|tojson | x|tojson | big|tojson | nothing|tojson | yes|tojson | []|tojson(indent=2) | {}|tojson(indent=4) | table|tojson(separators=(',', ':')) | {'b': 1, 'a': 2}|tojson(sort_keys=true) | {1: 2, none: 3, true: 4}|tojson | '<&\\'"'|tojson | "\\x01\\x7f"|tojson | (1, 2)|tojson
words|join | words|join('-') | items_|join(', ') | rows|map(attribute='role')|join(',') | rows|join(',', attribute='role') | [none, 1, 'a']|join('+') | word|join('.') | nothing|join
words|sort | words|sort(reverse=true) | words|sort(case_sensitive=true) | items_|sort | words|unique|list | words|reverse|list | word|reverse | words|first | words|last | empty|first | empty|first is defined | word|first | word|last | table|list | table|dictsort | table|items|list|length | {'b': 1, 'a': 2}|dictsort | {'b': 1, 'a': 2}|dictsort(by='value', reverse=true) | words|list | word|list | (1, 2)|list
rows|selectattr('role', 'equalto', 'user')|list|length | rows|selectattr('content')|list|length | rows|rejectattr('content', 'defined')|list|length | items_|select('odd')|list | items_|select|list | items_|reject('in', [1])|list | words|map('upper')|list | words|map('upper')|join | rows|map(attribute='n.k', default=0)|list | rows|map(attribute='content', default='none')|list | items_|select('gt', 1)|map('string')|join('/')
'3'|int | 'x'|int | 'x'|int(5) | '3.7'|int | x|int | none|int | ' 12 '|int | '1_0'|int(-1) | '2.5'|float | 'x'|float | n|float | yes|int | 'a\\nb\\n\\nc'|indent | 'a\\nb\\n\\nc'|indent(2, true) | 'a\\n\\nb'|indent(2, blank=true) | 'a\\nb'|indent('>>') | n|string | none|string | 'AbC'|lower | 'abC'|capitalize | 5|upper
range(3)|list | range(1, 4)|list | range(5, 0, -2)|list | dict(a=1, b=word) | dict({'a': 1}, b=2) | namespace(a=1).a | namespace(a=1).b | raise_exception('no') | strftime_now('%Y-%m-%d %H') | strftime_now('%d %b %Y')
table.get('a') | table.get('z') | table.get('z', 5) | table.keys()|list | table.values()|list | table.items()|list | table.keys()|length | 'a' in table.keys() | words.append('x') | words.index('c') | table.pop('a') | word.format() | word.isdigit() | word.encode() | word|unknown_filter | word.__class__ | words|length + 1 | -n|abs | n|length | words|map('unknown')|list | words[n - 7] | words[x] | word[none] | (words|reverse)[0] | words|map('upper')|length | ((words))|length | (words|length)|string|length | 'a'|upper ~ 'b'|upper | not words|length == 3 | n.real | loop | self""".replace("\n", " | ").split(" | ")

STATEMENTS = [
    "{% for a in items_ %}{{ a }}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for a in items_ if a > 1 %}{{ a }}/{{ loop.length }} {% else %}none{% endfor %}", "{% for a in empty %}x{% else %}none{% endfor %}",
    "{% for a in items_ %}{{ loop.previtem }}<{{ a }}>{{ loop.nextitem }}{{ loop.cycle('x', 'y') }}{% endfor %}",
    "{% for a, b in table.items() %}{{ a }}={{ b }};{% endfor %}", "{% for a, b in nested %}{{ a }}{% endfor %}", "{% for a in word %}{{ a }}.{% endfor %}",
    "{% for a in items_ %}{% for b in items_ %}{{ loop.index }}{{ loop.depth }}{% endfor %}{{ loop.index }}{% endfor %}",
    "{% set v = 1 %}{% for a in items_ %}{% set v = v + a %}{{ v }}{% endfor %}{{ v }}", "{% if yes %}{% set v = 3 %}{% endif %}{{ v }}",
    "{% set ns = namespace(v=1) %}{% for a in items_ %}{% set ns.v = ns.v + a %}{% endfor %}{{ ns.v }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a = 1, 2 %}{{ a }}",
    "{% set word.x = 1 %}", "{% set v %} a {{ n }} {% endset %}[{{ v }}]", "{% set v | trim | upper %} a {{ word }} {% endset %}[{{ v }}]",
    "{% for a in items_ %}{% if a == 1 %}{% continue %}{% endif %}{{ a }}{% if a == 2 %}{% break %}{% endif %}{% endfor %}",
    "{% macro m(a, b=2, c=a) %}{{ a }}-{{ b }}-{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=1, a=2) }} {{ m(1)|length }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}|{{ m(1, 2) }}",
    "{% macro m(a) %}{{ a }}{{ n }}{{ v }}{% endmacro %}{% set v = 5 %}{{ m(1) }}", "{% macro m(k) %}{% if k %}{{ k }}{{ m(k - 1) }}{% endif %}{% endmacro %}{{ m(4) }}",
    "{% macro m(a) %}{{ kwargs }}{% endmacro %}{{ m(1, z=2) }}", "{% macro m() %}{% set n = 1 %}{{ n }}{% endmacro %}{{ m() }}{{ n }}",
    "{% if zero %}a{% elif n == 7 %}b{% else %}c{% endif %}", "{% if undefined_thing %}a{% else %}b{% endif %}", "{% if undefined_thing.x %}a{% endif %}",
    "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n", "a  {%- if yes -%}  b  {%- endif -%}  c\n\n", "a\n  {%+ if yes %}\n b {%+ endif +%}\nc", "a {# c #}\nb\n{#- x -#}\n c", "  {# c #}  \n  x",
    "{{ n }}\n{{ n -}}\n\n {{- n }}\n", "x {%+ if yes +%} \n y{% endif %}", "{% raw %}{{ n }}{% if %}{% endraw %}", "  {% raw -%}  {{ n }}  {%- endraw %}\n  x", "\r\na\r\n{% if yes %}\r\nb{% endif %}\r\n",
    "\n\n", "x\n", "{{ {'a': {'b': 1}}['a']['b'] }}", "{{ '}}' }}{{ \"%}\" }}", "{% if n %}", "{% endif %}", "{{ n", "{{ }}", "{% for %}{% endfor %}", "{% for a in items_ recursive %}{% endfor %}", "{% unknown %}",
    "{{ n | }}", "{{ (n }}", "{{ n) }}", "{% include 'x' %}", "{% with a = 1 %}{{ a }}{% endwith %}", "{% call m() %}{% endcall %}", "{{ n is not }}", "{{ n n }}", "{% set %}", "{% break %}", "{% set true = 1 %}", "{{ 1 is 1 }}", "{{ 007 }}",
    "{% generation %}a{% set v = 1 %}{% endgeneration %}{{ v }}", "{% for a in items_ %}{% set v = a %}{% endfor %}{{ v is defined }}", "{% for i in range(3) %}{{ v }}{% set v = i %}{% endfor %}",
    "{% for a in items_ %}{{ n }}{% endfor %}{% set n = 1 %}{{ n }}", "{{ n }}{% for a in items_ %}{{ n }}{% endfor %}{% set n = 1 %}{{ n }}",
    "{% for a in items_ %}{{ n }}{% endfor %}{% if no %}{% set n = 1 %}{% endif %}{{ n }}", "{% for a in items_ %}{% for b in items_ %}{{ n }}{% endfor %}{% set n = a %}{% endfor %}{{ n }}",
    "{% for a in items_ %}{% set n = a if n is not defined else n %}{{ n }}{% endfor %}", "{% macro m() %}{{ n }}{% endmacro %}{{ m() }}{% set n = 3 %}{{ m() }}",
    "{% for a in items_|reverse %}{{ loop.last }}{{ a }}{% endfor %}", "{% set g = words|map('upper') %}{{ g|join }}{{ g|join }}", "{% for a in words|map('upper') if a != 'A' %}{{ loop.index }}{{ a }}{% endfor %}",
]


def environment():
    """Jinja's environment as transformers sets it up."""
    return lambda template, variables: chat_template_utils._cached_compile_jinja_template(template).render(**variables)


def expected(render, template, variables):
    try:
        return render(template, variables)
    except Exception as error:  # whatever Python raises is an error here, too
        return {"error": f"{type(error).__name__}: {error}"}


def ask(folder, requests):
    (folder / "requests.json").write_text(json.dumps(requests))
    probe("chat", folder, folder / "requests.json", folder / "out.json")
    return json.loads((folder / "out.json").read_text())


def is_error(answer):
    return isinstance(answer, dict)


def random_text(draw):
    pieces = ["", "def f(x):\n    return x", "Schönes 日本語 👍🏽", "\n\n", "  blanks  ", "<|im_start|>user", "<think>\na\n</think>\n\nb", "{{ n }}", "\"quotes\" 'and' \\", "\t", "[INST]", "x" * 40,
              "<tool_response>r</tool_response>", "</think>", "e\u0301"]
    return "".join(draw.choice(pieces) for _ in range(draw.randint(0, 4)))


def random_value(draw, depth=0):
    kind = draw.randrange(8 if depth < 3 else 6)
    if kind == 6:
        return [random_value(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    if kind == 7:
        return {draw.choice(["a", "b ", "ü", "items", "c"]): random_value(draw, depth + 1) for _ in range(draw.randint(0, 3))}
    return [draw.randint(-5, 100), draw.random() * 10 ** draw.randint(-8, 20), random_text(draw), None, True, "x"][kind]


def conversation(draw):
    messages = []
    if draw.random() < 0.4:
        messages.append(dict(role="system", content=random_text(draw)))
    for turn in range(draw.randint(0, 5)):
        role = draw.choice(["user", "assistant"]) if draw.random() < 0.2 else ["user", "assistant"][turn % 2]
        message = dict(role=role, content=random_text(draw))
        if role == "assistant" and draw.random() < 0.3:
            call = dict(name="run", arguments={"code": random_text(draw), "n": random_value(draw)} if draw.random() < 0.8 else "{}")
            message["tool_calls"] = [dict(type="function", function=call) if draw.random() < 0.7 else call for _ in range(draw.randint(1, 2))]
            if draw.random() < 0.3:
                message["content"] = draw.choice([None, ""])
        if draw.random() < 0.1:
            message["reasoning_content"] = random_text(draw)
        if draw.random() < 0.1:
            message["content"] = [dict(type="text", text=random_text(draw)) for _ in range(draw.randint(0, 2))]
        messages.append(message)
        if draw.random() < 0.2:
            messages.append(dict(role="tool", content=random_text(draw) if draw.random() < 0.7 else random_value(draw)))
    tools = None
    if draw.random() < 0.4:
        tools = [dict(type="function", function=dict(name="run", description=random_text(draw), parameters=random_value(draw)))
                 for _ in range(draw.randint(0, 2))]
    variables = {}
    if draw.random() < 0.3:
        variables["enable_thinking"] = draw.random() < 0.5
    if draw.random() < 0.2:
        variables["builtin_tools"] = ["run", "code_interpreter"]
        variables["tools_in_user_message"] = draw.random() < 0.5
    return dict(messages=messages, tools=tools, add_generation_prompt=draw.random() < 0.5, variables=variables)


class Model:
    """A folder as transformers loads it."""

    def __init__(self, folder, config):
        self.folder = folder
        made = tokenizers.Tokenizer(tokenizers.models.BPE())
        made.save(str(folder / "tokenizer.json"))
        (folder / "tokenizer_config.json").write_text(json.dumps(dict(dict(tokenizer_class="PreTrainedTokenizerFast", bos_token="<s>",
                                                                           eos_token=dict(content="</s>", lstrip=False, rstrip=False, normalized=False,
                                                                                          single_word=False, __type="AddedToken")), **config)))
        self.tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(str(folder))

    def compare(self, name, requests):
        answers = ask(self.folder, requests)
        wrong = errors = 0
        for request, answer in zip(requests, answers, strict=True):
            want = expected(lambda _, given: self.tokenizer.apply_chat_template(
                given["messages"], tools=given["tools"], add_generation_prompt=given["add_generation_prompt"], tokenize=False,
                **given["variables"]), None, request)
            errors += is_error(want)
            if is_error(want) and is_error(answer):
                continue
            if answer != want:
                wrong += 1
                if wrong <= 3:
                    print(f"{name}: {json.dumps(request)}\n  {answer!r}\n  instead of {want!r}")
        print(f"{name}: {len(requests)} conversations ({errors} are errors on both sides), {wrong} differ")
        return wrong


def compare_templates(folder, label, templates):
    answers = ask(folder, [dict(template=one, variables=VARIABLES) for one in templates])
    render = environment()
    wrong = texts = 0
    for one, answer in zip(templates, answers, strict=True):
        want = expected(render, one, json.loads(json.dumps(VARIABLES)))
        texts += not is_error(want)
        if is_error(answer) and is_error(want):
            continue
        if answer != want:
            wrong += 1
            if wrong <= 20:
                print(f"{label}: {one!r}\n  {answer!r}\n  instead of {want!r}")
    print(f"{label}: {len(templates)} templates, {texts} of which have a text; {wrong} differ")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("worker")
    parser.add_argument("--conversations", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", nargs="*", default=[], help="model folders whose templates are compared instead")
    chosen = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        draw = random.Random(chosen.seed)
        for given in chosen.folders:
            model = Model.__new__(Model)
            model.folder = pathlib.Path(given)
            model.tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(given)
            wrong += model.compare(given, [conversation(draw) for _ in range(chosen.conversations)])
        if chosen.folders:
            sys.exit(1 if wrong else 0)
        for label, template in STYLES.items():
            model = Model(folder, dict(chat_template=template))
            wrong += model.compare(label, [conversation(draw) for _ in range(chosen.conversations)])
        named = [dict(name="default", template="default {{ messages|length }} {{ eos_token }}"), dict(name="tool_use", template="tools {{ tools|length }}")]
        wrong += Model(folder, dict(chat_template=named)).compare("named templates", [conversation(draw) for _ in range(20)])
        (folder / "chat_template.jinja").write_text("a file\n{% if bos_token %}\n{{ bos_token }}{% endif %}\n")
        wrong += Model(folder, dict(chat_template="not this")).compare("chat_template.jinja", [conversation(draw) for _ in range(3)])
        wrong += compare_templates(folder, "expressions", ["{{ " + one.strip() + " }}" for one in EXPRESSIONS])
        wrong += compare_templates(folder, "statements", STATEMENTS)
    sys.exit(1 if wrong else 0)


main()
