/** The rules that passes evaluate. */
import type { Tx } from '#db/database.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import { enabledRules, type EnabledRule } from '../rule-store.ts';

export type Rule = EnabledRule;

/** The rules that are on, kept between passes: there may be hundreds, and a pass comes with each visit. */
export class EnabledRules {
  /** Published after the commit that adds, changes or deletes a rule. */
  readonly rulesChanged: Topic<null>;
  #kept: readonly Rule[] | null = null;
  /** Grows with each change, so that rules that were read before it are not kept after it. */
  #revision = 0;

  constructor({ log }: { readonly log: Log }) {
    this.rulesChanged = new Topic((error) =>
      log.error({ err: error }, 'reader of changed rules failed'),
    );
    this.rulesChanged.on(() => this.forget());
  }

  /** The oldest first. */
  async enabled(tx: Tx): Promise<readonly Rule[]> {
    if (this.#kept) return this.#kept;
    const revision = this.#revision;
    const rules = await enabledRules(tx);
    if (revision === this.#revision) this.#kept = rules;
    return rules;
  }

  /** After a failure too: another server may have deleted a rule. */
  forget(): void {
    this.#revision += 1;
    this.#kept = null;
  }
}
