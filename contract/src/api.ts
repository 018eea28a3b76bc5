/** Every route of the product, for whoever must walk them all: the server's start, OpenAPI, generated tests. */
import { accountRoutes } from './accounts.ts';
import { analyticsRoutes } from './analytics.ts';
import { cameraRoutes } from './cameras.ts';
import { faceRoutes } from './faces.ts';
import { ownAccountRoutes } from './own-account.ts';
import { setupRoutes } from './setup.ts';
import { sightingRoutes } from './sightings.ts';
import { systemRoutes } from './system.ts';
import { userRoutes } from './users.ts';

export const api = {
  setup: setupRoutes,
  accounts: accountRoutes,
  ownAccount: ownAccountRoutes,
  users: userRoutes,
  cameras: cameraRoutes,
  faces: faceRoutes,
  sightings: sightingRoutes,
  analytics: analyticsRoutes,
  system: systemRoutes,
};
