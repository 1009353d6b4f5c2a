
"use strict";
// Nothing here is needed to read the page: it sorts tables, and leads through the cases by keys.

function number_or_text(cell) {
  const key = cell.dataset.key ?? cell.textContent.trim();
  const number = Number(key);
  return key !== "" && !Number.isNaN(number) ? number : key;
}

// Numbers before texts, and what is not there last.
function compare(a, b) {
  if (a === b) return 0;
  if (typeof a === typeof b) return a < b ? -1 : 1;
  return typeof a === "number" ? -1 : 1;
}

function make_sortable(table) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.classList.contains("picture")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [number_or_text(row.cells[column]), row]);
      rows.sort((a, b) => (descending ? -1 : 1) * compare(a[0], b[0]));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
document.querySelectorAll("table.sortable").forEach(make_sortable);

function labelled(text, control) {
  const label = document.createElement("label");
  label.append(text, control);
  return label;
}

function choice(values) {
  const select = document.createElement("select");
  for (const value of ["all", ...values]) select.add(new Option(value, value));
  return select;
}

function make_browser(browser, list) {
  const cases = [...list.querySelectorAll("details.case")];
  if (cases.length === 0) return;
  const kinds = choice([...new Set(cases.map((one) => one.dataset.kind))]);
  const statuses = choice([...new Set(cases.flatMap((one) => one.dataset.statuses.split(" ")))]);
  const text = document.createElement("input");
  text.type = "search";
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = "Case before (k)";
  const on = document.createElement("button");
  on.type = "button";
  on.textContent = "Next case (j)";
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  browser.append(labelled("Kind", kinds), labelled("Some answer is", statuses), labelled("Id, or a word in it", text), back, on, said);
  browser.hidden = false;

  const contents = cases.map((one) => one.textContent.toLowerCase());
  let found = cases;
  let current = null;

  function say() {
    const at = found.indexOf(current);
    said.textContent = at < 0 ? `${found.length} of ${cases.length} cases` : `Case ${current.dataset.case}: ${at + 1} of ${found.length}`;
  }
  function filter() {
    const wanted = text.value.trim().toLowerCase();
    found = cases.filter((one, i) => {
      const fits = (kinds.value === "all" || one.dataset.kind === kinds.value) &&
        (statuses.value === "all" || one.dataset.statuses.split(" ").includes(statuses.value)) &&
        (wanted === "" || contents[i].includes(wanted));
      one.hidden = !fits;
      return fits;
    });
    say();
  }
  function open(one) {
    if (current && current !== one) current.open = false;
    current = one;
    one.open = true;
    one.querySelector("summary").focus();
    one.scrollIntoView({block: "start"});
    say();
  }
  function step(by) {
    if (found.length === 0) return;
    const at = found.indexOf(current);
    open(found[at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length]);
  }
  function follow_link() {
    const one = cases.find((each) => "#" + each.id === location.hash);
    if (one) open(one);
  }

  kinds.addEventListener("change", filter);
  statuses.addEventListener("change", filter);
  text.addEventListener("input", filter);
  back.addEventListener("click", () => step(-1));
  on.addEventListener("click", () => step(1));
  // Only from within this section: single keys elsewhere belong to the reader's own tools.
  browser.closest("section").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  window.addEventListener("hashchange", follow_link);
  say();
  follow_link();
}
const browser = document.getElementById("browser");
if (browser) make_browser(browser, document.getElementById("case-list"));
