"""The functions by which kernels reach the memory of all runs, as LLVM IR."""

from __future__ import annotations


def memory_access(lanes: int) -> str:
    """Reading, writing, and each lane at a place of its own; and reciprocals, which GPUs have their own way for."""
    kind = "double" if lanes == 1 else f"<{lanes} x double>"
    mask = "i1" if lanes == 1 else f"<{lanes} x i1>"
    one = "1.0" if lanes == 1 else f"<{', '.join(['double 1.0'] * lanes)}>"
    return f"""
define internal {kind} @job.inverse({kind} %x) alwaysinline nounwind {{
  %found = fdiv {kind} {one}, %x
  ret {kind} %found
}}
define internal {kind} @job.read_lane(ptr %array, i64 %index) alwaysinline nounwind {{
  %at = getelementptr double, ptr %array, i64 %index
  %value = load {kind}, ptr %at, align 8
  ret {kind} %value
}}
define internal void @job.write_lane(ptr %array, i64 %index, {kind} %value) alwaysinline nounwind {{
  %at = getelementptr double, ptr %array, i64 %index
  store {kind} %value, ptr %at, align 8
  ret void
}}
define internal i1 @job.is_any({mask} %x) alwaysinline nounwind {{
{_any(lanes)}
}}
{_read_time(lanes, kind)}
{_scatter(lanes, kind, mask)}
"""


def _any(lanes: int) -> str:
    """Whether one of the bits is set."""
    if lanes == 1:
        return "  ret i1 %x"
    whole = f"i{lanes}"
    return f"""  %bits = bitcast <{lanes} x i1> %x to {whole}
  %found = icmp ne {whole} %bits, 0
  ret i1 %found"""


def _read_time(lanes: int, kind: str) -> str:
    lines = []
    last = "poison"
    for lane in range(lanes):
        row = "%row" if lanes == 1 else f"%row{lane}"
        if lanes > 1:
            lines.append(f"  {row} = extractelement {kind} %row, i64 {lane}")
        lines.append(f"  %index{lane} = fptosi double {row} to i64")
        lines.append(f"  %at{lane} = getelementptr double, ptr %array, i64 %index{lane}")
        lines.append(f"  %value{lane} = load double, ptr %at{lane}, align 8")
        if lanes > 1:
            lines.append(f"  %all{lane} = insertelement {kind} {last}, double %value{lane}, i64 {lane}")
            last = f"%all{lane}"
    result = "%value0" if lanes == 1 else last
    head = f"define internal {kind} @job.read_time(ptr %array, {kind} %row) alwaysinline nounwind {{"
    return "\n".join([head, *lines, f"  ret {kind} {result}", "}"])


def _scatter(lanes: int, kind: str, mask: str) -> str:
    """What is not due goes to a place that nobody reads."""
    lines = ["  %nowhere = alloca double", f"  %offset = fmul {kind} %stride, %row"]
    for lane in range(lanes):
        value, offset, due = "%value", "%offset", "%due"
        if lanes > 1:
            value, offset, due = f"%value{lane}", f"%offset{lane}", f"%due{lane}"
            lines.append(f"  {value} = extractelement {kind} %value, i64 {lane}")
            lines.append(f"  {offset} = extractelement {kind} %offset, i64 {lane}")
            lines.append(f"  {due} = extractelement {mask} %due, i64 {lane}")
        lines.append(f"  %whole{lane} = fptosi double {offset} to i64")
        lines.append(f"  %place{lane} = add i64 %whole{lane}, %index")
        lines.append(f"  %shifted{lane} = add i64 %place{lane}, {lane}")
        lines.append(f"  %at{lane} = getelementptr double, ptr %array, i64 %shifted{lane}")
        lines.append(f"  %to{lane} = select i1 {due}, ptr %at{lane}, ptr %nowhere")
        lines.append(f"  store double {value}, ptr %to{lane}, align 8")
    arguments = f"ptr %array, i64 %index, {kind} %stride, {kind} %row, {kind} %value, {mask} %due"
    head = f"define internal void @job.scatter_lane({arguments}) alwaysinline nounwind {{"
    return "\n".join([head, *lines, "  ret void", "}"])
