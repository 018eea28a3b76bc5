/**
 * The keys this product keeps in the browser, and storage that may be forbidden or
 * full without breaking anything: what cannot be kept is simply not remembered.
 */
export type StorageKey =
  | 'auth-token'
  | 'refresh-token'
  | 'token-since'
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
  | 'recent-searches'
  | 'alerts'
  | 'alert-changes'
  | 'alert-sound'
  | 'shortcuts';

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

/** A value of this tab alone, which outlives a reload. */
function ofTab(key: string) {
  return {
    get(): string | null {
      try {
        return sessionStorage.getItem(key);
      } catch {
        return null;
      }
    },
    set(value: string | null): void {
      try {
        if (value === null) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, value);
      } catch {
        // As above.
      }
    },
  };
}

/** Whether this browser session already counted its login. */
export const loginTracked = ofTab('login-tracked');
/** With whose eyes this tab looks. */
export const seenAs = ofTab('see-as');
/** A camera that is being added; never a secret. */
export const cameraDraft = ofTab('camera-draft');

/** Nothing of a deleted account stays, not even its choice of language. */
export function clearStorage(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Forbidden: then nothing was kept either.
  }
}
