// What a listener goes through: a list of steps, one on the screen, each leaving records behind.
//
// Conventions: a record is written to this device when it arises, and is sent to the server that gave the page where
// there is one; it counts as sent once the server said so. The place in the list of steps is remembered. A clip is
// heard when it played from its beginning to its end without a fault; answers open after that. Nothing here knows
// which system made a clip, or what the right answer is.

const study = JSON.parse(document.getElementById("study").textContent);
const say = (key, values = {}) => study.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const served = location.protocol.startsWith("http") && window.top === window; // a preview sends nothing
const place = `earshot ${study.code}`;
const main = document.querySelector("main");
const next = document.querySelector(".next");
const alarm = document.createElement("p");
alarm.className = "alarm";
alarm.setAttribute("role", "alert");

// ---- what is remembered

let forgets = false;
let moved = false;
let elsewhere = false; // another tab has the page, and this one is over
const held = recall();
held.tab = name(); // another tab of this page sees the change

/** A random name. (crypto.randomUUID would be missing on a lab's network, which has no https.) */
function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function recall() {
  const fresh = { design: study.design, participant: name(), at: 0, records: [], sent: 0 };
  try {
    const found = JSON.parse(localStorage.getItem(place));
    if (!found) return fresh;
    moved = found.design !== study.design;
    return moved ? fresh : found;
  } catch {
    return fresh;
  }
}

function keep() {
  if (elsewhere) return;
  try {
    localStorage.setItem(place, JSON.stringify(held));
    forgets = localStorage.getItem(place) === null;
  } catch {
    forgets = true;
  }
}

addEventListener("storage", (event) => {
  if (event.key !== place || !event.newValue || JSON.parse(event.newValue).tab === held.tab) return;
  elsewhere = true;
  show();
});

function record(kind, fields) {
  held.records.push({ seq: held.records.length, at: new Date().toISOString(), kind, ...fields });
  keep();
  send();
}

// ---- sending: what is not acknowledged is sent again

let sending = false;
let reached = true;

async function send() {
  if (!served || elsewhere || sending || held.sent >= held.records.length) return;
  sending = true;
  const upto = held.records.length;
  try {
    const answer = await fetch("ratings", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...head(), records: held.records.slice(held.sent, upto) }),
    });
    reached = answer.ok;
    if (answer.ok) held.sent = upto;
    keep();
  } catch {
    reached = false;
  }
  sending = false;
  status();
  if (held.sent < held.records.length) setTimeout(send, reached ? 0 : 2000);
  else if (steps[held.at].kind === "done") show();
}

const head = () => ({ format: "earshot-ratings", version: 1, design: study.design, code: study.code, participant: held.participant });

// ---- the steps

const steps = [
  { kind: "welcome" },
  { kind: "about" },
  { kind: "volume" },
  ...study.checks.headphones.map((clip, n) => ({ kind: "check", name: "headphones", clip, n, of: study.checks.headphones.length })),
  ...study.checks.quiet.map((clip, n) => ({ kind: "check", name: "quiet", clip, n, of: study.checks.quiet.length })),
  ...study.sessions.flatMap((trials, session) => [
    ...(session ? [{ kind: "pause", session }] : []),
    ...trials.map((trial, n) => ({ kind: "trial", session, trial, last: n === trials.length - 1 })),
  ]),
  { kind: "done" },
];
const screens = { welcome, about, volume, check, pause, trial, done, twice };
let leave = () => true; // what the button does before it goes on; false stays

function go() {
  held.at = Math.min(held.at + 1, steps.length - 1);
  keep();
  show();
}

