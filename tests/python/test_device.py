"""Batches on a device: equal to those on the CPU, arrays without a copy, and what is refused.

Where ALEA_FAKE_CUDA is set, the device is tests/fake_cuda, whose memory is that of this process:
so what lies there can be looked at.  Else the tests that need a device are skipped."""
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import alea

FAKE = os.environ.get("ALEA_FAKE_CUDA")
if FAKE and os.environ.get("LD_LIBRARY_PATH") != FAKE:  # which is read when a process starts
    with tempfile.TemporaryDirectory() as cache:
        sys.exit(subprocess.run([sys.executable, *sys.argv], check=False,
                                env={**os.environ, "LD_LIBRARY_PATH": FAKE, "XDG_CACHE_HOME": cache}).returncode)

GAMES = ["tictactoe", "connect-four", "rock-paper-scissors", "nim", "monty-hall"]
NAMES = ["flags", "rewards", "legal", "legal_bits", "observation", "observation_floats", "fluent_bits",
         "terminated", "refused"]


class Tensor(ctypes.Structure):
    """A DLManagedTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
                ("owner", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


take = ctypes.pythonapi.PyCapsule_GetPointer
take.restype, take.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
make = ctypes.pythonapi.PyCapsule_New
make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def view(array):
    """What a library would make of the capsule, where the device's memory is ours."""
    capsule = array.__dlpack__(stream=1)
    t = Tensor.from_address(take(capsule, b"dltensor"))
    kind = {0: "i", 1: "u", 2: "f", 6: "b"}[t.code]
    dtype = np.dtype(np.bool_) if kind == "b" else np.dtype(f"{kind}{t.bits // 8}")
    shape = [t.shape[k] for k in range(t.ndim)]
    strides = [t.strides[k] * dtype.itemsize for k in range(t.ndim)]
    size = max(1, 1 + sum((n - 1) * s for n, s in zip(shape, strides)) // dtype.itemsize) * dtype.itemsize
    memory = (ctypes.c_char * size).from_address(t.data)
    memory.capsule = capsule  # as a library would keep it
    return np.ndarray(shape, dtype, memory, 0, strides)


class There:
    """Actions as another library has them on the device."""

    def __init__(self, actions, device=(2, 0)):
        self.actions, self.device = np.ascontiguousarray(actions), device
        self.shape = (ctypes.c_int64 * actions.ndim)(*actions.shape)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream):
        assert stream == 1
        code = {"i": 0, "u": 1, "f": 2}[self.actions.dtype.kind]
        self.tensor = Tensor(self.actions.ctypes.data, *self.device, self.actions.ndim, code,
                             8 * self.actions.itemsize, 1, self.shape, None, 0, None, None)
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


def choose(batch, draw):
    """A legal action per state and role of a Batch, drawn by NumPy; -2 in terminal states."""
    actions = np.full((batch.count, len(batch.game.roles)), -2, np.int32)
    for role in range(len(batch.game.roles)):
        legal = batch.legal_of(role)
        weights = draw.random(legal.shape) * legal
        actions[:, role] = np.where(legal.any(axis=1), weights.argmax(axis=1), -2)
    return actions


class Refused(unittest.TestCase):
    def test_names(self):
        game = alea.Game("tictactoe")
        for name in ("gpu", "cuda:", "cuda:x", "cuda:-1", "rocm", ""):
            with self.assertRaisesRegex(alea.AleaError, "there is no device"):
                game.batch(2, device=name)
        self.assertIsInstance(game.batch(2, device="cpu"), alea.Batch)

    def test_no_device(self):
        """Without CUDA a batch there is refused in words, and all others are as before."""
        code = ("import alea\ngame = alea.Game('nim')\n"
                "try:\n    game.batch(5, device='cuda')\n    print('there is one')\n"
                "except alea.AleaError as e:\n    print(e.status.name, e)\n"
                "print(game.batch(5).playing)")
        there = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=there)
        said, playing = done.stdout.splitlines()
        self.assertEqual(playing, "5")
        if said != "there is one":
            self.assertRegex(said, r"^UNSUPPORTED no batch of 5 states of nim: .*(CUDA|GPU)")


