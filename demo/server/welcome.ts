import { styleText } from 'node:util';
import type { DemoSettings } from './settings.js';

interface Asked {
  readonly port: number;
  readonly lan: boolean;
  readonly https: boolean;
  readonly consoleToken: string;
}

/** What the terminal says once all is open: what to open, and what to try. */
export function welcome({ siteUrl, sandboxUrl, sitePort }: DemoSettings, asked: Asked): string {
  const bold = (text: string) => (process.stdout.isTTY ? styleText('bold', text) : text);
  const line = (label: string, url: string, what: string) =>
    `  ${label.padEnd(12)} ${bold(url)}\n${' '.repeat(15)}${what}\n`;
  const notes = [
    sitePort !== asked.port && `El puerto ${asked.port} estaba ocupado; se usó ${sitePort}.`,
    asked.lan && `Desde un celular en la misma red: ${siteUrl}/`,
    asked.lan &&
      !asked.https &&
      'Sin HTTPS los navegadores no dan portapapeles ni compartir; agrega --https para tenerlos.',
    asked.https && 'El certificado es de este equipo: el navegador advierte la primera vez. Acepta y sigue.',
  ].filter((note) => typeof note === 'string');
  return `
${bold('Listo.')} Abre:

${line('Todo', `${siteUrl}/`, 'el índice de esta demostración')}
${line('Tienda', `${siteUrl}/shop/`, 'compra algo y págalo')}
${line('Sandbox', `${sandboxUrl}/_/`, 'el servicio de pagos: mira llegar tus pagos, apruébalos, provoca percances')}
${line('Consola', `${siteUrl}/console/#entrada=${asked.consoleToken}`, 'el lado del comercio: cobros, pagos enviados, enlaces, webhooks y pedidos')}
${line('Playground', `${siteUrl}/playground/`, 'cambia atributos, idioma, colores y escenario')}
${line('Galería', `${siteUrl}/gallery/`, 'todas las pantallas del componente')}
${bold('Prueba')}
  1. Compra un café con QR Bre-B. En el sandbox, abre el cobro y confírmalo: la tienda se entera sola.
  2. Compra con PSE y documento 1000000001: apruébalo en el banco de pruebas.
  3. En el sandbox, enciende «webhooks-lost» en Percances y paga otra vez: igual se entera.
  4. Mata un proceso (kill -9 y su número, arriba): vuelve solo y nada se pierde.
${notes.map((note) => `\n${note}`).join('')}${notes.length > 0 ? '\n' : ''}
Ctrl-C lo apaga todo. npm start -- --help muestra las opciones.
`;
}
