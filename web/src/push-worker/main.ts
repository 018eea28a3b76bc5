/**
 * The service worker: shows push messages, and does what is pressed in them. It caches nothing and answers no request
 * of a page. The build makes one file of it, `/push-worker.js` (build/push-worker.ts).
 */
import { press } from './pressing.ts';
import type { WorkerScope } from './scope.ts';
import { show } from './showing.ts';

const scope = self as unknown as WorkerScope;

scope.addEventListener('push', (event) => event.waitUntil(show(scope, event)));
scope.addEventListener('notificationclick', (event) => event.waitUntil(press(scope, event)));
