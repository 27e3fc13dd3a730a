"use strict";
// Charts as PNG and SVG files in the colours of paper, tables as CSV on the clipboard; all without a network.
(() => {
  const wide = 900;
  const literal = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  function button(text, more, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    const hidden = document.createElement("span");
    hidden.className = "hidden";
    hidden.textContent = more;
    made.append(hidden);
    made.addEventListener("click", () => act(made));
    return made;
  }

  function tools(...buttons) {
    const made = document.createElement("div");
    made.className = "tools";
    made.append(...buttons);
    return made;
  }

  function save(place, title, format) {
    const { data, layout } = JSON.parse(place.nextElementSibling.textContent);
    const top = { ...layout.margin, t: (layout.margin?.t ?? 12) + 44 };
    const head = { text: literal(title), x: 0, xref: "paper", xanchor: "left", y: 0.97, yanchor: "top", font: { size: 16 } };
    const legend = { ...layout.legend };
    const paper = { width: wide, height: layout.height + 44, paper_bgcolor: "#ffffff", title: head, margin: top, legend };
    const figure = { data, layout: { ...layout, ...paper }, config: { typesetMath: false } };
    const size = { width: wide, height: paper.height, scale: format === "png" ? 3 : 1 };
    return window.Plotly.downloadImage(figure, { format, filename: place.id, ...size });
  }

  for (const place of document.querySelectorAll(".plot")) {
    const title = place.previousElementSibling.textContent;
    const to = (format) => button(format.toUpperCase(), ` of ${title}`, () => save(place, title, format));
    place.parentNode.querySelector("figcaption").after(tools(to("png"), to("svg")));
  }

  // What a cell says without its small print; numbers as other programs read them.
  function text(cell) {
    const own = cell.cloneNode(true);
    own.querySelectorAll("small").forEach((note) => note.remove());
    const found = own.textContent.replace(/[\u2068\u2069]/g, "");
    if (!cell.matches(".n")) return found;
    return found.replace(/\u2212/g, "-").replace(/\u00a0/g, " ").replace(/^\u2013$/, "");
  }

  const quoted = (field) => (/[",\r\n]/.test(field) ? `"${field.replace(/"/g, '""')}"` : field);
  const csv = (table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => quoted(text(cell))).join(",")).join("\r\n") + "\r\n";

  async function copy(table, pressed, status) {
    const found = csv(table);
    try {
      await navigator.clipboard.writeText(found);
      status.textContent = "Copied.";
    } catch {
      byHand(found, pressed, status);
    }
  }

  // Where the browser lets no script near the clipboard the text lies there, selected.
  function byHand(found, pressed, status) {
    const old = pressed.parentNode.querySelector("textarea");
    const area = old ?? document.createElement("textarea");
    area.value = found;
    area.readOnly = true;
    area.setAttribute("aria-label", "The table as CSV");
    pressed.parentNode.append(area);
    area.focus();
    area.select();
    status.textContent = "Selected: copy it with Ctrl+C.";
  }

  for (const table of document.querySelectorAll("main table")) {
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const press = button("Copy as CSV", `: ${table.caption.textContent}`, (pressed) => copy(table, pressed, status));
    table.parentNode.after(tools(press, status));
  }
})();
