/** A reporter for Stryker that names each mistake that no test noticed as soon as it is known. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

export const strykerPlugins = [
  {
    kind: 'Reporter',
    name: 'survivors',
    value: {
      onMutantTested({ status, fileName, location: { start, end }, replacement }) {
        if (status !== 'Survived' && status !== 'NoCoverage') return;
        const lines = readFileSync(fileName, 'utf8')
          .split('\n')
          .slice(start.line - 1, end.line);
        const last = lines.pop().slice(0, end.column - 1);
        const original = [...lines, last].join('\n').slice(start.column - 1);
        console.log(
          `not noticed: ${relative('.', fileName)}:${start.line}:${start.column} ${inShort(original)} → ${inShort(replacement)}`,
        );
      },
    },
  },
];

const inShort = (code) => code.replace(/\s+/g, ' ').slice(0, 120);
