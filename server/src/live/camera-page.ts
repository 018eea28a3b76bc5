/**
 * The page that a camera shows where it sends no video: what it may be opened with, and the document
 * it is framed by. Pure. The application's own policy frames nothing but documents of this server; this one frames the
 * origin of one camera, without credentials, and gives it neither our origin nor a window.
 */
import { createHash } from 'node:crypto';
import { isMasked } from '@nazar/contract/address-secrets.ts';
import type { Camera } from '@nazar/contract/cameras.ts';

export interface CameraPage {
  /** Absolute, http(s), without user name and password. */
  readonly url: string;
  /** Whether it is shown in a frame; otherwise a tab is opened. */
  readonly isFramed: boolean;
}

type Shown = Pick<Camera, 'status' | 'url' | 'health'>;

/**
 * Null: there is none, or this reader may not see it. `camera` is as that reader sees it, without an address where they
 * may not see one; `unmasked`: no privacy mask is before them.
 */
export function cameraPageOf(
  { status, url: address, health }: Shown,
  unmasked: boolean,
): CameraPage | null {
  const url = URL.parse(address ?? '');
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // What can be ingested is played instead. Every few seconds it is tried again, and `starting` meanwhile.
  if (url === null || !isHttp || !unmasked || status !== 'active') return null;
  if (health.cause !== 'not_video' && health.cause !== 'starting') return null;
  // Its page would have to be asked for with the secret that stands there, which no browser gets.
  if (isMasked(url.href)) return null;
  url.username = '';
  url.password = '';
  const shown = url.pathname + url.search;
  if (shown.includes('.html')) return { url: url.href, isFramed: false };
  const isFramed = shown.includes('/view') || shown.includes('/stream');
  return isFramed ? { url: url.href, isFramed } : null;
}

const style = 'html,body,iframe{margin:0;border:0;width:100%;height:100%}body{overflow:hidden}';
const styleHash = createHash('sha256').update(style).digest('base64');
/** Scripts are what such pages are made of. No forms, no windows, and nothing of any origin: not even the camera's. */
const allowed = 'allow-scripts';

/** The policy of the document below, in place of that of all other answers. */
export const framePolicy = ({ url }: CameraPage): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `frame-src ${new URL(url).origin}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `sandbox ${allowed}`,
  ].join('; ');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '');

export function frameDocument({ url }: CameraPage): string {
  const title = escaped(new URL(url).host);
  return (
    `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style>` +
    `<iframe src="${escaped(url)}" sandbox="${allowed}" referrerpolicy="no-referrer" title="${title}"></iframe>`
  );
}
