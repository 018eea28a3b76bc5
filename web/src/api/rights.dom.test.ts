import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { isAdministrator } from './rights.ts';

test('ROL-002 an administrator has the role, is staff or is superuser; no one else is', () => {
  const flags = { is_staff: false, is_superuser: false };
  const administers = (user: Parameters<typeof aUser>[0]): boolean => isAdministrator(aUser(user));
  for (const role of ['user', 'operator'] as const) {
    expect(administers({ ...flags, role }), role).toBe(false);
    expect(administers({ ...flags, role, is_staff: true }), `${role}, staff`).toBe(true);
    expect(administers({ ...flags, role, is_superuser: true }), `${role}, superuser`).toBe(true);
  }
  for (const role of ['admin', 'superadmin'] as const)
    expect(administers({ ...flags, role }), role).toBe(true);
});
