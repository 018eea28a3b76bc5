/**
 * The keys this product keeps in the browser (ENT-047, NSH-043), and storage that may be forbidden or
 * full without breaking anything: what cannot be kept is simply not remembered.
 */
export type StorageKey =
  | 'auth-token'
  | 'refresh-token'
  | 'user-data'
  | 'avatar-color'
  | 'language'
  | 'theme'
  | 'remember-me'
  | 'cameras'
  | 'recordings'
  | 'logs-cache'
  | 'panels-cache'
  | 'activity-logs'
  | 'recent-searches';

export function stored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: StorageKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Forbidden or full: the choice lasts as long as the page.
  }
}

/** SES-032: whether this browser session already counted its login. */
export const loginTracked = {
  set(): void {
    try {
      sessionStorage.setItem('login-tracked', '1');
    } catch {
      // As above.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem('login-tracked');
    } catch {
      // As above.
    }
  },
};

/** With whose eyes this tab looks. */
export const seenAs = {
  get(): string | null {
    try {
      return sessionStorage.getItem('see-as');
    } catch {
      return null;
    }
  },
  set(value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem('see-as');
      else sessionStorage.setItem('see-as', value);
    } catch {
      // As above.
    }
  },
};

/** SES-031: nothing of a deleted account stays, not even its choice of language. */
export function clearStorage(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Forbidden: then nothing was kept either.
  }
}
