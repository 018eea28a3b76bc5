/** A ticket opens no file before its playlist was read. */
import { currentLanguage } from '#lib/i18n.ts';
import { refusal } from './hls-failure.ts';
import type { EngineFailure } from './playback-engine.ts';

/** Null: the ticket of that playlist is open. */
export async function openTicket(playlist: string): Promise<EngineFailure | null> {
  try {
    const headers = { 'Accept-Language': currentLanguage() };
    const response = await fetch(playlist, { headers });
    const text = await response.text();
    return response.ok ? null : { ...refusal(response.status, text), mediaS: null };
  } catch {
    return { kind: 'network' };
  }
}
