import { spawn, type SpawnOptions } from 'node:child_process';
import { tmpdir } from 'node:os';

/**
 * Runs a shell script, with `$0` as given, once this process is gone, however it ended: the script's input ends with it.
 */
export function afterThisProcess(script: string, $0: string, options: SpawnOptions = {}): void {
  const shell = spawn('sh', ['-c', `cat > /dev/null\n${script}`, $0], {
    cwd: tmpdir(),
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  const { stdin } = shell as { stdin: { unref?: () => void } };
  stdin.unref?.();
}
