import { sql, type Kysely } from 'kysely';

/** Owner: mqtt. The settings of MQTT, and which topics a broker keeps for us. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mqtt_settings (
      id smallint primary key default 1 check (id = 1),
      enabled boolean not null,
      url text not null,
      protocol text not null check (protocol in ('5', '3.1.1')),
      username text not null,
      password bytea,
      ca text not null,
      allow_local boolean not null,
      client_id text not null,
      prefix text not null,
      discovery boolean not null,
      discovery_prefix text not null,
      categories uuid[] not null,
      node text not null
    )`.execute(db);
  await sql`
    create table mqtt_retained (
      topic text primary key
    )`.execute(db);
}
