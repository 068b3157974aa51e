"""What the process that renders chat templates can't do, whatever a template makes of it: each attempt is made after render.py has confined
itself.   confinement_tests.py SOURCE"""
import subprocess
import sys
import unittest

SOURCE = sys.argv.pop(1)


class Confinement(unittest.TestCase):
    def attempt(self, code):
        program = f"import sys, socket, subprocess\nsys.path.insert(0, {SOURCE + '/runtime/chat'!r})\nimport render\nrender.confine()\n" + code
        return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=60)

    def test_it_still_computes(self):
        self.assertEqual(self.attempt("print(render.render('{{ a }}', {'a': 1}, '2025-01-04'))").stdout, "1\n")

    def test_it_opens_no_file_and_no_connection_and_starts_no_program(self):
        for code in ("open('/etc/hostname')", "open('/tmp/made-by-a-template', 'w')", "socket.socket()", "subprocess.run(['/bin/true'])"):
            done = self.attempt(code)
            self.assertNotEqual(done.returncode, 0, code)
            self.assertIn("Too many open files", done.stderr, code)

    def test_it_has_bounded_memory(self):
        self.assertIn("MemoryError", self.attempt("bytearray(2 << 30)").stderr)


unittest.main()
