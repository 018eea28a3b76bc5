/** What to check first when a camera sends nothing. Without the schemas, because hosts use it too. */
import type { HistoryCause, Blame } from './camera-history.ts';

/** Null where nothing is wrong. Silence and no way to the camera are blamed on the network, its own words on it. */
export function blameOf(cause: HistoryCause): Blame | null {
  switch (cause) {
    case 'none':
      return null;
    case 'disk':
      return 'disk';
    case 'password_refused':
      return 'password';
    case 'unreachable':
    case 'no_packets':
    case 'address_refused':
      return 'network';
    case 'starting':
    case 'host_restarting':
      return 'restart';
    default:
      return 'camera';
  }
}
