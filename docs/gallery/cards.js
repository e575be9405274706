// Each card shows its panel, drawn small. Where the panels are not made yet, says what to do.
for (const frame of document.querySelectorAll("iframe")) {
  new ResizeObserver(([{ contentRect }]) => {
    frame.style.scale = contentRect.width / frame.offsetWidth;
  }).observe(frame.parentElement);
}

window.gallery = {};
const probe = document.createElement("script");
probe.src = "made/kiosk.js";
probe.addEventListener("error", () => (document.getElementById("missing").hidden = false));
document.head.append(probe);
