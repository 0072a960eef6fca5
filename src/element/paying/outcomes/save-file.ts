/** What a payer does with a picture: of a code, or of a receipt. */

/** Whether this browser can hand a picture to other apps: asked once, and not at each render. */
export class Sharing {
  readonly works =
    'canShare' in navigator &&
    navigator.canShare({ files: [new File([''], 'qr.png', { type: 'image/png' })] });
}

export function saveFile(file: File): boolean {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  link.click();
  // Revoked late: some browsers start to read only after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}

/** Says whether the file was saved: where it could not be shared, and the payer did not close the sheet. */
export async function shareFile(file: File, title: string): Promise<boolean> {
  try {
    await navigator.share({ files: [file], title });
    return false;
  } catch (reason) {
    return !(reason instanceof DOMException && reason.name === 'AbortError') && saveFile(file);
  }
}
