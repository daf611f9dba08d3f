"""Any program that turns text into audio is a system. The one here hums a tone for each word; flite is a real one.

In a protocol:  [[system]]  adapter = "command"
                settings = { name = "flite", argv = ["flite", "-voice", "slt", "-t", "{text}", "-o", "{output}"],
                             version_command = ["flite", "--version"] }
"""

import sys
from pathlib import Path

from bench import audio, systems

HUM = """
import array, math, sys, wave
words = sys.stdin.buffer.read().decode().split()
tone = [int(8000 * math.sin(i / 16000 * 2 * math.pi * 220)) for i in range(4000)] + [0] * 1000
with wave.open(sys.argv[1], "wb") as file:
    file.setparams((1, 2, 16000, 0, "NONE", ""))
    file.writeframes(array.array("h", tone * len(words)).tobytes())
"""
hum = systems.load("command", {"name": "hum", "version": "1.0", "argv": [sys.executable, "-c", HUM, "{output}"]})
print(hum.name, "|", hum.version)

# A text is data: no shell sees it, so that nothing in it is ever run.
speech = hum.synthesise("Hello; rm -rf $HOME", voice=None, seed=0)
file = Path(f"command.{speech.format}")
file.write_bytes(speech.audio)
print(f"{file}: {audio.read(file).seconds:.2f} s")
