"""Bad weather for programs: wrong clocks, a full disk (weather.c), lines that are slow or
cut. All of it can change while they run, and needs no privilege."""
import asyncio
import mmap
import os
import struct
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder):
    """The library, in a folder that those can read who load it."""
    library = os.path.join(folder, "weather.so")
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-O1", "-fPIC", "-shared", "-o", library,
                    os.path.join(HERE, "weather.c"), "-ldl"], check=True)
    os.chmod(library, 0o755)
    return library


class Weather:
    """Of one program; `env` is what it must be started with."""

    def __init__(self, library, path):
        with open(path, "wb") as f:
            f.write(bytes(16))
        os.chmod(path, 0o644)
        with open(path, "r+b") as f:
            self.at = mmap.mmap(f.fileno(), 16)
        options = os.environ.get("ASAN_OPTIONS", "")
        self.env = {"LD_PRELOAD": library, "SALOTTO_WEATHER": path,
                    "ASAN_OPTIONS": options + ":verify_asan_link_order=0"}

    def clock_is_ahead(self, seconds):
        self.at[0:8] = struct.pack("q", 1000 * seconds)

    def disk_is_full(self, full):
        self.at[8:16] = struct.pack("q", full)


class Loop:
    """One thread for all lines."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()


LOOP = Loop()


class Line:
    """A port of this machine from which everything goes on to `target`: a port, or the path
    of a socket. While it is cut nothing arrives and nobody is told; what was on its way
    arrives when it is mended. While it is `noisy`, answers of a server that lends its threads
    (src/server/lend.h) have a wrong bit."""

    def __init__(self, target=None):
        self.target, self.delay, self.noisy = target, 0, False
        self.port = LOOP.wait(self.open())

    async def open(self):
        self.whole = asyncio.Event()
        self.whole.set()
        server = await asyncio.start_server(self.on_call, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    def cut(self):
        LOOP.loop.call_soon_threadsafe(self.whole.clear)

    def mend(self):
        LOOP.loop.call_soon_threadsafe(self.whole.set)

    async def reach(self):
        await self.whole.wait()
        if isinstance(self.target, int):
            return await asyncio.open_connection("127.0.0.1", self.target)
        return await asyncio.open_unix_connection(self.target)

    async def on_call(self, reader, writer):
        try:
            there = await self.reach()
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self.carry(reader, there[1]), self.carry(there[0], writer))

    async def carry(self, reader, writer):
        lends = None
        try:
            while data := await reader.read(65536):
                if self.noisy and lends:
                    data = data[:-1] + bytes([data[-1] ^ 1])
                lends = data.startswith(b"GET /lend ") if lends is None else lends
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self.whole.wait()
                writer.write(data)
                await writer.drain()
            await self.whole.wait()
            writer.close()
        except OSError:
            writer.transport.abort()
