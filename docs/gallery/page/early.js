// In a gallery there is no panel that could be asked before the page is read.

const margin = 8; // pixels around the plate

export const given = new URLSearchParams(location.hash.slice(1));
export const face = null;

export const roomFor = (width, height) => [width - margin, Math.max(height - 2 * margin, 1)];

export const askFace = ([width, height]) => fetch(`/api/v1/face?width=${width}&height=${height}`);
