import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';

/** One chart: its bars, what the colours mean, and the same figures as a table for those who do not see bars. */

export interface ChartData {
  readonly title: string;
  /** What the rows of the table are: days, methods, reasons. */
  readonly rows: string;
  readonly labels: readonly string[];
  readonly series: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly format: (value: number) => string;
  /** A shorter format for the axis. */
  readonly formatShort?: (value: number) => string;
  /** The values are counts: the axis shows whole numbers only. */
  readonly whole?: boolean;
  readonly lying?: boolean;
  readonly asTable: string;
}

export class ConsoleChart extends LitElement {
  static override properties = { data: { attribute: false } };
  declare data: ChartData;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  #remove: (() => void) | undefined;
  #drawing = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#dark.addEventListener('change', this.#draw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#dark.removeEventListener('change', this.#draw);
    this.#remove?.();
    this.#remove = undefined;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('data');
    if (changed.has('data') && JSON.stringify(before) !== JSON.stringify(this.data)) void this.#draw();
  }

  /** The colours come from the page's own styles, since a canvas knows none. */
  readonly #draw = async (): Promise<void> => {
    const drawing = ++this.#drawing;
    const { drawBars } = await import('./draw-chart.js');
    const canvas = this.querySelector('canvas');
    if (drawing !== this.#drawing || !this.isConnected || canvas === null) return;
    const { labels, series, format, formatShort, whole = false, lying = false } = this.data;
    const swatches = [...this.querySelectorAll('.swatch')];
    const frame = getComputedStyle(this);
    this.#remove?.();
    this.#remove = drawBars(canvas, {
      labels,
      series: series.map((each, index) => ({
        ...each,
        color: getComputedStyle(swatches[index] ?? this).backgroundColor,
      })),
      format: formatShort ?? format,
      whole,
      lying,
      ink: frame.color,
      line: frame.borderTopColor,
    });
  };

  protected override render(): TemplateResult {
    const { title, rows, labels, series, format, asTable } = this.data;
    return html`<h2>${title}</h2>
      <p class="legend" aria-hidden="true">
        ${series.map(({ label }, index) => html`<span><i class="swatch tone-${index}"></i> ${label}</span>`)}
      </p>
      <div class="canvas"><canvas role="img" aria-label=${`${title}. ${asTable}`}></canvas></div>
      <details>
        <summary>${asTable}</summary>
        <div class="scroll" role="region" tabindex="0" aria-label=${title}>
          <table>
            <thead>
              <tr>
                <th scope="col">${rows}</th>
                ${series.map(({ label }) => html`<th scope="col">${label}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${labels.map(
                (label, index) =>
                  html`<tr>
                    <th scope="row">${label}</th>
                    ${series.map(({ values }) => html`<td>${format(values[index] ?? 0)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }
}
