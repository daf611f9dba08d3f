"""Recordings that were made elsewhere are a system, too: one file a segment and take, in a folder.

In a protocol:  [[system]]  adapter = "folder"
                settings = { name = "studio", folder = "recordings", version = "dated observation 2026-11-29" }
"""

from pathlib import Path

from bench import audio, systems

# Stand-ins for the files of a studio: greeting.0.wav and greeting.1.wav are two takes of the segment "greeting".
recordings = Path("recordings")
recordings.mkdir(exist_ok=True)
espeak = systems.load("espeak", {})
for take, text in enumerate(["Good morning, how can I help?", "Good morning! How can I help?"]):
    (recordings / f"greeting.{take}.wav").write_bytes(espeak.synthesise(text, voice="en-us", seed=take).audio)

studio = systems.load(
    "folder", {"name": "studio", "folder": str(recordings), "version": "dated observation 2026-11-29"}
)
print(studio.name, "|", studio.version)
for take in (0, 1):
    speech = studio.find("greeting", track="R", take=take)
    print(f"{speech.request['file']}: {audio.read(speech.audio).seconds:.2f} s")
