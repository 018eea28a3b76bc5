/** The mode of the house: whether people who live or work there are in, and whether rules about people count. */
import { z } from 'zod/mini';
import { Timestamp } from './fields.ts';
import { administrators, everyone, route } from './route.ts';

export const houseModes = ['home', 'away', 'off'] as const;
export const HouseMode = z.enum(houseModes);
export type HouseMode = z.infer<typeof HouseMode>;

/** The modes in which rules about people may count: in `off` none does. */
export const watchfulModes = ['home', 'away'] as const satisfies readonly HouseMode[];
export type WatchfulMode = (typeof watchfulModes)[number];

export const HouseModeState = z.object({
  mode: HouseMode,
  /** Null: it was never changed. */
  since: z.nullable(Timestamp),
});
export type HouseModeState = z.infer<typeof HouseModeState>;

export const houseModeRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/alerts/mode/',
    summary: 'The mode of the house, and since when it holds.',
    callers: everyone,
    keyScope: 'alerts:read',
    reply: HouseModeState,
  }),
  change: route({
    method: 'PUT',
    path: '/secure-api/alerts/mode/',
    summary: 'Changes the mode of the house: rules about people count by it from then on.',
    callers: ['operator', ...administrators],
    keyScope: 'alerts:write',
    body: z.object({ mode: HouseMode }),
    status: 200,
    reply: HouseModeState,
  }),
};
