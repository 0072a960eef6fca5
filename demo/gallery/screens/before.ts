import { breb, keyMethod, longMerchant, offer, pseMethod, qrMethod } from '../fixtures.js';
import { type GalleryScreen, open, refused } from './screen.js';

const filled = {
  name: 'Ana María Restrepo',
  idType: 'CO_CC',
  idNumber: '1020304050',
  email: 'ana@correo.example',
  phone: '300 123 4567',
} as const;

/** Before there is a payment: the offer, the choice, the form. */
export const beforePayment: readonly GalleryScreen[] = [
  { id: 'loading', title: 'Cargando', rail: 'ANY', phase: 'loading', answers: () => ({}) },
  { id: 'choose', title: 'Elegir', rail: 'ANY', phase: 'choosing', answers: () => ({ offer: offer() }) },
  {
    id: 'choose-one',
    title: 'Un solo medio',
    rail: 'BRE_B',
    phase: 'choosing',
    answers: () => ({ offer: offer({ methods: [keyMethod] }) }),
  },
  {
    id: 'choose-long',
    title: 'Nombres largos, valor sobre el tope',
    rail: 'ANY',
    phase: 'choosing',
    answers: () => ({
      offer: offer({
        merchant: longMerchant,
        amountInCents: 1_845_067_250,
        description:
          'Pedido 2026-000184-ANT · Máquina de espresso profesional de dos grupos con molino y garantía extendida',
        methods: [{ ...keyMethod, requires: ['name', 'email'] }, pseMethod],
      }),
    }),
    act: (payer) => payer.tick(0),
  },
  {
    id: 'choose-again',
    title: 'Cambiar de medio',
    rail: 'BRE_B',
    phase: 'choosing',
    answers: open(breb()),
    act: (payer) => payer.press('button-secondary', -3),
  },
  {
    id: 'price-changed',
    title: 'El valor cambió',
    rail: 'ANY',
    phase: 'choosing',
    answers: () => ({
      offer: offer(),
      created: refused('offer_changed', { offer: offer({ version: 'v2', amountInCents: 13_000_000 }) }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('choosing');
    },
  },
  {
    id: 'creating',
    title: 'Generando la llave',
    rail: 'BRE_B',
    phase: 'creating',
    answers: () => ({ offer: offer() }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-breb',
    title: 'Datos para Bre-B',
    rail: 'BRE_B',
    phase: 'details',
    answers: () => ({
      offer: offer({
        methods: [{ ...qrMethod, requires: ['name', 'idType', 'idNumber'] }, pseMethod],
        hints: { email: 'a***@correo.example', phone: '*** *** 4567' },
      }),
    }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-pse',
    title: 'PSE, datos',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer() }),
    properties: { bank: 'CO_BANCOLOMBIA' },
    act: async (payer) => {
      await payer.tick(1);
      await payer.press('button');
      await payer.sees('details');
    },
  },
  {
    id: 'details-errors',
    title: 'PSE, errores',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer() }),
    act: async (payer) => {
      await payer.tick(1);
      await payer.press('button');
      await payer.sees('details');
      await payer.type('idNumber', '12A456');
      await payer.type('email', 'ana@correo');
      await payer.press('button');
    },
  },
  {
    id: 'details-banks',
    title: 'PSE, buscar banco',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({
      offer: offer({ methods: [{ ...pseMethod, requires: ['idType', 'idNumber'] }, keyMethod] }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.type('bank', 'banco');
    },
  },
  {
    id: 'details-none',
    title: 'PSE, banco que no existe',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({
      offer: offer({ methods: [{ ...pseMethod, requires: ['idType', 'idNumber'] }, keyMethod] }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.type('bank', 'marte');
    },
  },
  {
    id: 'details-business',
    title: 'PSE, empresa',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer({ methods: [pseMethod, keyMethod] }) }),
    properties: { customer: { idType: 'CO_NIT' } },
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-no-banks',
    title: 'PSE, sin lista de bancos',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer({ methods: [{ ...pseMethod, banks: [] }, keyMethod] }) }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'creating-pse',
    title: 'PSE, preparando',
    rail: 'PSE',
    phase: 'creating',
    answers: () => ({ offer: offer({ methods: [pseMethod, keyMethod] }) }),
    properties: { customer: filled, bank: 'CO_BANCOLOMBIA' },
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.press('button');
    },
  },
];
