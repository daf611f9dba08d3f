"""Listening studies: what people hear, designed before anybody listens and analysed as declared.

Conventions: a study is a directory. `design.json` is frozen and hashed and names the systems, so it is kept from
listeners until the last rating is in; `clips/` and `pages/` carry blind ids alone; `ratings/` holds what came back and
is never changed; all else is derived. Read upwards: `scale` (the questions), `allocate` (who hears what, when),
`design` (the frozen whole), `plan`, `sittings` and `make` (from what a person writes to a design and its clips),
`clips` and `page` (what a listener gets), `serve` (a lab's server), `ratings` (what came back, and what is excluded),
`estimate` and `models` (the statistics), `analysis` (the whole), `spread`, `power`, `pilot` and `simulate` (sample
size and rehearsal), `register` and `views` (the reports before and after), `publish` (results for other programs).
Designed after ITU-T P.800, P.808 and P.85 and ITU-R BS.1534; conformity to none is claimed.
"""
