import type { Method } from '../../contract/offer.js';
import { currentOf } from '../../machine/current.js';
import type { Input } from '../../machine/input.js';
import type { Screen, State } from '../../machine/state.js';
import type { Host, PartType } from '../host.js';
import { Part } from '../opening/part.js';

/**
 * The screens that not every payment shows. A payment is created only when those are here that it shows to its end:
 * after the form of PSE that is the bank's page, and otherwise a key or a link.
 */

export class FormPart extends Part<typeof import('./form/form.js')> {
  constructor(host: Host) {
    super(host, () => import('./form/form.js'));
  }
}

export class KeyPart extends Part<typeof import('./key/key.js')> {
  constructor(host: Host) {
    super(host, () => import('./key/key.js'));
  }
}

/** What must be here before an input is taken, or before the present screen can be drawn. */
export function partsFor({ screen }: State, input: Input | null): readonly PartType[] {
  if (!input) return partsOn(screen);
  const wanted = wantedBy(input, screen);
  return wanted ? [wanted.kind === 'PAYIN' && wanted.rail === 'PSE' ? FormPart : KeyPart] : [];
}

/** What an input that may create asks for. */
function wantedBy(input: Input, screen: Screen): Pick<Method, 'kind' | 'rail'> | null {
  switch (input.type) {
    case 'choose':
      return input.method;
    case 'submit':
      return input.choice;
    case 'override':
      return (screen.phase === 'pending' && screen.blocked?.choice) || null;
    case 'renew':
    case 'retry':
      return screen.phase === 'failed' && screen.doing.step === 'CREATE'
        ? screen.doing.choice
        : currentOf(screen);
    default:
      return null;
  }
}

function partsOn({ phase }: Screen): readonly PartType[] {
  switch (phase) {
    case 'details':
      return [FormPart];
    case 'paying':
    case 'link':
      return [KeyPart];
    default:
      return [];
  }
}
