import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Cell = string | number | Date;

/** Semicolons, quotes, UTF-8, from the first line, no given formats, es-CO, and numbers as people type them. */
const IMPORT = 'Text - txt - csv (StarCalc):59,34,76,1,,9226,false,true';

/** The cells of a CSV file, row by row, as LibreOffice in Colombian Spanish opens it. */
export function openedBy(office: string, file: string): Cell[][] {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-office-'));
  try {
    copyFileSync(file, join(folder, 'ventas.csv'));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const convert = ['--convert-to', 'fods', '--outdir', folder, join(folder, 'ventas.csv')];
    execFileSync(office, [profile, '--headless', `--infilter=${IMPORT}`, ...convert], { stdio: 'ignore' });
    const sheet = readFileSync(join(folder, 'ventas.fods'), 'utf8');
    return [...sheet.matchAll(/<table:table-row.*?<\/table:table-row>/gs)].map(([row]) => cellsOf(row));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cellsOf(row: string): Cell[] {
  const cells = row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs);
  return [...cells].flatMap(([, attributes = '', content = '']) => {
    const [, number] = / office:value="([^"]+)"/.exec(attributes) ?? [];
    const [, date] = / office:date-value="([^"]+)"/.exec(attributes) ?? [];
    const [, text = ''] = /<text:p>(.*?)<\/text:p>/s.exec(content) ?? [];
    const [, times = '1'] = /columns-repeated="(\d+)"/.exec(attributes) ?? [];
    const value = number === undefined ? (date === undefined ? text : new Date(`${date}Z`)) : Number(number);
    return Array.from({ length: Number(times) }, () => value);
  });
}
