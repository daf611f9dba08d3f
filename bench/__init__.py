"""Earshot measures how well text-to-speech systems are understood.

The way of the data: text set -> synthesise -> transmit -> transcribe -> score -> compare -> report.
Each step reads what the step before wrote; nothing downstream changes anything upstream.
"""

__version__ = "0.1.0"
