"""A server that loads adapters and samples from tokens, by the calls of vLLM or of SGLang, for tests: it answers by a rule.

rollout_server.py FOLDER TOKENIZER [options] listens on a free port, writes it to FOLDER/port, and adds a line to FOLDER/log.jsonl for
each call: {"call": "load", "unload" or "answer", "status", "name": of the adapter, "digest": of its weights, "path", "body"}.
"""
import argparse
import hashlib
import http.server
import json
import os
import pathlib
import threading
import time

import tokenizers

from server import KERNEL, KNOWN


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, options):
        super().__init__(('127.0.0.1', 0), Handler)
        self.options = options
        self.tokenizer = tokenizers.Tokenizer.from_file(str(options.tokenizer))
        self.end = self.tokenizer.token_to_id('<|endoftext|>')
        self.loaded = {}
        self.asked = {}  # how often each prompt was asked for, by adapter
        self.answers = 0
        self.lock = threading.Lock()
        self.log = open(options.folder / 'log.jsonl', 'a', encoding='utf-8')

    def write(self, **row):
        with self.lock:
            self.log.write(json.dumps(row) + '\n')
            self.log.flush()

    def handle_error(self, request, client_address):
        pass  # a client that was killed

    def tokens_of(self, prompt, number):
        """An answer's tokens: right or wrong, by the prompt and a number of this answer."""
        text = self.tokenizer.decode(prompt)
        expression = next((known for part, known in KNOWN.items() if part in text), 'x')
        if hashlib.sha256(f'{prompt} {number}'.encode()).digest()[0] % 2:
            expression = '2 * x'
        answer = KERNEL.replace('EXPRESSION', expression).split('```python\n')[1].split('```')[0]
        return self.tokenizer.encode(answer, add_special_tokens=False).ids + [self.end]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def reply(self, status, body):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        return status

    def error(self, status, message):
        if self.server.options.kind == 'sglang':
            return self.reply(status, {'success': False, 'error_message': message})
        return self.reply(status, {'error': {'message': message, 'type': 'BadRequestError', 'param': None, 'code': status}})

    def do_POST(self):
        options = self.server.options
        body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        base = '' if options.kind == 'sglang' else '/v1'
        calls = {'/load_lora_adapter': self.load, '/unload_lora_adapter': self.unload,
                 '/generate' if options.kind == 'sglang' else '/completions': self.answer}
        call = calls.get(self.path.removeprefix(base)) if self.path.startswith(base) else None
        if call is None or (options.refuse == 'route' and call != self.answer):
            self.reply(404, {'detail': 'Not Found'})
            return self.server.write(call='none', status=404, path=self.path)
        return call(body)

    def load(self, body):
        server, options, name = self.server, self.server.options, body['lora_name']
        folder = pathlib.Path(body['lora_path'])
        digest = ''
        if not name:
            status = self.error(400, 'Both \'lora_name\' and \'lora_path\' must be provided.')
        elif options.refuse == 'rank':
            status = self.error(400, 'LoRA rank 4 is greater than max_lora_rank 2.')
        elif not (folder / 'adapter_config.json').is_file():
            status = self.error(404, f'Loading lora {name} failed: No adapter found for {folder}')
        elif name in server.loaded:
            status = self.error(400, f"The lora adapter '{name}' has already been loaded.")
        else:
            digest = hashlib.sha256((folder / 'adapter_model.safetensors').read_bytes()).hexdigest()
            server.loaded[name] = digest
            status = self.reply(200, f'Success: LoRA adapter \'{name}\' added successfully.' if options.kind == 'vllm'
                                else {'success': True, 'loaded_adapters': {name: str(folder)}})
        server.write(call='load', status=status, name=name, digest=digest, path=str(folder), body=body)

    def unload(self, body):
        name = body['lora_name']
        known = self.server.loaded.pop(name, None) is not None
        status = self.reply(200, f'Success: LoRA adapter \'{name}\' removed successfully.') if known else self.error(
            404, f'The lora adapter \'{name}\' cannot be found.')
        self.server.write(call='unload', status=status, name=name, body=body)

    def answer(self, body):
        server, options = self.server, self.server.options
        time.sleep(options.delay)
        vllm = options.kind == 'vllm'
        name = body['model'] if vllm else body.get('lora_path', options.name)
        if name != options.name and name not in server.loaded:
            status = self.error(404, f'The model `{name}` does not exist.')
            return server.write(call='answer', status=status, name=name)
        prompt = body['prompt'] if vllm else body['input_ids']
        with server.lock:
            server.answers += 1
            dies = options.die_after and server.answers > options.die_after
            key = (name, tuple(prompt))
            number = body['seed'] if vllm else server.asked.get(key, 0)
            server.asked[key] = server.asked.get(key, 0) + 1
        if dies:
            os._exit(1)
        tokens = server.tokens_of(prompt, number)
        most = body['max_tokens'] if vllm else body['sampling_params']['max_new_tokens']
        finish = 'length' if len(tokens) > most else 'stop'
        tokens = tokens[:most]
        scores = [-(1 + token % 8) / 8 for token in tokens]
        text = server.tokenizer.decode(tokens)
        if vllm:
            choice = {'index': 0, 'text': text, 'finish_reason': finish, 'stop_reason': None, 'logprobs': None}
            if not options.no_tokens:
                choice.update(token_ids=tokens, prompt_token_ids=prompt)
            if not options.no_logprobs:
                choice['logprobs'] = {'token_logprobs': scores, 'tokens': [f'token_id:{token}' for token in tokens]}
            status = self.reply(200, {'id': 'cmpl-1', 'object': 'text_completion', 'model': name, 'choices': [choice],
                                      'usage': {'prompt_tokens': len(prompt), 'completion_tokens': len(tokens)}})
        else:
            meta = {'id': 'x', 'finish_reason': {'type': finish}, 'prompt_tokens': len(prompt), 'completion_tokens': len(tokens)}
            if not options.no_logprobs:
                meta['output_token_logprobs'] = [[score, token, None] for score, token in zip(scores, tokens)]
            reply = {'text': text, 'meta_info': meta}
            if not options.no_tokens:
                reply['output_ids'] = tokens
            status = self.reply(200, reply)
        return server.write(call='answer', status=status, name=name, body=body)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('tokenizer', type=pathlib.Path, help='the model\'s tokenizer.json')
    parser.add_argument('--kind', default='vllm', choices=['vllm', 'sglang'])
    parser.add_argument('--name', default='base', help='what the base model is called')
    parser.add_argument('--refuse', default='', choices=['', 'route', 'rank'], help='how adapters are refused')
    parser.add_argument('--die-after', default=0, type=int, help='the number of answers after which it ends')
    parser.add_argument('--no-logprobs', action='store_true')
    parser.add_argument('--no-tokens', action='store_true')
    parser.add_argument('--delay', default=0.0, type=float, help='seconds before each answer')
    options = parser.parse_args()
    server = Server(options)
    beside = options.folder / 'port.new'
    beside.write_text(str(server.server_address[1]), encoding='utf-8')
    beside.rename(options.folder / 'port')
    server.serve_forever()


if __name__ == '__main__':
    main()
