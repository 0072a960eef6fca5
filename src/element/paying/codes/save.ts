import { saveFile, shareFile } from '../outcomes/save-file.js';
import type { ReadyPicture } from './pictures.js';
import { pngBlob } from './png-blob.js';

/** Downloads the code as a file. Says whether it was saved. */
export async function save(picture: ReadyPicture, name: string): Promise<boolean> {
  return saveFile(await pngFile(picture, name));
}

/** Shares the code with another app, or saves it where that fails. */
export async function share(picture: ReadyPicture, name: string): Promise<boolean> {
  return shareFile(await pngFile(picture, name), name);
}

/** The service's own bytes as they came, or a drawn code with whole pixels for each module. */
async function pngFile(picture: ReadyPicture, name: string): Promise<File> {
  const blob = picture.png === null ? await picture.code.toPng() : pngBlob(picture.png);
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}
