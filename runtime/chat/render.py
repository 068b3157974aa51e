"""Renders chat templates by jinja2, set up as transformers sets it up. TemplateRenderer (template_renderer.cpp) starts this with the number
of seconds of a processor's time that one text may take, and speaks to it in lines of JSON: {} once at the start, or {"lacks": …};
then for each {"template": …, "variables": …, "today": "2024-07-26"} one {"text": …}, or {"error": …, "line": a line of the template or null}.

A template comes with a model, from a stranger. What it may do is limited twice:

- jinja2's ImmutableSandboxedEnvironment interprets it: no attribute that leads from a value to Python's own objects, no change to a
  value, no more than 100,000 items of a range. It limits neither time nor memory nor length, and ways out of it were found before.
- `confine` limits this process, by the kernel, before it sees a template: time, memory, and no further descriptor, hence no
  file, no network and no other program. Code that gets out of jinja2's sandbox still reads this process's memory and may signal
  the user's processes; where it is root's, it may also raise the limits.
"""
import datetime
import functools
import importlib.metadata
import json
import resource
import sys
import time
import traceback
import warnings

MOST_TEXT = 8 << 20
MOST_MEMORY = 1 << 30


def answer(given):
    # A message may contain half a surrogate pair, which has no UTF-8. It is replaced.
    sys.stdout.buffer.write(json.dumps(given, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


try:
    import jinja2
    import jinja2.debug
    import jinja2.ext
    import jinja2.sandbox

    if tuple(map(int, importlib.metadata.version("jinja2").split(".")[:2])) < (3, 1):
        raise ImportError("jinja2 is older than 3.1")
except ImportError as error:
    answer({"lacks": str(error)})
    sys.exit()


class Generation(jinja2.ext.Extension):
    """{% generation %}…{% endgeneration %} around an answer, by which transformers finds answers' tokens; here its body alone counts."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("body"), [], [], body).set_lineno(line)

    def body(self, caller):
        return caller()


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise jinja2.TemplateError(f"the template refuses this conversation: {message}")


ENVIRONMENT = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
ENVIRONMENT.filters["tojson"] = tojson
ENVIRONMENT.globals["raise_exception"] = raise_exception
compiled = functools.lru_cache(maxsize=8)(ENVIRONMENT.from_string)


def render(template, variables, today):
    date = datetime.datetime.fromisoformat(today)

    def strftime_now(format):
        return date.strftime(format)

    ENVIRONMENT.globals["strftime_now"] = strftime_now
    parts, length = [], 0
    for part in compiled(template).generate(variables):
        parts.append(part)
        length += len(part.encode())
        if length > MOST_TEXT:
            raise jinja2.TemplateError("the template writes more than 8 MiB")
    return "".join(parts)


def line_of(error):
    """Returns the line of the template on which rendering failed. jinja2 gives the frames of templates the templates'
    line numbers."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return error.lineno
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "<template>"]
    return lines[-1] if lines else None


def message_of(error):
    if isinstance(error, MemoryError):
        return "the template needs more than 1 GiB of memory"
    message = error.message or "" if isinstance(error, jinja2.TemplateError) else f"{type(error).__name__}: {error}"
    return message[:2000]


def allowed(limit, most):
    hard = resource.getrlimit(limit)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def confine():
    # Some templates need modules that Python imports at their first use. That needs files, so they
    # are used here once.
    ENVIRONMENT.from_string(r"{{ '\u00e9\N{BULLET}' | pprint }}{{ lipsum(1) }}").render()
    for limit, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_NOFILE, 0), (resource.RLIMIT_NPROC, 0), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_FSIZE, 1 << 16)):  # its standard error is in memory that counts as a file
        resource.setrlimit(limit, (allowed(limit, most),) * 2)


def main():
    seconds = int(sys.argv[1])
    warnings.simplefilter("ignore")  # Python's about the code that jinja2 makes of a template
    confine()
    answer({})
    for request in sys.stdin.buffer:
        # The signal at the limit ends the process. For the next request the limit is raised by the
        # time that this one took.
        end = allowed(resource.RLIMIT_CPU, int(time.process_time()) + 1 + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        try:
            given = {"text": render(**json.loads(request))}
        except Exception as error:
            given = {"error": message_of(error), "line": line_of(error)}
        answer(given)


if __name__ == "__main__":
    main()
