import { encode } from 'uqr';

/** Modules of white round the code: scanners need four. */
const BORDER = 4;

/** Black on white in both themes: scanners read nothing else reliably. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const dots = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <figure>
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-48 rounded-control bg-white"
      >
        <path d={dots.join('')} fill="#000" />
      </svg>
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  );
}