function show() {
  playing?.stop();
  const step = elsewhere ? { kind: "twice" } : steps[held.at];
  main.replaceChildren();
  alarm.textContent = "";
  tell("");
  next.hidden = false;
  next.textContent = say("next");
  next.disabled = false;
  leave = () => true;
  screens[step.kind](step);
  const trials = steps.filter((one) => one.kind === "trial");
  const n = trials.indexOf(step) + 1;
  const practice = step.kind === "trial" && step.trial.practice;
  document.querySelector("header .where").textContent = practice ? say("practice") : say("title");
  document.querySelector("header .count").textContent = n ? say("count", { n, of: trials.length }) : "";
  document.querySelector("header .bar > i").style.width = `${(100 * held.at) / (steps.length - 1)}%`;
  document.querySelector("footer .hint").textContent = ["trial", "check", "volume"].includes(step.kind) && study.presentation !== "panel" ? say("keys") : "";
  status();
  window.scrollTo(0, 0);
  main.querySelector("h1")?.focus({ preventScroll: true });
}

function status() {
  const told = forgets ? say("forgets") : moved ? say("elsewhere") : served && !reached ? say("unsent") : "";
  const line = document.querySelector("header .status");
  if (line.textContent !== told) line.textContent = told;
}

/** For a screen reader: what has just become possible. */
function tell(text) {
  document.querySelector(".told").textContent = text;
}

function add(tag, text = "", className = "", parent = main) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function title(text) {
  const made = add("h1", text);
  made.tabIndex = -1;
  main.append(alarm);
  return made;
}

function welcome() {
  title(say("title"));
  add("p", say("welcome", { minutes: study.minutes }));
  if (study.sessions.length > 1) add("p", say("parts", { n: study.sessions.length }));
  add("p", say("setting"));
  add("p", say("privacy"), "quiet");
  next.textContent = say("start");
}

function about() {
  title(say("about"));
  const answers = {};
  const asked = (key) => {
    const set = add("fieldset", "", "asked");
    add("legend", say(key), "", set);
    choices(set, key, [[true, say("yes")], [false, say("no")]], (value) => { answers[key] = value; ready(); }, "options two");
  };
  for (const key of ["native", "hearing", "recent", "expert"]) asked(key);
  const field = (key, text, tag) => {
    const box = add("div", "", "asked");
    const label = add("label", text, "", box);
    const input = add(tag, "", "", box);
    input.id = label.htmlFor = `about-${key}`;
    return input;
  };
  const pick = (key, text, names) => {
    const select = field(key, text, "select");
    for (const [value, text] of [["", ""], ...names]) add("option", text, "", select).value = value;
    select.addEventListener("change", () => { answers[key] = select.value; ready(); });
  };
  const often = ["daily", "weekly", "rarely", "never"];
  pick("familiarity", study.variety ? say("familiarity", { variety: study.variety }) : say("often"), often.map((key) => [key, say(key)]));
  pick("device", say("device"), ["headphones", "speakers", "handset"].map((key) => [key, say(key)]));
  answers.locality = "";
  if (study.localities.length) pick("locality", say("locality"), study.localities.map((town) => [town, town]));
  else {
    const town = field("locality", say("locality"), "input");
    town.type = "text";
    town.maxLength = 80;
    town.addEventListener("input", () => { answers.locality = town.value.trim(); });
  }
  const wanted = ["native", "hearing", "recent", "expert", "familiarity", "device"];
  const ready = () => { next.disabled = !wanted.every((key) => ![undefined, ""].includes(answers[key])); };
  ready();
  leave = () => {
    record("listener", { answers, browser: navigator.userAgent, page: study.language });
    return true;
  };
}

function volume() {
  title(say("volume"));
  add("p", say("volume_do"));
  next.disabled = true;
  clips([[study.volume, ""]], 0, () => { next.disabled = false; });
}

function check({ name, clip, n, of }) {
  title(say(name === "headphones" ? "tones" : "quiet"));
  add("p", say("count", { n: n + 1, of }), "quiet");
  const set = document.createElement("fieldset");
  let chosen = null;
  clips([[clip, ""]], 1, () => { set.disabled = false; });
  set.disabled = true;
  main.append(set);
  add("legend", say(name === "headphones" ? "tones_ask" : "quiet_ask"), "", set);
  const tones = [[0, say("first"), 1], [1, say("second"), 2], [2, say("third"), 3]];
  choices(set, "check", name === "headphones" ? tones : [[1, say("yes"), 1], [0, say("no"), 2]], (value) => { chosen = value; next.disabled = false; });
  next.disabled = true;
  leave = () => {
    record("check", { name, n, answer: chosen });
    return true;
  };
}

