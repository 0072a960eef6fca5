/** Looks to start from: what each says of the form's fields. */
export const PRESETS: readonly {
  readonly name: Readonly<Record<'es' | 'en', string>>;
  readonly values: Readonly<Record<string, string>>;
}[] = [
  { name: { es: 'De fábrica', en: 'As it comes' }, values: {} },
  {
    name: { es: 'Huerta', en: 'Garden' },
    values: {
      colours: 'on',
      '--pay-accent': '#14532d',
      '--pay-on-accent': '#ffffff',
      '--pay-surface': '#fffdf7',
      '--pay-text': '#1c1917',
      '--pay-radius': '22',
      '--pay-font': 'Georgia, serif',
    },
  },
  {
    name: { es: 'Violeta', en: 'Violet' },
    values: {
      colours: 'on',
      '--pay-accent': '#7c3aed',
      '--pay-on-accent': '#ffffff',
      '--pay-surface': '#fdf8ff',
      '--pay-text': '#1e1330',
      '--pay-radius': '8',
    },
  },
  {
    name: { es: 'Recta y compacta', en: 'Square and compact' },
    values: { '--pay-radius': '0', '--pay-space': '3', '--pay-font-size': '0.9' },
  },
  {
    name: { es: 'Grande y redonda', en: 'Large and round' },
    values: {
      '--pay-radius': '28',
      '--pay-space': '5',
      '--pay-font-size': '1.15',
      '--pay-font': "ui-rounded, 'Trebuchet MS', sans-serif",
    },
  },
];
