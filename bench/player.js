// The clip player: hear one take through every channel, switching at the same moment of the clip.
//
// One file serves the notebook widget (anywidget calls `render`) and the exported report (which calls `mount`).
// Conventions: `takes` are plain data; the bytes of a version come from `load(index, channel)`, a promise of an
// ArrayBuffer, and only once a take is opened. Every version of the open take is decoded into memory, so that a
// switch starts the next version at the sample where the last one was, with a cross-fade of 8 ms. What is heard is
// what is in the file: no level is touched unless the switch "Equal loudness" is on. All text enters as text nodes.

const FADE = 0.008; // seconds
const OPS = { S: "substituted", D: "deleted", I: "inserted" };

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

function refill(box, ...children) { // the focus stays where it was
  const controls = () => [...box.querySelectorAll("button, select")], at = controls().indexOf(box.getRootNode().activeElement);
  box.replaceChildren(...children);
  if (at >= 0) controls()[at]?.focus({ preventScroll: true });
}

const bdi = (text) => h("bdi", {}, String(text));
const dot = (colour) => { const mark = h("span", { class: "dot", "aria-hidden": "true" }); mark.style.background = colour; return mark; };

function aligned(ops) {
  const line = h("span", { class: "aligned" });
  for (const [ref, hyp, op] of ops) {
    if (line.childNodes.length) line.append(" ");
    if (op === "D") line.append(h("del", { title: OPS.D }, bdi(ref)));
    else if (op === "I") line.append(h("ins", { title: OPS.I }, bdi(hyp)));
    else if (op === "S") line.append(h("span", { class: "word" }, h("ruby", { title: `${OPS.S}: ${ref}` }, bdi(hyp), h("rt", {}, bdi(ref)))));
    else line.append(bdi(hyp));
  }
  return line;
}

function errors(take, channel) {
  const lists = channel ? [take.alignments[channel] ?? {}] : Object.values(take.alignments);
  return lists.flatMap((list) => Object.values(list)).flat().filter((op) => op[2] !== "=").length;
}

// The chance of at least `right` of `done` answers by guessing: the one-sided binomial p-value at 1/2.
function guessed(right, done) {
  let p = 0, term = 0.5 ** done; // C(done, k) / 2^done, from k = done downwards
  for (let k = done; k >= right; k--) { p += term; term *= k / (done - k + 1); }
  return p;
}

const rms = (data) => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / Math.max(1, data.length));
const clock = (seconds) => `${seconds.toFixed(2)} s`;

// The power spectrum of frames of 1024 samples, as levels in dB: one Float32Array of 513 a frame, centred on `at`.
function spectrum(data, at) {
  const size = 1024, re = new Float64Array(size), im = new Float64Array(size), bits = 10;
  for (let i = 0; i < size; i++) {
    let j = 0;
    for (let b = 0; b < bits; b++) j |= ((i >> b) & 1) << (bits - 1 - b);
    re[j] = (data[at - size / 2 + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
  }
  for (let half = 1; half < size; half *= 2) {
    for (let k = 0; k < half; k++) {
      const c = Math.cos((Math.PI * k) / half), s = -Math.sin((Math.PI * k) / half);
      for (let i = k; i < size; i += 2 * half) {
        const j = i + half, x = re[j] * c - im[j] * s, y = re[j] * s + im[j] * c;
        re[j] = re[i] - x; im[j] = im[i] - y; re[i] += x; im[i] += y;
      }
    }
  }
  return Float32Array.from({ length: size / 2 + 1 }, (_, k) => 20 * Math.log10(Math.hypot(re[k], im[k]) / (size / 4) + 1e-9));
}

const TOP = 8000, FLOOR = -85, CEILING = -20; // Hz, and the levels drawn as nothing and as full colour, in dB

function spectrogram(pen, buffer, colour) {
  const { width, height } = pen.canvas, data = buffer.getChannelData(0), image = pen.createImageData(width, height);
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)), bin = 1024 / buffer.sampleRate;
  for (let x = 0; x < width; x++) {
    const levels = spectrum(data, Math.floor(((x + 0.5) * data.length) / width));
    for (let y = 0; y < height; y++) {
      const level = levels[Math.round((1 - (y + 0.5) / height) * TOP * bin)] ?? FLOOR;
      image.data.set([r, g, b, 255 * Math.max(0, Math.min(1, (level - FLOOR) / (CEILING - FLOOR)))], 4 * (y * width + x));
    }
  }
  pen.putImageData(image, 0, 0);
}

