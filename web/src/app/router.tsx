/**
 * The addresses behind the sign-in. Only screens that exist have one; everything else leads home. Those before the
 * sign-in are in `signed-out.tsx`.
 */
import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { signOnFaults, type SignOnFault } from '@nazar/contract/sign-on.ts';
import { needSentences } from '#lib/i18n.ts';
import { isId } from '#lib/is-id.ts';
import { activitySearch } from '#features/activity/search.ts';
import { alertsSearch } from '#features/alerts/search.ts';
import { facesSearch } from '#features/faces/search.ts';
import { accessSearch } from '#features/access/search.ts';
import { notificationsSearch } from '#features/notifications/search.ts';
import { usersSearch } from '#features/users/search.ts';
import { webhooksSearch } from '#features/webhooks/search.ts';
import { readCameraFilters, readLiveSearch } from '#features/cameras/camera-filters.ts';
import { privacySearch } from '#features/privacy/search.ts';
import { findSearch } from '#features/recordings/find/find-address.ts';
import { recordingsSearch } from '#features/recordings/recordings-address.ts';
import { PageBroken } from './page-broken.tsx';
import { Shell } from './shell.tsx';
import { onlyKnown } from './only-known.ts';

/** A page comes with its sentences. */
function page<Name extends string>(
  part: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), needSentences(part)]);
    return module;
  }, name);
}

const root = createRootRoute({ component: Outlet });

interface SecuritySearch {
  signOn?: SignOnFault | 'connected' | 'proved';
}

const signOnFault = (value: unknown): SignOnFault | undefined =>
  signOnFaults.find((fault) => fault === value);

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
});

/** Addresses that a signed-in user is led away from. */
const signInAddresses: readonly string[] = ['/login', '/register'];
/** The most characters the Dashboard shows of an address without a page. */
const maxShownChars = 100;

/** An address that has no page leads to the Dashboard, which says so. */
function toDashboard(pathname: string): never {
  const isSignIn = signInAddresses.includes(pathname);
  const state = isSignIn ? {} : { unknownAddress: pathname.slice(0, maxShownChars) };
  throw redirect({ to: '/', replace: true, state });
}

interface OfCamera {
  readonly params: { readonly cameraId: string };
}

/** What cannot be a camera is an address without a page (`/cameras/wall`). */
function mustBeId(below: string, cameraId: string): void {
  const address = `${below}/${cameraId}`;
  if (!isId(cameraId)) toDashboard(address);
}

/** These pages read nothing of what stands behind a `?`: the address loses it. */
const nothing = onlyKnown(() => ({}));

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: nothing,
  component: page(
    'dashboard-page',
    () => import('#features/dashboard/dashboard-page.tsx'),
    'DashboardPage',
  ),
});

const cameras = createRoute({
  getParentRoute: () => shell,
  path: '/cameras',
  // The address of one camera is read below what is left of it here.
  validateSearch: onlyKnown((given) => ({ ...readCameraFilters(given), ...readLiveSearch(given) })),
  component: page(
    'cameras-page',
    () => import('#features/cameras/cameras-page.tsx'),
    'CamerasPage',
  ),
});

// The Cameras page itself opens the live view; its list stays where it was.
const camera = createRoute({
  getParentRoute: () => cameras,
  path: '$cameraId',
  validateSearch: readLiveSearch,
  beforeLoad: ({ params }: OfCamera) => mustBeId('/cameras', params.cameraId),
});

const findRecordings = createRoute({
  getParentRoute: () => shell,
  path: '/recordings',
  validateSearch: onlyKnown(findSearch),
  component: page('find-page', () => import('#features/recordings/find-page.tsx'), 'FindPage'),
});

const recordings = createRoute({
  getParentRoute: () => shell,
  path: '/recordings/$cameraId',
  validateSearch: onlyKnown(recordingsSearch),
  beforeLoad: ({ params }: OfCamera) => mustBeId('/recordings', params.cameraId),
  component: page(
    'recordings-page',
    () => import('#features/recordings/recordings-page.tsx'),
    'RecordingsPage',
  ),
});

