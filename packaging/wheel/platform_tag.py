"""Tells hatchling that the wheel holds programs for Linux on x86-64, and the oldest glibc that they run on."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformTag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["TRL_WHEEL_PLATFORM"]