// The sound of the open take. Positions are seconds of the clip; `loop` is null or [from, to].
class Tape {
  constructor() { this.context = null; this.buffers = new Map(); this.offset = 0; this.voice = null; this.loop = null; this.levelled = false; }
  async decode(name, bytes) {
    this.context ??= new AudioContext();
    this.buffers.set(name, await this.context.decodeAudioData(bytes.slice(0)));
  }
  get playing() { return this.voice !== null; }
  get buffer() { return this.buffers.get(this.name); }
  get length() { return this.buffer?.duration ?? 0; }
  get position() {
    if (!this.voice) return this.offset;
    const at = this.offset + this.context.currentTime - this.since;
    if (!this.loop || at < this.loop[1]) return Math.min(at, this.length);
    return this.loop[0] + ((at - this.loop[0]) % (this.loop[1] - this.loop[0]));
  }
  gain() {
    if (!this.levelled) return 1;
    const levels = [...this.buffers.values()].map((buffer) => rms(buffer.getChannelData(0))).filter((level) => level > 0);
    return Math.min(...levels) / (rms(this.buffer.getChannelData(0)) || 1); // only ever quieter: nothing can clip
  }
  play(at = this.position) {
    const { context } = this, now = context.currentTime;
    context.resume();
    this.hush();
    const source = context.createBufferSource(), fader = context.createGain();
    source.buffer = this.buffer;
    if (this.loop) { source.loop = true; [source.loopStart, source.loopEnd] = this.loop; }
    fader.gain.setValueAtTime(0, now);
    fader.gain.linearRampToValueAtTime(this.gain(), now + FADE);
    source.connect(fader).connect(context.destination);
    source.start(now, at);
    this.voice = { source, fader }; this.offset = at; this.since = now;
    source.onended = () => { if (this.voice?.source === source) { this.voice = null; this.offset = 0; this.ended?.(); } };
  }
  hush() {
    if (!this.voice) return;
    const { source, fader } = this.voice, now = this.context.currentTime;
    this.voice = null;
    fader.gain.cancelScheduledValues(now);
    fader.gain.setValueAtTime(fader.gain.value, now);
    fader.gain.linearRampToValueAtTime(0, now + FADE);
    source.stop(now + FADE);
  }
  pause() { const at = this.position; this.hush(); this.offset = at; }
  seek(at) { at = Math.max(0, Math.min(at, this.length)); if (this.playing) this.play(at); else this.offset = at; }
  choose(name, scale) { // the same moment: seconds between channels, the same share of the clip between systems
    const share = this.length ? this.position / this.length : 0, at = this.position, was = this.playing;
    this.name = name;
    const next = Math.min(scale ? share * this.length : at, this.length);
    if (scale) this.loop = null;
    if (was && next < this.length) this.play(next); else { this.hush(); this.offset = next; }
  }
}

