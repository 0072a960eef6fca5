import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';

/** Bars on a canvas. Loaded when the first chart is shown. */

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export interface Bars {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly label: string;
    readonly values: readonly number[];
    readonly color: string;
  }[];
  readonly format: (value: number) => string;
  /** Only whole numbers on the axis. */
  readonly whole: boolean;
  /** Horizontal bars, for long names. */
  readonly lying: boolean;
  readonly ink: string;
  readonly line: string;
}

/** Returns a function that removes the chart. */
export function drawBars(canvas: HTMLCanvasElement, bars: Bars): () => void {
  const { format, ink, line, lying, whole } = bars;
  const names = {
    ticks: { color: ink, maxRotation: 0, autoSkip: !lying, autoSkipPadding: 12 },
    grid: { display: false },
  };
  const values = {
    beginAtZero: true,
    ticks: {
      color: ink,
      maxTicksLimit: 5,
      ...(whole && { precision: 0 }),
      callback: (value: string | number) => format(Number(value)),
    },
    grid: { color: line },
    border: { display: false },
  };
  const chart = new Chart(canvas, {
    type: 'bar',
    data: {
      labels: [...bars.labels],
      datasets: bars.series.map(({ label, values: data, color }) => ({
        label,
        data: [...data],
        backgroundColor: color,
        maxBarThickness: 36,
        borderRadius: 4,
      })),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: lying ? 'y' : 'x',
      interaction: { mode: 'index', axis: lying ? 'y' : 'x', intersect: false },
      scales: lying ? { x: values, y: names } : { x: names, y: values },
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataset, parsed }) =>
              `${dataset.label ?? ''}: ${format(Number((lying ? parsed.x : parsed.y) ?? 0))}`,
          },
        },
      },
    },
  });
  return () => chart.destroy();
}
