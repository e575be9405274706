// Says what to do where the panels are not made yet.
for (const image of document.images) {
  image.addEventListener("error", () => (document.getElementById("missing").hidden = false));
}
