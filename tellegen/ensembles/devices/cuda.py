"""The driver of NVIDIA's GPUs, by its C interface alone: no toolkit, no package.

Every call is checked; what the driver says becomes a GpuError, so that a study can go on elsewhere or say why not.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

_NAMES = {"win32": ("nvcuda.dll",), "linux": ("libcuda.so.1", "libcuda.so")}
_MAJOR, _MINOR, _PROCESSORS = 75, 76, 16
_ERROR_LOG, _ERROR_LOG_SIZE = 5, 6
_LOCAL_BYTES = 3  # CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
_MOST_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_SHARED_BYTES = 97  # CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
_LOG_BYTES = 8192
_BESIDE_OTHERS = 1  # a stream that does not wait for the one without a name


class GpuError(Exception):
    """Why something cannot be done on a GPU here."""


@dataclass(frozen=True)
class Gpu:
    """The GPU of this process: its name, compute capability times ten, multiprocessors, the bytes that
    the threads of a block can share, and a handle of the driver."""

    name: str
    capability: int
    processors: int
    shared_bytes: int
    driver: Any

    def check(self, what: str, code: int) -> None:
        """See `checked`."""
        checked(self.driver, what, code)

    def free_memory(self) -> int:
        """Bytes."""
        free = ctypes.c_size_t()
        total = ctypes.c_size_t()
        self.check("cuMemGetInfo", self.driver.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
        return free.value


def checked(driver: Any, what: str, code: int) -> None:
    """GpuError where a call of the driver has failed."""
    if code:
        text = ctypes.c_char_p()
        driver.cuGetErrorName(code, ctypes.byref(text))
        name = (text.value or b"unknown error").decode()
        raise GpuError(f"{what} failed with {name} ({code})")


@lru_cache(maxsize=1)
def gpu() -> Gpu:
    """The first GPU, ready to be used; GpuError where there is none."""
    driver = _library()
    checked(driver, "cuInit", driver.cuInit(0))
    count = ctypes.c_int()
    checked(driver, "cuDeviceGetCount", driver.cuDeviceGetCount(ctypes.byref(count)))
    if count.value == 0:
        raise GpuError("the driver knows no GPU")
    device = ctypes.c_int()
    checked(driver, "cuDeviceGet", driver.cuDeviceGet(ctypes.byref(device), 0))
    name = ctypes.create_string_buffer(256)
    checked(driver, "cuDeviceGetName", driver.cuDeviceGetName(name, 256, device))
    wanted = (_MAJOR, _MINOR, _PROCESSORS, _SHARED_BYTES)
    major, minor, processors, shared = (_attribute(driver, device, which) for which in wanted)
    context = ctypes.c_void_p()
    checked(driver, "cuDevicePrimaryCtxRetain", driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    checked(driver, "cuCtxSetCurrent", driver.cuCtxSetCurrent(context))
    return Gpu(name.value.decode(), 10 * major + minor, processors, shared, driver)


def _attribute(driver: Any, device: ctypes.c_int, which: int) -> int:
    value = ctypes.c_int()
    checked(driver, "cuDeviceGetAttribute", driver.cuDeviceGetAttribute(ctypes.byref(value), which, device))
    return value.value


def _library() -> Any:
    for name in _NAMES.get(sys.platform, ()):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise GpuError("there is no NVIDIA driver (libcuda) on this machine")


class Grid(NamedTuple):
    """Blocks of threads, and the bytes that the threads of a block share."""

    blocks: int
    threads: int
    shared: int = 0


class GpuModule:
    """Machine code made of PTX by the driver, and one function of it."""

    def __init__(self, device: Gpu, text: str, function: str) -> None:
        self.device = device
        driver = device.driver
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (ctypes.c_int * 2)(_ERROR_LOG, _ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), _LOG_BYTES)
        self._module = ctypes.c_void_p()
        code = driver.cuModuleLoadDataEx(ctypes.byref(self._module), text.encode() + b"\0", 2, options, values)
        if code:
            said = log.value.decode(errors="replace").strip().splitlines()
            why = f": {said[0]}" if said else ""
            try:
                device.check("making machine code for the GPU", code)
            except GpuError as error:
                raise GpuError(f"{error}{why}") from None
        self._function = ctypes.c_void_p()
        code = driver.cuModuleGetFunction(ctypes.byref(self._function), self._module, function.encode())
        device.check("cuModuleGetFunction", code)

    def local_bytes(self) -> int:
        """Memory of a thread beside its registers."""
        found = ctypes.c_int()
        code = self.device.driver.cuFuncGetAttribute(ctypes.byref(found), _LOCAL_BYTES, self._function)
        self.device.check("cuFuncGetAttribute", code)
        return found.value

    def allow_shared(self, size: int) -> None:
        """Let a block have so many bytes of shared memory."""
        code = self.device.driver.cuFuncSetAttribute(self._function, _MOST_SHARED_BYTES, size)
        self.device.check("cuFuncSetAttribute", code)

    def launch(self, stream: Stream, grid: Grid, *arguments: int) -> None:
        """Run the function in so many blocks of threads, with 64-bit arguments; returns before it is done."""
        held = [ctypes.c_uint64(argument) for argument in arguments]
        pointers = (ctypes.c_void_p * len(held))(*(ctypes.addressof(one) for one in held))
        sizes = (grid.blocks, 1, 1, grid.threads, 1, 1, grid.shared)
        code = self.device.driver.cuLaunchKernel(self._function, *sizes, stream.handle, pointers, None)
        self.device.check("cuLaunchKernel", code)


class Stream:
    """Work of the GPU that is done in order, beside that of other streams."""

    def __init__(self, device: Gpu) -> None:
        self.device = device
        self.handle = ctypes.c_void_p()
        device.check("cuStreamCreate", device.driver.cuStreamCreate(ctypes.byref(self.handle), _BESIDE_OTHERS))

    def wait(self) -> None:
        """Until everything that it was given is done."""
        self.device.check("the GPU", self.device.driver.cuStreamSynchronize(self.handle))

    def __del__(self) -> None:
        if self.handle:
            self.device.driver.cuStreamDestroy_v2(self.handle)


class GpuArray:
    """Memory of a GPU, given back when this is gone."""

    def __init__(self, device: Gpu, size: int) -> None:
        self.device = device
        self.size = max(size, 8)
        self._address = ctypes.c_uint64()
        code = device.driver.cuMemAlloc_v2(ctypes.byref(self._address), ctypes.c_size_t(self.size))
        device.check(f"allocating {self.size / 1e6:.0f} MB on the GPU", code)

    @property
    def address(self) -> int:
        """As the GPU knows it."""
        return self._address.value

    def write(self, array: Any, stream: Stream) -> None:
        """Copy numbers to the GPU, in the order of a stream."""
        data = np.ascontiguousarray(array)
        code = self.device.driver.cuMemcpyHtoDAsync_v2(
            self._address, data.ctypes.data_as(ctypes.c_void_p), _size(data.nbytes), stream.handle
        )
        self.device.check("copying to the GPU", code)

    def read(self, array: Any, stream: Stream, first: int = 0) -> None:
        """Copy numbers, from the byte `first` on, from the GPU into a contiguous array, in the order of a stream."""
        source = ctypes.c_uint64(self._address.value + first)
        code = self.device.driver.cuMemcpyDtoHAsync_v2(
            array.ctypes.data_as(ctypes.c_void_p), source, _size(array.nbytes), stream.handle
        )
        self.device.check("copying from the GPU", code)

    def __del__(self) -> None:
        if self._address.value:
            self.device.driver.cuMemFree_v2(self._address)


def _size(count: int) -> ctypes.c_size_t:
    return ctypes.c_size_t(count)