@unittest.skipUnless(FAKE, "needs tests/fake_cuda, which ctest names in ALEA_FAKE_CUDA")
class EqualToCpu(unittest.TestCase):
    def test_step_by_step(self):
        for name in GAMES:
            for auto_reset in (False, True):
                with self.subTest(game=name, auto_reset=auto_reset):
                    self.compare(alea.Game(name), 1500, auto_reset)

    def compare(self, game, count, auto_reset):
        draw, here = np.random.default_rng(1), game.batch(count, auto_reset=auto_reset)
        there = game.batch(count, auto_reset=auto_reset, device="cuda", keep=["legal", "observation"])
        self.same(here, there)
        for step in range(12):
            actions = choose(here, draw)
            if step % 3 == 1:
                actions[::7, 0] = 10 ** 6
            here.step(actions)
            there.step(There(actions) if step % 2 else actions)
            self.same(here, there)
        which = draw.random(count) < 0.5
        for batch in (here, there):
            batch.reset(which)
        self.same(here, there)
        bits = here.fluent_bits[:40].copy()
        for batch in (here, there):
            batch.load(bits, first=100)
        self.same(here, there)

    def same(self, here, there):
        self.assertEqual(here.playing, there.playing)
        for name in NAMES:
            array = getattr(there, name)
            wanted = getattr(here, name)
            self.assertEqual((array.shape, array.dtype), (wanted.shape, wanted.dtype), name)
            self.assertTrue((view(array) == wanted).all(), name)
            self.assertTrue((array.numpy() == wanted).all(), name)
        for role in here.game.roles:
            self.assertTrue((view(there.legal_of(role)) == here.legal_of(role)).all())
            self.assertTrue((np.asarray(there.legal_of(role)) == here.legal_of(role)).all())

    def test_percepts(self):
        game, draw = alea.Game("monty-hall"), np.random.default_rng(2)
        here, there = game.batch(1200, percepts=True), game.batch(1200, percepts=True, device="cuda")
        for _ in range(4):
            actions = choose(here, draw)
            for batch in (here, there):
                batch.step(actions)
            for ours, theirs in zip(here.percepts, there.percepts):
                self.assertTrue(ours.shape == theirs.shape and bool((ours == theirs).all()))
        self.assertEqual(here.told(3, 0), there.told(3, 0))
        with self.assertRaisesRegex(alea.AleaError, "percepts=True"):
            game.batch(1, device="cuda").percepts  # pylint: disable=expression-not-assigned

    def test_random_and_playouts(self):
        game = alea.Game("connect-four")
        batches = [game.batch(900, seed=seed, device="cuda") for seed in (1, 1, 2)]
        for _ in range(9):
            for batch in batches:
                batch.step()
        bits = [batch.fluent_bits.numpy() for batch in batches]
        self.assertTrue((bits[0] == bits[1]).all())
        self.assertFalse((bits[0] == bits[2]).all())
        goals = batches[0].play_out()
        self.assertTrue((goals[~batches[0].terminated.numpy()].sum(axis=1) == 100).all())
        self.assertTrue((batches[0].fluent_bits.numpy() == bits[0]).all())
        self.assertTrue((batches[1].play_out() == goals).all())
        self.assertGreater(batches[0].played, 900)


