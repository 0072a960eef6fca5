import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { openWorld, SHOP } from '../world.js';

/**
 * The address to which a payer comes back after the bank leads nowhere but to the shop, however it is written: what is
 * taken must be the shop's for a browser too, and everything here is somebody else's.
 */

const HOST = new URL(SHOP).host;
const EVIL = 'evil.example';

const WITHOUT_SCHEME = [
  '',
  '/',
  '//',
  '///',
  '////',
  '\\',
  '\\\\',
  '/\\',
  '\\/',
  '/\\/',
  '.',
  '..//',
  '%2f%2f',
];
const SCHEMES = [
  'https:',
  'https:/',
  'https:\\\\',
  'https:/\\',
  'https:////',
  'http://',
  'hTTps:\\/',
  'ftp://',
  'javascript://',
  'data:text/html,//',
  'blob:https://',
  'file://',
  'intent://',
  'view-source:https://',
];
/** Hosts that look like the shop's, or hide that they are not. */
const HOSTS = [
  EVIL,
  `${HOST}.${EVIL}`,
  `${HOST}@${EVIL}`,
  `${HOST}:80@${EVIL}`,
  `${HOST}%40${EVIL}`,
  `${HOST}%2e${EVIL}`,
  `${HOST}%00.${EVIL}`,
  `${EVIL}#${HOST}`,
  `${EVIL}?${HOST}`,
  `${EVIL}/${HOST}`,
  `${EVIL}\\${HOST}`,
  `${EVIL}%23@${HOST}.co`,
  `${HOST}。${EVIL}`,
  `${HOST}﹒${EVIL}`,
  `${HOST}\t.${EVIL}`,
  `${HOST}\n.${EVIL}`,
  `x${HOST}`,
  `${HOST}x`,
  `www.${HOST}`,
  `${HOST}:8443`,
  `user@${HOST}`,
  `user:password@${HOST}`,
  `xn--${HOST}`,
  `[::1]`,
  `2130706433`,
  `0x7f.1`,
];
/** A good address that is spoilt by one character that parsers repair or drop. */
const SPOILT = [' ', '\t', '\n', '\r', '\0', '\u00a0', '\u202e', '\ufeff', '\\', '\ud800'].flatMap(
  (character) => [
    `${character}${SHOP}/gracias`,
    `${SHOP}${character}/gracias`,
    SHOP.replace('//', `/${character}/`),
    SHOP.replace(':', `${character}:`),
  ],
);

const EVIL_ADDRESSES = [
  ...new Set([
    ...[...WITHOUT_SCHEME, ...SCHEMES].flatMap((start) => HOSTS.map((host) => `${start}${host}`)),
    ...HOSTS.flatMap((host) => [`https://${host}`, `https://${host}/gracias`]),
    ...SPOILT,
  ]),
];

const world = await openWorld({ work: false });
afterAll(() => world.close());

test(`none of ${EVIL_ADDRESSES.length} addresses of others is taken`, async () => {
  assert.ok(EVIL_ADDRESSES.length >= 500);
  const taken: string[] = [];
  for (const callbackUrl of EVIL_ADDRESSES) {
    const { status, problem } = await world.startBreb({ callbackUrl });
    if (status < 400) taken.push(callbackUrl);
    // Refused for what it is: as an address of others, or as none at all.
    else
      assert.match(problem.code, /^(return_url_not_allowed|invalid_request)$/, JSON.stringify(callbackUrl));
  }
  console.log(`${EVIL_ADDRESSES.length} addresses`);
  assert.deepEqual(taken, []);
});

test('the shop’s own are taken', async () => {
  for (const callbackUrl of [SHOP, `${SHOP}/`, `${SHOP}/gracias?next=//${EVIL}#/${EVIL}`, `${SHOP}/a/../b`]) {
    assert.ok((await world.startBreb({ callbackUrl })).status < 300, callbackUrl);
  }
});
