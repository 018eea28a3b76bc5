/** The addresses of the product. Only screens that exist have one; everything else leads home. */
import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import { signOnFaults, type SignOnFault } from '@nazar/contract/sign-on.ts';
import { session } from '#api/session.ts';
import { facesSearch } from '#features/faces/search.ts';
import { accessSearch } from '#features/access/search.ts';
import { usersSearch } from '#features/users/search.ts';
import { keepLink } from '#features/recovery/link.ts';
import { readCameraFilters } from '#features/cameras/camera-filters.ts';
import { redirectFrom, type Place } from './guards.ts';
import { privacySearch } from '#features/privacy/search.ts';
import { Shell } from './shell.tsx';
import { PageBroken } from './start-screens.tsx';

function guard(place: Place) {
  return () => {
    const to = redirectFrom(place, session.get());
    if (to !== null) throw redirect({ to, replace: true });
  };
}

const root = createRootRoute({ component: Outlet });

interface LoginSearch {
  registered?: 'open' | 'approval';
  passwordSet?: true;
  signOn?: SignOnFault | 'proven';
}

interface SecuritySearch {
  signOn?: SignOnFault | 'connected' | 'proved';
}

const signOnFault = (value: unknown): SignOnFault | undefined =>
  signOnFaults.find((fault) => fault === value);

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: guard('login'),
  // SES-046: what the registration, or the new password, that came before it has to say.
  validateSearch: (search: Record<string, unknown>): LoginSearch => {
    const { registered, passwordSet } = search;
    const signOn = search['signOn'] === 'proven' ? 'proven' : signOnFault(search['signOn']);
    if (signOn !== undefined) return { signOn };
    if (registered === 'open' || registered === 'approval') return { registered };
    return passwordSet === true ? { passwordSet } : {};
  },
  component: lazyRouteComponent(() => import('#features/login/login-page.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  beforeLoad: guard('login'),
  component: lazyRouteComponent(
    () => import('#features/register/register-page.tsx'),
    'RegisterPage',
  ),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  beforeLoad: guard('login'),
  component: lazyRouteComponent(() => import('#features/recovery/forgot-page.tsx'), 'ForgotPage'),
});

const invited = (search: Record<string, unknown>): { for?: 'invitation' } =>
  search['for'] === 'invitation' ? { for: 'invitation' } : {};

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: guard('recovery'),
  validateSearch: invited,
  component: lazyRouteComponent(() => import('#features/recovery/reset-page.tsx'), 'ResetPage'),
});

// NSH-002: what letters link to. What opens the account leaves the address before anything is shown.
const resetLink = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$uid/$token',
  validateSearch: invited,
  beforeLoad: ({ params, search }) => {
    keepLink(params);
    throw redirect({ to: '/reset-password', search, replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: guard('setup'),
  validateSearch: (search: Record<string, unknown>): { code?: string } => {
    const code = search['code'];
    // The router reads a code of digits as a number.
    return typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {};
  },
  component: lazyRouteComponent(() => import('#features/setup/setup-page.tsx'), 'SetupPage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: guard('shell'),
  component: Shell,
});

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(
    () => import('#features/dashboard/dashboard-page.tsx'),
    'DashboardPage',
  ),
});

const cameras = createRoute({
  getParentRoute: () => shell,
  path: '/cameras',
  validateSearch: readCameraFilters,
  component: lazyRouteComponent(() => import('#features/cameras/cameras-page.tsx'), 'CamerasPage'),
});

// CFL-025: the Cameras page itself opens the live view; its list stays where it was.
const camera = createRoute({ getParentRoute: () => cameras, path: '$cameraId' });

const faces = createRoute({
  getParentRoute: () => shell,
  path: '/face-database',
  validateSearch: facesSearch,
  component: lazyRouteComponent(() => import('#features/faces/faces-page.tsx'), 'FacesPage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  component: lazyRouteComponent(() => import('#features/profile/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => shell,
  path: '/security',
  // How connecting the account with the provider elsewhere, or signing in there as fresh proof, ended.
  validateSearch: ({ signOn: said }: Record<string, unknown>): SecuritySearch => {
    const isDone = said === 'connected' || said === 'proved';
    const signOn = isDone ? said : signOnFault(said);
    return signOn === undefined ? {} : { signOn };
  },
  component: lazyRouteComponent(
    () => import('#features/security/security-page.tsx'),
    'SecurityPage',
  ),
});

const access = createRoute({
  getParentRoute: () => shell,
  path: '/settings/access',
  validateSearch: accessSearch,
  component: lazyRouteComponent(() => import('#features/access/access-page.tsx'), 'AccessPage'),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: '/settings/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('#features/users/users-page.tsx'), 'UsersPage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('#features/settings/settings-page.tsx'),
    'SettingsPage',
  ),
});

const recognition = createRoute({
  getParentRoute: () => shell,
  path: '/settings/recognition',
  component: lazyRouteComponent(
    () => import('#features/recognition/recognition-page.tsx'),
    'RecognitionPage',
  ),
});

const privacy = createRoute({
  getParentRoute: () => shell,
  path: '/settings/privacy',
  validateSearch: privacySearch,
  component: lazyRouteComponent(() => import('#features/privacy/privacy-page.tsx'), 'PrivacyPage'),
});

const elsewhere = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});

const routeTree = root.addChildren([
  login,
  register,
  forgotPassword,
  resetPassword,
  resetLink,
  setup,
  shell.addChildren([
    dashboard,
    cameras.addChildren([camera]),
    faces,
    profile,
    security,
    settings,
    users,
    access,
    recognition,
    privacy,
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
