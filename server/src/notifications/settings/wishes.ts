/** What a user wishes to be notified of. */
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';

export interface Wishes {
  readonly email: boolean;
  readonly push: boolean;
  readonly sms: boolean;
  readonly notify_on_unknown: boolean;
  readonly notify_on_known: boolean;
  readonly daily_reports: boolean;
  readonly alert_levels: readonly AlertLevel[];
  /** Null: all that the user may see. */
  readonly cameras: readonly string[] | null;
  readonly muted_people: readonly string[];
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  /** 1: Monday. */
  readonly quiet_days: readonly number[];
  /** Another address than the account's; null: none was entered. */
  readonly address: string | null;
  readonly address_confirmed: boolean;
}

/** As installed. */
export const firstWishes: Wishes = {
  email: true,
  push: false,
  sms: false,
  notify_on_unknown: true,
  notify_on_known: false,
  daily_reports: false,
  alert_levels: ['warning', 'error', 'critical'],
  cameras: null,
  muted_people: [],
  quiet_from: null,
  quiet_to: null,
  quiet_days: [1, 2, 3, 4, 5, 6, 7],
  address: null,
  address_confirmed: false,
};

/** Where emails go: to another address than the account's only once it is confirmed. */
export const emailOf = (
  { address, address_confirmed: isConfirmed }: Pick<Wishes, 'address' | 'address_confirmed'>,
  ofAccount: string,
): string => (isConfirmed && address !== null ? address : ofAccount);

export interface RaisedAlert {
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly camera_id: string | null;
  /** The known people that it shows. */
  readonly people: readonly string[];
}

const kindsOfUnknown: readonly AlertKind[] = ['unknown_person', 'returning_stranger'];

export function wishesAlert(
  wishes: Wishes,
  { kind, level, camera_id, people }: RaisedAlert,
): boolean {
  if (!wishes.alert_levels.includes(level)) return false;
  if (kindsOfUnknown.includes(kind) && !wishes.notify_on_unknown) return false;
  return wishesCamera(wishes, camera_id) && !isMuted(wishes, people);
}

export function wishesKnownPerson(
  wishes: Wishes,
  { camera_id, person_id }: { readonly camera_id: string; readonly person_id: string },
): boolean {
  return wishes.notify_on_known && wishesCamera(wishes, camera_id) && !isMuted(wishes, [person_id]);
}

const wishesCamera = ({ cameras }: Wishes, cameraId: string | null): boolean =>
  cameras === null || cameraId === null || cameras.includes(cameraId);

const isMuted = ({ muted_people }: Wishes, people: readonly string[]): boolean =>
  people.length > 0 && people.every((id) => muted_people.includes(id));
