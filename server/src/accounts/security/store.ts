import type { Database, Tx } from '#db/database.ts';
import { usualPolicy, type OwnPolicy } from './policy.ts';

interface SecurityRow {
  readonly user_id: string;
  readonly session_timeout: number | null;
  readonly allowed_ips: string;
  readonly api_access: boolean;
}

interface Tables {
  account_security: SecurityRow;
}

/** SQL of the limits that users set for their own account. */
export class SecurityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async policy(userId: string): Promise<OwnPolicy> {
    return (await this.policies([userId])).get(userId) ?? usualPolicy;
  }

  /** The policies of those users who set any. */
  async policies(userIds: readonly string[]): Promise<Map<string, OwnPolicy>> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('account_security')
      .selectAll()
      .where((eb) => eb('user_id', '=', eb.fn.any(eb.val(userIds))))
      .execute();
    return new Map(rows.map((row) => [row.user_id, asPolicy(row)]));
  }

  /** One user's policy, locked until the transaction ends. */
  async policyForUpdate(tx: Tx, userId: string): Promise<OwnPolicy> {
    const db = tx.as<Tables>();
    await db
      .insertInto('account_security')
      .values(asRow(userId, usualPolicy))
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute();
    const row = await db
      .selectFrom('account_security')
      .selectAll()
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return asPolicy(row);
  }

  async save(tx: Tx, userId: string, policy: OwnPolicy): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('account_security')
      .set(asRow(userId, policy))
      .where('user_id', '=', userId)
      .execute();
  }
}

function asPolicy(row: SecurityRow): OwnPolicy {
  return {
    sessionTimeout: row.session_timeout,
    allowedIPs: row.allowed_ips,
    apiAccess: row.api_access,
  };
}

function asRow(userId: string, { sessionTimeout, allowedIPs, apiAccess }: OwnPolicy): SecurityRow {
  return {
    user_id: userId,
    session_timeout: sessionTimeout,
    allowed_ips: allowedIPs,
    api_access: apiAccess,
  };
}
