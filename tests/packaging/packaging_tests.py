"""Tests of the wheel: what its programs need, what pip makes of it, and that it leaves other packages' `trl` alone. No network.

    packaging_tests.py SOURCE BUILD CXX
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import zipfile

SOURCE, BUILD, CXX = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("TRL_HOME", "TRL_PYTHON")}


def run(*command, **environment):
    return subprocess.run(
        [str(word) for word in command], env=dict(ENVIRONMENT, **environment), capture_output=True, text=True, check=False
    )


class Floor(unittest.TestCase):
    """packaging/scripts/floor accepts and refuses programs that are made here."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def verdict(self, text, *options):
        (self.folder / "program.cpp").write_text(text)
        made = run(CXX, "-o", self.folder / "program", self.folder / "program.cpp", *options)
        self.assertEqual(made.returncode, 0, made.stderr)
        floor = run(SOURCE / "packaging/scripts/floor", self.folder / "program")
        return floor.returncode, floor.stderr

    def test_an_ordinary_program_passes(self):
        self.assertEqual(self.verdict("#include <iostream>\nint main() { std::cout << 1; }\n"), (0, ""))

    def test_a_static_program_passes(self):
        self.assertEqual(self.verdict("int main() {}\n", "-static"), (0, ""))

    def test_a_function_that_old_machines_lack_is_refused(self):
        # Whichever glibc the compiler has, this name has a version that is newer than the floor.
        newer = self.folder / "newer.map"
        newer.write_text("GLIBC_2.99 { global: tomorrow; local: *; };\n")
        (self.folder / "library.cpp").write_text('extern "C" int tomorrow() { return 0; }\n')
        made = run(CXX, "-shared", "-fPIC", "-o", self.folder / "libm.so.6", self.folder / "library.cpp", f"-Wl,--version-script={newer}",
                   "-Wl,-soname,libm.so.6")
        self.assertEqual(made.returncode, 0, made.stderr)
        status, errors = self.verdict('extern "C" int tomorrow();\nint main() { return tomorrow(); }\n', self.folder / "libm.so.6")
        self.assertEqual(status, 1)
        self.assertIn("needs tomorrow of GLIBC_2.99, newer than GLIBC_2.34", errors)

    def test_a_library_that_nobody_brings_is_refused(self):
        (self.folder / "library.cpp").write_text('extern "C" int own() { return 0; }\n')
        made = run(CXX, "-shared", "-fPIC", "-o", self.folder / "libown.so", self.folder / "library.cpp")
        self.assertEqual(made.returncode, 0, made.stderr)
        status, errors = self.verdict('extern "C" int own();\nint main() { return own(); }\n', self.folder / "libown.so",
                                      f"-Wl,-rpath,{self.folder}")
        self.assertEqual(status, 1)
        self.assertIn("needs the library", errors)
        self.assertIn(f"looks for libraries in {self.folder}", errors)


