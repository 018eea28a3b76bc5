/**
 * The settings of the whole installation that administrators may change: sections of fields with defaults, who may read
 * and write each, and a topic that reports changes on any node. It applies no setting itself: accounts decide
 * who signs in from where, vision what is recognised, and so on.
 */
import {
  allAddresses,
  inferred,
  settingsSections,
  type SectionName,
  type RecognitionSettings,
  type SecuritySettings,
  type Settings as Values,
  type SettingsPatch,
  type SystemSettings,
} from '@nazar/contract/settings.ts';
import type { Standing } from '@nazar/contract/route.ts';
import { consoleActor, type Activity, type Actor, type Details } from '#activity/activity.ts';
import type { Database, Tx } from '#db/database.ts';
import { parseAddressList } from '#http/address-list.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import { SettingsStore } from './store.ts';

const changedChannel = 'settings_changed';
const names = Object.keys(settingsSections) as SectionName[];

export interface SettingsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the user who makes a change confirms to know. */
export interface Known {
  /** That the list of addresses locks out their own. */
  readonly confirmed: boolean;
  /** Which attributes are inferred from faces, how often they are wrong, and where this is forbidden. */
  readonly attributes?: boolean;
}

/** Called with the new fields before a section is written; throws to refuse them. */
type Check = (tx: Tx, section: SectionName, next: Fields) => Promise<void> | void;

export class Settings implements Disposable {
  /** A section changed, here or on another node, or may have changed while the database was away. */
  readonly changed: Topic<{ readonly section: SectionName }>;
  readonly #db: Database;
  readonly #store: SettingsStore;
  readonly #activity: Activity;
  readonly #clock: Clock;
  readonly #listening: Disposable;

  constructor({ db, activity, clock, log }: SettingsOptions) {
    this.#db = db;
    this.#store = new SettingsStore(db);
    this.#activity = activity;
    this.#clock = clock;
    this.changed = new Topic((error) =>
      log.error({ err: error }, 'reader of settings.changed failed'),
    );
    this.#listening = db.listen(changedChannel, (payload) => {
      const sections = names.filter((name) => payload === null || payload === name);
      for (const section of sections) this.changed.publish({ section });
    });
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  /** The current values: one small read of the database, so that no node applies an older policy than another. */
  async get<Name extends SectionName>(section: Name): Promise<Values[Name]> {
    return complete(section, await this.#store.value(section));
  }

  /** The sections that a caller may read. */
  async readable({ standing }: Pick<Scope, 'standing'>): Promise<SystemSettings> {
    const mine = names.filter((name) => mayRead(name, standing));
    const entries = mine.map(async (name) => [name, await this.get(name)] as const);
    const sections: SystemSettings = Object.fromEntries(await Promise.all(entries));
    if (!sections.recognition) return sections;
    const confirmedAt = await this.#store.attributesConfirmedAt();
    return { ...sections, attributes_confirmed_at: confirmedAt?.toISOString() ?? null };
  }

  /** Checks that the caller may change these sections. Throws forbidden. */
  demands({ standing }: Pick<Scope, 'standing'>, patch: SettingsPatch): { proof: boolean } {
    const wanted = named(patch);
    const allowed = wanted.every((name) => writersOf(name).includes(standing));
    if (!allowed) throw new Problem('forbidden');
    return { proof: wanted.some((name) => settingsSections[name].takesProof) };
  }

  /**
   * Writes all of the patch or none of it. Throws forbidden, address_list_invalid, and unless the caller confirmed
   * it: address_locked_out for a list that locks them out, attributes_unconfirmed for the first attribute that
   * is to be inferred from faces.
   */
  async change(scope: Scope, patch: SettingsPatch, known: Known): Promise<void> {
    this.demands(scope, patch);
    await this.#write(scope, patch, async (tx, section, next) => {
      if (section === 'security') checkAddresses(scope, next as SecuritySettings, known);
      if (section === 'recognition') {
        await this.#confirm(tx, scope, next as RecognitionSettings, known);
      }
    });
  }

  /** Records once which user confirmed that attributes are inferred from faces. */
  async #confirm(
    tx: Tx,
    actor: Scope,
    { enabledFeatures }: RecognitionSettings,
    { attributes = false }: Known,
  ): Promise<void> {
    const features = inferred(enabledFeatures);
    if (features.length === 0) return;
    if (!attributes) {
      if ((await this.#store.attributesConfirmedAt()) === null) {
        throw new Problem('attributes_unconfirmed');
      }
      return;
    }
    const isFirst = await this.#store.confirmAttributes(
      tx,
      actor.userId,
      new Date(this.#clock.now()),
    );
    if (!isFirst) return;
    const action = 'settings.attributes_confirmed';
    await this.#activity.record(tx, { actor, action, object: null, details: { features } });
  }

  /** For the machine's console, when an address list has locked everyone out. */
  async allowAllAddresses(): Promise<void> {
    await this.#write(consoleActor, { security: { allowedIPs: allAddresses } }, () => undefined);
  }

  async #write(actor: Actor, patch: SettingsPatch, check: Check): Promise<void> {
    await this.#store.transaction(async (tx) => {
      // All transactions use one order, so that two never wait for each other.
      for (const name of names.filter((candidate) => patch[candidate])) {
        const change = withoutGaps(patch[name] ?? {});
        await this.#writeSection(tx, actor, name, change, check);
      }
    });
  }

  async #writeSection(
    tx: Tx,
    actor: Actor,
    section: SectionName,
    change: Fields,
    check: Check,
  ): Promise<void> {
    const at = new Date(this.#clock.now());
    const kept = await this.#store.valueForUpdate(tx, section, at);
    const before: Fields = complete(section, kept);
    const after: Fields = complete(section, { ...kept, ...change });
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return;
    await check(tx, section, after);
    await this.#store.save(tx, section, { ...kept, ...change }, at);
    const details = { section, changes };
    await this.#activity.record(tx, { actor, action: 'settings.changed', object: null, details });
    await this.#db.notify(tx, changedChannel, section);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function checkAddresses(
  { ip }: Pick<Scope, 'ip'>,
  { allowedIPs }: SecuritySettings,
  { confirmed }: Known,
): void {
  const list = parseAddressList(allowedIPs);
  if ('wrong' in list) {
    throw new Problem('address_list_invalid', { field: 'security.allowedIPs', entry: list.wrong });
  }
  if (!confirmed && !list.allows(ip)) throw new Problem('address_locked_out', { ip });
}

/** The stored fields, the others with their defaults; fields of other versions are dropped. */
function complete<Name extends SectionName>(section: Name, kept: Fields): Values[Name] {
  const { schema, defaults } = settingsSections[section];
  return schema.parse({ ...defaults, ...kept }) as Values[Name];
}

const writersOf = (name: SectionName): readonly Standing[] => settingsSections[name].writers;
const mayRead = (name: SectionName, standing: Standing): boolean =>
  settingsSections[name].readers.includes(standing);
const named = (patch: SettingsPatch): SectionName[] => names.filter((name) => patch[name]);

function withoutGaps(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function differences(before: Fields, after: Fields): Details {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field], to: after[field] }]),
  ) as Details;
}
