/** What hls.js and the server say of a file that did not come, in the words of `EngineFailure`. */
import type { ErrorData } from 'hls.js/light';
import type { EngineFailure } from './playback-engine.ts';

/** The server answered, and no: asking twice more changes nothing. */
export function isRefused({ response }: ErrorData): boolean {
  const status = response?.code ?? 0;
  return status >= 400 && status < 500;
}

function refusal(status: number, body: string) {
  const { code = '', detail = null } = parsed(body);
  return { kind: 'http', status, code, sentence: detail } as const;
}

/** A proxy in between may answer anything. */
function parsed(body: string): { code?: string; detail?: string } {
  try {
    const problem: unknown = JSON.parse(body);
    if (typeof problem !== 'object' || problem === null) return {};
    const { code, detail } = problem as Record<string, unknown>;
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof detail === 'string' && { detail }),
    };
  } catch {
    return {};
  }
}

export function failureOf({ networkDetails, frag, response }: ErrorData): EngineFailure {
  const status = response?.code ?? 0;
  if (status === 0) return { kind: 'network' };
  const xhr = networkDetails as XMLHttpRequest | null | undefined;
  return { ...refusal(status, textOf(xhr?.response)), mediaS: frag?.start ?? null };
}

/** Files are asked for as bytes, playlists as text. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder().decode(body as ArrayBuffer);
  } catch {
    return '';
  }
}