function pause({ session }) {
  title(say("pause", { n: session, of: study.sessions.length }));
  next.textContent = say("go_on");
}

function done() {
  title(say("done"));
  next.hidden = true;
  const stored = served && held.sent >= held.records.length;
  add("p", say(stored ? "stored" : "send"));
  if (stored) return;
  const button = add("button", say("download"), "play");
  button.dataset.state = "download";
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify({ ...head(), records: held.records })], { type: "application/json" }));
    link.download = `ratings-${study.code}.json`;
    link.click();
  });
}

function twice() {
  title(say("twice"));
  next.hidden = true;
}

// ---- a trial: hear every clip to its end, then one question after another

function trial(step) {
  const { trial, session } = step;
  const answered = new Set(held.records.filter((r) => r.kind === "vote" && r.trial === trial.id).map((r) => r.question));
  const open = study.questions.filter((question) => !answered.has(question.key));
  const shown = performance.now();
  const end = () => {
    if (step.last) record("finished", { session });
    return true;
  };
  if (!open.length) {
    end();
    go();
    return;
  }
  const plays = Math.max(...open.map((question) => question.plays));
  title(say(plays ? "hear_once" : "hear"));
  const panel = study.presentation === "panel";
  if (panel) add("p", say("hidden"));
  const set = document.createElement("fieldset");
  let ended = 0;
  const opened = () => {
    ended ||= performance.now();
    set.disabled = false;
    tell(set.querySelector("legend").textContent);
    set.querySelector("textarea")?.focus({ preventScroll: true });
  };
  const names = panel
    ? trial.clips.map((_, n) => (n ? say("clip", { n }) : say("reference")))
    : study.presentation === "reference"
      ? [say("reference"), say("clip_second")]
      : trial.clips.length > 1 ? [say("clip_first"), say("clip_second")] : [""];
  const heard = panel ? null : clips(trial.clips.map((clip, n) => [clip, names[n]]), plays, opened);
  main.append(set);
  set.disabled = !panel;
  const ask = () => {
    const question = open[0];
    let value = null;
    set.replaceChildren();
    add("legend", question.prompt, "", set);
    next.disabled = true;
    const given = (answer) => { value = answer; next.disabled = false; };
    const board = answers[question.answer](set, question, trial, given, names);
    leave = () => {
      const told = heard ?? board;
      const now = performance.now();
      record("vote", {
        session, trial: trial.id, question: question.key, value,
        plays: told.map((clip) => clip.plays), heard_ms: told.map((clip) => Math.round(clip.lasted)),
        shown_ms: Math.round(now - shown), answer_ms: Math.round(now - (ended || told.ended || shown)),
        faults: told.flatMap((clip) => clip.faults), retries: told.flatMap((clip) => clip.retries),
      });
      open.shift();
      if (!open.length) return end();
      ended = now;
      ask();
      tell(open[0].prompt);
      return false;
    };
  };
  ask();
}

