"""Batches whose states lie on a GPU, and their arrays there."""
from __future__ import annotations

import re
from typing import Any, Iterable, Optional

import numpy as np
import numpy.typing as npt

from . import _alea
from .batch import Floats, Words, action_numbers, array_shapes, goal_room, positions, told_texts
from .errors import AleaError, Status
from .game import Game, State

# The arrays in the order of alea_batch_array; the first seven are those of alea_batch_arrays.
_NAMES = ("flags", "rewards", "legal", "legal_bits", "observation", "observation_floats",
          "fluent_bits", "terminated", "refused")
_DLPACK_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged


def device_number(device: str) -> int:
    """The number in "cuda" (0) or "cuda:1".

    >>> device_number("cuda"), device_number("cuda:3")
    (0, 3)
    """
    found = re.fullmatch(r"cuda(?::(\d{1,4}))?", device)
    if found is None:
        raise AleaError(f"there is no device {device!r}, only 'cpu', 'cuda' and 'cuda:NUMBER'", Status.USAGE)
    return int(found[1] or 0)


class DeviceArray:
    """An array on the device of a DeviceBatch, which it keeps alive.

    Libraries take it without a copy: `torch.from_dlpack(array)`, `jax.dlpack.from_dlpack(array)`,
    `cupy.from_dlpack(array)`.  `numpy()` copies it to the host.  The memory is always the same;
    a step, or asking the batch for the array again, writes the new contents into it.
    """

    def __init__(self, batch: "DeviceBatch", name: str, shape: tuple[int, ...], dtype: Any, first: int = 0,
                 width: int = 1):
        self.batch, self.name, self.shape, self.dtype = batch, name, shape, np.dtype(dtype)
        self._first, self._width = first, width

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, of each dimension."""
        size = self.dtype.itemsize
        return (self._width * size, size)[:self.ndim]

    @property
    def data_ptr(self) -> int:
        """The address of the first element on the device, filled; 0 where there is none."""
        start = self.batch._device_array(_NAMES.index(self.name))
        return start + self._first * self.dtype.itemsize if start else 0

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the host."""
        return self.batch._copied(self.name)[..., self._first:self._first + self.shape[-1]] \
            if self.ndim > 1 else self.batch._copied(self.name)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("an array on a device is not NumPy's without a copy")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        # Steps are finished when they return, so that there is no stream to wait for.
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError("the array is not on that device; numpy() copies it to the host")
        if copy:
            raise BufferError("the array is lent, not copied; who takes it can copy it")
        columns = self.shape[1] if self.ndim > 1 else -1
        return self.batch._dlpack(_NAMES.index(self.name), self._first, columns)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _DLPACK_CUDA[0], self.batch.device_number

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.data_ptr, False),
                "strides": self.strides if self._width != self.shape[-1] and self.ndim > 1 else None,
                "version": 3}

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<alea.DeviceArray {self.name}: {self.dtype} {self.shape} on cuda:{self.batch.device_number}>"


