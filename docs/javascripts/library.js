// The filter box above the table of the library: a row stays if every word occurs in it.
document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("library-filter");
  if (!box) return;
  box.style.cssText = "width:100%;padding:.6em;font-size:.8rem;border:1px solid currentColor;border-radius:4px;color:inherit;background:transparent";
  const rows = [...document.querySelectorAll("article table tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/);
    rows.forEach((row, k) => (row.hidden = !words.every((word) => texts[k].includes(word))));
    history.replaceState(null, "", location.pathname + (box.value ? "?q=" + encodeURIComponent(box.value) : "") + location.hash);
  };
  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", filter);
  filter();
});