const answers = {
  points(set, question, trial, given) {
    const plain = question.points.every((point) => point > 0 && point < 10);
    const list = question.points.map((point, n) => [point, question.labels[n], plain ? point : n + 1]);
    choices(set, question.key, list, given);
  },
  choice(set, question, trial, given) {
    const list = [...trial.options.map((text) => [text, text]), ["", question.labels[0]]];
    choices(set, question.key, list.map(([value, text], n) => [value, text, n + 1]), given);
  },
  text(set, question, trial, given) {
    const box = add("textarea", "", "", set);
    box.setAttribute("aria-label", say("write"));
    box.autocapitalize = "off";
    box.autocomplete = "off";
    box.spellcheck = false;
    box.maxLength = 1000;
    add("p", say("nothing"), "quiet", set);
    box.addEventListener("input", () => given(box.value.trim()));
    const ready = new MutationObserver(() => !set.disabled && given(box.value.trim()));
    ready.observe(set, { attributes: true });
    if (!set.disabled) given("");
  },
  slider(set, question, trial, given, names) {
    const rows = add("div", "", "panel", set);
    const scores = {};
    const ends = add("div", "", "ends", rows);
    for (const label of [...question.labels].reverse()) add("span", label, "", ends);
    const list = trial.clips.map((clip, n) => {
      const row = add("div", "", "row", rows);
      const played = clips([[clip, names[n]]], 0, () => { range.disabled = false; ready(); }, row)[0];
      const range = add("input", "", "", row);
      range.type = "range";
      range.min = 0;
      range.max = 100;
      range.value = 50;
      range.disabled = true;
      range.setAttribute("aria-label", names[n]);
      const shown = add("output", "–", "", row);
      if (!n) {
        range.remove();
        shown.remove();
        return played;
      }
      const set_ = () => {
        scores[clip] = Number(range.value);
        shown.textContent = range.value;
        range.setAttribute("aria-valuetext", `${range.value}, ${question.labels[Math.min(4, 5 - Math.ceil(range.value / 20))]}`);
        row.dataset.set = "";
        ready();
      };
      range.addEventListener("input", set_);
      range.addEventListener("pointerup", () => !range.disabled && set_());
      return played;
    });
    const ready = () => {
      const whole = list.every((clip) => clip.heard) && Object.keys(scores).length === trial.clips.length - 1;
      if (whole) given({ ...scores });
    };
    return list;
  },
};

let turn = 0;

function choices(set, name, list, given, className = "options") {
  const box = add("div", "", className, set);
  const group = `${name}-${turn++}`;
  for (const [value, text, key] of list) {
    const label = add("label", "", "option", box);
    const input = add("input", "", "", label);
    input.type = "radio";
    input.name = group;
    add("span", text, "", label);
    if (key !== undefined) {
      add("kbd", String(key), "", label).ariaHidden = "true";
      input.dataset.key = key;
    }
    input.addEventListener("change", () => given(value));
  }
}

// ---- clips

const AWAKE = 0.1; // seconds of a clip after which its device surely plays
const files = new Map();
let playing = null;

function address(id) {
  if (!files.has(id)) {
    const text = atob(document.getElementById(`clip-${id}`).textContent);
    let mask = parseInt(id.slice(0, 8), 16); // see masked() in page.py
    const step = () => (mask = (Math.imul(mask, 1664525) + 1013904223) >>> 0) >>> 24;
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0) ^ step());
    files.set(id, URL.createObjectURL(new Blob([bytes], { type: "audio/flac" })));
  }
  return files.get(id);
}

