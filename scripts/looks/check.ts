import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { smallPng } from '../docs/small-png.js';
import { difference } from './compare.js';
import type { Looks } from './take.js';

/** The sheets that a person has accepted, one for each screen. */
const ACCEPTED = 'test/data/looks';
/** Where differences are shown; git leaves it alone. */
export const DIFFERENCES = 'looks-differences';
/** So few dots are no change: letters that another version placed a little differently. The smallest button has 300. */
const NOISE = 40;

export interface Finding {
  readonly id: string;
  readonly dots: number;
}

/** Screens that do not look as accepted; each is shown in `DIFFERENCES` as it should be, as it is, and where it differs. */
export function checkLooks({ sheets, large }: Looks): Finding[] {
  rmSync(DIFFERENCES, { recursive: true, force: true });
  const findings: Finding[] = [];
  for (const [id, actual] of sheets) {
    const expected = readAccepted(id);
    const { dots, picture } = difference(expected, actual);
    if (dots <= NOISE) continue;
    findings.push({ id, dots });
    mkdirSync(DIFFERENCES, { recursive: true });
    const show = (name: string, shown: PNG) =>
      writeFileSync(join(DIFFERENCES, `${id}.${name}.png`), PNG.sync.write(shown));
    show('expected', expected);
    show('actual', actual);
    show('difference', picture);
    show('actual-large', large(id));
  }
  return findings;
}

/** Writes what differs, and nothing else: pictures that are as good as the same stay the same files. */
export function acceptLooks(looks: Looks): Finding[] {
  const findings = checkLooks(looks);
  mkdirSync(ACCEPTED, { recursive: true });
  for (const { id } of findings) {
    writeFileSync(join(ACCEPTED, `${id}.png`), smallPng(PNG.sync.write(looks.sheets.get(id)!)));
  }
  for (const file of acceptedFiles()) {
    if (!looks.sheets.has(file.replace('.png', ''))) rmSync(join(ACCEPTED, file));
  }
  rmSync(DIFFERENCES, { recursive: true, force: true });
  return findings;
}

export function acceptedFiles(): string[] {
  return existsSync(ACCEPTED) ? readdirSync(ACCEPTED).sort() : [];
}

function readAccepted(id: string): PNG {
  const file = join(ACCEPTED, `${id}.png`);
  return existsSync(file) ? PNG.sync.read(readFileSync(file)) : new PNG({ width: 1, height: 1 });
}