const faces = createRoute({
  getParentRoute: () => shell,
  path: '/face-database',
  validateSearch: onlyKnown(facesSearch),
  component: page('faces-page', () => import('#features/faces/faces-page.tsx'), 'FacesPage'),
});

const activityLog = createRoute({
  getParentRoute: () => shell,
  path: '/activity-log',
  validateSearch: onlyKnown(activitySearch),
  component: page(
    'activity-page',
    () => import('#features/activity/activity-page.tsx'),
    'ActivityPage',
  ),
});

const alerts = createRoute({
  getParentRoute: () => shell,
  path: '/alerts',
  validateSearch: onlyKnown(alertsSearch),
  component: page('alerts-page', () => import('#features/alerts/alerts-page.tsx'), 'AlertsPage'),
});

const notifications = createRoute({
  getParentRoute: () => shell,
  path: '/notifications',
  validateSearch: onlyKnown(notificationsSearch),
  component: page(
    'notifications-page',
    () => import('#features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  validateSearch: nothing,
  component: page(
    'profile-page',
    () => import('#features/profile/profile-page.tsx'),
    'ProfilePage',
  ),
});

const security = createRoute({
  getParentRoute: () => shell,
  path: '/security',
  // How connecting the account with the provider elsewhere, or signing in there as fresh proof, ended.
  validateSearch: onlyKnown(({ signOn: said }): SecuritySearch => {
    const isDone = said === 'connected' || said === 'proved';
    const signOn = isDone ? said : signOnFault(said);
    return signOn === undefined ? {} : { signOn };
  }),
  component: page(
    'security-page',
    () => import('#features/security/security-page.tsx'),
    'SecurityPage',
  ),
});

const access = createRoute({
  getParentRoute: () => shell,
  path: '/settings/access',
  validateSearch: onlyKnown(accessSearch),
  component: page('access-page', () => import('#features/access/access-page.tsx'), 'AccessPage'),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: '/settings/users',
  validateSearch: onlyKnown(usersSearch),
  component: page('users-page', () => import('#features/users/users-page.tsx'), 'UsersPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: nothing,
  component: page(
    'settings-page',
    () => import('#features/settings/settings-page.tsx'),
    'SettingsPage',
  ),
});

const notificationSettings = createRoute({
  getParentRoute: () => shell,
  path: '/settings/notifications',
  validateSearch: nothing,
  component: page(
    'own-notifications-page',
    () => import('#features/settings/own-notifications-page.tsx'),
    'OwnNotificationsPage',
  ),
});

const recognition = createRoute({
  getParentRoute: () => shell,
  path: '/settings/recognition',
  validateSearch: nothing,
  component: page(
    'recognition-page',
    () => import('#features/recognition/recognition-page.tsx'),
    'RecognitionPage',
  ),
});

const privacy = createRoute({
  getParentRoute: () => shell,
  path: '/settings/privacy',
  validateSearch: onlyKnown(privacySearch),
  component: page(
    'privacy-page',
    () => import('#features/privacy/privacy-page.tsx'),
    'PrivacyPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/settings/webhooks',
  validateSearch: onlyKnown(webhooksSearch),
  component: page(
    'webhooks-page',
    () => import('#features/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});

const mqtt = createRoute({
  getParentRoute: () => shell,
  path: '/settings/mqtt',
  validateSearch: nothing,
  component: page('mqtt-page', () => import('#features/mqtt/mqtt-page.tsx'), 'MqttPage'),
});

const elsewhere = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: ({ location: { pathname } }) => {
    toDashboard(pathname);
  },
});

const routeTree = root.addChildren([
  shell.addChildren([
    dashboard,
    cameras.addChildren([camera]),
    findRecordings,
    recordings,
    faces,
    activityLog,
    alerts,
    notifications,
    profile,
    security,
    settings,
    notificationSettings,
    users,
    access,
    recognition,
    privacy,
    webhooks,
    mqtt,
  ]),
  elsewhere,
]);

export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageBroken,
    ...(history && { history }),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** What was asked for, where it led to the Dashboard for want of a page. */
    unknownAddress?: string;
  }
}
