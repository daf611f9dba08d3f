"""Piper speaks a sentence; without noise, its default here, the same text gives the same bytes every time.

In a protocol:  [[system]]  adapter = "piper"  settings = { voice = "voices/de_DE-thorsten-medium.onnx" }
"""

from pathlib import Path

from bench import audio, systems

piper = systems.load("piper", {})
print(piper.name, "|", piper.version)

speech = piper.synthesise("Your order will arrive on Monday.", voice=None, seed=0)
file = Path("piper.wav")
file.write_bytes(speech.audio)
taken = (speech.completed_ns - speech.submitted_ns) / 1e9
print(f"{file}: {audio.read(file).seconds:.2f} s of speech in {taken:.2f} s")