/** Buttons for clips that are to be heard in their order; `whole` is called when all were. Gives what happened to each. */
function clips(list, plays, whole, parent) {
  const row = add("div", "", parent ? "" : "clips", parent ?? main);
  const free = () => {
    for (const one of document.querySelectorAll(".play")) one.disabled = one.dataset.state === "spent";
    for (const [n, button] of [...row.querySelectorAll(".play")].entries()) button.disabled ||= n > 0 && !told[n - 1].heard;
  };
  const told = list.map(([id, name]) => {
    const clip = { plays: 0, lasted: 0, faults: [], retries: [], heard: false };
    const button = add("button", "", "play", row);
    button.type = "button";
    const label = add("span", "", "", button);
    const bar = add("i", "", "", button);
    const sound = new Audio(address(id));
    sound.preload = "auto";
    let begun = 0;
    let faults = [];
    const state = (to, text) => {
      button.dataset.state = to;
      label.textContent = name || (to === "spent" ? "" : say(text));
      const told = say(to === "spent" ? "spent" : text);
      button.setAttribute("aria-label", name ? `${name}: ${told}` : told);
    };
    state("", "play");
    const note = (what) => { if (playing === clip) faults.push(what); };
    const begin = () => { // by the clip's own clock: "playing" comes long before the sound of a device that has yet to wake
      if (playing === clip && !begun && sound.currentTime > AWAKE) begun = performance.now() - 1000 * sound.currentTime;
    };
    const tick = () => {
      if (playing !== clip) return;
      begin();
      bar.style.width = `${(100 * sound.currentTime) / (sound.duration || 1)}%`;
      requestAnimationFrame(tick);
    };
    const stop = () => {
      playing = null;
      sound.currentTime = 0; // now: some browsers tell of a seek only after the next play began, as if it were a fault
      bar.style.width = "0";
      free();
    };
    clip.stop = () => {
      if (playing === clip) playing = null;
      sound.pause();
    };
    const fail = (reason) => {
      clip.retries.push(...faults, reason);
      state("", "play");
      stop();
      alarm.textContent = say("broken", { reason });
    };
    const hidden = () => document.hidden && note("page hidden");
    document.addEventListener("visibilitychange", hidden);
    sound.addEventListener("timeupdate", begin); // a hidden page draws no frames
    for (const what of ["waiting", "stalled"]) sound.addEventListener(what, () => begun && note(what));
    sound.addEventListener("pause", () => { if (!sound.ended && playing === clip) { sound.play().catch(() => {}); note("interrupted"); } });
    for (const what of ["seeking", "ratechange"]) sound.addEventListener(what, () => begun && note(what));
    sound.addEventListener("error", () => playing === clip && fail(sound.error?.message || "error"));
    sound.addEventListener("ended", () => {
      if (playing !== clip) return;
      begin();
      const lasted = performance.now() - begun;
      if (lasted < 1000 * sound.duration - 300) note(`short by ${Math.round(1000 * sound.duration - lasted)} ms`);
      if (lasted > 1000 * sound.duration + 600) note(`late by ${Math.round(lasted - 1000 * sound.duration)} ms`);
      clip.plays += 1;
      const again = faults.length && !(plays && clip.plays >= plays);
      if (again && !clip.heard) {
        clip.retries.push(...faults);
        alarm.textContent = say("faltered");
        state("", "play");
      } else {
        if (!clip.heard) clip.lasted = lasted;
        if (!clip.heard) clip.faults.push(...faults);
        clip.heard = true;
        const spent = plays && clip.plays >= plays;
        state(spent ? "spent" : "heard", "again");
      }
      stop();
      if (told.every((one) => one.heard)) whole();
    });
    button.addEventListener("click", () => {
      if (playing || (plays && clip.plays >= plays)) return;
      playing = clip;
      begun = 0;
      faults = [];
      alarm.textContent = "";
      state("playing", "playing");
      for (const one of document.querySelectorAll(".play")) one.disabled = one !== button;
      sound.play().then(() => requestAnimationFrame(tick), (error) => fail(error.message));
    });
    return clip;
  });
  free();
  return told;
}

// ---- the button and the keys

next.addEventListener("click", () => {
  if (!next.disabled && leave()) go();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const at = event.target;
  const written = at.matches("textarea"); // a sentence: Enter goes on there too
  if (at.matches("select, input[type=text]") || (written && (event.key !== "Enter" || event.shiftKey))) return;
  if (event.key === "Enter" && !at.matches("button")) {
    event.preventDefault();
    next.click();
  } else if (event.key === " " && !at.matches("button, input[type=radio]:not(:checked)")) {
    event.preventDefault();
    const buttons = [...main.querySelectorAll(".play")];
    const one = buttons.find((button) => !["heard", "spent"].includes(button.dataset.state)) ?? buttons[0];
    one?.click();
  } else if (/^[1-9]$/.test(event.key)) {
    const one = main.querySelector(`fieldset:not([disabled]) input[data-key="${event.key}"]`);
    if (one) {
      one.focus();
      one.click();
    }
  }
});
addEventListener("beforeunload", (event) => {
  if (forgets && held.records.length) event.preventDefault();
});
keep();
show();
send();
