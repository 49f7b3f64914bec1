"""Builds the extension against libsalotto.

The library is the one of ../build if it was built there (./run build), else the installed one that
pkg-config finds.
"""
import os
import subprocess

from setuptools import Extension, setup

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BUILT = os.path.join(os.environ.get("SALOTTO_BUILD", os.path.join(TOP, "build")), "libsalotto.a")


def config(*words):
    return subprocess.run(["pkg-config", *words], check=True, capture_output=True,
                          text=True).stdout.split()


if os.path.exists(BUILT):
    extra = {"include_dirs": [os.path.join(TOP, "include")],
             "extra_objects": [os.path.abspath(BUILT)],
             "extra_link_args": config("--libs", "libsodium", "jansson") + ["-lm", "-lpthread"]}
else:
    extra = {"extra_compile_args": config("--cflags", "salotto"),
             "extra_link_args": config("--libs", "salotto")}
setup(ext_modules=[Extension("salotto._engine", ["salotto/_engine.c"], py_limited_api=True, **extra)],
      options={"bdist_wheel": {"py_limited_api": "cp311"}})
