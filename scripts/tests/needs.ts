/**
 * What tests need beside the packages of npm. Here it is only looked for; `npm test` provides it before the first test
 * (provide.ts), so that no test installs anything and none depends on which ran before.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type Engine, engines, findBrowser } from './browsers.js';
import { findPostgresFolder, findProgram } from './programs.js';

export const needs = [...engines, 'postgres', 'php', 'python', 'strace'] as const;
export type Need = (typeof needs)[number];

interface About {
  readonly name: string;
  readonly debianPackages: readonly string[];
  /** The argument of `brew install`, where it is known there. */
  readonly brew?: string;
  /** What is not tried without it. */
  readonly guards: string;
  /** Why it cannot be used here, or undefined when it can. */
  readonly trouble: () => string | undefined;
}

const notFound = 'not installed';
const ofEngine = (engine: Engine) => () => (findBrowser(engine) === undefined ? notFound : undefined);

export const about: Readonly<Record<Need, About>> = {
  chromium: {
    name: 'Chromium',
    debianPackages: ['chromium'],
    brew: '--cask google-chrome',
    guards: 'browser tests in Chromium, the gallery, most journeys',
    trouble: ofEngine('chromium'),
  },
  firefox: {
    name: 'Firefox',
    debianPackages: ['firefox-esr'],
    brew: '--cask firefox',
    guards: 'browser tests in Firefox',
    trouble: ofEngine('firefox'),
  },
  webkit: {
    name: 'WebKitGTK',
    debianPackages: ['webkit2gtk-driver', 'xvfb'],
    guards: 'browser tests in WebKit',
    trouble: ofEngine('webkit'),
  },
  postgres: {
    name: 'PostgreSQL',
    debianPackages: ['postgresql'],
    brew: 'postgresql',
    guards: 'the store on PostgreSQL',
    trouble: () => (findPostgresFolder() === undefined ? notFound : undefined),
  },
  php: {
    name: 'PHP',
    debianPackages: ['php-cli', 'php-sqlite3'],
    brew: 'php',
    guards: 'the reference backend in PHP',
    trouble: phpTrouble,
  },
  python: {
    name: 'Python',
    debianPackages: ['python3'],
    brew: 'python',
    guards: 'the reference backend in Python, and the faults that verify must find in it',
    trouble: pythonTrouble,
  },
  strace: {
    name: 'strace',
    debianPackages: ['strace'],
    guards: 'deaths at writes of the SQLite file',
    trouble: straceTrouble,
  },
};

/** Why a test that needs this is left out here, or undefined when it can run: what to give as `skip`. */
export function whyWithout(need: Need): string | undefined {
  const trouble = leftOut()[need] ?? about[need].trouble();
  return trouble === undefined ? undefined : `${about[need].name}: ${trouble}`;
}

export interface Browsers {
  readonly found: readonly Browser[];
  readonly missing: readonly { readonly engine: Engine; readonly reason: string }[];
}

/** The browsers that tests can use here among `wanted`. */
export function findBrowsers(wanted: readonly Engine[] = engines): Browsers {
  const missing = wanted.flatMap((engine) => {
    const reason = whyWithout(engine);
    return reason === undefined ? [] : [{ engine, reason }];
  });
  const found = wanted.flatMap((engine) => {
    const browser = whyWithout(engine) === undefined ? findBrowser(engine) : undefined;
    return browser === undefined ? [] : [browser];
  });
  return { found, missing };
}

const leftOutName = 'PAY_CHECKOUT_LEFT_OUT';

function leftOut(): Partial<Record<Need, string>> {
  return JSON.parse(process.env[leftOutName] ?? '{}') as Partial<Record<Need, string>>;
}

/** Leaves it out of this run, in every process of it, although it is installed. */
export function leaveOut(need: Need, reason: string): void {
  process.env[leftOutName] = JSON.stringify({ ...leftOut(), [need]: reason });
}

export function isDebianLike(): boolean {
  return existsSync('/etc/debian_version') && findProgram('apt-get') !== undefined;
}

/** What a person can do about it. */
export function installHint(need: Need): string {
  const { name, debianPackages, brew } = about[need];
  if (isDebianLike()) return `sudo apt-get install -y ${debianPackages.join(' ')}`;
  if (process.platform === 'darwin' && brew !== undefined) return `brew install ${brew}`;
  if (process.platform !== 'linux' && brew === undefined) return `${name} is for Linux`;
  return `install ${name}`;
}

function phpTrouble(): string | undefined {
  try {
    const program = 'echo json_encode([PHP_VERSION_ID >= 80100, extension_loaded("pdo_sqlite")]);';
    const [isNew, hasSqlite] = JSON.parse(
      execFileSync('php', ['-r', program], { encoding: 'utf8' }),
    ) as boolean[];
    if (isNew !== true) return 'older than 8.1';
    // Distributions have the driver in a package of its own.
    return hasSqlite === true ? undefined : 'without PDO for SQLite';
  } catch {
    return notFound;
  }
}

function pythonTrouble(): string | undefined {
  try {
    const program = 'import sqlite3, sys; print(sys.version_info >= (3, 9))';
    const isNew = execFileSync('python3', ['-c', program], { encoding: 'utf8' }).trim();
    return isNew === 'True' ? undefined : 'older than 3.9';
  } catch {
    return notFound;
  }
}

function straceTrouble(): string | undefined {
  if (findProgram('strace') === undefined) return notFound;
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'may not trace here';
  }
}
