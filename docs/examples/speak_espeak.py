"""espeak-ng speaks a sentence in four languages; the same text gives the same bytes every time.

In a protocol:  [[system]]  adapter = "espeak"  voice = "tr"  settings = { wpm = 160 }
"""

from pathlib import Path

from bench import audio, systems

espeak = systems.load("espeak", {"wpm": 160})
print(espeak.name, "|", espeak.version)

sentences = {
    "en-us": "Your order will arrive on Monday.",
    "tr": "Siparişiniz pazartesi günü gelecek.",
    "de": "Ihre Bestellung kommt am Montag.",
    "cmn": "您的订单星期一送到。",
}
for voice, text in sentences.items():
    speech = espeak.synthesise(text, voice=voice, seed=0)
    again = espeak.synthesise(text, voice=voice, seed=0)
    file = Path(f"espeak-{voice}.{speech.format}")
    file.write_bytes(speech.audio)
    seconds = audio.read(file).seconds
    print(f"{file}: {seconds:.2f} s of speech, repeated to the byte: {speech.audio == again.audio}")
