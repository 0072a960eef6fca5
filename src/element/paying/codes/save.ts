import type { Code } from './code.js';
import { saveFile, shareFile } from '../outcomes/save-file.js';
import type { ReadyPicture } from './pictures.js';
import { pngBlob } from './png-blob.js';

/** Drawn codes are saved this large or larger; bank apps read small pictures badly. */
const SAVED_PX = 1_024;

/** Hands the code to the browser as a file to keep. Says whether it was saved. */
export async function save(picture: ReadyPicture, name: string): Promise<boolean> {
  return saveFile(await pngFile(picture, name));
}

/** Hands the code to another app, or saves it where that fails. */
export async function share(picture: ReadyPicture, name: string): Promise<boolean> {
  return shareFile(await pngFile(picture, name), name);
}

/** The service's own bytes as they came, or a drawn code with whole pixels for each module. */
async function pngFile(picture: ReadyPicture, name: string): Promise<File> {
  const blob = picture.png === null ? await rasterize(picture.code) : pngBlob(picture.png);
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}

async function rasterize({ modules, path }: Code): Promise<Blob> {
  const scale = Math.ceil(SAVED_PX / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.scale(scale, scale);
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, modules, modules);
    pen.fillStyle = '#000';
    pen.fill(new Path2D(path));
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return blob;
}
