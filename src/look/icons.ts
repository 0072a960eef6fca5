/** The lines of each picture, as path data in a box of 24 by 24: every page draws them in its own kind of template. */
export const ICONS = {
  alert: 'M12 4 2.8 20h18.4L12 4ZM12 10.5v4M12 17.2v.01',
  back: 'M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6v1',
  bank: 'M3 10 12 4l9 6M5 10v8m4.7-8v8m4.6-8v8M19 10v8M3 20h18',
  bolt: 'M13 3 5 13.5h6L10 21l8-10.5h-6L13 3Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  cross: 'm7 7 10 10M17 7 7 17',
  flask: 'M9 3h6M10 3v6l-5.2 8.7A2.2 2.2 0 0 0 6.7 21h10.6a2.2 2.2 0 0 0 1.9-3.3L14 9V3M7.5 15h9',
  key: 'M8 10.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM11.2 11.8 20 3m-3.5 3.5L19 9m-5-.5 2 2',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  lock: 'M6 11h12a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2ZM8 11V8a4 4 0 0 1 8 0v3',
  minus: 'M6 12h12',
  out: 'M7 17 17 7M9 7h8v8',
  qr: 'M3 3h7v7H3zM14 3h7v7h-7zM3 14h7v7H3zM14 14h3v3M21 14v.01M14 21h3M21 18v3',
} as const;
export type IconName = keyof typeof ICONS;
