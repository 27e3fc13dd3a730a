"use strict";
// Draws each chart when it comes into view, in the colours of the reader's screen; everything when the page is printed.
(() => {
  const partners = JSON.parse(document.getElementById("partners").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const drawn = new Set();
  const config = {
    showSendToCloud: false,
    responsive: true,
    typesetMath: false,
    displayModeBar: false,
  };
  document.documentElement.className = "scripted";

  function coloured(part, swap) {
    if (Array.isArray(part)) return part.map((item) => coloured(item, swap));
    if (part && typeof part === "object") {
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, coloured(item, swap)]));
    }
    return (swap && partners[part]) || part;
  }

  function draw(place, forPaper) {
    const figure = JSON.parse(place.nextElementSibling.textContent);
    const { data, layout } = coloured(figure, dark.matches && !forPaper);
    if (forPaper) layout.width = place.parentNode.matches(":last-child:nth-child(odd)") ? 650 : 315;
    drawn.add(place);
    window.Plotly.react(place, data, layout, config);
  }

  const places = [...document.querySelectorAll(".plot")];
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        if (!drawn.has(target)) draw(target, false);
      }
    },
    { rootMargin: "300px" },
  );
  places.forEach((place) => watcher.observe(place));

  dark.addEventListener("change", () => drawn.forEach((place) => draw(place, false)));
  const shown = (place) => place.checkVisibility();
  window.addEventListener("beforeprint", () => places.filter(shown).forEach((place) => draw(place, true)));
  window.addEventListener("afterprint", () => drawn.forEach((place) => draw(place, false)));

  const button = document.getElementById("unfold");
  button.hidden = false;
  button.addEventListener("click", () => {
    const folds = [...document.querySelectorAll("main details")];
    const open = folds.some((fold) => !fold.open);
    folds.forEach((fold) => (fold.open = open));
    button.textContent = open ? "Close all numbers" : "Open all numbers";
  });
})();
