"""Whisper hears a sentence, in the published configuration and in the one without random numbers.

In a protocol:  [[recogniser]]  adapter = "faster-whisper"  settings = { model = "tiny.en" }
A large model:  settings = { model = "Systran/faster-whisper-large-v3", language = "tr", download = true,
                             revision = "edaa852ec7e145841d8ffdb056a99866b5f0a478" }
"""

from bench import audio, recognisers, systems
from bench.loop import looped

speech = systems.load("piper", {}).synthesise("Your order number is four eight two one.", voice=None, seed=0)
clip = audio.resample(audio.read(speech.audio), recognisers.RATE)

for settings in ({}, {"deterministic": True, "vad_filter": True}):
    whisper = recognisers.load("faster-whisper", settings)
    heard = whisper.transcribe(clip)
    print(whisper.name, "|", whisper.version)
    print(f"heard {heard.text!r} in {heard.seconds:.2f} s; in a loop: {looped(heard.text)}")
