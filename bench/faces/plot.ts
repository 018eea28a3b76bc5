/** TAR over FAR as an SVG without any dependency, readable on light and on dark ground. */

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly far: number; readonly tar: number }[];
}

const width = 720;
const height = 420;
const area = { left: 64, top: 24, right: 560, bottom: 360 } as const;
/** Colours that differ in both themes and for people who do not see red and green apart (Okabe and Ito). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const style = `text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.grid { stroke: #8b949e; stroke-opacity: 0.35; }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .line { stroke-width: 3; } }`;

export function plot(title: string, lines: readonly Line[]): string {
  const lowest = Math.min(...lines.flatMap(({ points }) => points.map(({ tar }) => tar)));
  const floor = Math.max(0, Math.floor(lowest * 10) / 10);
  const x = (far: number): number =>
    area.left + ((Math.log10(far) + 4) / 4) * (area.right - area.left);
  const y = (tar: number): number =>
    area.bottom - ((tar - floor) / (1 - floor)) * (area.bottom - area.top);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${style}</style>`,
    ...[0.0001, 0.001, 0.01, 0.1, 1].map((far) =>
      across(x(far), `${Number((100 * far).toPrecision(2))} %`),
    ),
    ...ticks(floor).map((tar) => along(y(tar), `${Math.round(100 * tar)} %`)),
    `<text x="${(area.left + area.right) / 2}" y="${area.bottom + 44}" text-anchor="middle">pairs of two people accepted (FAR)</text>`,
    `<text transform="translate(16 ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle">pairs of one person accepted (TAR)</text>`,
    ...lines.map(({ points }, i) => {
      const path = points.map(({ far, tar }) => `${x(far).toFixed(1)},${y(tar).toFixed(1)}`);
      return `<polyline class="line" stroke="${colours[i % colours.length]}" points="${path.join(' ')}"/>`;
    }),
    ...lines.map(({ name }, i) => legend(name, i)),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

/** Ticks at tenths, or at twentieths when there would be few. */
function ticks(floor: number): number[] {
  const step = 1 - floor > 0.35 ? 0.1 : 0.05;
  const count = Math.round((1 - floor) / step);
  return Array.from({ length: count + 1 }, (_, i) => floor + i * step);
}

function across(x: number, label: string): string {
  const at = x.toFixed(1);
  return `<line class="grid" x1="${at}" x2="${at}" y1="${area.top}" y2="${area.bottom}"/><text x="${at}" y="${area.bottom + 20}" text-anchor="middle">${label}</text>`;
}

function along(y: number, label: string): string {
  const at = y.toFixed(1);
  return `<line class="grid" x1="${area.left}" x2="${area.right}" y1="${at}" y2="${at}"/><text x="${area.left - 8}" y="${(y + 4).toFixed(1)}" text-anchor="end">${label}</text>`;
}

function legend(name: string, i: number): string {
  const y = area.top + 12 + i * 24;
  const x = area.right + 16;
  return `<line class="line" stroke="${colours[i % colours.length]}" x1="${x}" x2="${x + 24}" y1="${y}" y2="${y}"/><text x="${x + 32}" y="${y + 4}">${escaped(name)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
