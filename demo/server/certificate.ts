import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getCertificate } from '@vitejs/plugin-basic-ssl';

/** A certificate of this machine's own, kept with the data. Browsers warn about it once per device. */
export async function makeCertificate(dataDir: string, name: string): Promise<{ key: string; cert: string }> {
  // One for each name: an address that changes gets its own.
  const folder = join(dataDir, 'certificate', name);
  mkdirSync(folder, { recursive: true });
  // Key and certificate come in one PEM text, which TLS takes for both.
  const pem = await getCertificate(folder, 'pay-checkout demo', ['localhost', name]);
  return { key: pem, cert: pem };
}
