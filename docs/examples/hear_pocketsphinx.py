"""PocketSphinx hears a sentence: a recogniser of another family, diagnostic and never in a panel mean.

In a protocol:  [[recogniser]]  adapter = "pocketsphinx"
"""

from bench import audio, recognisers, systems

speech = systems.load("piper", {}).synthesise("The doctor will see you on Monday.", voice=None, seed=0)
clip = audio.resample(audio.read(speech.audio), recognisers.RATE)

sphinx = recognisers.load("pocketsphinx", {})
heard = sphinx.transcribe(clip)
print(sphinx.name, "|", sphinx.version, "| diagnostic:", sphinx.diagnostic)
print(f"heard {heard.text!r} in {heard.seconds:.2f} s")
