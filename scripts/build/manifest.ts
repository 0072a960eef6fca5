import { cli } from '@custom-elements-manifest/analyzer/cli.js';
import type {
  ClassDeclaration,
  ClassMethod,
  CustomElementDeclaration,
  CustomElementField,
  Package,
} from 'custom-elements-manifest';

/** What editors, documentation and wrappers know of the element; custom-elements-manifest.config.mjs says from where. */
export function makeManifest(): Promise<Package> {
  return cli({ argv: ['analyze', '--quiet'], noWrite: true });
}

export type ElementDeclaration = Required<
  Pick<
    CustomElementDeclaration,
    'attributes' | 'cssParts' | 'cssProperties' | 'cssStates' | 'events' | 'slots' | 'summary' | 'tagName'
  >
> &
  CustomElementDeclaration;

/** The one custom element of the package. */
export function elementOf(manifest: Package): ElementDeclaration {
  const element = classesOf(manifest).find((each) => 'customElement' in each);
  if (!element) throw new Error('The manifest has no element');
  return element as ElementDeclaration;
}

/** The element and its events. */
export function classesOf(manifest: Package): ClassDeclaration[] {
  return manifest.modules
    .flatMap(({ declarations }) => declarations ?? [])
    .filter((each) => each.kind === 'class');
}

export function fieldsOf({ members = [] }: ClassDeclaration): CustomElementField[] {
  return members.filter((member) => member.kind === 'field');
}

export function methodsOf({ members = [] }: ClassDeclaration): ClassMethod[] {
  return members.filter((member) => member.kind === 'method');
}
