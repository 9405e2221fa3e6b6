// The table of tools by knobs: a box and a choice of families that filter its rows, headings that sort them. Without this it is a table.
document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".matrix").forEach((box) => {
  const table = box.querySelector("table"), body = table.tBodies[0], rows = [...body.rows];
  const bar = document.createElement("div"), input = document.createElement("input"), count = document.createElement("output");
  bar.className = "matrix-bar";
  for (const row of table.rows) { // the tool is below the name of its dialect, and needs no column
    const tool = row.cells[row.cells.length - 1];
    const small = document.createElement("small");
    small.textContent = tool.textContent;
    if (row.rowIndex) row.cells[0].append(" ", small);
    tool.remove();
  }
  Object.assign(input, { type: "search", placeholder: "filter: worst, float32, spark …" });
  input.setAttribute("aria-label", "Filter the rows of the table");
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent), at = heads.indexOf("family");
  const select = document.createElement("select"), familyOf = (row) => row.cells[at].textContent;
  select.append(new Option("all families", ""), ...[...new Set(rows.map(familyOf))].map((family) => new Option(family)));
  select.setAttribute("aria-label", "Show the tools of one family");
  bar.append(input, select, count);
  box.before(bar);
  box.tabIndex = 0; // a box that scrolls can be reached by keyboard
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Tools by knobs");

  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => words.every((word) => [...row.cells].some((cell) => cell.textContent.toLowerCase().includes(word)));
    rows.forEach((row) => { row.hidden = !fits(row) || (select.value && familyOf(row) !== select.value); });
    const left = rows.filter((row) => !row.hidden).length;
    count.textContent = left ? `${left} of ${rows.length}` : "no tool has that";
  };
  const sort = (head, at) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    const text = (row) => row.cells[at].firstChild?.textContent ?? "", none = (row) => text(row) === "–"; // what is not set stands last
    const order = (a, b) => none(a) - none(b) || (down ? -1 : 1) * text(a).localeCompare(text(b), "en", { numeric: true });
    [...table.tHead.rows[0].cells].forEach((cell) => cell.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...[...rows].sort((a, b) => order(a, b) || rows.indexOf(a) - rows.indexOf(b)));
  };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head, at));
    head.append(button);
  });
  // As wide as there is room for, beyond the column of text; where all of it is in view, its head stays in view too.
  const widen = () => {
    const room = document.documentElement.clientWidth - box.getBoundingClientRect().left - 16;
    box.style.setProperty("--room", `${room}px`);
    box.classList.toggle("matrix-whole", table.offsetWidth <= box.clientWidth);
  };
  widen();
  addEventListener("resize", widen);
  new IntersectionObserver(([{ isIntersecting }]) => document.body.classList.toggle("matrix-in-view", isIntersecting)).observe(box);
  input.addEventListener("input", filter);
  select.addEventListener("input", filter);
  filter();
}));
