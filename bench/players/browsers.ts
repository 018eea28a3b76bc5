import type { Player } from './player.ts';
export const browserPlayers: readonly Player[] = [];