class Wheel(unittest.TestCase):
    """The wheel of this build, in a virtual environment."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        made = run(SOURCE / "packaging/scripts/wheel", folder, TRL_BUILD=BUILD, TRL_PYTHON=sys.executable)
        assert made.returncode == 0, made.stderr
        (cls.wheel,) = folder.glob("*.whl")
        cls.environment = folder / "environment"
        # The interpreter of the tests may have packages that it shouldn't see.
        run(sys.executable, "-m", "venv", cls.environment)
        cls.bin = cls.environment / "bin"
        installed = run(cls.bin / "python", "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", cls.wheel)
        assert installed.returncode == 0, installed.stderr
        cls.outside = folder / "elsewhere"
        cls.outside.mkdir()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def tearDown(self):
        (self.bin / "trl").unlink(missing_ok=True)

    def add_other_trl(self):
        """What pip leaves of another distribution with a command `trl`."""
        (self.bin / "trl").write_text("#!/usr/bin/python3\nfrom trl.cli import main\n")
        (self.bin / "trl").chmod(0o755)
        digest = base64.urlsafe_b64encode(hashlib.sha256((self.bin / "trl").read_bytes()).digest()).rstrip(b"=").decode()
        info = pathlib.Path(sysconfig.get_path("purelib", vars={"base": str(self.environment)})) / "trl-1.16.0.dist-info"
        info.mkdir()
        self.addCleanup(shutil.rmtree, info)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trl\nVersion: 1.16.0\n")
        (info / "RECORD").write_text(f"../../../bin/trl,sha256={digest},1\ntrl-1.16.0.dist-info/METADATA,,\n")

    def test_its_name_says_where_it_runs_and_it_is_small(self):
        self.assertRegex(self.wheel.name, r"^trl_kernels-[0-9.]+-py3-none-manylinux_2_34_x86_64\.whl$")
        self.assertLess(self.wheel.stat().st_size, 60_000_000)

    def test_it_has_all_that_is_needed_and_no_command_trl(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
        for name in ("bin/trl", "bin/trl-worker", "bin/trl-sandbox", "bin/trl-kernel-check", "stdlib/schema.trl",
                     "stdlib/windtunnel/model.safetensors", "verifier/recorder/recorder.py", "verifier/kernelbench/read_tasks.py", "runtime/chat/render.py", "client.py", "hf_trl.py", "openenv.py", "py.typed", "editors/vim/syntax/trl.vim"):
            self.assertIn("trl_kernels/" + name, names)
        scripts = [name for name in names if ".data/scripts/" in name]
        self.assertEqual([name.rsplit("/", 1)[1] for name in scripts], ["trl-lang"])
        self.assertFalse([name for name in names if re.search(r"__pycache__|\.(cpp|hpp|o)$", name)])

    def test_its_command_checks_a_file_wherever_it_is_called(self):
        for command in ([self.bin / "trl-lang"], [self.bin / "python", "-m", "trl_kernels"]):
            checked = run(*command, "check", SOURCE / "experiments/ablation.trl")
            self.assertEqual(checked.returncode, 0, checked.stderr)
        link = self.outside / "trl-lang"
        link.symlink_to(self.bin / "trl-lang")
        self.assertEqual(run(link, "version").returncode, 0)
        beside = run("sh", "-c", f"cd {self.bin} && ./trl-lang version")
        self.assertEqual(beside.returncode, 0, beside.stderr)

    def test_its_package_is_a_client_of_the_service(self):
        program = "import trl_kernels.hf_trl; print(trl_kernels.Client('http://127.0.0.1:9', timeout=1).ready())"
        asked = run(self.bin / "python", "-c", program)
        self.assertEqual((asked.returncode, asked.stdout), (0, "False\n"), asked.stderr)

    def test_without_torch_the_doctor_says_that_it_is_missing(self):
        found = run(self.bin / "trl-lang", "doctor")
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn(f"{self.bin}/python", found.stdout)
        self.assertRegex(found.stdout, r"torch +missing")
        self.assertIn("libtorch_cpu.so isn't found", found.stdout)

    def test_the_name_trl_is_given_where_it_is_free(self):
        made = run(self.bin / "trl-lang", "install-command")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(run(self.bin / "trl", "version").stdout, run(self.bin / "trl-lang", "version").stdout)
        self.assertEqual(run(self.bin / "trl-lang", "install-command").returncode, 0)
        removed = run(self.bin / "trl-lang", "uninstall-command")
        self.assertEqual(removed.returncode, 0, removed.stderr)
        self.assertFalse((self.bin / "trl").exists())

    def test_another_packages_trl_stays_unless_it_is_to_go(self):
        self.add_other_trl()
        before = (self.bin / "trl").read_bytes()
        refused = run(self.bin / "trl-lang", "install-command")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"the name `trl` is taken by {self.bin}/trl, a file of trl 1.16.0", refused.stderr)
        self.assertEqual((self.bin / "trl").read_bytes(), before)
        self.assertEqual(run(self.bin / "trl-lang", "uninstall-command").returncode, 1)
        self.assertEqual((self.bin / "trl").read_bytes(), before)
        found = run(self.bin / "trl-lang", "doctor", PATH=f"{self.bin}:{os.environ['PATH']}").stdout
        self.assertIn("Hugging", found)
        replaced = run(self.bin / "trl-lang", "install-command", "--replace")
        self.assertEqual(replaced.returncode, 0, replaced.stderr)
        self.assertIn(f"overwriting {self.bin}/trl, a file of trl 1.16.0", replaced.stdout)
        self.assertEqual(run(self.bin / "trl", "version").returncode, 0)


class Containers(unittest.TestCase):
    """The texts of the containers, which no engine reads here."""

    FOLDER = SOURCE / "packaging/containers"

    def test_both_copy_the_same_files_to_the_same_place_and_run_the_same_step(self):
        docker = (self.FOLDER / "Dockerfile").read_text()
        apptainer = (self.FOLDER / "trl.def").read_text()
        self.assertIn("COPY install trl_kernels-*.whl /opt/trl-wheel/\n", docker)
        self.assertRegex(apptainer, r"%files\n +install /opt/trl-wheel/install\n +trl_kernels-\*\.whl /opt/trl-wheel/\n")
        step = "/opt/trl-wheel/install && rm -r /opt/trl-wheel\n"
        self.assertIn("RUN " + step, docker)
        self.assertRegex(apptainer, r"%post\n +" + re.escape(step))
        (base,) = re.findall(r"^FROM (\S+)$", docker, re.MULTILINE)
        self.assertEqual(re.findall(r"^From: (\S+)$", apptainer, re.MULTILINE), [base])
        self.assertRegex(base, r"^nvidia/cuda:[0-9.]+-runtime-ubuntu(22|24)\.04$")
        self.assertIn("ENV PATH=/opt/trl/bin:$PATH\n", docker)
        self.assertIn("export PATH=/opt/trl/bin:$PATH\n", apptainer)

    def test_every_package_is_one_of_those_that_trl_installs(self):
        install = (self.FOLDER / "install").read_text()
        (listed,) = re.findall(r"--no-install-recommends (.*)", install)
        known = set(re.findall(r"^([a-z0-9.+-]+):", (SOURCE / "trl").read_text(), re.MULTILINE))
        known |= set(re.findall(r'packages[+]?="\n?([a-z0-9.+-]+):', (SOURCE / "trl").read_text()))
        self.assertLessEqual(set(listed.split()), known)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