class DeviceBatch(_alea.Batch):
    """`count` states of a game with a network on a GPU, stepped at once.

    The same as a Batch, to the bit, but for random moves, which are others; its arrays are DeviceArrays of
    the same shapes and types, and `terminated` and `refused` are such arrays as well.
    Actions may lie on the device (int32 [count, roles], whatever has `__dlpack__`: a tensor of PyTorch, an
    array of JAX or CuPy) or on the host; without them all moves are drawn on the device.

        batch = Game("connect-four").batch(100_000, seed=1, device="cuda", keep=["legal"])
        legal = torch.from_dlpack(batch.legal_of("red"))
        while batch.playing:
            batch.step()                # `legal` has the moves of the new states

    Arrays that are named in `keep` are filled by each step, as `flags`, `rewards`, `terminated` and
    `refused` always are; others when they are asked for.  A step waits for what the process has started on the device, and
    is finished when it returns.  `numpy()` of an array copies it to the host.

    AleaError: there is no such device (UNSUPPORTED), its memory does not suffice (LIMIT), or it
    failed (SYSTEM).
    """
    game: Game

    def __new__(cls, game: Game, count: int, *, device: str = "cuda", seed: int = 0,
                auto_reset: bool = False, steps: int = 0, percepts: bool = False,
                keep: Iterable[str] = ()) -> "DeviceBatch":
        return super().__new__(cls, game, count, seed=seed, auto_reset=auto_reset, steps=steps,
                               percepts=percepts, device=device_number(device))

    def __init__(self, game: Game, count: int, *, device: str = "cuda", seed: int = 0,
                 auto_reset: bool = False, steps: int = 0, percepts: bool = False,
                 keep: Iterable[str] = ()):
        self.count = self._sizes()[0]
        self.auto_reset = bool(auto_reset)
        self.device_number = device_number(device)
        self._shapes = {**array_shapes(len(game.roles), *self._sizes()),
                        "terminated": ((self.count,), np.bool_),
                        "refused": ((self.count,), np.bool_)}
        self._kept = tuple(keep)
        for name in self._kept:
            if name not in self._shapes:
                raise AleaError(f"keep: there is no array {name!r}, only {', '.join(_NAMES)}",
                                Status.USAGE)
        self._fill()

    def _fill(self) -> None:
        for name in self._kept:
            self._device_array(_NAMES.index(name))

    def _seen(self, name: str) -> DeviceArray:
        """The array of this name, filled."""
        shape, dtype = self._shapes[name]
        self._device_array(_NAMES.index(name))
        return DeviceArray(self, name, shape, dtype, 0, shape[-1])

    def _copied(self, name: str) -> npt.NDArray[Any]:
        """A copy of an array on the host."""
        if name in ("terminated", "refused"):
            bit = 1 if name == "terminated" else 2
            held: npt.NDArray[Any] = (self._copied("flags") & bit) != 0
            return held
        shape, dtype = self._shapes[name]
        array = np.zeros(shape, dtype)
        self._fetch(*(array if other == name else None for other in _NAMES[:7]))
        return array

    # ---- playing ----

    def step(self, actions: Any = None) -> None:
        """Plays one joint move in every state that is not terminal, as Batch.step does."""
        there = getattr(actions, "__dlpack_device__", None)
        if actions is None:
            self._device_step(None)
        elif there is not None and int(there()[0]) in _DLPACK_CUDA:
            self._device_step(actions.__dlpack__(stream=1))  # the legacy default stream
        else:
            self._step(action_numbers(actions), *[None] * 7)
        self._fill()

    def reset(self, which: Optional[Any] = None) -> None:
        """Back to the initial position: all states, or those where `which`, on the host, is true."""
        if which is not None:
            which = np.ascontiguousarray(which, np.bool_)
        self._reset(which)
        self._fill()

    def play_out(self, out: Optional[Floats] = None) -> Floats:
        """As Batch.play_out; the games are played on the device, and the goals come to the host."""
        goals = goal_room(self.count, len(self.game.roles), out)
        self.played = self._play_out(goals)
        return goals

    def load(self, states: "Iterable[State] | Words", first: int = 0) -> None:
        """As Batch.load, from the host."""
        states = positions(self.game, states, self._shapes["fluent_bits"][0][1])
        self._load(first, len(states), states)
        self._fill()

    # ---- results ----

    @property
    def flags(self) -> DeviceArray:
        return self._seen("flags")

    @property
    def terminated(self) -> DeviceArray:
        """bool [count]: terminal; with `auto_reset`: it was, and has begun again."""
        return self._seen("terminated")

    @property
    def refused(self) -> DeviceArray:
        """bool [count]: an action of the last step was not legal."""
        return self._seen("refused")

    @property
    def rewards(self) -> DeviceArray:
        return self._seen("rewards")

    @property
    def legal(self) -> DeviceArray:
        return self._seen("legal")

    @property
    def legal_bits(self) -> DeviceArray:
        return self._seen("legal_bits")

    @property
    def observation(self) -> DeviceArray:
        return self._seen("observation")

    @property
    def observation_floats(self) -> DeviceArray:
        return self._seen("observation_floats")

    @property
    def fluent_bits(self) -> DeviceArray:
        return self._seen("fluent_bits")

    @property
    def percepts(self) -> tuple[Words, npt.NDArray[np.uint32]]:
        """What the last step told the roles, on the host: as Batch.percepts."""
        first, numbers = self._percepts()
        return np.frombuffer(first, np.uint64), np.frombuffer(numbers, np.uint32)

    def told(self, state: int, role: "int | str") -> list[str]:
        """The percepts of one role in one state as texts: as Batch.told."""
        first, numbers = self.percepts
        return told_texts(self.game, first, numbers, range(self.count)[state], role)

    def legal_of(self, role: "int | str") -> DeviceArray:
        """bool [count, moves of the role]: a view of `legal`."""
        number, legal = self.game.role(role), self._seen("legal")
        first, last = self.first_moves[number], self.first_moves[number + 1]
        return DeviceArray(self, "legal", (self.count, last - first), np.bool_, first, legal.shape[1])

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return (f"<alea.DeviceBatch of {self.game.label}: {self.count} states on cuda:{self.device_number}, "
                f"{self.playing} playing>")
