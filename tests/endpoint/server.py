"""A server with OpenAI's API for chats, for tests: it answers some tasks rightly, and is in trouble when it is told to be.

server.py FOLDER [options] listens on a free port, writes it to FOLDER/port, and adds a line to FOLDER/log.jsonl for each
request: {"asked": SHA-256 of its body, "what": "answer" or the trouble, "key": the key that came with it, "path", "headers", "body"}.
The line of an answer is written after all of it was sent.
"""
import argparse
import hashlib
import http.server
import json
import pathlib
import socket
import ssl
import threading
import time

KERNEL = '''Here is the kernel.
```python
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(out_ptr + at, EXPRESSION, mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
```
'''
# What a prompt must hold, and what the kernel then computes of x.
KNOWN = {'relu(': 'tl.maximum(x, 0.0)', 'neg(': '-x', '-x': '-x', 'abs(': 'tl.abs(x)'}


def answer_to(prompt):
    for text, expression in KNOWN.items():
        if text in prompt:
            return KERNEL.replace('EXPRESSION', expression)
    return 'I don\'t know that one.'


# Replies that can't be read.
RAW = {'stream': b'data: {"choices": []}\n\ndata: [DONE]\n\n', 'page': b'<!DOCTYPE html><title>502</title>', 'broken': b'{"choices": [{"message": {"con',
       'types': b'{"choices": [{"message": {"content": 5}}]}', 'nothing': b''}
# Messages without text, with why they ended. BLOCK is the answer.
WITHOUT_TEXT = {
    'reasoning': ({'content': None, 'reasoning_content': 'BLOCK'}, 'stop'),
    'thought': ({'content': '', 'reasoning': 'I think of nothing.'}, 'stop'),
    'tool_call': ({'content': None, 'tool_calls': [{'id': '1', 'type': 'function', 'function': {'name': 'run', 'arguments': '{}'}}]}, 'tool_calls'),
    'refusal': ({'content': None, 'refusal': 'I can\'t help with that.'}, 'stop'),
    'filtered': ({'content': None}, 'content_filter'),
    'used_up': ({'content': None, 'reasoning_content': 'First'}, 'length'),
    'empty': ({'content': ''}, 'stop'),
}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, options):
        self.address_family = socket.AF_INET6 if ':' in options.host else socket.AF_INET
        super().__init__((options.host, 0), Handler)
        self.options = options
        self.troubles = list(options.trouble)
        self.lock = threading.Lock()
        self.log = open(options.folder / 'log.jsonl', 'a', encoding='utf-8')

    def next_trouble(self):
        with self.lock:
            return self.troubles.pop(0) if self.troubles else self.options.always

    def write(self, **row):
        with self.lock:
            self.log.write(json.dumps(row) + '\n')
            self.log.flush()

    def handle_error(self, request, client_address):
        pass  # a client that was killed


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def reply(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(data)

    def error(self, status, message, code='', **headers):
        self.reply(status, {'error': {'message': message, 'type': 'error', 'code': code}}, **headers)

    def do_POST(self):
        options = self.server.options
        body = self.rfile.read(int(self.headers['Content-Length']))
        trouble = self.server.next_trouble()
        key = self.headers.get('api-key') or self.headers.get('Authorization', '').removeprefix('Bearer ')
        if options.key and key != options.key:
            trouble = 'unauthorised'
        time.sleep(options.delay)
        self.answer(body, trouble, key)
        self.server.write(asked=hashlib.sha256(body).hexdigest(), what=trouble or 'answer', key=key, path=self.path,
                          headers={name.lower(): value for name, value in self.headers.items()}, body=json.loads(body))

    def answer(self, body, trouble, key):
        if self.path.split('?')[0] != '/v1/chat/completions':
            return self.error(404, f'there is no {self.path}')
        if trouble == 'unauthorised':
            return self.error(401, f'Incorrect API key provided: {key}', 'invalid_api_key')
        if trouble == 'busy':
            return self.error(429, 'Rate limit reached', 'rate_limit_exceeded', Retry_After='0')
        if trouble == 'loading':
            return self.error(503, 'Loading model')
        if trouble == 'refused':
            return self.error(400, 'Unsupported parameter: \'seed\'\x1b[31m', 'unsupported_parameter')
        if trouble == 'too_long':
            return self.error(400, 'This model\'s maximum context length is 4096 tokens', 'context_length_exceeded')
        if trouble == 'overlong':  # as Anthropic's gateways say it
            return self.reply(400, {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': 'prompt is too long: 9 tokens > 8 maximum'}})
        if trouble == 'listed':  # as FastAPI says it
            return self.reply(422, {'detail': [{'loc': ['body', 'seed'], 'msg': 'extra fields not permitted'}]})
        if trouble in RAW:
            return self.reply(200, RAW[trouble])
        if trouble == 'unpaid':
            return self.error(429, 'You exceeded your current quota', 'insufficient_quota')
        if trouble == 'garbage':
            return self.reply(200, b'{"choices": [')
        if trouble == 'dropped':
            self.close_connection = True
            return None
        if trouble == 'truncated':
            self.close_connection = True
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices": [')
            return None
        asked = json.loads(body)
        prompt = asked['messages'][-1]['content']
        text = answer_to(prompt)
        reply = {'id': 'chatcmpl-1', 'object': 'chat.completion', 'model': asked['model'] + '-0001', 'system_fingerprint': 'fp_1',
                 'choices': [{'index': 0, 'message': {'role': 'assistant', 'content': text}, 'finish_reason': 'stop'}],
                 'usage': {'prompt_tokens': 100, 'completion_tokens': 200, 'total_tokens': 300}}
        if trouble == 'uncounted':
            del reply['usage']
        if trouble == 'cut_off':
            reply['choices'][0] = {'index': 0, 'message': {'role': 'assistant', 'content': text[:100]}, 'finish_reason': 'length'}
        if trouble in WITHOUT_TEXT:
            message, finish = WITHOUT_TEXT[trouble]
            message = {name: text if value == 'BLOCK' else value for name, value in message.items()}
            reply['choices'][0] = {'index': 0, 'message': {'role': 'assistant', **message}, 'finish_reason': finish}
        if trouble == 'half_a_pair':  # half of a character, a byte of none, a number that JSON doesn't have
            reply['choices'][0]['message']['content'] = text + '# HALF BYTE'
            reply['choices'][0]['logprobs'] = float('nan')
            return self.reply(200, json.dumps(reply).encode().replace(b'HALF', b'\\ud83d').replace(b'BYTE', b'\xe2\x82'))
        if trouble == 'lies':
            reply['usage']['completion_tokens'] = 1
        return self.reply(200, reply)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--host', default='127.0.0.1')
    parser.add_argument('--trouble', default=[], type=lambda text: text.split(','),
                        help='what befalls the first requests, in order: busy, loading, dropped, …; an empty word: nothing')
    parser.add_argument('--always', default='', help='what befalls all requests after that')
    parser.add_argument('--delay', default=0.0, type=float, help='seconds before each answer')
    parser.add_argument('--key', default='', help='the key that requests must have')
    parser.add_argument('--tls', nargs=2, metavar=('CERTIFICATE', 'KEY'), help='speak TLS')
    options = parser.parse_args()
    server = Server(options)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    beside = options.folder / 'port.new'
    beside.write_text(str(server.server_address[1]), encoding='utf-8')
    beside.rename(options.folder / 'port')
    server.serve_forever()


if __name__ == '__main__':
    main()
