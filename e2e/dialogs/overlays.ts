/** Every dialog and menu of the web client. `overlays.test.ts` compares the list with the source. */
import { alertOverlays } from './alerts.ts';
import { cameraOverlays, liveOverlays, wallOverlays } from './cameras.ts';
import { frameOverlays, signedOutOverlays } from './frame.ts';
import { analyticsOverlays, logOverlays } from './log.ts';
import { peopleOverlays } from './people.ts';
import { policyOverlays } from './policy.ts';
import { recordingOverlays } from './recordings.ts';
import { securityOverlays } from './security.ts';
import { userOverlays } from './users.ts';
import { webhookOverlays } from './webhooks.ts';
import type { Overlay } from './overlay.ts';

/** In this order: what stands above one page is opened without loading it again. */
export const overlays: readonly Overlay[] = [
  ...signedOutOverlays,
  ...cameraOverlays,
  ...wallOverlays,
  ...liveOverlays,
  ...peopleOverlays,
  ...logOverlays,
  ...analyticsOverlays,
  ...recordingOverlays,
  ...alertOverlays,
  ...userOverlays,
  ...policyOverlays,
  ...webhookOverlays,
  ...securityOverlays,
  ...frameOverlays,
];

/** Overlays that fill the window and have no footer, each with the spec that opens it. */
export const elsewhere: Readonly<Record<string, string>> = {
  'features/cameras/live-screen.tsx': 'live-view.spec.ts',
  'features/cameras/wall/kiosk.tsx': 'wall.spec.ts',
  'parts/push/remove-device.tsx': 'push.spec.ts',
};
