"""The kernel of a model as PTX, the assembly of NVIDIA's GPUs: one run in each thread.

LLVM's NVPTX back end writes it, so that no toolkit is needed; the driver of the GPU makes machine code of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from tellegen.ensembles.kernel import kernel
from tellegen.ensembles.model.functions import ModelText

TRIPLE = "nvptx64-nvidia-cuda"
KERNEL = "ensemble"
OLDEST = 70
"""The oldest compute capability that is supported (Volta), times ten."""

_GLOBAL, _SHARED, _LOCAL = 1, 3, 5
"""Kinds of memory, as LLVM numbers them."""
_WORK = ("q", "x", "out", "factors")
"""Arguments of a model's functions that are the work of a run; `common` is what runs share, in global memory."""

_KNOWN = (70, 75, 80, 86, 89, 90, 100)
"""What LLVM is asked for: the newest of these that the GPU is not older than."""

_INVERSE = re.compile(r"define internal double @job\.inverse\(.*?\n\}", re.DOTALL)
_FAST_INVERSE = """define internal double @job.inverse(double %x) alwaysinline nounwind {
  %near = call double @llvm.nvvm.rcp.approx.ftz.d(double %x)
  %minus = fneg double %x
  %error = call double @llvm.fma.f64(double %minus, double %near, double 1.0)
  %nearer = call double @llvm.fma.f64(double %near, double %error, double %near)
  %rest = call double @llvm.fma.f64(double %minus, double %nearer, double 1.0)
  %found = call double @llvm.fma.f64(double %nearer, double %rest, double %nearer)
  ret double %found
}"""
"""Without the branch of a division; not for numbers below 1e-308 or without end, which become NaN."""


_FIELD = re.compile(r"(%\S+) = load ptr, ptr (%\S+)")
_ROOM = re.compile(r"  (%work\.room) = alloca \[(\d+) x double\]")
_SHARED_ROOM = "room"
_CALLED_HEAD = ") noinline"
_CALLED = re.compile(r"define internal void @job\.\w+\(double %t, [^)]*\) noinline .*?\n\}", re.DOTALL)
_ELEMENT = re.compile(r"(%v\d+) = getelementptr double, ptr %(common|q|x|out|factors), (i64 \d+)")


def architecture(capability: int) -> str:
    """The name of the newest known architecture that a GPU of a compute capability (times ten) runs."""
    return f"sm_{max(known for known in _KNOWN if known <= capability)}"


def ptx(model: ModelText, entry: str, processor: str = "sm_70", is_shared: bool = False) -> str:
    """The text for a processor; functions of it run on all newer ones.

    Where the work of a run `is_shared` it is in the memory that the threads of a block share, see `shared_numbers`.
    """
    module = kernel(model, entry, 1)
    text = module.text.replace(f"define void @{entry}(", f"define internal void @{entry}(", 1)
    text = re.sub(rf"(@{entry}\(.*\)) noinline", r"\1 alwaysinline", text, count=1)
    parsed = llvm.parse_assembly(_target_text(text, entry, is_shared))
    machine = _machine(processor)
    parsed.triple = TRIPLE
    parsed.data_layout = str(machine.target_data)
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(parsed, builder)
    return machine.emit_assembly(parsed)


def shared_numbers(model: ModelText) -> int:
    """How many numbers a run takes where its work is in shared memory; 0 where it is in registers.

    The count is odd: so the 32 threads of a warp, each at the same place of its run, are at 32 different banks.
    """
    return model.constants["WORK"] | 1 if _CALLED_HEAD in model.text else 0


def _in_spaces(text: str, is_shared: bool) -> str:
    """Addresses with the kind of memory that they are of: what a job refers to is global, a run's own work is not.

    Machine code waits for every access to memory of an unknown kind before it goes on.
    """
    text = _FIELD.sub(_global_field, text)
    work = _SHARED if is_shared else _LOCAL
    if is_shared:
        text = _ROOM.sub(_shared_room, text)
    return _CALLED.sub(lambda found: _with_known_arguments(found[0], work), text)


def _shared_room(found: re.Match[str]) -> str:
    """The work of a run as a part of the memory of its block."""
    name, size = found.groups()
    return f"""
  {name}.thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  {name}.number = zext i32 {name}.thread to i64
  {name}.first = mul i64 {name}.number, {int(size) | 1}
  {name}.there = getelementptr double, ptr addrspace({_SHARED}) @{_SHARED_ROOM}, i64 {name}.first
  {name} = {_known(f"{name}.there", _SHARED)}"""


def _global_field(found: re.Match[str]) -> str:
    name, source = found.groups()
    return f"{name}.there = load ptr addrspace({_GLOBAL}), ptr {source}\n  {name} = {_known(f'{name}.there', _GLOBAL)}"


def _with_known_arguments(text: str, work: int) -> str:
    """A function that is called: in others LLVM follows addresses to where they come from."""
    head = text[: text.index("{")]
    spaces = {"common": _GLOBAL, **{name: work for name in _WORK if f"ptr %{name}" in head}}
    casts = [f"  %{name}.there = addrspacecast ptr %{name} to ptr addrspace({at})" for name, at in spaces.items()]
    known = _ELEMENT.sub(lambda found: _known_element(found, spaces[found[2]]), text)
    return known.replace("\nentry:", "\n".join(["\nentry:", *casts]), 1)


def _known_element(found: re.Match[str], space: int) -> str:
    name, array, index = found.groups()
    at = f"getelementptr double, ptr addrspace({space}) %{array}.there, {index}"
    return f"{name}.there = {at}\n  {name} = {_known(f'{name}.there', space)}"


def _known(address: str, space: int) -> str:
    return f"addrspacecast ptr addrspace({space}) {address} to ptr"


def _target_text(text: str, entry: str, is_shared: bool) -> str:
    """The kernel: a thread makes the run of its number, and then others as far apart as there are threads."""
    return f"""{_in_spaces(_INVERSE.sub(_FAST_INVERSE, text), is_shared)}
@{_SHARED_ROOM} = external addrspace({_SHARED}) global [0 x double], align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare double @llvm.nvvm.rcp.approx.ftz.d(double)
define ptx_kernel void @{KERNEL}(ptr %job, i64 %first, i64 %last) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %threads
  %number = add i32 %before, %thread
  %all = mul i32 %blocks, %threads
  %offset = zext i32 %number to i64
  %stride = zext i32 %all to i64
  %begin = add i64 %first, %offset
  %is_there = icmp slt i64 %begin, %last
  br i1 %is_there, label %go, label %done
go:
  %run = phi i64 [ %begin, %0 ], [ %later, %go ]
  %next = add i64 %run, 1
  call void @{entry}(ptr %job, i64 %run, i64 %next)
  %later = add i64 %run, %stride
  %more = icmp slt i64 %later, %last
  br i1 %more, label %go, label %done
done:
  ret void
}}
"""


@lru_cache(maxsize=8)
def _machine(processor: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=processor, opt=3)