@unittest.skipUnless(FAKE, "needs tests/fake_cuda, which ctest names in ALEA_FAKE_CUDA")
class Arrays(unittest.TestCase):
    def test_without_a_copy(self):
        batch = alea.Game("connect-four").batch(300, seed=3, device="cuda", keep=["legal", "observation"])
        taken = {name: view(getattr(batch, name)) for name in NAMES}
        before = {name: array.copy() for name, array in taken.items()}
        for name in NAMES:
            array = getattr(batch, name)
            self.assertEqual(array.__dlpack_device__(), (2, 0))
            self.assertEqual(array.data_ptr, taken[name].ctypes.data)
            there = array.__cuda_array_interface__
            self.assertEqual((there["data"][0], there["typestr"]), (array.data_ptr, taken[name].dtype.str))
        for _ in range(5):
            batch.step()
        for name in ("legal", "observation"):
            self.assertFalse((taken[name] == before[name]).all(), name)
            self.assertTrue((taken[name] == getattr(batch, name).numpy()).all(), name)
        del batch
        gc.collect()
        self.assertTrue(taken["observation"].any())  # the memory stays

    def test_kept_alive(self):
        batch = alea.Game("nim").batch(10, device="cuda")
        count = sys.getrefcount(batch)
        capsule = batch.flags.__dlpack__()
        self.assertEqual(sys.getrefcount(batch), count + 1)
        del capsule
        self.assertEqual(sys.getrefcount(batch), count)

    def test_refused(self):
        game = alea.Game("tictactoe")
        batch = game.batch(50, device="cuda:0")
        with self.assertRaises(alea.AleaError) as refused:
            game.batch(5, device="cuda:1")
        self.assertEqual(refused.exception.status, alea.Status.UNSUPPORTED)
        with self.assertRaises(alea.AleaError):
            game.batch(5, device="cuda", keep=["lgeal"])
        right = np.full((50, 2), -1, np.int32)
        for wrong in (There(right.astype(np.int64)), There(right.astype(np.float32)), There(right[:20]),
                      There(right.T), There(right, (2, 1)), There(right.reshape(-1))):
            with self.assertRaises((TypeError, ValueError)):
                batch.step(wrong)
        for wrong in (np.zeros((50, 3), np.int32), np.zeros((50, 2)), "x"):
            with self.assertRaises((TypeError, ValueError)):
                batch.step(wrong)
        batch.step(There(right))
        self.assertEqual(batch.playing, 50)
        for wrong in ({"dl_device": (1, 0)}, {"copy": True}):
            with self.assertRaises(BufferError):
                batch.flags.__dlpack__(**wrong)
        self.assertIsNotNone(batch.flags.__dlpack__(dl_device=(2, 0), copy=False, max_version=(1, 1)))
        with self.assertRaises(BufferError):
            memoryview(batch)
        with self.assertRaises(alea.AleaError):
            game.batch(5)._device_array(0)
        with self.assertRaises(ValueError):
            batch._dlpack(2, 3, 10 ** 6)
        empty = game.batch(0, device="cuda")
        empty.step()
        self.assertEqual((len(empty), empty.playing, empty.legal.numpy().shape[0]), (0, 0, 0))

    def test_failures(self):
        game = alea.Game("nim")
        for name, status in (("memory", alea.Status.LIMIT), ("launch", alea.Status.SYSTEM),
                             ("init", alea.Status.UNSUPPORTED)):
            os.environ["FAKE_CUDA_FAILS"] = name
            try:
                with self.assertRaises(alea.AleaError) as failed:
                    game.batch(5, device="cuda")
            finally:
                del os.environ["FAKE_CUDA_FAILS"]
            self.assertEqual(failed.exception.status, status)
        batch = game.batch(5, device="cuda")
        os.environ["FAKE_CUDA_FAILS"] = "launch"
        try:
            with self.assertRaisesRegex(alea.AleaError, "the GPU failed"):
                batch.step()
        finally:
            del os.environ["FAKE_CUDA_FAILS"]
        for call in (batch.step, batch.play_out, lambda: batch.legal, lambda: batch.flags.numpy()):
            with self.assertRaises(alea.AleaError) as failed:  # it stays lost
                call()
            self.assertEqual(failed.exception.status, alea.Status.SYSTEM)


unittest.main()
