// The stratum picker of a report: rows are cut, counted and resampled in the page, without a kernel.
// Stands after report.js in the same scope. Rates are errors / words of the rows chosen; intervals are percentiles of a
// Poisson bootstrap over clusters, seeded, the same draw for every row of the table, at the rules of bench.inference.interval:
// below 200 units at the levels of Student's t, and where fewer than five units carry the rate, Wilson's score interval.
// Fewer than 20 units have no interval here: by so few, one bootstrap and the next come to different ends.

const DRAWS = 1000, SEED = 1, LEAST = 20, ENOUGH = 200, CARRIERS = 5, Z = 1.959963984540054;

async function unpack(root, id) {
  const stream = new Blob([bytes(root, id)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function poisson() { // Poisson(1) numbers by inversion, from the generator mulberry32
  const table = new Uint8Array(65536);
  for (let k = 0, p = Math.exp(-1), sum = p, at = 0; at < 65536; k++, p /= k, sum += p) for (const end = Math.min(65536, Math.ceil(sum * 65536)); at < end || (k > 12 && at < 65536); at++) table[at] = k;
  let state = SEED;
  return () => {
    let t = (state = (state + 0x6d2b79f5) | 0);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return table[((t ^ (t >>> 14)) >>> 8) & 0xffff];
  };
}

function intervals(groups, clusters) { // groups: [{errors, words: Float64Array over clusters}]
  const draw = poisson(), rates = groups.map(() => []), weights = new Float64Array(clusters);
  for (let b = 0; b < DRAWS; b++) {
    for (let c = 0; c < clusters; c++) weights[c] = draw();
    groups.forEach(({ errors, words }, g) => {
      let wrong = 0, all = 0;
      for (let c = 0; c < clusters; c++) { wrong += weights[c] * errors[c]; all += weights[c] * words[c]; }
      if (all > 0) rates[g].push(wrong / all);
    });
  }
  return rates.map((list, g) => {
    const units = [...groups[g].words.keys()].filter((c) => groups[g].words[c] > 0), n = units.length;
    if (n < LEAST) return [NaN, NaN];
    const { rate, error, carriers } = carried(units.map((c) => groups[g].errors[c]), units.map((c) => groups[g].words[c]));
    if (rate <= 1 && (carriers < CARRIERS || error === 0)) return wilson(rate, error > 0 && rate > 0 && rate < 1 ? (rate * (1 - rate)) / error ** 2 : n);
    list.sort((a, b) => a - b);
    const at = (q) => { const x = q * (list.length - 1), i = Math.floor(x); return list[i] + (x - i) * ((list[i + 1] ?? list[i]) - list[i]); };
    return [at(tail(n)), at(1 - tail(n))];
  });
}

// A rate, its linearised standard error, and how many units make the difference between it and 0 (or 1).
function carried(errors, words) {
  const n = words.length, sum = (numbers) => numbers.reduce((a, b) => a + b, 0), total = sum(words), rate = sum(errors) / total;
  const left = errors.map((e, i) => (e - rate * words[i]) ** 2);
  const carriers = Math.min(errors.filter((e) => e > 0).length, errors.filter((e, i) => e !== words[i]).length);
  return { rate, error: Math.sqrt((n / (n - 1)) * sum(left)) / total, carriers };
}

function wilson(rate, n) {
  const centre = (rate + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((rate * (1 - rate)) / n + (Z * Z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

// The level of the lower end for n units: 2.5%, or less where they are few (Student's t by Cornish and Fisher's expansion,
// the normal distribution by Abramowitz and Stegun 26.2.17).
function tail(n) {
  if (n >= ENOUGH) return 0.025;
  const v = n - 1, z = Z;
  const t = z + (z ** 3 + z) / (4 * v) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2) + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3);
  const x = Math.sqrt(n / v) * t, k = 1 / (1 + 0.2316419 * x);
  const series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

const percent = (rate) => (Number.isFinite(rate) ? `${(100 * rate).toFixed(1)}%` : "–");

function cell(value, kind) {
  return h("td", { class: kind, ...(kind === "number" ? { "data-value": Number.isFinite(value) ? value : "" } : {}) }, bdi(kind === "number" ? value.toLocaleString("en") : value));
}

function rate(value) { return h("td", { class: "number", "data-value": Number.isFinite(value) ? value : "" }, bdi(percent(value))); }

function end(value) { return Number.isFinite(value) ? rate(value) : h("td", { class: "number quiet", "data-value": "" }, "too few"); }

function range(lo, hi, at, top, colour) { // the interval as a picture, the rate alone where there is none; the numbers stand beside it
  const bar = h("span", { class: "bar" }), point = h("span", { class: "point" }), box = h("span", { class: "range", "aria-hidden": "true" }, ...(Number.isFinite(lo) ? [bar] : []), point);
  bar.style.left = `${(100 * lo) / top}%`; bar.style.width = `${(100 * (hi - lo)) / top}%`; point.style.left = `${(100 * at) / top}%`;
  bar.style.background = point.style.background = colour ?? "currentColor";
  return h("td", { class: "picture" }, box);
}

function grid(name, heads, rows) {
  const top = h("tr", {}, ...heads.map(([title, kind]) => h("th", { scope: "col", class: kind, "data-name": title }, bdi(title))));
  const section = h("section", { class: "table", "data-name": name }, h("div", { class: "tools" }),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, h("table", {}, h("caption", { class: "unseen" }, name), h("thead", {}, top), h("tbody", {}, ...rows))));
  enliven(section);
  return section;
}

async function slice(root, place) {
  const { by, strata, texts, colours, name, size } = datum(root, place.dataset.spec);
  const data = await unpack(root, place.dataset.rows), value = (column, i) => { const c = data[column]; return c.levels ? c.levels[c.codes[i]] : c.values[i]; };
  const errors = data["\terrors"].values, words = data["\twords"].values, cluster = data["\tcluster"].codes, clusters = data["\tcluster"].levels.length;
  const pickers = strata.map((column) => {
    const levels = data[column].levels, label = column.replaceAll("_", " ");
    return h("label", {}, `${label} `, h("select", { "data-column": column, onchange: show }, h("option", { value: "" }, "all"), ...levels.map((level, k) => h("option", { value: k }, String(level ?? "–")))));
  });
  const count = h("span", { class: "count", role: "status" }), answer = h("div"), detail = h("div");
  const head = (column) => column.replaceAll("_", " ");
  place.replaceChildren(h("div", { class: "tools" }, ...pickers, h("button", { type: "button", onclick: download }, "Download these rows"), count), answer, h("details", { ontoggle: (event) => event.target.open && list() }, h("summary", {}, "The rows with the most errors"), detail));
  let rows = [];

  function show() {
    const wanted = [...place.querySelectorAll("select")].filter((s) => s.value !== "").map((s) => [data[s.dataset.column].codes, Number(s.value)]);
    rows = [];
    for (let i = 0; i < size; i++) if (wanted.every(([codes, level]) => codes[i] === level)) rows.push(i);
    const groups = new Map();
    for (const i of rows) {
      const key = by.map((column) => data[column].codes[i]).join(" ");
      if (!groups.has(key)) groups.set(key, { first: i, errors: new Float64Array(clusters), words: new Float64Array(clusters), rows: 0 });
      const group = groups.get(key);
      group.errors[cluster[i]] += errors[i]; group.words[cluster[i]] += words[i]; group.rows++;
    }
    const found = [...groups.values()], ends = intervals(found, clusters), sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    const rates = found.map((group) => sum(group.errors) / sum(group.words));
    const top = Math.max(...ends.flat().concat(rates).filter(Number.isFinite), 0.01);
    const lines = found.map((group, g) => {
      const at = rates[g], system = by.includes("system") ? value("system", group.first) : null;
      return h("tr", {}, ...by.map((column) => (column === "system" ? h("th", { scope: "row" }, dot(colours[system]), bdi(system)) : cell(value(column, group.first) ?? "–", "short"))),
        rate(at), end(ends[g][0]), end(ends[g][1]), range(ends[g][0], ends[g][1], at, top, colours[system]), cell(sum(group.words), "number"), cell(group.rows, "number"));
    });
    answer.replaceChildren(grid(`${name}-rates`, [...by.map((column) => [head(column)]), ["error rate", "number"], ["from", "number"], ["to", "number"], ["95% interval (Poisson bootstrap)"], ["words", "number"], ["rows", "number"]], lines));
    count.textContent = `${rows.length.toLocaleString("en")} of ${size.toLocaleString("en")} rows`;
    if (place.querySelector("details").open) list();
  }

  const columns = [...by, ...strata.filter((column) => !by.includes(column))];
  function list() {
    const worst = rows.slice().sort((a, b) => errors[b] - errors[a] || a - b).slice(0, 200);
    detail.replaceChildren(grid(`${name}-worst`, [["segment"], ...by.map((column) => [head(column)]), ["errors", "number"], ["words", "number"], ...texts.map((column) => [head(column)])],
      worst.map((i) => h("tr", {}, cell(value("segment", i), "short"), ...by.map((column) => cell(value(column, i) ?? "–", "short")), cell(errors[i], "number"), cell(words[i], "number"), ...texts.map((column) => cell(value(column, i) ?? "–", "text"))))));
  }

  function download() {
    const heads = ["segment", ...columns, "errors", "words", ...texts];
    const lines = rows.map((i) => [guarded(String(value("segment", i))), ...columns.map((column) => guarded(String(value(column, i) ?? ""))), errors[i], words[i], ...texts.map((column) => guarded(String(value(column, i) ?? "")))]);
    save(`${name}.csv`, [heads.map(guarded), ...lines].map((line) => line.map((text) => quoted(String(text))).join(",") + "\r\n").join(""));
  }
  show();
}

function cut(root) {
  const each = (kind, read) => root.querySelectorAll(kind).forEach((place) => read(root, place).catch((error) => {
    place.replaceChildren(h("p", { class: "alarm", role: "alert" }, `These rows cannot be read (${error.message}).`));
  }));
  each(".slices", slice);
  each(".folded", folds);
}

function live({ model, el }) { // a part in a notebook
  const root = h("div", { class: "earshot" });
  root.innerHTML = model.get("html"); // made by bench.page, which escapes all that it is given
  el.append(root);
  awaken(root);
  cut(root);
}
