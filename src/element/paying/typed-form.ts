import { type Memory, createMemory } from '../../transport/memory.js';

/** What the payer typed, in this tab, until the order is paid. The name has a space, which no order's token has. */
export const typedForm = <Form>(read: (value: unknown) => Form): Memory<Form> =>
  createMemory('typed form', read, () => sessionStorage);

export const forgetTypedForm = (): void => typedForm(() => null).remember(null);
