// Folded rows: a line a group, found by its words; what a group holds is built when someone opens it.
// Stands after slices.js in the same scope. Rows of a group stand side by side, and `\tgroup` numbers the groups from 0.

const LINES = 100; // groups that are listed at a time

async function folds(root, place) {
  const { by, headings, colours, name } = datum(root, place.dataset.spec);
  const data = await unpack(root, place.dataset.rows), value = (column, i) => data[column].levels[data[column].codes[i]] ?? "";
  const columns = Object.keys(headings), inner = columns.filter((column) => !by.includes(column)), group = data["\tgroup"].values;
  const first = group.map((_, i) => i).filter((i) => i === 0 || group[i] !== group[i - 1]);
  const groups = first.map((from, g) => [from, first[g + 1] ?? group.length]);
  const haystack = groups.map(([from, to]) => {
    const words = by.map((column) => value(column, from));
    for (let i = from; i < to; i++) for (const column of inner) words.push(value(column, i));
    return words.join(" ").toLowerCase();
  });
  const find = h("input", { type: "search", placeholder: "Find", "aria-label": "Find among the folded rows", oninput: () => show(LINES) });
  const count = h("span", { class: "count", role: "status" }), list = h("div", { class: "lines", tabindex: "0", role: "group", "aria-label": name });
  place.replaceChildren(h("div", { class: "tools" }, find, h("button", { type: "button", onclick: download }, "Download CSV"), count), list);
  let found = groups;

  function line([from, to]) {
    const fold = h("details", { ontoggle: () => { if (fold.open && fold.childElementCount === 1) fold.append(opened(from, to)); } },
      h("summary", {}, ...by.map((column) => value(column, from)).filter(Boolean).map((words) => h("span", {}, bdi(words)))));
    return fold;
  }

  function opened(from, to) {
    const rows = [];
    for (let i = from; i < to; i++) rows.push(h("tr", {}, ...inner.map((column) => (column === "system" ? h("th", { scope: "row" }, dot(colours[value(column, i)]), bdi(value(column, i))) : cell(value(column, i) || "–", "short")))));
    const heads = h("tr", {}, ...inner.map((column) => h("th", { scope: "col" }, bdi(headings[column]))));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, heads), h("tbody", {}, ...rows)));
  }

  function show(most) {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = groups.filter((_, g) => words.every((word) => haystack[g].includes(word)));
    const more = found.length > most ? [h("p", { class: "tools" }, h("button", { type: "button", onclick: () => show(most + 5 * LINES) }, "Show more"))] : [];
    list.replaceChildren(...found.slice(0, most).map(line), ...more);
    count.textContent = `${Math.min(most, found.length).toLocaleString("en")} of ${found.length.toLocaleString("en")}${words.length ? " found" : ""}`;
  }

  function download() { // the rows of all groups that were found
    const rows = found.flatMap(([from, to]) => Array.from({ length: to - from }, (_, k) => columns.map((column) => guarded(value(column, from + k)))));
    save(`${name}.csv`, [columns.map((column) => guarded(headings[column])), ...rows].map((row) => row.map(quoted).join(",") + "\r\n").join(""));
  }
  show(LINES);
}
