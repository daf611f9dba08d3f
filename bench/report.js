// What a report does when it is open: charts are drawn, tables sort, filter and download, clips play.
// Stands after player.js in one scope, in a page and in a notebook's widget alike. The data of a part stand in blocks
// <script type="application/json"> inside the same `root`.

const FEW = 10; // rows that need no filter
const datum = (root, id) => JSON.parse(root.querySelector(`#${id}`).textContent);

// A cell that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers.
const guarded = (text) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const content = (cell) => ("value" in cell.dataset ? cell.dataset.value : cell.textContent);

function comma(table, rows) {
  const heads = [...table.tHead.rows[0].cells], ends = ({ dataset }) => ("lo" in dataset ? [dataset.lo, dataset.hi] : []); // of an interval
  const lines = [heads.flatMap((cell) => [cell.dataset.name, ...ends(cell)].map(guarded))];
  for (const row of rows) lines.push([...row.cells].flatMap((cell) => (cell.classList.contains("number") ? [content(cell), ...ends(cell)] : guarded(content(cell)))));
  return lines.map((line) => line.map(quoted).join(",") + "\r\n").join("");
}

function save(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function enliven(section) {
  const table = section.querySelector("table"), body = table.tBodies[0], rows = [...body.rows];
  const count = h("span", { class: "count", role: "status" });
  const haystack = rows.map((row) => row.textContent.toLowerCase());
  const find = h("input", { type: "search", placeholder: "Filter the rows", "aria-label": "Filter the rows", oninput: filter });
  const download = h("button", { type: "button", onclick: () => save(`${section.dataset.name}.csv`, comma(table, [...body.rows].filter((row) => !row.hidden))) }, "Download CSV");
  section.querySelector(".tools").append(...(rows.length > FEW ? [find, download, count] : [download]));
  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => { row.hidden = !words.every((word) => haystack[i].includes(word)); shown += !row.hidden; });
    count.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  }
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const name = head.querySelector("bdi"), button = h("button", { type: "button", title: "Sort by this column" });
    name.replaceWith(button); button.append(name);
    button.addEventListener("click", () => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1, number = head.classList.contains("number");
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const sorted = rows.map((row, at) => ({ row, at, text: content(row.cells[i]) })).sort((a, b) => {
        if (!a.text !== !b.text) return a.text ? -1 : 1; // what is missing stands last, whichever way
        const order = number ? Number(a.text) - Number(b.text) : a.text.localeCompare(b.text, undefined, { numeric: true });
        return direction * order || a.at - b.at;
      });
      body.append(...sorted.map(({ row }) => row));
    });
  });
  filter();
}

async function draw(root, place) {
  const spec = datum(root, place.dataset.spec);
  const embed = () => vegaEmbed(place, spec, { actions: false, ast: true, renderer: "svg" }); // ast: no eval, as the policy wants
  if (spec.columns) spec.columns = Math.max(1, Math.min(spec.columns, Math.floor(place.clientWidth / 300)));
  try {
    await embed();
    const spare = spec.columns && spec.spec?.width ? place.clientWidth - 8 - place.querySelector("svg").clientWidth : 0;
    if (spare) { // facets as wide as the page has room for
      spec.spec.width = Math.max(140, Math.min(640, spec.spec.width + Math.floor(spare / spec.columns)));
      await embed();
    }
    place.dataset.drawn = "yes";
  } catch (error) {
    place.append(h("p", { class: "alarm", role: "alert" }, `This chart cannot be drawn (${error.message}).`));
  }
}

function bytes(root, id) {
  const text = root.querySelector(`#${id}`).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

function awaken(root) {
  root.querySelectorAll("section.table").forEach(enliven);
  root.querySelectorAll(".chart").forEach((place) => draw(root, place));
  root.querySelectorAll(".clips").forEach((place) => {
    const { takes, colours, versions } = datum(root, place.dataset.spec);
    mount(place, { takes, colours, load: async (index, channel) => bytes(root, versions[index][channel]) });
  });
}
