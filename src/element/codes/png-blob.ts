/** The bytes of a checked PNG's data URL. Not by fetch(): a strict policy refuses to connect to data URLs. */
export function pngBlob(dataUrl: string): Blob {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}
