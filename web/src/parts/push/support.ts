/** Whether this browser can receive push messages, and what its user would have to do first. */

export type PushSupport = 'ready' | 'refused' | 'insecure' | 'needs_install' | 'unsupported';

/** Browsers of iPhones and iPads can it once the page is on the home screen, and only there. */
const isAppleTouch = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  // An iPad calls itself a Mac, which has no touch screen.
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure';
  const isThere = 'serviceWorker' in navigator && 'PushManager' in window;
  if (isThere && 'Notification' in window) {
    return Notification.permission === 'denied' ? 'refused' : 'ready';
  }
  // Only browsers of Apple have it: true for a page that was opened from the home screen.
  const isInstalled = (navigator as { standalone?: boolean }).standalone === true;
  return isAppleTouch() && !isInstalled ? 'needs_install' : 'unsupported';
}
