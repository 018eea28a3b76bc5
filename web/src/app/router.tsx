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
import { session } from '#api/session.ts';
import { facesSearch } from '#features/faces/search.ts';
import { readCameraFilters } from '#features/cameras/camera-filters.ts';
import { redirectFrom, type Place } from './guards.ts';
import { Shell } from './shell.tsx';
import { PageBroken } from './start-screens.tsx';

function guard(place: Place) {
  return () => {
    const to = redirectFrom(place, session.get());
    if (to !== null) throw redirect({ to, replace: true });
  };
}

const root = createRootRoute({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: guard('login'),
  // SES-046: what the registration that came before it has to say.
  validateSearch: (search: Record<string, unknown>): { registered?: 'open' | 'approval' } => {
    const registered = search['registered'];
    return registered === 'open' || registered === 'approval' ? { registered } : {};
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
  component: lazyRouteComponent(
    () => import('#features/security/security-page.tsx'),
    'SecurityPage',
  ),
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
  setup,
  shell.addChildren([dashboard, cameras.addChildren([camera]), faces, profile, security]),
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