function mount(root, { takes, colours, load, chosen = () => {}, judged = () => {} }) {
  const tape = new Tape(), key = (index, channel) => `${index}\t${channel}`;
  let open = -1, channel = null, turn = 0, trial = null;

  const find = h("input", { type: "search", placeholder: "Find words, ids, systems", "aria-label": "Find clips", oninput: list });
  const systems = [...new Set(takes.map((take) => take.system))].sort();
  const only = h("select", { "aria-label": "System", onchange: list }, h("option", { value: "" }, "All systems"), ...systems.map((name) => h("option", { value: name }, name)));
  const order = h("select", { "aria-label": "Order", onchange: list }, h("option", { value: "given" }, "In the given order"), h("option", { value: "worst" }, "Most errors first"));
  const equal = h("input", { type: "checkbox", onchange: () => { tape.levelled = equal.checked; if (tape.playing) tape.play(); draw(); } });
  const count = h("span", { class: "count", role: "status" });
  const rows = takes.map((take, index) => {
    const wrong = errors(take);
    const button = h("button", { type: "button", class: "take", "aria-expanded": "false", onclick: () => (open === index ? toggle() : choose(index, null, true)) },
      h("span", { class: "go", "aria-hidden": "true" }), dot(colours[take.system]), h("span", { class: "system" }, bdi(take.system)),
      h("span", { class: "reference" }, bdi(take.reference)), h("span", { class: "id" }, bdi(take.id)),
      h("span", { class: "errors" }, Object.keys(take.alignments).length ? `${wrong} ${wrong === 1 ? "error" : "errors"}` : ""));
    return h("li", { "data-take": index }, button);
  });
  const shelf = h("ol", { class: "takes" });

  const play = h("button", { type: "button", class: "play", onclick: toggle });
  const time = h("span", { class: "time" });
  const level = h("span", { class: "level" });
  const view = h("button", { type: "button", class: "view", "aria-pressed": "false", onclick: () => { view.setAttribute("aria-pressed", String(track.classList.toggle("spectrum"))); draw(); } }, "Spectrogram");
  const wave = h("canvas", {});
  const head = h("span", { class: "head" });
  const region = h("span", { class: "region", hidden: true });
  const track = h("div", { class: "wave", role: "slider", tabindex: "0", "aria-label": "Position", "aria-valuemin": "0" }, wave, region, head);
  const channels = h("div", { class: "switch", role: "group", "aria-label": "Channel" });
  const voices = h("div", { class: "switch", role: "group", "aria-label": "System" });
  const heard = h("div", { class: "heard" });
  const blind = h("button", { type: "button", class: "view", "aria-pressed": "false", onclick: () => test(!trial) }, "Blind ABX");
  const abx = h("div", { class: "abx", role: "group", "aria-label": "Blind comparison", hidden: true });
  const alarm = h("p", { class: "alarm", role: "alert" });
  const hint = h("p", { class: "hint" }, "Space plays · 1–9 switch the channel · S switches the system · arrows move · drag over the wave to loop, Esc ends the loop");
  const deck = h("div", { class: "deck" }, h("div", { class: "transport" }, play, time, level, view, blind), track, abx, channels, voices, alarm, heard, hint);
  tape.ended = () => tick();

  function list() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = takes.map((take, index) => index).filter((index) => {
      const { id, system, reference, transcripts } = takes[index];
      const text = [id, system, reference, ...Object.values(transcripts).flatMap((list) => Object.values(list))].join(" ").toLowerCase();
      return (!only.value || system === only.value) && words.every((word) => text.includes(word));
    });
    if (order.value === "worst") shown = shown.sort((a, b) => errors(takes[b]) - errors(takes[a]) || a - b);
    shelf.replaceChildren(...shown.map((index) => rows[index]));
    count.textContent = `${shown.length} of ${takes.length} clips`;
  }

  async function choose(index, name, start) {
    const take = takes[index], changed = index !== open, mine = ++turn;
    const next = name ?? (take.channels.includes(channel) ? channel : take.channels[0]);
    const sibling = open >= 0 && takes[open].id === take.id;
    if (changed && trial) test(false);
    alarm.textContent = "";
    try {
      if (!take.channels.length) throw new Error("no sound");
      if (!tape.buffers.has(key(index, next))) await tape.decode(key(index, next), await load(index, next)); // the rest follows below
      if (mine !== turn) return; // another choice came while this one was loading
      if (changed && !sibling) { tape.hush(); tape.offset = 0; tape.loop = null; }
      tape.choose(key(index, next), changed && sibling);
      if (changed) place(index);
      channel = next;
      for (const old of [...tape.buffers.keys()]) if (takes[Number(old.split("\t")[0])].id !== take.id) tape.buffers.delete(old);
      if (start && !tape.playing) tape.play(tape.position >= tape.length ? 0 : tape.position);
      show();
      chosen(index, channel);
      await Promise.allSettled(take.channels.filter((other) => !tape.buffers.has(key(index, other))).map(async (other) => tape.decode(key(index, other), await load(index, other))));
      if (mine === turn) draw();
    } catch (error) {
      if (mine !== turn) return;
      tape.hush();
      tape.name = null;
      tape.offset = 0;
      place(index);
      channel = next ?? Object.keys(take.transcripts)[0] ?? null;
      show();
      alarm.textContent = take.channels.length ? `This clip cannot be played (${error.message || error}).` : "There is no sound: the system delivered none.";
    }
  }

  function place(index) { // the deck stands in the open row
    rows[open]?.firstChild.setAttribute("aria-expanded", "false");
    rows[index].firstChild.setAttribute("aria-expanded", "true");
    rows[index].append(deck);
    open = index;
  }

  // X is A or B by the toss of a coin. All that would tell by eye is hidden, and nothing is said before the end.
  function test(on) {
    const names = takes[open].channels;
    trial = on && names.length > 1 ? { a: names[0], b: channel === names[0] ? names.at(-1) : channel, slot: "X", right: 0, done: 0 } : null;
    deck.classList.toggle("blind", Boolean(trial));
    blind.setAttribute("aria-pressed", String(Boolean(trial)));
    abx.hidden = !trial;
    if (trial) toss(); else show();
  }

  function toss() { trial.x = Math.random() < 0.5 ? trial.a : trial.b; hear("X"); }

  function hear(slot) { trial.slot = slot; choose(open, { A: trial.a, B: trial.b, X: trial.x }[slot], false); ask(); }

  function answer(name) {
    trial.done++;
    trial.right += name === trial.x;
    judged({ take: open, a: trial.a, b: trial.b, x: trial.x, answer: name });
    toss();
  }

  function ask() {
    const names = takes[open].channels, pick = (slot) => h("label", {}, `${slot.toUpperCase()} `, h("select", { "aria-label": slot.toUpperCase(), onchange: (event) => { trial[slot] = event.target.value; trial.right = trial.done = 0; toss(); } },
      ...names.map((name) => h("option", { value: name, selected: name === trial[slot] }, name))));
    const buttons = ["A", "B", "X"].map((slot) => h("button", { type: "button", "aria-pressed": String(slot === trial.slot), onclick: () => hear(slot) }, h("kbd", {}, slot.toLowerCase()), slot));
    const said = h("span", { role: "status" }, trial.done ? `${trial.right} of ${trial.done} right, p = ${guessed(trial.right, trial.done).toFixed(3)}` : "X is A or B. Listen, then answer.");
    refill(abx, h("div", { class: "switch" }, ...buttons, h("button", { type: "button", onclick: () => answer(trial.a) }, "X is A"), h("button", { type: "button", onclick: () => answer(trial.b) }, "X is B")), h("div", { class: "tools" }, pick("a"), pick("b"), said));
  }

  function toggle() {
    if (open < 0) return;
    if (tape.playing) tape.pause(); else tape.play(tape.position >= tape.length - 0.01 ? 0 : tape.position);
    tick();
  }

  function show() {
    const take = takes[open];
    refill(channels, ...take.channels.map((name, i) => h("button", { type: "button", "aria-pressed": String(name === channel), onclick: () => choose(open, name, false) },
      i < 9 ? h("kbd", {}, String(i + 1)) : null, bdi(name))));
    const others = takes.map((other, index) => index).filter((index) => takes[index].id === take.id);
    voices.hidden = others.length < 2;
    refill(voices, ...others.map((index) => h("button", { type: "button", "aria-pressed": String(index === open), onclick: () => choose(index, null, false) }, dot(colours[takes[index].system]), bdi(takes[index].system))));
    const said = take.transcripts[channel] ?? {}, ops = take.alignments[channel] ?? {};
    heard.replaceChildren(h("dl", {}, h("div", {}, h("dt", {}, "Reference"), h("dd", { class: "truth" }, bdi(take.reference))),
      ...Object.entries(said).map(([name, text]) => h("div", {}, h("dt", {}, bdi(name)), h("dd", {}, ops[name] ? aligned(ops[name]) : bdi(text),
        ops[name] ? h("span", { class: "raw", title: "as the recogniser wrote it" }, bdi(text || "(nothing)")) : null)))));
    draw();
    tick();
  }

  function draw() {
    if (!tape.buffer) return;
    const data = tape.buffer.getChannelData(0), width = Math.max(1, track.clientWidth), height = track.clientHeight || 72, ratio = globalThis.devicePixelRatio || 1;
    const top = Math.max(...takes[open].channels.map((name) => tape.buffers.get(key(open, name))).filter(Boolean).map((buffer) => buffer.getChannelData(0).reduce((a, x) => Math.max(a, Math.abs(x)), 0)), 1e-4);
    wave.width = width * ratio; wave.height = height * ratio;
    const pen = wave.getContext("2d"), middle = wave.height / 2, colour = colours[takes[open].system];
    pen.fillStyle = colour;
    if (track.classList.contains("spectrum")) spectrogram(pen, tape.buffer, colour);
    else for (let x = 0; x < wave.width; x++) {
      let low = 0, high = 0;
      for (let i = Math.floor((x * data.length) / wave.width), end = Math.floor(((x + 1) * data.length) / wave.width); i < end; i++) { if (data[i] < low) low = data[i]; if (data[i] > high) high = data[i]; }
      pen.fillRect(x, middle - (high / top) * middle * 0.96, 1, Math.max(1, ((high - low) / top) * middle * 0.96));
    }
    const loud = rms(data);
    level.textContent = loud > 0 ? `${(20 * Math.log10(loud)).toFixed(1)} dB RMS${equal.checked ? `, heard at ${(20 * Math.log10(loud * tape.gain())).toFixed(1)}` : ""}` : "digital silence";
  }

  function tick() {
    const at = tape.position, length = tape.length || 1;
    head.style.left = `${(100 * at) / length}%`;
    time.textContent = `${clock(at)} of ${clock(tape.length)}`;
    track.setAttribute("aria-valuenow", at.toFixed(3));
    track.setAttribute("aria-valuemax", tape.length.toFixed(3));
    track.setAttribute("aria-valuetext", clock(at));
    play.textContent = tape.playing ? "Pause" : "Play";
    root.dataset.state = tape.playing ? "playing" : "still";
    region.hidden = !tape.loop;
    if (tape.loop) { region.style.left = `${(100 * tape.loop[0]) / length}%`; region.style.width = `${(100 * (tape.loop[1] - tape.loop[0])) / length}%`; }
    if (tape.playing) requestAnimationFrame(tick);
  }

  function setLoop(loop) { tape.loop = loop; if (tape.playing) tape.play(loop ? loop[0] : tape.position); else if (loop) tape.offset = loop[0]; tick(); }

  track.addEventListener("pointerdown", (down) => {
    const box = track.getBoundingClientRect(), spot = (event) => Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * tape.length, from = spot(down);
    const up = (event) => {
      track.removeEventListener("pointerup", up);
      const to = spot(event);
      if (Math.abs(to - from) > 0.05) setLoop([Math.min(from, to), Math.max(from, to)]);
      else { if (tape.loop && (from < tape.loop[0] || from > tape.loop[1])) tape.loop = null; tape.seek(from); tick(); }
    };
    track.setPointerCapture(down.pointerId);
    track.addEventListener("pointerup", up);
  });

  root.addEventListener("keydown", (event) => {
    if (open < 0 || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, .take[aria-expanded=false]")) return;
    const take = takes[open], digit = "123456789".indexOf(event.key);
    const others = takes.map((other, index) => index).filter((index) => takes[index].id === take.id);
    const slot = event.key.toUpperCase();
    if (trial && "ABX".includes(slot)) hear(slot);
    else if (trial && (digit >= 0 || slot === "S")) return;
    else if (digit >= 0 && event.key) { if (take.channels[digit]) choose(open, take.channels[digit], false); }
    else if (event.key === " ") toggle();
    else if (event.key === "s" || event.key === "S") choose(others[(others.indexOf(open) + 1) % others.length], null, false);
    else if (event.key === "ArrowLeft") { tape.seek(tape.position - 0.25); tick(); }
    else if (event.key === "ArrowRight") { tape.seek(tape.position + 0.25); tick(); }
    else if (event.key === "Home") { tape.seek(0); tick(); }
    else if (event.key === "Escape") setLoop(null);
    else return;
    event.preventDefault();
  });

  root.classList.add("earshot", "player");
  root.replaceChildren(h("div", { class: "tools" }, find, systems.length > 1 ? only : null, order, h("label", {}, equal, " Equal loudness"), count), shelf);
  new ResizeObserver(() => { if (open >= 0) draw(); }).observe(track);
  list();
  return () => { tape.hush(); tape.context?.close(); };
}

function render({ model, el }) {
  const waiting = new Map(), root = document.createElement("div");
  model.on("msg:custom", (message, buffers) => {
    const name = `${message.take}\t${message.channel}`, settle = waiting.get(name);
    waiting.delete(name);
    if (!settle) return;
    if (message.error) settle.reject(new Error(message.error));
    else settle.resolve(buffers[0].buffer.slice(buffers[0].byteOffset, buffers[0].byteOffset + buffers[0].byteLength));
  });
  const load = (take, channel) => new Promise((resolve, reject) => { waiting.set(`${take}\t${channel}`, { resolve, reject }); model.send({ take, channel }); });
  const chosen = (take, channel) => { model.set("selected", { take, channel }); model.save_changes(); };
  const judged = (answer) => { model.set("answers", [...model.get("answers"), answer]); model.save_changes(); };
  el.append(root);
  return mount(root, { takes: model.get("takes"), colours: model.get("colours"), load, chosen, judged });
}

export default { render };
