"""`trl-lang install-command`: makes `trl` a second name of trl-lang, unless another program has that name.

Hugging Face's TRL installs a command `trl`, too, and pip overwrites files of other packages without a word, in whatever order
two packages are installed. So the wheel has no file `trl`: this step makes one on demand, and looks before it does.
"""

import argparse
import importlib.metadata
import os
import shutil
import sys
import sysconfig

# A line in the script trl-lang by which copies of it are recognised.
MARK = "# Starts the `trl` of the package trl_kernels."


def is_ours(file):
    try:
        with open(file, "rb") as text:
            return MARK.encode() in text.read(4096)
    except OSError:
        return False


def owner_of(file):
    """Returns the installed distribution to which a file belongs, as "trl 1.16.0"; None if pip knows none."""
    real = os.path.realpath(file)
    for distribution in importlib.metadata.distributions():
        for entry in distribution.files or []:
            # Entries are paths in a distribution's RECORD. Only a script of the same name can be
            # this file.
            if entry.name == os.path.basename(file) and os.path.realpath(distribution.locate_file(entry)) == real:
                return f"{distribution.metadata['Name']} {distribution.version}"
    return None


def folder_of_scripts():
    """Returns the folder in which trl-lang lies: the folder that the wheel's RECORD names, else the scripts' folder of
    this Python."""
    try:
        for entry in importlib.metadata.files("trl_kernels") or []:
            if entry.name == "trl-lang":
                return os.path.dirname(os.path.realpath(entry.locate()))
    except importlib.metadata.PackageNotFoundError:
        pass
    return sysconfig.get_path("scripts")


def describe(file):
    owner = owner_of(file)
    return f"{file}, a file of {owner}" if owner else f"{file}, which pip doesn't know"


def install(replace):
    folder = folder_of_scripts()
    ours, target = os.path.join(folder, "trl-lang"), os.path.join(folder, "trl")
    taken = os.path.lexists(target) and not is_ours(target)
    if taken and not replace:
        print(f"error: the name `trl` is taken by {describe(target)}", file=sys.stderr)
        print("  help: use trl-lang, which is the same command; --replace overwrites that file", file=sys.stderr)
        return 1
    if taken:
        print(f"overwriting {describe(target)}")
    # The file is copied and not linked: a program that later overwrites `trl` must not write
    # through the link.
    unfinished = target + ".unfinished"
    shutil.copy2(ours, unfinished)
    os.replace(unfinished, target)
    print(f"wrote {target}, a second name of {ours}")
    found = shutil.which("trl")
    if found is None:
        print(f"warning: {folder} isn't in PATH", file=sys.stderr)
    elif not is_ours(found):
        print(f"warning: PATH has another trl before it: {describe(found)}", file=sys.stderr)
    return 0


def uninstall():
    target = os.path.join(folder_of_scripts(), "trl")
    if not os.path.lexists(target):
        print(f"there is no {target}")
        return 0
    if not is_ours(target):
        print(f"error: {describe(target)}, isn't a second name of trl-lang, and stays", file=sys.stderr)
        return 1
    os.remove(target)
    print(f"removed {target}")
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="trl-lang " + arguments[0],
        description={
            "install-command": "Makes `trl` a second name of trl-lang, unless another program has that name.",
            "uninstall-command": "Removes the second name `trl` of trl-lang.",
        }[arguments[0]],
    )
    if arguments[0] == "uninstall-command":
        parser.parse_args(arguments[1:])
        return uninstall()
    parser.add_argument("--replace", action="store_true", help="overwrite another program's `trl`")
    return install(parser.parse_args(arguments[1:]).replace)
