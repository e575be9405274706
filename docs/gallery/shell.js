// Starts the page of a panel from files alone.
//
// A browser loads no module from a file. So `made/page.js` holds the text of every module of the
// page, and an import map gives each of them the address `page/…`. `made/NAME.js` holds a panel.
(() => {
  const name = location.search.slice(1) || "lab-supply";

  function load(file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.onload = resolve;
      script.onerror = () => reject(new Error(file));
      document.head.append(script);
    });
  }

  // What a server would answer.
  function answer(path) {
    const { faces, wiring } = window.gallery.panel;
    const { pathname, searchParams } = new URL(path, "http://gallery/");
    if (pathname === "/api/v1/face") return JSON.stringify(faceFor(faces, searchParams));
    if (pathname === "/api/v1/wiring" && wiring) return wiring;
    if (pathname === "/api/v1/history") return JSON.stringify({ events: [] });
    return null;
  }

  // The face of the largest kept window that this one has room for.
  function faceFor({ windows, kept }, wanted) {
    const [width, height] = [Number(wanted.get("width")), Number(wanted.get("height"))];
    const fits = windows.filter((each) => each.width <= width && each.height <= height);
    const narrow = windows.filter((each) => each.width <= width);
    const { face } = fits.at(-1) ?? narrow[0] ?? windows[0];
    return kept[face];
  }

  function start() {
    const { html, modules } = window.gallery;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    document.body.replaceChildren(...parsed.body.children);
    const back = document.createElement("a");
    Object.assign(back, { href: "../index.html", className: "back", textContent: "All panels" });
    document.getElementById("top").prepend(back);
    window.fetch = async (path) => {
      const said = answer(String(path));
      return new Response(said ?? "{}", { status: said === null ? 404 : 200 });
    };
    // What the page of a server asks before it is read.
    const margin = 8; // pixels around the plate
    window.early = {
      given: new URLSearchParams(location.hash.slice(1)), face: null,
      roomFor: (width, height) => [width - margin, Math.max(height - 2 * margin, 1)],
      askFace: ([width, height]) => fetch(`/api/v1/face?width=${width}&height=${height}`),
    };
    const address = (text) => `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;
    const imports = Object.entries(modules).map(([path, text]) => [path, address(text)]);
    const map = document.createElement("script");
    map.type = "importmap";
    map.textContent = JSON.stringify({ imports: Object.fromEntries(imports) });
    const first = document.createElement("script");
    first.type = "module";
    first.textContent = 'import "page/page.js";';
    document.head.append(map, first);
  }

  if (!/^[a-z-]+$/.test(name)) return;
  if (location.hash === "#card") document.documentElement.dataset.card = "";
  window.gallery = {};
  load("page.js").then(() => load(`${name}.js`)).then(start, () => {
    document.getElementById("missing").hidden = false;
  });
})();
