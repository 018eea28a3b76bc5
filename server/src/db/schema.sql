-- The database of today: every table with what it holds, and every column that needs it with its meaning, its unit and
-- when it is null; indexes, views, functions and triggers beside their tables. A new database is made by this file
-- alone. One that is there is brought here by `migrations/`, and `schema.db.test.ts` compares both ways: a change of a
-- table is made in both.
--
-- Times are in UTC (timestamptz). "Sealed for X" is encrypted with X as its purpose, so that no sealed value can be put
-- into another place. Views named `module_v_name` are what other modules may read of that module. `set statistics 0`
-- stands on what names or shows people: ANALYZE copies frequent values into the catalog, where they outlive their rows.

-- Functions name tables that are made after them.
set local check_function_bodies = off;

create extension if not exists pg_trgm;


-- Keys (db) -------------------------------------------------------------------------------------------------------

-- The key from which all other keys are derived, as it lies in the database. One row.
create table root_key (
  only_row boolean primary key default true check (only_row),
  -- Sealed by the master key, which is outside of the database.
  sealed bytea not null,
  sealed_at timestamptz not null
);


-- Settings (settings) ---------------------------------------------------------------------------------------------

-- What administrators set for the whole installation, a row a section. A section without a row has its defaults.
create table setting (
  -- A section of contract/src/settings.ts.
  section text primary key check (section ~ '^[a-z]+$'),
  -- Fields of that section; those that are missing have their default.
  value jsonb not null check (jsonb_typeof(value) = 'object'),
  changed_at timestamptz not null
);

-- That an administrator confirmed once that age, gender and the like may be inferred from faces.
create table attribute_confirmation (
  -- Always true: there is one row or none.
  is_confirmed boolean primary key default true check (is_confirmed),
  -- No foreign key: it holds when the account is gone.
  confirmed_by uuid not null,
  confirmed_at timestamptz not null
);


-- Accounts: who may sign in, and how (accounts) -------------------------------------------------------------------

-- An account, with what its profile says.
create table app_user (
  id uuid primary key,
  -- In lower case, so that two spellings of one address are one account.
  email text not null unique check ((email = lower(email)) and (length(email) <= 254)),
  first_name text not null check (length(first_name) between 1 and 150),
  last_name text not null check (length(last_name) <= 150),
  role text not null check (role in ('user', 'operator', 'admin', 'superadmin')),
  -- Administrators of any kind.
  is_staff boolean not null,
  -- May give any role.
  is_superuser boolean not null,
  -- A disabled account keeps its rows and can't sign in.
  is_active boolean not null default true,
  -- Argon2id in the PHC string format.
  password_hash text not null,
  created_at timestamptz not null,
  -- '' is "not said", here and in the fields below.
  phone text not null default '' check (length(phone) <= 50),
  department text not null default '' check (length(department) <= 150),
  position text not null default '' check (length("position") <= 150),
  address text not null default '' check (length(address) <= 500),
  birthdate date,
  bio text not null default '' check (length(bio) <= 2000),
  constraint app_user_check check (role <> 'superadmin' or (is_superuser and is_staff)),
  constraint app_user_check1 check (role <> 'admin' or is_staff),
  constraint app_user_check2 check ((not is_superuser) or role = 'superadmin')
);
alter table app_user
  alter email set statistics 0,
  alter first_name set statistics 0,
  alter last_name set statistics 0,
  alter password_hash set statistics 0,
  alter phone set statistics 0,
  alter address set statistics 0,
  alter bio set statistics 0;

-- How one user wants to see the product. No row: never chosen.
create table user_preference (
  user_id uuid primary key references app_user (id) on delete cascade,
  -- Null: the browser decides.
  language text check (language in ('en', 'az', 'ru', 'tr')),
  -- Null: the browser decides.
  theme text check (theme in ('light', 'dark')),
  -- Null: the default.
  avatar_color text check (avatar_color ~ '^#[0-9a-f]{6}$'),
  sidebar_collapsed boolean not null default false,
  cameras_view text not null default 'grid' check (cameras_view in ('grid', 'list')),
  faces_view text not null default 'grid' check (faces_view in ('grid', 'list')),
  -- A name of the IANA database; null: UTC.
  timezone text check (length(timezone) between 1 and 64)
);

-- Accounts that were closed. The people that they added are erased later, unless an administrator takes them over.
create table ended_account (
  -- No foreign key: the account is gone.
  user_id uuid primary key,
  ended_at timestamptz not null,
  -- The people that it added are erased then.
  erase_after timestamptz not null,
  -- The user who took these people over; null: no user did.
  handed_to uuid,
  -- What the account was (standings in the contract): the people that it added are recognized until they are
  -- erased.
  standing text not null default 'user',
  constraint ended_account_check check (erase_after >= ended_at)
);

-- Who may register. One row.
create table account_policy (
  single boolean primary key default true check (single),
  -- Everyone; everyone, after an administrator approved; no one.
  registration text not null default 'open' check (registration in ('open', 'approval', 'closed'))
);
insert into account_policy default values;

-- How one account is protected. No row: the defaults.
create table account_security (
  user_id uuid primary key references app_user (id) on delete cascade,
  -- Minutes without activity; null: the limit of the installation alone holds.
  session_timeout smallint default 30 check (session_timeout in (15, 30, 60, 120)),
  -- 'All', or addresses and networks with commas between them.
  allowed_ips text not null default 'All' check (length(allowed_ips) <= 4000),
  -- Whether this user may make API keys.
  api_access boolean not null default false
);

-- Codes that open the first-run wizard, each once.
create table setup_code (
  -- SHA-256 of the code.
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- A browser or client that signed in.
create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- Its refresh works only together with the cookie.
  is_browser boolean not null,
  -- False: ends with the browser, and its access tokens need the cookie too.
  is_remembered boolean not null,
  -- SHA-256 of the cookie's value; null: a client that is no browser.
  cookie_hash bytea check (length(cookie_hash) = 32),
  -- Counts refreshes; a token of an older generation than the last one is a replay.
  generation integer not null default 0,
  ip text not null,
  user_agent text not null check (length(user_agent) <= 300),
  created_at timestamptz not null,
  -- Moves with each refresh, never beyond absolute_expires_at.
  expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  ended_at timestamptz,
  -- What ended it: its user, an administrator, a replayed token, time.
  ended_reason text check (ended_reason ~ '^[a-z]+$'),
  last_active_at timestamptz not null,
  constraint session_check check ((ended_at is null) = (ended_reason is null)),
  constraint session_check1 check (is_browser = (cookie_hash is not null))
);
create index session_of_user on session (user_id) where (ended_at is null);
create index session_by_user on session (user_id, created_at desc);

-- Access and refresh tokens of sessions.
create table session_token (
  -- SHA-256 of the token, which is kept nowhere.
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references session (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  generation integer not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged.
  used_at timestamptz,
  -- The pair that it was exchanged for, which only this token can decrypt: an answer that got lost is given again.
  successor bytea,
  constraint session_token_check check ((used_at is null) = (successor is null))
);
create index session_token_of_session on session_token (session_id);
create index session_token_by_expiry on session_token (expires_at);

-- Sessions of administrators that see the product with the rights of a user.
create table see_as (
  session_id uuid not null references session (id) on delete cascade,
  -- The user whose rights hold.
  user_id uuid not null references app_user (id) on delete cascade,
  -- It ends some hours later by itself.
  started_at timestamptz not null,
  constraint see_as_pkey primary key (session_id, user_id)
);

-- Failed attempts, which slow down or refuse the next ones.
create table throttle (
  -- What is counted, such as account:<sha256> or network:203.0.113.
  key text primary key,
  failures integer not null check (failures >= 0),
  last_at timestamptz not null
);

-- The latest moment that sessions were judged by: a clock that is set back gives no expired session new life. One
-- row.
create table time_mark (
  single boolean primary key default true check (single),
  at timestamptz not null
);

-- Passwords that were right and wait for a second factor.
create table login_challenge (
  -- SHA-256 of the token; deleted when it is used.
  hash bytea primary key check (length(hash) = 32),
  user_id uuid not null references app_user (id) on delete cascade,
  -- "Remember me", as it was ticked with the password.
  is_remembered boolean not null,
  -- SHA-256 of the password hash it was issued for: after a change of the password it opens nothing.
  password_mark bytea not null check (length(password_mark) = 32),
  expires_at timestamptz not null
);
create index login_challenge_by_expiry on login_challenge (expires_at);

-- Authenticator apps.
create table user_totp (
  user_id uuid primary key references app_user (id) on delete cascade,
  -- Sealed for user_totp.secret:<user_id>.
  secret bytea not null,
  created_at timestamptz not null,
  -- Null: no first code has proved yet that the app holds the secret, and no code is asked for.
  confirmed_at timestamptz,
  -- The 30 s step (since 1970) of the newest code that was taken: neither it nor an earlier one is taken again.
  last_step bigint not null default 0
);

-- One-time codes in place of a second factor. A used one is deleted.
create table recovery_code (
  user_id uuid not null references app_user (id) on delete cascade,
  -- HMAC-SHA256 under a key derived from the root key.
  hash bytea not null check (length(hash) = 32),
  constraint recovery_code_pkey primary key (user_id, hash)
);

-- Passkeys (WebAuthn credentials).
create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- The name of this installation that it was made for (WebAuthn's relying party id).
  host text not null,
  credential_id bytea not null unique check (length(credential_id) <= 1023),
  -- In COSE form.
  public_key bytea not null,
  -- How many signatures the authenticator has counted; always 0 where it does not count. Never goes back.
  counter bigint not null check (counter >= 0),
  -- How a browser reaches the authenticator: usb, nfc, internal, hybrid ...
  transports text[] not null,
  -- Kept by its maker on several devices.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);

-- Challenges that were answered: each is taken once.
create table used_passkey_challenge (
  -- SHA-256 of the challenge.
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);

-- Accounts of a sign-on provider that are connected with accounts here.
create table provider_identity (
  -- Issuer and subject together name an account of the provider for ever; an e-mail address does not.
  issuer text not null check (length(issuer) <= 2000),
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references app_user (id) on delete cascade,
  connected_at timestamptz not null,
  constraint provider_identity_pkey primary key (issuer, subject),
  constraint provider_identity_user_id_issuer_key unique (user_id, issuer)
);

-- Sign-ons by a provider that are under way.
create table sign_on (
  -- SHA-256 of what the browser's cookie holds. State, nonce and verifier follow from the cookie, so that this row
  -- opens nothing.
  hash bytea primary key,
  -- begun: on the way to the provider. proven: back from it, for user_id.
  step text not null check (step in ('begun', 'proven')),
  -- When begun: the account that is to be connected; null: a sign-in.
  user_id uuid references app_user (id) on delete cascade,
  -- When begun: the session from which it is connected.
  session_id uuid references session (id) on delete cascade,
  remember boolean not null,
  -- The provider saw a second factor that counts here.
  is_strong boolean not null,
  expires_at timestamptz not null,
  -- connect and prove are for the account and the session that began it.
  purpose text not null check (purpose in ('sign in', 'connect', 'prove'))
);
create index sign_on_by_expiry on sign_on (expires_at);

-- When a session last came back from the provider with a proof of who is there.
create table fresh_sign_on (
  session_id uuid primary key references session (id) on delete cascade,
  signed_on_at timestamptz not null
);

-- Keys of programs.
create table api_key (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- SHA-256 of the key, which is kept nowhere.
  hash bytea not null unique check (length(hash) = 32),
  -- What it may do, of the contract's scopes.
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null: it works until it expires.
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text check (length(last_used_ip) <= 45),
  constraint api_key_check check (expires_at <= (created_at + interval '366 days')),
  constraint api_key_check1 check ((last_used_at is null) = (last_used_ip is null))
);
create index api_key_of_user on api_key (user_id) where (revoked_at is null);

-- Addresses from which a key was used: its owner is warned of a new one.
create table api_key_address (
  key_id uuid not null references api_key (id) on delete cascade,
  ip text not null check (length(ip) <= 45),
  first_used_at timestamptz not null,
  constraint api_key_address_pkey primary key (key_id, ip)
);

-- Links in letters that set a password.
create table account_link (
  -- SHA-256 of the token, which is in the letter only.
  hash bytea primary key check (length(hash) = 32),
  user_id uuid not null references app_user (id) on delete cascade,
  -- reset: its owner asked for it. help: an administrator made it for a user who can't sign in. invitation: for a
  -- new user.
  kind text not null check (kind in ('reset', 'help', 'invitation')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_link_of_user on account_link (user_id);
create index account_link_by_expiry on account_link (expires_at);

-- When the next letter of a kind may go to a user, so that no one gets many.
create table letter_pace (
  user_id uuid not null references app_user (id) on delete cascade,
  -- The heading of that kind of letter, by its name among the sentences.
  subject text not null,
  next_at timestamptz not null,
  constraint letter_pace_pkey primary key (user_id, subject)
);


-- Letters (mail) --------------------------------------------------------------------------------------------------

-- Letters that are still to be sent.
create table mail_outbox (
  id uuid primary key,
  -- Receiver, subject and text, sealed under the master key: a letter may hold a one-time link.
  sealed bytea not null,
  created_at timestamptz not null,
  -- When to try next. While it is being sent: when another try may begin, because that one died.
  due_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- Not sent after this: its link no longer works, or its news is old.
  expires_at timestamptz not null
);
create index mail_outbox_by_due on mail_outbox (due_at);


-- Groups of users (groups) ----------------------------------------------------------------------------------------

-- Groups of users, to which access to cameras is given.
create table user_group (
  id uuid primary key,
  name text not null check (length(name) between 1 and 150),
  description text not null default '' check (length(description) <= 2000),
  created_at timestamptz not null
);
create unique index user_group_name on user_group (translate(lower((name collate pg_c_utf8)), 'ı', 'i'));

-- Which users are in which groups.
create table user_group_member (
  group_id uuid not null references user_group (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  constraint user_group_member_pkey primary key (user_id, group_id)
);
create index user_group_member_of_group on user_group_member (group_id);

-- Names of groups, for other modules.
create view accounts_v_group as
  select id, name
    from user_group;

-- Why sessions ended, for other modules.
create view accounts_v_session as
  select id, ended_reason
    from session;

-- Members of groups, for other modules.
create view accounts_v_member as
  select group_id, user_id
    from user_group_member;


-- People, strangers, and the faces by which they are recognized (faces) -------------------------------------------

-- Categories of people.
create table face_category (
  id uuid primary key,
  name text not null check (length(name) between 1 and 60),
  color text not null check (color ~ '^#[0-9a-fA-F]{6}$'),
  created_at timestamptz not null
);
create unique index face_category_name on face_category (translate(lower((name collate pg_c_utf8)), 'ı', 'i'));
insert into face_category (id, name, color, created_at) values
  (gen_random_uuid(), 'employee', '#2563eb', now()),
  (gen_random_uuid(), 'visitor', '#0f766e', now()),
  (gen_random_uuid(), 'vip', '#7c3aed', now());

-- A person whom a user enrolled.
create table person (
  id uuid primary key,
  first_name text not null check (length(first_name) between 1 and 150),
  last_name text not null check (length(last_name) <= 150),
  category_id uuid not null references face_category (id),
  description text not null default '',
  email text not null default '',
  phone text not null default '',
  position text not null default '',
  notes text not null default '',
  -- False: known, and not recognized any more.
  is_active boolean not null default true,
  -- Made by set-up from sample photos.
  is_demo boolean not null default false,
  -- No foreign key: people outlive the account until they are erased or taken over.
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What is still to be compared: its photos with each other, with those of others, nothing.
  comparison text not null default 'photos' check (comparison in ('photos', 'others', 'done')),
  -- id@version of the pack by which its photos were last compared.
  compared_by text
);
alter table person
  alter first_name set statistics 0,
  alter last_name set statistics 0,
  alter description set statistics 0,
  alter email set statistics 0,
  alter phone set statistics 0,
  alter position set statistics 0,
  alter notes set statistics 0;
create index person_of_user on person (created_by);
create index person_to_compare on person (id) where (comparison <> 'done');
create index person_folded_name on person using gin (translate(lower((trim(both
  from ((first_name || ' ') || last_name)) collate pg_c_utf8)), 'ı', 'i') gin_trgm_ops);
alter index person_folded_name alter column 1 set statistics 0;

-- Numbers of identity.revision.
create sequence identity_revision;

-- One face that is distinguished from others, with the key of all that is kept of it. A person has several: one
-- enrolled, and each stranger that was identified as them.
create table identity (
  id uuid primary key,
  -- Null: a stranger, or erased.
  person_id uuid references person (id) on delete set null,
  -- Key of all that is kept of this identity, sealed for identity.data_key:<id>. Null: erased; what is encrypted
  -- under it can't be read again, not even in old backups.
  data_key bytea,
  created_at timestamptz not null,
  -- "Unknown 14". Null: enrolled without having been seen, or seen too badly to be distinguished from others.
  number bigint unique check (number > 0),
  status text not null default 'new' check (status in ('new', 'reviewing', 'identified', 'ignored')),
  -- The stranger that it was merged into, which is itself not merged.
  merged_into uuid references identity (id),
  -- Grows with each change that the comparison of strangers must know of, in the order of commits.
  revision bigint not null default 0,
  -- Had a name when it was erased.
  was_known boolean not null default false,
  -- Has a name, or had one when it was erased: its visits count as recognized.
  is_known boolean not null generated always as (person_id is not null or was_known) stored,
  constraint identity_check check (merged_into <> id)
);
alter table identity alter data_key set statistics 0;
create index identity_of_person on identity (person_id) where (person_id is not null);
create index identity_by_revision on identity (revision) where (revision > 0);
create index identity_of_stranger on identity (coalesce(merged_into, id));
create index identity_known on identity (id) where is_known;

-- Photos of people.
create table face_image (
  id uuid primary key,
  person_id uuid not null references person (id) on delete cascade,
  identity_id uuid not null references identity (id),
  -- JPEG without metadata, longest side 1600, sealed by the identity's key for face_image.photo:<id>.
  photo bytea not null,
  -- The same at 320, for face_image.thumbnail:<id>.
  thumbnail bytea not null,
  -- Why recognition can't use it; null: it can.
  fault text,
  created_at timestamptz not null,
  -- id@version of the pack that decided about fault; null: it is not known any more.
  looked_by text,
  -- Why it may not show the person; null: nothing speaks against it.
  doubt text check (doubt in ('disagrees_with_others', 'fits_other_person')),
  -- Whom it resembles more. No foreign key: deleting them must not wait for the photos of others.
  doubt_person uuid,
  -- It takes no part in recognition. False beside a doubt: a user has to look first.
  is_aside boolean not null default false,
  -- A user said that it is right, which holds until the photos of the person change.
  is_kept boolean not null default false,
  -- It was checked in its four turns, and stands upright as far as its face shows.
  is_turn_checked boolean not null default false,
  constraint face_image_check check ((doubt_person is null) = (doubt is distinct from 'fits_other_person')),
  constraint face_image_check1 check ((not is_aside) or (doubt is not null and (not is_kept)))
);
alter table face_image alter column photo set storage external;
alter table face_image alter column thumbnail set storage external;
alter table face_image alter photo set statistics 0, alter thumbnail set statistics 0;
create index face_image_of_person on face_image (person_id, created_at);
create index face_image_doubt on face_image (doubt_person) where (doubt_person is not null);

-- Vectors of photos, by which people are recognized.
create table face_embedding (
  id uuid primary key,
  image_id uuid not null references face_image (id) on delete cascade,
  identity_id uuid not null references identity (id),
  -- Vectors of different packs are never compared.
  pack_id text not null,
  pack_version text not null,
  -- float32 LE, sealed by the identity's key for face_embedding.vector:<id>.
  vector bytea not null,
  -- The aligned face as JPEG, sealed for face_embedding.chip:<id>: another pack makes its vector from it.
  chip bytea not null,
  -- 0 to 1.
  quality real not null,
  created_at timestamptz not null,
  -- id@version of the pack that is being prepared or was before; null: there is none.
  other_pack text,
  -- Its vector, sealed as the row's own is. Null: that pack finds no face here.
  other_vector bytea,
  -- id@version of the pack that cut the chip out; null: that of the row.
  cut_by text,
  constraint face_embedding_check check (other_vector is null or other_pack is not null)
);
alter table face_embedding
  alter vector set statistics 0,
  alter chip set statistics 0,
  alter other_vector set statistics 0;
create index face_embedding_of_identity on face_embedding (identity_id);
create unique index face_embedding_of_image on face_embedding (image_id, pack_id);
create index face_embedding_of_another_pack on face_embedding (other_pack) where (other_pack is not null);

-- Vectors of strangers, by which they are found again.
create table stranger_reference (
  -- The visit whose picture it is; the row is removed with it.
  visit_id uuid primary key,
  identity_id uuid not null references identity (id),
  pack_id text not null,
  pack_version text not null,
  -- float32 LE, sealed by the identity's key for stranger_reference.vector:<visit_id>.
  vector bytea not null,
  quality real not null,
  -- When the visit began: age removes the row with the picture.
  seen_at timestamptz not null,
  -- As in face_embedding.
  other_pack text,
  other_vector bytea,
  constraint stranger_reference_check check (other_vector is null or other_pack is not null)
);
alter table stranger_reference alter vector set statistics 0, alter other_vector set statistics 0;
create index stranger_reference_of_identity on stranger_reference (identity_id);
create index stranger_reference_by_age on stranger_reference (seen_at);
create index stranger_reference_of_another_pack on stranger_reference (other_pack) where (other_pack is not null);

-- Visits that a user said are not of that person: faces that resemble them are not taken for them again.
create table negative (
  -- The visit whose picture it is; the row is removed with it.
  visit_id uuid not null,
  person_id uuid not null references person (id) on delete cascade,
  -- The identity of that person that it was taken for, where it goes back to.
  from_identity_id uuid not null,
  -- Whose visit it is now, and whose key seals the vector.
  identity_id uuid not null references identity (id),
  pack_id text not null,
  pack_version text not null,
  -- float32 LE, sealed by the identity's key for negative.vector:<visit_id>.
  vector bytea not null,
  -- How sure it was, for when it goes back.
  confidence real,
  -- When the visit began: age removes the row with the picture.
  seen_at timestamptz not null,
  created_at timestamptz not null,
  -- As in face_embedding.
  other_pack text,
  other_vector bytea,
  -- The user; null: from before this was kept.
  decided_by uuid,
  -- The entry of the activity log.
  entry_id uuid,
  constraint negative_pkey primary key (visit_id, person_id),
  constraint negative_check check (other_vector is null or other_pack is not null)
);
alter table negative alter vector set statistics 0, alter other_vector set statistics 0;
create index negative_of_person on negative (person_id);
create index negative_of_identity on negative (identity_id);
create index negative_by_age on negative (seen_at);
create index negative_of_another_pack on negative (other_pack) where (other_pack is not null);

-- What users corrected and can take back: strangers identified, merged, split.
create table correction (
  id uuid primary key,
  kind text not null check (kind in ('identify', 'merge', 'split')),
  -- Whom they were identified as. A person who is erased leaves nothing to take back.
  person_id uuid references person (id) on delete cascade,
  -- That person was added with it.
  is_new_person boolean not null default false,
  -- The photo that the person got by it. No foreign key: it may be removed before.
  image_id uuid,
  created_at timestamptz not null,
  undone_at timestamptz,
  -- The user; null: from before this was kept.
  decided_by uuid,
  -- The entry of the activity log.
  entry_id uuid,
  constraint correction_check check ((kind = 'identify') = (person_id is not null))
);
create index correction_of_person on correction (person_id);

-- The strangers of a correction, as they were before it.
create table correction_part (
  correction_id uuid not null references correction (id) on delete cascade,
  identity_id uuid not null references identity (id) on delete cascade,
  status text not null,
  merged_into uuid,
  constraint correction_part_pkey primary key (correction_id, identity_id)
);
create index correction_part_of_identity on correction_part (identity_id);

-- Identities of people who were erased, as counts of visits still name one person.
create table erased_identity (
  identity_id uuid primary key references identity (id),
  -- The person who is gone; no foreign key.
  person_id uuid not null,
  erased_at timestamptz not null,
  -- How many photos were removed.
  images integer not null check (images >= 0),
  -- How many vectors were removed.
  embeddings integer not null check (embeddings >= 0)
);

-- What other modules may join of an identity and its person.
create view faces_v_identity as
  select identity.id, identity.person_id, person.first_name, person.last_name, person.created_by,
    person.is_active, (identity.data_key is not null) as is_readable, person.category_id,
    coalesce(identity.merged_into, identity.id) as stranger_id, identity.number, identity.status,
    identity.is_known, coalesce(identity.person_id, erased.person_id) as counted_as
    from ((identity
      left join person on ((person.id = identity.person_id)))
      left join erased_identity erased on ((erased.identity_id = identity.id)));

-- People with their category, as statistics count them.
create view faces_v_person as
  select person.id, person.is_active, person.created_by, person.created_at, category.id as category_id,
    category.name as category_name, category.color as category_color
    from (person
      join face_category category on ((category.id = person.category_id)));

-- People who were erased, with their identities.
create view faces_v_erased as
  select person_id, max(erased_at) as erased_at, (sum(images))::integer as images,
    (sum(embeddings))::integer as embeddings, array_agg(identity_id) as identity_ids
    from erased_identity
   group by person_id;

-- What can be taken back of a stranger.
create view faces_v_correction as
  select coalesce(identity.merged_into, identity.id) as stranger_id, correction.id, correction.kind,
    correction.created_at
    from ((correction
      join correction_part part on ((part.correction_id = correction.id)))
      join identity on ((identity.id = part.identity_id)))
   where (correction.undone_at is null);

-- Visits of which a user said "Not this person".
create view faces_v_negative as
  select visit_id, person_id, created_at, decided_by, entry_id
    from negative;

-- Which decision of a user holds of an identity, and its entry in the activity log.
create view faces_v_decision as
  select part.identity_id, correction.kind, correction.created_at, correction.decided_by, correction.entry_id
    from (correction
      join correction_part part on ((part.correction_id = correction.id)))
   where (correction.undone_at is null);

-- Names, for modules that check by themselves whether a reader may see them.
create view faces_v_named as
  select id, first_name, last_name, created_by, category_id
    from person;


-- Cameras, access to them, and the wall (cameras) -----------------------------------------------------------------

-- A camera, and how it is reached. A deleted one keeps its name for what it saw.
create table camera (
  id uuid primary key,
  name text not null check (length(name) between 1 and 150),
  description text not null default '',
  location text not null check (length(location) between 1 and 150),
  type text not null check (type in ('ip', 'usb', 'rtsp', 'http')),
  -- What users want of it; what its streams do is in camera_state.
  status text not null check (status in ('active', 'inactive', 'maintenance', 'error')),
  -- For ONVIF.
  ip_address text not null default '',
  -- Without user name and password: they are split off when a camera is saved.
  url text not null default '',
  username text not null default '',
  -- Sealed for camera.password:<id>; null: there is none. Never part of an answer.
  password bytea,
  -- Asked for by users; what comes is measured.
  resolution text not null check (resolution in ('640x480', '1280x720', '1920x1080', '3840x2160')),
  -- How many pictures a second are to be analyzed.
  fps smallint not null check (fps between 1 and 60),
  -- Degrees clockwise by which its picture is shown turned.
  rotation smallint not null check (rotation in (0, 90, 180, 270)),
  -- It recognizes people by itself while it is active.
  enable_face_recognition boolean not null,
  -- Made by set-up from sample photos; labelled everywhere.
  is_demo boolean not null default false,
  -- Never changed. No foreign key: it stays when the account is gone.
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Its addresses and password are wiped by then.
  deleted_at timestamptz,
  -- A smaller stream of the same picture, without user name and password: those of url hold. '' where there is
  -- none.
  sub_url text not null default '',
  -- Sound is recorded and can be played live.
  enable_audio boolean not null default false,
  -- For moving and zooming, on the same host as the stream; '' where there is none.
  device_url text not null default '',
  -- SHA-256 in lower-case hexadecimal of the one certificate that is trusted; '': it is verified by its issuer.
  certificate text not null default '' check (certificate ~ '^([0-9a-f]{64})?$'),
  -- Sealed for camera.url_secrets:<id>: what the masks in url, sub_url and device_url stand for; null: there is
  -- none.
  url_secrets bytea,
  -- Another one whenever an address changes: what is known of two streams is not known of two others.
  streams_id uuid not null default gen_random_uuid(),
  -- Recordings from before segments said what they show may be of a sub-stream.
  had_sub_stream boolean not null default false,
  -- By how much a place of now may be turned on pictures from before turned_until, in degrees clockwise.
  turned_by smallint[] not null default '{0}'::smallint[],
  -- Null: turned_by holds for all pictures, as the zones were not saved since the camera was turned.
  turned_until timestamptz,
  constraint camera_check check (deleted_at is null or (password is null and url = '')),
  constraint camera_check1 check (deleted_at is null or sub_url = ''),
  constraint camera_check2 check (deleted_at is null or device_url = ''),
  constraint camera_check3 check (deleted_at is null or url_secrets is null),
  constraint camera_turned_by check ((turned_by <@ array[(0)::smallint, (90)::smallint, (180)::smallint,
    (270)::smallint]) and (0 = any (turned_by)))
);
create index camera_of_user on camera (created_by) where (deleted_at is null);

-- What streams and recording of a camera did, and since when.
create table camera_state (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  part text not null check (part in ('main', 'sub', 'recording')),
  state text not null check (state in ('off', 'connecting', 'live', 'stalled', 'offline', 'refused')),
  -- From the closed list in the contract.
  cause text not null,
  started_at timestamptz(3) not null,
  -- Up to when a running server knows that it was so; it ends where the next row of its part begins.
  seen_at timestamptz(3) not null,
  constraint camera_state_check check (seen_at >= started_at)
);
create index camera_state_of_camera on camera_state (camera_id, started_at desc, id desc);
create index camera_state_by_age on camera_state (started_at);

-- Which part of the main picture a sub-stream shows, as it was measured or confirmed.
create table camera_alignment (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  -- Both streams and their sizes (media/protocol/stream-pair.ts).
  pair text not null check (length(pair) <= 100),
  -- The part, in fractions of the main picture, before both are turned. Null: what was known was forgotten, to be
  -- measured anew.
  x double precision,
  y double precision,
  width double precision check (width > 0),
  height double precision check (height > 0),
  -- False: measured. True: confirmed or forgotten by a user.
  is_confirmed boolean not null,
  -- No foreign key: it outlives the account.
  confirmed_by uuid,
  -- The newest of a pair holds. Earlier ones hide, too, in what was recorded of that pair.
  aligned_at timestamptz not null,
  constraint camera_alignment_whole check (num_nulls(x, y, width, height) in (0, 4))
);
create index camera_alignment_of_camera on camera_alignment (camera_id, aligned_at);

-- Areas of a picture: hidden, recognized in, or watched for motion.
create table camera_zone (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  kind text not null check (kind in ('privacy', 'recognition', 'motion')),
  name text not null check (length(name) <= 60),
  -- [[x, y], ...], fractions of the picture as it is shown.
  points jsonb not null check (jsonb_array_length(points) between 3 and 32),
  -- In the order in which they were drawn.
  place smallint not null,
  -- By how many degrees clockwise the points may have to be turned on the picture as it is shown now.
  turns smallint[] not null default '{0}'::smallint[],
  constraint camera_zone_turns check ((turns <@ array[(0)::smallint, (90)::smallint, (180)::smallint,
    (270)::smallint]) and (cardinality(turns) > 0))
);
create index camera_zone_of_camera on camera_zone (camera_id);

-- Groups of cameras, to which access is given.
create table camera_group (
  id uuid primary key,
  name text not null check (length(name) between 1 and 150),
  description text not null default '' check (length(description) <= 2000),
  created_at timestamptz not null
);
create unique index camera_group_name on camera_group (translate(lower((name collate pg_c_utf8)), 'ı', 'i'));

-- Which cameras are in which groups.
create table camera_group_member (
  group_id uuid not null references camera_group (id) on delete cascade,
  camera_id uuid not null references camera (id) on delete cascade,
  constraint camera_group_member_pkey primary key (group_id, camera_id)
);
create index camera_group_member_of_camera on camera_group_member (camera_id);

-- Access that was given: to a user or a group, to a camera or a group of cameras.
create table camera_grant (
  id uuid primary key,
  -- The user, or else user_group_id: the group with all who join it.
  user_id uuid references app_user (id) on delete cascade,
  user_group_id uuid references user_group (id) on delete cascade,
  -- The camera, or else camera_group_id: the group with all cameras that join it.
  camera_id uuid references camera (id) on delete cascade,
  camera_group_id uuid references camera_group (id) on delete cascade,
  -- live is part of every grant; people gives the names of all people.
  capabilities text[] not null check (('live' = any (capabilities)) and capabilities <@ array['live', 'recordings',
    'detect', 'manage', 'people', 'unmasked', 'control']),
  granted_by uuid references app_user (id) on delete set null,
  granted_at timestamptz not null,
  constraint camera_grant_check check (num_nonnulls(user_id, user_group_id) = 1),
  constraint camera_grant_check1 check (num_nonnulls(camera_id, camera_group_id) = 1)
);
create unique index camera_grant_once on camera_grant (user_id, user_group_id, camera_id,
  camera_group_id) nulls not distinct;
create index camera_grant_by_user_group_id on camera_grant (user_group_id) where (user_group_id is not null);
create index camera_grant_by_camera_id on camera_grant (camera_id) where (camera_id is not null);
create index camera_grant_by_camera_group_id on camera_grant (camera_group_id) where (camera_group_id is not null);

-- Categories whose people a grant lets be read by name.
create table camera_grant_category (
  grant_id uuid not null references camera_grant (id) on delete cascade,
  -- A category that is deleted takes the right with it.
  category_id uuid not null references face_category (id) on delete cascade,
  constraint camera_grant_category_pkey primary key (grant_id, category_id)
);
create index camera_grant_category_by_category on camera_grant_category (category_id);

-- Saved layouts of the wall.
create table wall_layout (
  id uuid primary key,
  -- Null: shared with all users, and kept when the account that made it is gone.
  owner_id uuid references app_user (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  tiles_per_page smallint not null check (tiles_per_page between 1 and 36),
  -- Null: pages change by hand alone.
  tour_seconds smallint check (tour_seconds between 5 and 3600),
  -- Counts the changes: of two who change it at once the second is refused.
  revision integer not null check (revision >= 1),
  updated_at timestamptz not null
);
create index wall_layout_of_owner on wall_layout (owner_id);

-- Cameras of a layout.
create table wall_tile (
  layout_id uuid not null references wall_layout (id) on delete cascade,
  camera_id uuid not null references camera (id) on delete cascade,
  -- The order on the wall, from 0.
  place smallint not null,
  -- It stays on every page.
  is_pinned boolean not null,
  constraint wall_tile_pkey primary key (layout_id, camera_id)
);
create index wall_tile_of_camera on wall_tile (camera_id);

-- What other modules may join: no address, no password.
create view cameras_v_camera as
  select id, name, location, status, created_by, enable_face_recognition, is_demo, deleted_at, description
    from camera;

create view cameras_v_group_member as
  select group_id, camera_id from camera_group_member;

-- An address changed: what was known of the streams is not known of these.
create function camera_has_other_streams() returns trigger language plpgsql as $$
begin
  new.streams_id := gen_random_uuid();
  return new;
end
$$;

create trigger camera_streams_changed before update of url, sub_url on camera for each row
  when ((old.url, old.sub_url) is distinct from (new.url, new.sub_url))
  execute function camera_has_other_streams();


-- Visits and their counts (visits) --------------------------------------------------------------------------------

-- A visit: one face at one camera, from when it came until it was gone. By months of started_at.
create table visit (
  -- UUIDv7 of the writer, made when the visit was decided, so that a retry after an unknown commit meets its own
  -- row.
  id uuid not null,
  camera_id uuid not null references camera (id),
  -- Who it was, known or not; never a name. Past visits follow when an identity is named.
  identity_id uuid not null references identity (id),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  -- How sure recognition was of recognized_as, 0 to 1; null: nothing was compared.
  confidence real check (confidence between 0 and 1),
  -- The quality of its picture, 0 to 1: a better picture replaces it.
  quality real not null check (quality between 0 and 1),
  -- Deleted by a user: in no list and no count; the row goes with its age.
  deleted_at timestamptz,
  -- The person whom recognition named; no foreign key.
  recognized_as uuid,
  recognized_at timestamptz,
  -- id@version of the models.
  recognized_by text,
  constraint visit_pkey primary key (started_at, id),
  constraint visit_check check (ended_at >= started_at),
  constraint visit_lasts_a_day check ((ended_at - started_at) <= interval '24:00:00')
) partition by range (started_at);
create table visit_default partition of visit default;
create index visit_by_id on visit (id);
create index visit_of_camera on visit (camera_id, started_at desc, id desc);
create index visit_recognized on visit (recognized_as) where (recognized_as is not null);
create index visit_of_identity on visit (identity_id, started_at desc, id desc) include (camera_id,
  deleted_at);

-- The picture of a visit, and what was seen in it.
create table visit_picture (
  visit_id uuid primary key,
  identity_id uuid not null references identity (id),
  -- The aligned face as JPEG, sealed by the identity's key for sighting_picture.chip:<id>.
  chip bytea not null,
  pack_id text not null,
  pack_version text not null,
  -- Mean vector of the visit's best pictures, float32 LE, sealed for sighting_picture.template:<id>.
  template bytea not null,
  -- As in face_embedding.
  other_pack text,
  other_vector bytea,
  -- id@version of the pack that cut the chip out; null: that of the row.
  cut_by text,
  -- What the face looks like, sealed for sighting_picture.attributes:<id>. Null: it was not asked for.
  attributes bytea,
  -- Where in the camera's picture it was cut out; null: from before this was kept.
  place jsonb,
  constraint visit_picture_check check (other_vector is null or other_pack is not null)
);
alter table visit_picture alter column chip set storage external;
alter table visit_picture
  alter chip set statistics 0,
  alter template set statistics 0,
  alter other_vector set statistics 0,
  alter attributes set statistics 0,
  alter place set statistics 0;
create index visit_picture_of_identity on visit_picture (identity_id);
create index visit_picture_of_another_pack on visit_picture (other_pack) where (other_pack is not null);

-- Kept counts: visits of an hour at a camera, by quarters of the hour, so that time zones of 30 and 45 minutes add
-- up.
create table visit_hour (
  -- Start of the hour, UTC.
  hour timestamptz not null,
  camera_id uuid not null references camera (id),
  visits_0 integer not null default 0,
  -- How many of visits_0 are of people who have a name today.
  recognized_0 integer not null default 0,
  visits_1 integer not null default 0,
  recognized_1 integer not null default 0,
  visits_2 integer not null default 0,
  recognized_2 integer not null default 0,
  visits_3 integer not null default 0,
  recognized_3 integer not null default 0,
  visits integer not null generated always as (visits_0 + visits_1 + visits_2 + visits_3) stored,
  recognized integer not null generated always as (recognized_0 + recognized_1 + recognized_2 + recognized_3) stored,
  constraint visit_hour_pkey primary key (hour, camera_id),
  constraint visit_hour_check check (recognized_0 between 0 and visits_0),
  constraint visit_hour_check1 check (recognized_1 between 0 and visits_1),
  constraint visit_hour_check2 check (recognized_2 between 0 and visits_2),
  constraint visit_hour_check3 check (recognized_3 between 0 and visits_3)
);

-- Kept counts: visits of an hour at all cameras. An hour has a row for each of four parts of the cameras, so that
-- visits which are written at the same time seldom wait for each other.
create table visit_hour_total (
  -- As in visit_hour.
  hour timestamptz not null,
  -- The part of the cameras, from 0 to 3.
  part integer not null,
  visits_0 integer not null default 0,
  recognized_0 integer not null default 0,
  visits_1 integer not null default 0,
  recognized_1 integer not null default 0,
  visits_2 integer not null default 0,
  recognized_2 integer not null default 0,
  visits_3 integer not null default 0,
  recognized_3 integer not null default 0,
  visits integer not null generated always as (visits_0 + visits_1 + visits_2 + visits_3) stored,
  recognized integer not null generated always as (recognized_0 + recognized_1 + recognized_2 + recognized_3) stored,
  constraint visit_hour_total_pkey primary key (hour, part)
) with (fillfactor=50);

-- Kept counts: visits of an identity at a camera on a day. Strangers have a partition of their own.
create table visit_day (
  is_known boolean not null,
  -- In UTC.
  day date not null,
  camera_id uuid not null references camera (id),
  identity_id uuid not null references identity (id),
  visits integer not null check (visits > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint visit_day_pkey primary key (day, camera_id, identity_id, is_known)
) partition by list (is_known);
create table visit_day_known partition of visit_day for values in (true);
create table visit_day_stranger partition of visit_day for values in (false);
create index visit_day_of_identity on visit_day (identity_id, day);

-- Kept counts: visits of a day at a camera.
create table visit_camera_day (
  -- In UTC.
  day date not null,
  camera_id uuid not null references camera (id),
  visits integer not null check (visits > 0),
  -- How many of these are of people who have a name today.
  recognized integer not null,
  constraint visit_camera_day_pkey primary key (day, camera_id),
  constraint visit_camera_day_check check (recognized between 0 and visits)
);

-- Kept counts: visits of a known identity at a camera in a quarter of a year.
create table visit_person_quarter (
  -- Its first day, UTC.
  quarter date not null,
  camera_id uuid not null references camera (id),
  identity_id uuid not null references identity (id),
  -- A number for each day with visits, ascending: the day of the quarter (from 1) in the upper bits, the visits up
  -- to its end in the lower 24.
  through integer[] not null check (cardinality(through) > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint visit_person_quarter_pkey primary key (quarter, camera_id, identity_id)
) with (fillfactor=80);
create index visit_person_quarter_of_identity on visit_person_quarter (identity_id);

-- Kept counts: visits of a known identity at all cameras in a quarter of a year.
create table visit_identity_quarter (
  -- Its first day, UTC.
  quarter date not null,
  identity_id uuid not null references identity (id),
  -- As in visit_person_quarter.
  through integer[] not null check (cardinality(through) > 0),
  constraint visit_identity_quarter_pkey primary key (quarter, identity_id)
) with (fillfactor=80);
create index visit_identity_quarter_of_identity on visit_identity_quarter (identity_id);

-- Kept counts: all visits of a stranger. A stranger who is erased has no row.
create table visit_stranger (
  -- The identity that stands for all that are merged with it.
  stranger_id uuid primary key references identity (id),
  visits integer not null check (visits >= 0),
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index visit_stranger_by_visits on visit_stranger (visits, stranger_id);
create index visit_stranger_by_last on visit_stranger (last_at, stranger_id);

-- Kept counts: all visits of an identity that has a number at a camera.
create table visit_stranger_camera (
  camera_id uuid not null references camera (id),
  identity_id uuid not null references identity (id),
  visits integer not null check (visits > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint visit_stranger_camera_pkey primary key (camera_id, identity_id)
) with (fillfactor=80);
create index visit_stranger_camera_of_identity on visit_stranger_camera (identity_id);

-- Namings that are under way: the counts of a stranger's visits follow the name in batches. Views with `_now` in
-- their names add what is not moved yet.
create table visit_naming (
  identity_id uuid primary key references identity (id) on delete cascade,
  -- A midnight of UTC, or infinite. Visits from then on are counted as a known person's, those before as a
  -- stranger's.
  known_from timestamptz not null,
  -- False: the first batch makes the quarters of the person who is known now.
  has_quarters boolean not null
);

-- Visits that count, for other modules.
create view visits_v_visit as
  select visit.id, visit.camera_id, visit.identity_id, identity.person_id, visit.started_at,
    visit.ended_at, visit.confidence, 1 as visits, visit.recognized_as
    from (visit
      join identity on ((identity.id = visit.identity_id)))
   where (visit.deleted_at is null);

-- Visits of hours, for other modules.
create view visits_v_hour as
  select hour, camera_id, visits, recognized
    from visit_hour;

-- Counts any number of visits by hours, and by days of identities.
create function visit_count_many(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  change record;
  kept record;
begin
  if cardinality(cameras) > 2 then
    perform pg_advisory_xact_lock(hashtextextended('visits.counts', 0));
  end if;
  perform from identity where id = any (identities) order by id for share;
  for change in
    select date_trunc('hour', started_at, 'UTC') as hour, camera_id,
           coalesce(sum(sign) filter (where quarter = 0), 0)::integer as visits_0,
           coalesce(sum(sign) filter (where quarter = 0 and is_known), 0)::integer as recognized_0,
           coalesce(sum(sign) filter (where quarter = 1), 0)::integer as visits_1,
           coalesce(sum(sign) filter (where quarter = 1 and is_known), 0)::integer as recognized_1,
           coalesce(sum(sign) filter (where quarter = 2), 0)::integer as visits_2,
           coalesce(sum(sign) filter (where quarter = 2 and is_known), 0)::integer as recognized_2,
           coalesce(sum(sign) filter (where quarter = 3), 0)::integer as visits_3,
           coalesce(sum(sign) filter (where quarter = 3 and is_known), 0)::integer as recognized_3
    from (select visit.*, coalesce(started_at >= naming.known_from, identity.is_known) as is_known,
                 extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
          from unnest(cameras, starts, identities, signs)
                 as visit (camera_id, started_at, identity_id, sign)
          join identity on identity.id = identity_id left join visit_naming naming using (identity_id)) as visit
    group by 1, 2 order by 1, 2
  loop
    if change.recognized_0 between 0 and change.visits_0
      and change.recognized_1 between 0 and change.visits_1
      and change.recognized_2 between 0 and change.visits_2
      and change.recognized_3 between 0 and change.visits_3
    then
      insert into visit_hour as counted
        (hour, camera_id, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
      values (change.hour, change.camera_id, change.visits_0, change.recognized_0, change.visits_1, change.recognized_1,
              change.visits_2, change.recognized_2, change.visits_3, change.recognized_3)
      on conflict (hour, camera_id) do update set
        visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
        visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
        visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
        visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
    else
      update visit_hour as counted set
        visits_0 = counted.visits_0 + change.visits_0, recognized_0 = counted.recognized_0 + change.recognized_0,
        visits_1 = counted.visits_1 + change.visits_1, recognized_1 = counted.recognized_1 + change.recognized_1,
        visits_2 = counted.visits_2 + change.visits_2, recognized_2 = counted.recognized_2 + change.recognized_2,
        visits_3 = counted.visits_3 + change.visits_3, recognized_3 = counted.recognized_3 + change.recognized_3
      where counted.hour = change.hour and counted.camera_id = change.camera_id;
      delete from visit_hour as empty
      where empty.hour = change.hour and empty.camera_id = change.camera_id and visits = 0;
    end if;
  end loop;
  for change in
    select (started_at at time zone 'UTC')::date as day, camera_id, identity_id,
           coalesce(started_at >= naming.known_from, identity.is_known) as is_known, min(sign) < 0 as has_lost,
           count(*)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
    from unnest(cameras, starts, identities, signs)
           as visit (camera_id, started_at, identity_id, sign)
    join identity on identity.id = identity_id left join visit_naming naming using (identity_id)
    group by 1, 2, 3, 4 order by 1, 2, 3
  loop
    if change.has_lost then
      -- Its first and last may have gone with it; whoever changes the day too waits here.
      perform from visit_day
      where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
      for update;
      select count(*)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
      into kept from visit
      where camera_id = change.camera_id and identity_id = change.identity_id
        and started_at >= change.day::timestamp at time zone 'UTC'
        and started_at < (change.day + 1)::timestamp at time zone 'UTC' and deleted_at is null;
      delete from visit_day
      where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
        and kept.visits = 0;
      update visit_day set visits = kept.visits, first_at = kept.first_at, last_at = kept.last_at
      where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
        and kept.visits > 0;
    else
      insert into visit_day as counted
        (is_known, day, camera_id, identity_id, visits, first_at, last_at)
      values (change.is_known, change.day, change.camera_id, change.identity_id, change.visits,
              change.first_at, change.last_at)
      on conflict (day, camera_id, identity_id, is_known) do update
      set visits = counted.visits + excluded.visits,
          first_at = least(counted.first_at, excluded.first_at),
          last_at = greatest(counted.last_at, excluded.last_at);
    end if;
  end loop;
end
$$;

-- Visits that are written count.
create function visit_added() returns trigger language plpgsql as $$
begin
  perform visit_count(array_agg(camera_id), array_agg(started_at), array_agg(identity_id),
                       array_agg(sign))
    from (select *, 1 as sign from added where deleted_at is null) as visit having count(*) > 0;
  return null; end
$$;

-- Visits that are removed count no more.
create function visit_removed() returns trigger language plpgsql as $$
begin
  perform visit_count(array_agg(camera_id), array_agg(started_at), array_agg(identity_id),
                       array_agg(sign))
    from (select *, -1 as sign from removed where deleted_at is null) as visit having count(*) > 0;
  return null; end
$$;

-- Visits that are deleted, restored or given to another identity are counted anew.
create function visit_changed() returns trigger language plpgsql as $$
begin
  perform visit_count(array_agg(camera_id), array_agg(started_at), array_agg(identity_id),
                       array_agg(sign))
    from (
    select old_row.camera_id, old_row.started_at, old_row.identity_id, -1 as sign
    from removed as old_row join added as new_row using (started_at, id)
    where old_row.deleted_at is null
      and (new_row.deleted_at is not null or new_row.identity_id <> old_row.identity_id)
    union all
    select new_row.camera_id, new_row.started_at, new_row.identity_id, 1
    from removed as old_row join added as new_row using (started_at, id)
    where new_row.deleted_at is null
      and (old_row.deleted_at is not null
        or new_row.identity_id <> old_row.identity_id)) as visit having count(*) > 0;
  return null; end
$$;

-- A stranger gets or loses a name: from now on it is a naming under way.
create function visit_identity_named() returns trigger language plpgsql as $$
begin
  -- A naming that is taken back while it goes on has its edge already.
  insert into visit_naming (identity_id, known_from, has_quarters)
  values (new.id, case when new.is_known then timestamptz 'infinity' else '-infinity' end,
          not new.is_known)
  on conflict (identity_id) do update set has_quarters = excluded.has_quarters;
  perform pg_notify('visits_named', '');
  return null;
end
$$;

-- Counts hours and days again from the visits before `until`. Who is named meanwhile waits: their quarters are
-- made of what is counted here.
create function visit_recount_hours(until timestamptz) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('visits.counts', 0));
  lock table visit_naming in share row exclusive mode;
  delete from visit_hour where hour < until;
  delete from visit_day where day < (until at time zone 'UTC')::date;
  insert into visit_hour
    (hour, camera_id, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
  select date_trunc('hour', started_at, 'UTC'), camera_id,
         count(*) filter (where quarter = 0), count(*) filter (where quarter = 0 and is_known),
         count(*) filter (where quarter = 1), count(*) filter (where quarter = 1 and is_known),
         count(*) filter (where quarter = 2), count(*) filter (where quarter = 2 and is_known),
         count(*) filter (where quarter = 3), count(*) filter (where quarter = 3 and is_known)
  from (select started_at, camera_id, coalesce(started_at >= naming.known_from, identity.is_known) as is_known,
               extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
        from visit join identity on identity.id = identity_id left join visit_naming naming using (identity_id)
        where deleted_at is null and started_at < until) as visit
  group by 1, 2;
  insert into visit_day (is_known, day, camera_id, identity_id, visits, first_at, last_at)
  select coalesce(started_at >= naming.known_from, identity.is_known) as is_known,
    (started_at at time zone 'UTC')::date, camera_id, identity_id,
         count(*), min(started_at), max(started_at)
  from visit join identity on identity.id = identity_id left join visit_naming naming using (identity_id)
  where deleted_at is null and started_at < until
  group by 1, 2, 3, 4;
end
$$;

-- Counts any number of visits by days of cameras.
create function visit_count_camera_days(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  change record;
begin
  for change in
    select (started_at at time zone 'UTC')::date as day, camera_id, sum(sign)::integer as visits,
           coalesce(sum(sign) filter (where coalesce(started_at >= naming.known_from, identity.is_known)),
             0)::integer as recognized
    from unnest(cameras, starts, identities, signs)
           as visit (camera_id, started_at, identity_id, sign)
    join identity on identity.id = identity_id left join visit_naming naming using (identity_id)
    group by 1, 2 order by 1, 2
  loop
    if change.visits > 0 and change.recognized between 0 and change.visits then
      insert into visit_camera_day as counted (day, camera_id, visits, recognized)
      values (change.day, change.camera_id, change.visits, change.recognized)
      on conflict (day, camera_id) do update
      set visits = counted.visits + excluded.visits,
          recognized = counted.recognized + excluded.recognized;
    else
      delete from visit_camera_day as empty
      where (empty.day, empty.camera_id) = (change.day, change.camera_id)
        and empty.visits + change.visits = 0;
      update visit_camera_day as counted
      set visits = counted.visits + change.visits,
          recognized = counted.recognized + change.recognized
      where (counted.day, counted.camera_id) = (change.day, change.camera_id);
    end if;
  end loop;
end
$$;

-- Counts visits by hours and days. One visit, the usual case, takes one statement a table.
create function visit_count_days(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  at constant timestamptz := starts[1];
  today constant date := (at at time zone 'UTC')::date;
  quarter constant integer := extract(minute from at at time zone 'UTC')::integer / 15;
  known boolean;
begin
  if cardinality(cameras) > 1 or signs[1] < 0 then
    perform visit_count_many(cameras, starts, identities, signs);
    perform visit_count_camera_days(cameras, starts, identities, signs);
    return;
  end if;
  select identity.is_known into strict known from identity
  where id = identities[1] for share;
  known := coalesce(
    (select at >= known_from from visit_naming where identity_id = identities[1]), known);
  insert into visit_hour as counted
    (hour, camera_id, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
  values (date_trunc('hour', at, 'UTC'), cameras[1],
          (quarter = 0)::integer, (quarter = 0 and known)::integer,
          (quarter = 1)::integer, (quarter = 1 and known)::integer,
          (quarter = 2)::integer, (quarter = 2 and known)::integer,
          (quarter = 3)::integer, (quarter = 3 and known)::integer)
  on conflict (hour, camera_id) do update set
    visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
    visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
    visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
    visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
  insert into visit_day as counted
    (is_known, day, camera_id, identity_id, visits, first_at, last_at)
  values (known, today, cameras[1], identities[1], 1, at, at)
  on conflict (day, camera_id, identity_id, is_known) do update
  set visits = counted.visits + 1, first_at = least(counted.first_at, at),
      last_at = greatest(counted.last_at, at);
  insert into visit_camera_day as counted (day, camera_id, visits, recognized)
  values (today, cameras[1], 1, known::integer)
  on conflict (day, camera_id) do update
  set visits = counted.visits + 1, recognized = counted.recognized + excluded.recognized;
end
$$;

-- Counts hours and days again from the visits before `until`.
create function visit_recount_days(until timestamptz) returns void language plpgsql as $$
begin
  perform visit_recount_hours(until);
  delete from visit_camera_day where day < (until at time zone 'UTC')::date;
  insert into visit_camera_day (day, camera_id, visits, recognized)
    select (hour at time zone 'UTC')::date, camera_id, sum(visits), sum(recognized)
    from visit_hour where hour < until group by 1, 2;
end
$$;

-- The numbers of `through` for days (from 1) with visits.
create function visit_quarter_through(days integer[], visits integer[])
  returns integer[] language sql immutable parallel safe
return (
  select array_agg((running.day * 16777216 + running.through)::integer order by running.day)
  from (select counted.day, sum(counted.visits) over (order by counted.day) as through
        from unnest(visit_quarter_through.days, visit_quarter_through.visits) counted (day, visits)
        where counted.visits <> 0) running);

-- `through` after the visits of a day became more, or fewer where `more` is negative.
create function visit_quarter_moved(through integer[], day integer, more integer)
  returns integer[] language plpgsql immutable parallel safe as $$
declare
  latest constant integer := through[cardinality(through)];
begin
  -- Nearly all visits are of the latest day, or begin one.
  if more > 0 and latest / 16777216 = day then
    return through[:cardinality(through) - 1] || (latest + more);
  elsif more > 0 and latest / 16777216 < day then
    return through || (day * 16777216 + (latest & 16777215) + more);
  end if;
  return (
    select visit_quarter_through(array_agg(counted.day), array_agg(counted.visits))
    from (
      select change.day, sum(change.visits)::integer as visits
      from (
        select element / 16777216 as day,
               (element & 16777215) - lag(element & 16777215, 1, 0) over (order by element) as visits
        from unnest(through) as element
        union all
        select visit_quarter_moved.day, more
      ) as change group by 1
    ) as counted);
end
$$;

-- Counts visits of known people by quarters.
create function visit_count_person_quarters(cameras uuid[], starts timestamptz[], identities uuid[],
  signs integer[])
  returns void language plpgsql as $$
declare
  change record;
begin
  for change in
    select quarter, camera_id, identity_id, day - quarter + 1 as day, min(sign) < 0 as has_lost,
           sum(sign)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
    from
    (select *, (started_at at time zone 'UTC')::date as day,
      date_trunc('quarter', started_at at time zone 'UTC')::date as quarter
 from unnest(cameras, starts, identities, signs)
      as visit (camera_id, started_at, identity_id, sign)) as visit
    join identity on identity.id = identity_id
    where identity.is_known and not exists (
    select from visit_naming naming
    where naming.identity_id = identity.id and not naming.has_quarters)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
  loop
    if not change.has_lost then
      insert into visit_person_quarter as counted
        (quarter, camera_id, identity_id, through, first_at, last_at)
      values (change.quarter, change.camera_id, change.identity_id,
              visit_quarter_through(array[change.day], array[change.visits]),
              change.first_at, change.last_at)
      on conflict (quarter, camera_id, identity_id) do update
      set through = visit_quarter_moved(counted.through, change.day, change.visits),
          first_at = least(counted.first_at, excluded.first_at),
          last_at = greatest(counted.last_at, excluded.last_at);
      continue;
    end if;
    -- Its first and last may have gone with it; whoever changes the quarter too waits here.
    perform from visit_person_quarter
    where (quarter, camera_id, identity_id)
          = (change.quarter, change.camera_id, change.identity_id)
    for update;
    delete from visit_person_quarter
    where (quarter, camera_id, identity_id)
          = (change.quarter, change.camera_id, change.identity_id)
      and visit_quarter_count(through, 92) + change.visits = 0;
    update visit_person_quarter as counted
    set through = visit_quarter_moved(through, change.day, change.visits),
        first_at = coalesce(kept.first_at, counted.first_at),
        last_at = coalesce(kept.last_at, counted.last_at)
    from (select min(first_at) as first_at, max(last_at) as last_at from visit_day
          where camera_id = change.camera_id and identity_id = change.identity_id
            and day >= change.quarter and day < change.quarter + interval '3 months') as kept
    where (quarter, camera_id, identity_id)
          = (change.quarter, change.camera_id, change.identity_id);
  end loop;
  for change in
    select quarter, identity_id, day - quarter + 1 as day, sum(sign)::integer as visits
    from
    (select *, (started_at at time zone 'UTC')::date as day,
      date_trunc('quarter', started_at at time zone 'UTC')::date as quarter
 from unnest(cameras, starts, identities, signs)
      as visit (camera_id, started_at, identity_id, sign)) as visit
    join identity on identity.id = identity_id
    where identity.is_known and not exists (
    select from visit_naming naming
    where naming.identity_id = identity.id and not naming.has_quarters)
    group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
  loop
    if change.visits > 0 then
      insert into visit_identity_quarter as counted (quarter, identity_id, through)
      values (change.quarter, change.identity_id,
              visit_quarter_through(array[change.day], array[change.visits]))
      on conflict (quarter, identity_id) do update
      set through = visit_quarter_moved(counted.through, change.day, change.visits);
      continue;
    end if;
    perform from visit_identity_quarter
    where (quarter, identity_id) = (change.quarter, change.identity_id) for update;
    delete from visit_identity_quarter
    where (quarter, identity_id) = (change.quarter, change.identity_id)
      and visit_quarter_count(through, 92) + change.visits = 0;
    update visit_identity_quarter
    set through = visit_quarter_moved(through, change.day, change.visits)
    where (quarter, identity_id) = (change.quarter, change.identity_id);
  end loop;
end
$$;

-- Counts visits by hours, days and quarters.
create function visit_count_quarters(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  at constant timestamptz := starts[1];
  first_day constant date := date_trunc('quarter', at at time zone 'UTC')::date;
  today constant integer := (at at time zone 'UTC')::date - first_day + 1;
begin
  perform visit_count_days(cameras, starts, identities, signs);
  if cardinality(cameras) > 1 or signs[1] < 0 then
    perform visit_count_person_quarters(cameras, starts, identities, signs);
    return;
  end if;
  perform from identity where id = identities[1] and is_known and not exists (
    select from visit_naming naming
    where naming.identity_id = identity.id and not naming.has_quarters);
  if not found then return; end if;
  insert into visit_person_quarter as counted
    (quarter, camera_id, identity_id, through, first_at, last_at)
  values (first_day, cameras[1], identities[1], array[today * 16777216 + 1], at, at)
  on conflict (quarter, camera_id, identity_id) do update
  set through = visit_quarter_moved(counted.through, today, 1),
      first_at = least(counted.first_at, at), last_at = greatest(counted.last_at, at);
  insert into visit_identity_quarter as counted (quarter, identity_id, through)
  values (first_day, identities[1], array[today * 16777216 + 1])
  on conflict (quarter, identity_id) do update
  set through = visit_quarter_moved(counted.through, today, 1);
end
$$;

-- A stranger who is unknown again has no quarters; these rows are of the identity alone, and few.
create function visit_identity_named_by_quarter() returns trigger language plpgsql as $$
begin
  if not new.is_known then
    delete from visit_person_quarter where identity_id = new.id;
    delete from visit_identity_quarter where identity_id = new.id;
  end if;
  return null;
end
$$;

-- Counts hours, days and quarters again from the visits before `until`.
create function visit_recount_quarters(until timestamptz) returns void language plpgsql as $$
declare
  last constant date := (until at time zone 'UTC')::date;
begin
  perform visit_recount_days(until);
  delete from visit_person_quarter where quarter < last;
  insert into visit_person_quarter (quarter, camera_id, identity_id, through, first_at, last_at)
    select quarter, camera_id, identity_id,
     visit_quarter_through(array_agg(day - quarter + 1), array_agg(visits)),
     min(first_at), max(last_at)
    from (select *, date_trunc('quarter', day)::date as quarter from visit_known_day_now
          where identity_id in (
              select id from identity where is_known
              except select identity_id from visit_naming where not has_quarters)
            and date_trunc('quarter', day)::date < last) as counted
    group by 1, 2, 3;
  delete from visit_identity_quarter where quarter < last;
  insert into visit_identity_quarter (quarter, identity_id, through)
    select quarter, identity_id,
     visit_quarter_through(array_agg(day - quarter + 1), array_agg(visits))
    from (select date_trunc('quarter', day)::date as quarter, day, identity_id,
                 sum(visits)::integer as visits
          from visit_known_day_now
          where identity_id in (
              select id from identity where is_known
              except select identity_id from visit_naming where not has_quarters)
            and date_trunc('quarter', day)::date < last
          group by 1, 2, 3) as counted
    group by 1, 2;
end
$$;

-- Adds up strangers again from their cameras.
create function visit_strangers_again(strangers uuid[]) returns void language plpgsql as $$
declare
  one uuid;
  summed record;
begin
  for one in select distinct stranger from unnest(strangers) stranger order by 1 loop
    insert into visit_stranger values (one, 0, 'epoch', 'epoch') on conflict do nothing;
    perform from visit_stranger where stranger_id = one for update;
    select coalesce(identity.merged_into, identity.id) as stranger_id, sum(kept.visits)::integer as visits,
     min(kept.first_at) as first_at, max(kept.last_at) as last_at
    from visit_stranger_camera kept join identity on identity.id = kept.identity_id
    where identity.data_key is not null and coalesce(identity.merged_into, identity.id) = one group by 1 into summed;
    if found then
      update visit_stranger
      set visits = summed.visits, first_at = summed.first_at, last_at = summed.last_at
      where stranger_id = one;
    else
      delete from visit_stranger where stranger_id = one;
    end if;
  end loop;
end
$$;

-- Counts visits of strangers.
create function visit_count_strangers(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  change record;
begin
  for change in
    select camera_id, identity_id, sum(sign)::integer as visits, min(sign) < 0 as has_lost,
           min(started_at) as first_at, max(started_at) as last_at
    from unnest(cameras, starts, identities, signs)
           as visit (camera_id, started_at, identity_id, sign)
    join identity on identity.id = identity_id
    where number is not null
    group by 1, 2 order by 1, 2
  loop
    if not change.has_lost then
      insert into visit_stranger_camera as counted
        (camera_id, identity_id, visits, first_at, last_at)
      values (change.camera_id, change.identity_id, change.visits, change.first_at, change.last_at)
      on conflict (camera_id, identity_id) do update
      set visits = counted.visits + excluded.visits,
          first_at = least(counted.first_at, excluded.first_at),
          last_at = greatest(counted.last_at, excluded.last_at);
      continue;
    end if;
    -- Its first and last may have gone with it; whoever changes the row too waits here.
    perform from visit_stranger_camera
    where (camera_id, identity_id) = (change.camera_id, change.identity_id) for update;
    delete from visit_stranger_camera as counted
    where (camera_id, identity_id) = (change.camera_id, change.identity_id)
      and counted.visits + change.visits = 0;
    update visit_stranger_camera as counted
    set visits = counted.visits + change.visits,
        first_at = coalesce(kept.first_at, counted.first_at),
        last_at = coalesce(kept.last_at, counted.last_at)
    from (select min(first_at) as first_at, max(last_at) as last_at from visit_day
          where camera_id = change.camera_id and identity_id = change.identity_id) as kept
    where (counted.camera_id, counted.identity_id) = (change.camera_id, change.identity_id);
  end loop;
  perform visit_strangers_again(array_agg(coalesce(merged_into, id)))
  from identity where id = any (identities) and number is not null having count(*) > 0;
end
$$;

-- The part of the cameras whose visits of an hour have one row.
create function visit_part_of_cameras(camera_id uuid) returns integer language sql immutable parallel safe
return get_byte(uuid_send(camera_id), 15) % 4;

-- Counts any number of visits by hours of all cameras. Called when all else is counted: a call that waits for these rows
-- waits only for the end of the transaction.
create function visit_count_totals(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
begin
  insert into visit_hour_total as counted
    (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
  select date_trunc('hour', started_at, 'UTC') as hour, visit_part_of_cameras(camera_id) as part,
         coalesce(sum(sign) filter (where quarter = 0), 0),
         coalesce(sum(sign) filter (where quarter = 0 and is_known), 0),
         coalesce(sum(sign) filter (where quarter = 1), 0),
         coalesce(sum(sign) filter (where quarter = 1 and is_known), 0),
         coalesce(sum(sign) filter (where quarter = 2), 0),
         coalesce(sum(sign) filter (where quarter = 2 and is_known), 0),
         coalesce(sum(sign) filter (where quarter = 3), 0),
         coalesce(sum(sign) filter (where quarter = 3 and is_known), 0)
  from (select visit.*, coalesce(started_at >= naming.known_from, identity.is_known) as is_known,
               extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
        from unnest(cameras, starts, identities, signs)
               as visit (camera_id, started_at, identity_id, sign)
        join identity on identity.id = identity_id left join visit_naming naming using (identity_id)) as visit
  group by 1, 2 order by 1, 2
  on conflict (hour, part) do update set
    visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
    visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
    visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
    visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
  delete from visit_hour_total
  where visits = 0 and (hour, part) in (
    select date_trunc('hour', started_at, 'UTC'), visit_part_of_cameras(camera_id)
    from unnest(cameras, starts) as visit (camera_id, started_at));
end
$$;

-- Counts visits everywhere. One visit, the usual case, takes one statement a table.
create function visit_count(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
  returns void language plpgsql as $$
declare
  at constant timestamptz := starts[1];
  quarter constant integer := extract(minute from at at time zone 'UTC')::integer / 15;
  who record;
begin
  perform visit_count_quarters(cameras, starts, identities, signs);
  if cardinality(cameras) > 1 or signs[1] < 0 then
    perform visit_count_strangers(cameras, starts, identities, signs);
    perform visit_count_totals(cameras, starts, identities, signs);
    return;
  end if;
  select coalesce(merged_into, id) as stranger_id, number is not null as has_number, data_key is not null as is_readable,
         coalesce(at >= known_from, is_known)::integer as known
  into who from identity left join visit_naming on identity_id = id where id = identities[1];
  if who.has_number then
    insert into visit_stranger_camera as counted
      (camera_id, identity_id, visits, first_at, last_at)
    values (cameras[1], identities[1], 1, at, at)
    on conflict (camera_id, identity_id) do update
    set visits = counted.visits + 1, first_at = least(counted.first_at, at),
        last_at = greatest(counted.last_at, at);
  end if;
  if who.has_number and who.is_readable then
    insert into visit_stranger as counted (stranger_id, visits, first_at, last_at)
    values (who.stranger_id, 1, at, at)
    on conflict (stranger_id) do update
    set visits = counted.visits + 1, first_at = least(counted.first_at, at),
        last_at = greatest(counted.last_at, at);
  end if;
  insert into visit_hour_total as counted
    (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
  values (date_trunc('hour', at, 'UTC'), visit_part_of_cameras(cameras[1]),
          (quarter = 0)::integer, (quarter = 0)::integer * who.known,
          (quarter = 1)::integer, (quarter = 1)::integer * who.known,
          (quarter = 2)::integer, (quarter = 2)::integer * who.known,
          (quarter = 3)::integer, (quarter = 3)::integer * who.known)
  on conflict (hour, part) do update set
    visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
    visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
    visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
    visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
end
$$;

-- A stranger gets a number, is merged, taken apart or erased: its counts follow.
create function visit_identity_is_part() returns trigger language plpgsql as $$
begin
  if old.number is null and new.number is not null then
  insert into visit_stranger_camera (camera_id, identity_id, visits, first_at, last_at)
    select camera_id, identity_id, sum(visits), min(first_at), max(last_at)
    from visit_day where identity_id = new.id group by 1, 2;
  end if;
  perform visit_strangers_again(
    array[coalesce(old.merged_into, old.id), coalesce(new.merged_into, new.id)]);
  return null;
end
$$;

-- Counts strangers again from days.
create function visit_recount_strangers() returns void language plpgsql as $$
begin
  delete from visit_stranger;
  delete from visit_stranger_camera;
  insert into visit_stranger_camera (camera_id, identity_id, visits, first_at, last_at)
    select camera_id, identity_id, sum(visits), min(first_at), max(last_at)
    from visit_day where identity_id in (select id from identity where number is not null) group by 1, 2;
  insert into visit_stranger
    select coalesce(identity.merged_into, identity.id) as stranger_id, sum(kept.visits)::integer as visits,
     min(kept.first_at) as first_at, max(kept.last_at) as last_at
    from visit_stranger_camera kept join identity on identity.id = kept.identity_id
    where identity.data_key is not null group by 1;
end
$$;

-- Adds up hours of all cameras again.
create function visit_recount_totals(until timestamptz) returns void language plpgsql as $$
begin
  delete from visit_hour_total where hour < until;
  insert into visit_hour_total
    (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
  select hour, visit_part_of_cameras(camera_id), sum(visits_0), sum(recognized_0), sum(visits_1), sum(recognized_1),
         sum(visits_2), sum(recognized_2), sum(visits_3), sum(recognized_3)
  from visit_hour where hour < until group by 1, 2 order by 1, 2;
end
$$;

-- Counts all again from the visits before `until`.
create function visit_recount(until timestamptz) returns void language plpgsql as $$
begin
  perform visit_recount_quarters(until);
  perform visit_recount_strangers();
  perform visit_recount_totals(until);
end
$$;

-- The visits up to the end of a day (from 1).
create function visit_quarter_count(through integer[], day integer)
  returns integer language sql immutable parallel safe
return coalesce(((through)[width_bucket((((day + 1) * 16777216) - 1), through)] & 16777215), 0);

-- Visits whose hours are not moved yet. A function, because the planner supposes that a table without rows has a
-- thousand.
create function visit_pending()
  returns table(hour timestamptz, camera_id uuid, quarter integer,
    recognized integer) language plpgsql stable parallel safe rows 1 as $$
declare
  naming record;
begin
  for naming in
    select identity.id, is_known, case when is_known then '-infinity' else known_from end as from_at,
           case when is_known then known_from else 'infinity' end as until_at
    from visit_naming join identity on identity.id = identity_id
  loop
    return query
    select date_trunc('hour', visit.started_at, 'UTC'), visit.camera_id,
           extract(minute from visit.started_at at time zone 'UTC')::integer / 15,
           case when naming.is_known then 1 else -1 end
    from visit
    where visit.identity_id = naming.id and visit.deleted_at is null
      and visit.started_at >= naming.from_at and visit.started_at < naming.until_at;
  end loop;
end
$$;

-- Days that are not moved yet.
create function visit_pending_days()
  returns setof visit_day language plpgsql stable parallel safe rows 1 as $$
declare
  naming record;
begin
  for naming in
    select identity.id, is_known from visit_naming join identity on identity.id = identity_id
  loop
    return query
    select * from visit_day as counted
    where counted.identity_id = naming.id and counted.is_known = not naming.is_known;
  end loop;
end
$$;

-- Quarters of an identity at cameras, made of its days.
create function visit_person_quarters_of(named uuid)
  returns setof visit_person_quarter language sql stable parallel safe as $$
select quarter, camera_id, identity_id,
       visit_quarter_through(array_agg(day - quarter + 1), array_agg(visits)),
       min(first_at), max(last_at)
from (select *, date_trunc('quarter', day)::date as quarter
      from visit_day where identity_id = named) as counted
group by 1, 2, 3
$$;

-- Quarters of an identity, made of its days.
create function visit_identity_quarters_of(named uuid)
  returns setof visit_identity_quarter language sql stable parallel safe as $$
select quarter, identity_id,
       visit_quarter_through(array_agg(day - quarter + 1), array_agg(visits))
from (select date_trunc('quarter', day)::date as quarter, day, identity_id,
             sum(visits)::integer as visits
      from visit_day where identity_id = named group by 1, 2, 3) as counted
group by 1, 2
$$;

-- Quarters at cameras that are not made yet.
create function visit_pending_person_quarters()
  returns setof visit_person_quarter language plpgsql stable parallel safe rows 1 as $$
declare
  named uuid;
begin
  for named in
    select id from visit_naming join identity on id = identity_id
    where is_known and not has_quarters
  loop
    return query select * from "visit_person_quarters_of"(named);
  end loop;
end
$$;

-- Quarters that are not made yet.
create function visit_pending_identity_quarters()
  returns setof visit_identity_quarter language plpgsql stable parallel safe rows 1 as $$
declare
  named uuid;
begin
  for named in
    select id from visit_naming join identity on id = identity_id
    where is_known and not has_quarters
  loop
    return query select * from "visit_identity_quarters_of"(named);
  end loop;
end
$$;

-- Moves the counts of whole days with so many visits of the identity, or one day with more: newest first when it
-- is named, oldest first when the name is taken back, so that one edge separates both. Rows are locked in the
-- order of all who count: hours, days of people, days of cameras, hours of all cameras. The first batch is that of the quarters.
create function visit_move_named(named uuid, max_visits integer)
  returns void language plpgsql set enable_seqscan to 'off' set enable_bitmapscan to 'off' as $$
declare
  known boolean;
  naming visit_naming;
  bound date;
  from_at timestamptz;
  until_at timestamptz;
  sign integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('visits.counts', 0));
  select is_known into known from identity where id = named for no key update;
  select * into naming from visit_naming where identity_id = named;
  if not found then return; end if;
  if not naming.has_quarters then
    insert into visit_person_quarter select * from visit_person_quarters_of(named);
    insert into visit_identity_quarter select * from visit_identity_quarters_of(named);
    update visit_naming set has_quarters = true where identity_id = named;
    return;
  end if;
  if known then
    select max(day) into bound from (
      select day, sum(visits) over (order by day desc) as through
      from (select day, visits from visit_day
            where identity_id = named and not is_known order by day desc limit max_visits) as pending
    ) as running where through >= max_visits;
    from_at := coalesce(bound::timestamp at time zone 'UTC', '-infinity');
    until_at := naming.known_from;
  else
    select min(day) into bound from (
      select day, sum(visits) over (order by day) as through
      from (select day, visits from visit_day
            where identity_id = named and is_known order by day limit max_visits) as pending
    ) as running where through >= max_visits;
    from_at := naming.known_from;
    until_at := coalesce((bound + 1)::timestamp at time zone 'UTC', 'infinity');
  end if;
  sign := case when known then 1 else -1 end;
  perform visit_move_hours(named, from_at, until_at, sign);
  perform visit_move_days(named, from_at, until_at, sign);
  perform visit_move_totals(named, from_at, until_at, sign);
  if bound is null then
    delete from visit_naming where identity_id = named;
  else
    update visit_naming set known_from = case when known then from_at else until_at end
    where identity_id = named;
  end if;
end
$$;

-- Moves hours of an identity from one side of the edge to the other.
create function visit_move_hours(named uuid, from_at timestamptz, until_at timestamptz, sign integer)
  returns void language plpgsql as $$
begin
  perform from visit_hour as counted
  join (select distinct date_trunc('hour', started_at, 'UTC') as hour, camera_id
        from visit
        where identity_id = named and deleted_at is null
          and started_at >= from_at and started_at < until_at) as visit
    using (hour, camera_id)
  order by hour, camera_id for update of counted;
  update visit_hour as counted set
    recognized_0 = counted.recognized_0 + change.recognized_0,
    recognized_1 = counted.recognized_1 + change.recognized_1,
    recognized_2 = counted.recognized_2 + change.recognized_2,
    recognized_3 = counted.recognized_3 + change.recognized_3
  from (
    select date_trunc('hour', started_at, 'UTC') as hour, camera_id,
      sign * count(*) filter (where quarter = 0)::integer as recognized_0,
      sign * count(*) filter (where quarter = 1)::integer as recognized_1,
      sign * count(*) filter (where quarter = 2)::integer as recognized_2,
      sign * count(*) filter (where quarter = 3)::integer as recognized_3
    from (select *, extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
          from visit
          where identity_id = named and deleted_at is null
            and started_at >= from_at and started_at < until_at) as visit
    group by 1, 2
  ) as change
  where counted.hour = change.hour and counted.camera_id = change.camera_id;
end
$$;

-- Moves days of an identity from one side of the edge to the other.
create function visit_move_days(named uuid, from_at timestamptz, until_at timestamptz, sign integer)
  returns void language plpgsql as $$
begin
  update visit_day set is_known = sign > 0
  where visit_day.identity_id = named
    and visit_day.day >= (from_at at time zone 'UTC')::date
    and visit_day.day < (until_at at time zone 'UTC')::date;
  perform from visit_camera_day as counted
  join visit_day as theirs using (day, camera_id)
  where
    theirs.identity_id = named
    and theirs.day >= (from_at at time zone 'UTC')::date
    and theirs.day < (until_at at time zone 'UTC')::date
  order by day, camera_id for update of counted;
  update visit_camera_day as counted set recognized = recognized + sign * theirs.visits
  from visit_day as theirs
  where
    theirs.identity_id = named
    and theirs.day >= (from_at at time zone 'UTC')::date
    and theirs.day < (until_at at time zone 'UTC')::date
    and (counted.day, counted.camera_id) = (theirs.day, theirs.camera_id);
end
$$;

-- Moves hours of all cameras from one side of the edge to the other.
create function visit_move_totals(named uuid, from_at timestamptz, until_at timestamptz, sign integer)
  returns void language plpgsql as $$
begin
  insert into visit_hour_total as counted (hour, part, recognized_0, recognized_1, recognized_2, recognized_3)
  select date_trunc('hour', started_at, 'UTC') as hour, visit_part_of_cameras(camera_id) as part,
         sign * count(*) filter (where quarter = 0), sign * count(*) filter (where quarter = 1),
         sign * count(*) filter (where quarter = 2), sign * count(*) filter (where quarter = 3)
  from (select *, extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
        from visit
        where identity_id = named and deleted_at is null
          and started_at >= from_at and started_at < until_at) as visit
  group by 1, 2 order by 1, 2
  on conflict (hour, part) do update set
    recognized_0 = counted.recognized_0 + excluded.recognized_0,
    recognized_1 = counted.recognized_1 + excluded.recognized_1,
    recognized_2 = counted.recognized_2 + excluded.recognized_2,
    recognized_3 = counted.recognized_3 + excluded.recognized_3;
end
$$;

-- Hours as they are once all namings are done.
create view visit_hour_now as
  select hour, camera_id, visits, recognized,
         visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3
    from visit_hour
   union all
  select hour, camera_id, 0, recognized,
         0, case quarter when 0 then recognized else 0 end,
         0, case quarter when 1 then recognized else 0 end,
         0, case quarter when 2 then recognized else 0 end,
         0, case quarter when 3 then recognized else 0 end
    from visit_pending();

-- Hours of all cameras as they are once all namings are done.
create view visit_hour_total_now as
  select hour, visits, recognized,
         visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3
    from visit_hour_total
   union all
  select hour, 0, recognized,
         0, case quarter when 0 then recognized else 0 end,
         0, case quarter when 1 then recognized else 0 end,
         0, case quarter when 2 then recognized else 0 end,
         0, case quarter when 3 then recognized else 0 end
    from visit_pending();

-- Days of cameras as they are once all namings are done.
create view visit_camera_day_now as
  select day, camera_id, visits, recognized from visit_camera_day
   union all
  select day, camera_id, 0, case when is_known then -visits else visits end from visit_pending_days();

-- Days of people who are known. Those whose name was taken back a moment ago are among them: readers join who is
-- known.
create view visit_known_day_now as
  select day, camera_id, identity_id, visits, first_at, last_at from visit_day where is_known
   union all
  select day, camera_id, identity_id, visits, first_at, last_at from visit_pending_days() where not is_known;

-- Quarters of people at cameras as they are once all namings are done.
create view visit_person_quarter_now as
  select * from visit_person_quarter union all select * from visit_pending_person_quarters();

-- Quarters of people as they are once all namings are done.
create view visit_identity_quarter_now as
  select * from visit_identity_quarter union all select * from visit_pending_identity_quarters();

create trigger identity_is_part after update of number, merged_into, data_key on identity for each row
  when (
    (old.number is null) <> (new.number is null)
    or old.merged_into is distinct from new.merged_into
    or (old.data_key is null) <> (new.data_key is null)
  )
  execute function visit_identity_is_part();
create trigger identity_is_recounted after update of person_id, was_known on identity for each row
  when (old.is_known <> new.is_known)
  execute function visit_identity_named();
create trigger identity_is_recounted_by_quarter after update of person_id, was_known on identity for each row
  when (old.is_known <> new.is_known)
  execute function visit_identity_named_by_quarter();
create trigger visit_is_counted after insert on visit referencing new table as added for each statement
  execute function visit_added();
create trigger visit_is_recounted after update on visit
  referencing old table as removed new table as added for each statement
  execute function visit_changed();
create trigger visit_is_uncounted after delete on visit referencing old table as removed for each statement
  execute function visit_removed();


-- Recordings (recordings) -----------------------------------------------------------------------------------------

-- Folders that recordings are written to.
create table recording_root (
  -- Also in the file nazar-root.json of the folder: a disk that is away is not mistaken for an empty one.
  id uuid primary key,
  path text not null,
  created_at timestamptz not null
);

-- How a camera is recorded. No row: the defaults.
create table recording_settings (
  camera_id uuid primary key references camera (id) on delete cascade,
  -- Null: the first one.
  root_id uuid references recording_root (id),
  -- Below the root; null: a folder of the camera's id.
  folder text,
  retention_days integer not null default 30 check (retention_days between 1 and 365),
  -- Recorded by hand since then; null: it is not.
  manual_since timestamptz,
  updated_at timestamptz not null,
  continuous boolean not null default false,
  motion boolean not null default true,
  -- { timeZone, spans: [{ day, from, until }] }; null: by no schedule.
  schedule jsonb,
  -- A test recording runs until then.
  test_until timestamptz,
  -- The stream nearest to 480, 720, 1080 or 2160 lines.
  quality text not null default 'ultra' check (quality in ('low', 'medium', 'high', 'ultra'))
);

-- What was recorded for one reason without a long pause. It ends with its last segment.
create table recording (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  type text not null check (type in ('continuous', 'manual', 'scheduled', 'motion', 'test')),
  started_at timestamptz not null
);
create index recording_of_camera on recording (camera_id, started_at);
create index recording_by_time on recording (started_at);

-- A file of a recording. Every row has a file, every file has a row, and the file says the same.
create table recording_segment (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  recording_id uuid not null references recording (id),
  root_id uuid not null references recording_root (id),
  -- Below the root.
  path text not null,
  started_at timestamptz not null,
  -- Null: it is being written, and the numbers below are not known yet.
  ended_at timestamptz,
  bytes bigint,
  -- Length of the initialisation segment at its beginning.
  head_bytes integer,
  pictures integer,
  -- Where players can begin, in bytes from the start of the file.
  key_offsets integer[],
  -- The same moments, in milliseconds from the start of the segment.
  key_times integer[],
  -- The hash of the whole file, as it was closed.
  sha256 bytea check (length(sha256) = 32),
  codec text not null,
  -- For the player: container and codecs.
  mime text not null,
  width integer not null,
  height integer not null,
  -- The same for segments that continue one another without a new initialisation segment.
  stream_id uuid not null,
  -- When something moved, in pairs with motion_until, in milliseconds from the start of the segment. Null: its
  -- pictures were not compared.
  motion_from integer[],
  motion_until integer[],
  -- The last so many bytes of the file are a JPEG. Null: there is none.
  still_bytes integer,
  -- When it is of, in milliseconds from the start of the segment.
  still_ms integer check (still_ms >= 0),
  -- 'main', a pair of streams whose sub-stream it shows, or 'sub' of a pair that was not known. Null: from before
  -- this was kept.
  shows text,
  -- The same of the still, which need not be of the stream that is recorded.
  still_shows text,
  constraint recording_segment_check check (ended_at >= started_at),
  constraint recording_segment_check1 check (num_nulls(ended_at, bytes, head_bytes, pictures, key_offsets,
    key_times, sha256) in (0, 7)),
  constraint recording_segment_check2 check (still_bytes between 1 and bytes),
  constraint recording_segment_motion check ((num_nulls(motion_from, motion_until) in (0, 2))
    and coalesce((cardinality(motion_from) = cardinality(motion_until)), true)),
  constraint recording_segment_still check (num_nulls(still_bytes, still_ms) in (0, 2))
);
create unique index recording_segment_file on recording_segment (root_id, path);
create index recording_segment_open on recording_segment (camera_id) where (ended_at is null);
create index recording_segment_oldest on recording_segment (root_id, started_at);
create index recording_segment_of_camera on recording_segment (camera_id, started_at) include (ended_at,
  recording_id);
create index recording_segment_of_recording on recording_segment (recording_id, started_at) include (ended_at);
create index recording_segment_moving on recording_segment (recording_id) where (motion_from <> '{}'::integer[]);
create index recording_segment_moving_at on recording_segment (camera_id, started_at)
  where (motion_from <> '{}'::integer[]);

-- When a camera was to be recorded and was not, and why.
create table recording_gap (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  started_at timestamptz not null,
  -- Null: it goes on.
  ended_at timestamptz,
  cause text not null check (cause in ('camera', 'network', 'password', 'disk', 'restart', 'clock', 'lost',
    'switched_off', 'no_motion', 'deleted')),
  constraint recording_gap_check check (ended_at > started_at)
);
create unique index recording_gap_open on recording_gap (camera_id) where (ended_at is null);
create index recording_gap_of_camera on recording_gap (camera_id, started_at);

-- Files that are to be removed: their rows are gone.
create table recording_garbage (
  root_id uuid not null references recording_root (id),
  path text not null,
  constraint recording_garbage_pkey primary key (root_id, path)
);

-- Spans of time that retention must not remove.
create table recording_hold (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  reason text not null check (length(reason) between 1 and 500),
  -- Null: the account is gone.
  created_by uuid references app_user (id) on delete set null,
  created_at timestamptz not null,
  constraint recording_hold_check check (ended_at > started_at)
);
create index recording_hold_of_camera on recording_hold (camera_id, ended_at);
create index recording_hold_by_maker on recording_hold (created_by);

-- Moments that a user marked.
create table recording_bookmark (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  at timestamptz not null,
  -- A user's own words, which may name people: they go with the account.
  note text not null check (length(note) between 1 and 500),
  created_by uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null
);
create index recording_bookmark_of_camera on recording_bookmark (camera_id, at);
create index recording_bookmark_by_maker on recording_bookmark (created_by);

-- Films for users to keep.
create table recording_export (
  id uuid primary key,
  camera_id uuid not null references camera (id) on delete cascade,
  created_by uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null,
  -- The part of what was recorded.
  from_at timestamptz not null,
  until_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed')),
  -- How often it was begun: after several it failed.
  attempts integer not null default 0,
  -- Why it failed.
  fault text,
  -- Where its file is.
  root_id uuid references recording_root (id),
  -- What its sources have, by which its progress is counted.
  expected_bytes bigint,
  -- Size and hash of the whole file, once it is done.
  bytes bigint,
  sha256 bytea check (length(sha256) = 32),
  -- The length of the video, gaps left out.
  seconds double precision,
  -- Its file is removed then.
  expires_at timestamptz,
  -- Privacy zones are burnt in.
  is_masked boolean not null default false,
  -- The polygons that are burnt in, once it is made: after another one is drawn the film is not given out any
  -- more.
  masks jsonb,
  -- How much was encoded again, so that it begins at the second that was asked for. Null: not made yet, or from before
  -- this was kept.
  encoded_seconds double precision,
  -- How much of the period was left out.
  left_out_seconds double precision,
  constraint recording_export_check check (until_at > from_at),
  constraint recording_export_check1 check ((fault is not null) = (status = 'failed')),
  constraint recording_export_check2 check ((bytes is not null) = (status = 'done')),
  constraint recording_export_check3 check ((sha256 is not null) = (status = 'done')),
  constraint recording_export_check4 check (masks is null or is_masked)
);
create index recording_export_of_user on recording_export (created_by, created_at);
create index recording_export_of_camera on recording_export (camera_id);
create index recording_export_waiting on recording_export (created_at) where (status = 'waiting');

-- What notifications read of exports.
create view recordings_v_export as
  select id, camera_id, created_by, status
    from recording_export;

-- Where in the picture something moved during a segment.
create table recording_motion (
  -- The row is removed with its segment.
  segment_id uuid primary key references recording_segment (id) on delete cascade,
  camera_id uuid not null,
  started_at timestamptz not null,
  -- By how many degrees clockwise the recorded picture is turned.
  rotation smallint not null check (rotation in (0, 90, 180, 270)),
  -- 16x9 cells, row by row: those in which something moved at any time of the segment.
  cells bit(144) not null,
  -- Which cells moved when (media/protocol/motion-grid.ts).
  grid bytea not null,
  -- Whether the cells are of the main picture; null: from before this was kept.
  of_main boolean
);
create index recording_motion_of_camera on recording_motion (camera_id, started_at) include (cells, rotation,
  of_main, segment_id);

-- The latest time that was believed, by which recordings are removed: a clock far ahead removes nothing. One row.
create table recording_hour (
  only_row boolean primary key default true check (only_row),
  believed_at timestamptz not null
);

-- When something is recorded, for other modules.
create view recordings_v_segment as
  select camera_id, started_at, ended_at
    from recording_segment;


-- Consent and erasure (privacy) -----------------------------------------------------------------------------------

-- The legal basis on which a person is recognized.
create table consent (
  person_id uuid primary key references person (id) on delete cascade,
  basis text not null check (basis in ('consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task',
    'legitimate_interests')),
  obtained_at date not null,
  expires_at date,
  -- Where the document is kept, in the user's words.
  document text not null default '' check (length(document) <= 300),
  -- No foreign key: it outlives the account.
  recorded_by uuid not null,
  recorded_at timestamptz not null,
  constraint consent_check check (expires_at > obtained_at)
);
alter table consent alter document set statistics 0;

-- What was erased, and how far it is.
create table erasure (
  id uuid primary key,
  subject text not null check (subject in ('person', 'account')),
  -- The person or account that is gone; no foreign key.
  subject_id uuid not null,
  reason text not null check (reason in ('asked', 'deleted', 'account_ended', 'retention', 'replayed')),
  requested_at timestamptz not null,
  -- What the terms promise.
  due_at timestamptz not null,
  -- Keys and rows are gone: nothing of it can be read through the product.
  removed_at timestamptz,
  -- Dead rows and the write-ahead log are gone from the disk, too.
  cleaned_at timestamptz,
  -- Counts, and once cleaned what was proven; nothing that says who it was.
  certificate jsonb not null default '{}'::jsonb,
  -- The transaction that removed it: cleaning waits until no reader sees what was there before.
  removed_by xid8,
  constraint erasure_subject_subject_id_key unique (subject, subject_id),
  constraint erasure_check check (cleaned_at is null or removed_at is not null)
);
create index erasure_open on erasure (requested_at) where (cleaned_at is null);

-- When what was too old was last removed. One row.
create table retention_run (
  only_row boolean primary key default true check (only_row),
  ran_at timestamptz,
  -- The latest time that was believed: a clock far ahead of it removes nothing at once.
  believed_at timestamptz not null
);


-- The record of who did what, the activity log, and warnings (activity) -------------------------------------------

-- The record of who did what: entries that are chained once they are sealed, and never changed.
create table audit_entry (
  -- UUIDv7 of the writer.
  id uuid primary key,
  -- In whole milliseconds, as the chain covers it.
  recorded_at timestamptz(3) not null,
  -- By a request, at the machine's console, reported by a client of itself, or by the server by itself.
  source text not null check (source in ('request', 'console', 'client', 'system')),
  -- Made to try something; not counted in statistics.
  is_mock boolean not null,
  -- Null: no user was signed in. No foreign key: the record outlives the account.
  user_id uuid,
  session_id uuid,
  -- '' where there was no network (console).
  ip text not null check (length(ip) <= 45),
  user_agent text not null check (length(user_agent) <= 300),
  -- From the closed list in activity/entry.ts.
  action text not null check (action ~ '^[a-z]+.[a-z_]+$'),
  object_type text,
  object_id text check (length(object_id) <= 100),
  -- The type is json, not jsonb: kept letter by letter, because the chain covers the letters.
  details json not null,
  -- Place in the chain, from 1 without gaps, in the order in which entries were sealed; null: not sealed yet.
  sequence bigint unique check (sequence > 0),
  -- HMAC-SHA256 over the entry before it and this one.
  mac bytea check (length(mac) = 32),
  constraint audit_entry_check check ((sequence is null) = (mac is null)),
  constraint audit_entry_check1 check ((object_type is null) = (object_id is null))
);
create index audit_entry_unsealed on audit_entry (id) where (sequence is null);
create index audit_entry_by_time on audit_entry (recorded_at desc, id desc);
create index audit_entry_of_user on audit_entry (user_id, recorded_at desc, id desc);
create index audit_entry_of_client on audit_entry (user_id, recorded_at) where (source = 'client');
create index audit_entry_about_user on audit_entry (object_id, recorded_at desc, id desc)
  where (object_type = 'user');
create index audit_entry_told_about on audit_entry (object_id) where (source = 'client' and object_id is not null);
create index audit_entry_of_action on audit_entry (action, recorded_at desc, id desc);
create index audit_entry_of_ip on audit_entry (ip, recorded_at desc, id desc);
create index audit_entry_of_content_type on audit_entry (coalesce(object_type, (details ->> 'content_type'),
  'system'), recorded_at desc, id desc);
create index audit_entry_of_object_id on audit_entry (object_id, recorded_at desc, id desc) include (action,
  user_id);

-- What an entry is searched and filtered by. It can be made again from the entries.
create table activity_detail (
  -- Removed with its entry, once that is too old.
  entry_id uuid primary key references audit_entry (id) on delete cascade,
  user_id uuid,
  -- Values that users read as they stand, in small letters.
  words text not null,
  -- Fields (status), and values that are read in the reader's language (status=inactive) or are short (=12).
  tokens text[] not null,
  ip text not null,
  action text not null,
  content_type text not null,
  object_id text,
  is_mock boolean not null
);
alter table activity_detail alter words set statistics 0;
create index activity_detail_tokens on activity_detail using gin (tokens);
create index activity_detail_words on activity_detail using gin (words gin_trgm_ops);

-- Free words that belong to an entry. They may name people, so they can be deleted; the chain holds their digest
-- alone.
create table activity_note (
  -- The entry whose details hold the digest of this text.
  entry_id uuid primary key references audit_entry (id) on delete cascade,
  user_id uuid not null,
  -- The client's own id of it: sent twice, it is kept once. Null: the client gave none.
  client_id text check (length(client_id) between 1 and 64),
  -- The chain holds SHA-256 of salt and text: a changed text is found, and a deleted one can't be guessed.
  salt bytea check (length(salt) = 32),
  -- JSON of activity/notes.ts, letter by letter. Null: forgotten.
  text text check (length(text) <= 12000),
  -- What is read of the text: its values, without names of fields and the marks of JSON, in small letters.
  words text check (length(words) <= 12000),
  ip text not null,
  action text not null,
  content_type text not null,
  object_id text,
  is_mock boolean not null,
  constraint activity_note_user_id_client_id_key unique (user_id, client_id),
  constraint activity_note_check check ((text is null) = (salt is null)),
  constraint activity_note_check1 check (text is not null or words is null),
  constraint activity_note_check2 check (text is not null or object_id is null)
);
alter table activity_note
  alter client_id set statistics 0,
  alter salt set statistics 0,
  alter text set statistics 0,
  alter words set statistics 0;
create index activity_note_words on activity_note using gin (words gin_trgm_ops);

-- Entries that a user took out of the activity log. The chain keeps them.
create table activity_tombstone (
  entry_id uuid primary key references audit_entry (id),
  deleted_at timestamptz not null,
  -- No foreign key: it outlives the account.
  deleted_by uuid not null
);

-- Kept counts: sealed entries of a day, by what the log is filtered by.
create table activity_day (
  -- In UTC.
  day date not null,
  user_id uuid,
  action text not null,
  content_type text not null,
  is_mock boolean not null,
  -- How many were sealed.
  entries integer not null,
  -- How many were taken out of the log, sealed or not.
  buried integer not null,
  constraint activity_day_day_user_id_action_content_type_is_mock_key unique nulls not distinct (day, user_id,
    action, content_type, is_mock)
) with (fillfactor=80);

-- Searches of the activity log that a user saved.
create table activity_saved_search (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- The filters as they were typed: '' and null filter nothing.
  term text not null check (length(term) <= 150),
  action text,
  date_from text check (length(date_from) <= 40),
  date_to text check (length(date_to) <= 40),
  content_type text not null check (length(content_type) <= 40),
  target_id text not null check (length(target_id) <= 100),
  ip text not null check (length(ip) <= 45),
  saved_at timestamptz not null,
  constraint activity_saved_search_user_id_name_key unique (user_id, name)
);
alter table activity_saved_search alter name set statistics 0, alter term set statistics 0;

-- When the record was last verified by the server. Of several servers one does it: the one that wrote its time here.
-- One row.
create table audit_check (
  single boolean primary key default true check (single),
  claimed_at timestamptz not null,
  finished_at timestamptz not null
);
insert into audit_check (claimed_at, finished_at) values ('1970-01-01Z', '1970-01-01Z');

-- Up to where entries were removed for their age.
create table audit_checkpoint (
  -- Entries up to this one were removed; the chain goes on from its signature.
  sequence bigint primary key check (sequence > 0),
  -- That of the last entry that was removed.
  mac bytea not null check (length(mac) = 32),
  made_at timestamptz(3) not null,
  -- HMAC-SHA256 of the above under the chain's key.
  signature bytea not null check (length(signature) = 32)
);

-- Verifications of the record that administrators asked for.
create table audit_verification (
  id uuid primary key,
  -- No foreign key: it outlives the account.
  asked_by uuid not null,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  state text not null check (state in ('running', 'done', 'cancelled', 'interrupted', 'failed')),
  -- Entries that were checked so far; total: that there were when it began.
  checked bigint not null default 0 check (checked >= 0),
  total bigint not null check (total >= 0),
  -- The signed text that can be saved.
  file text,
  constraint audit_verification_check check ((ended_at is null) = (state = 'running')),
  constraint audit_verification_check1 check ((file is not null) = (state = 'done'))
);
create unique index audit_verification_running on audit_verification (state) where (state = 'running');

-- What administrators and users are warned of.
create table security_warning (
  id uuid primary key,
  kind text not null check (kind in ('record_broken', 'session_stolen', 'many_denials', 'key_new_address',
    'disk_low', 'disk_full', 'folder_away', 'folder_hung', 'storage_short', 'camera_down', 'camera_frozen',
    'camera_covered', 'person_matched', 'models_changed', 'models_waiting')),
  -- Id of the user or camera that it is about; '': the installation.
  subject text not null,
  details jsonb not null,
  -- How often it happened since first_at.
  count integer not null default 1 check (count > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- What it warned of is over, or, of what happened once, an administrator took note of it.
  ended_at timestamptz,
  acknowledged_at timestamptz,
  -- No foreign key: it outlives the account.
  acknowledged_by uuid,
  constraint security_warning_check check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index security_warning_living on security_warning (kind, subject) where (ended_at is null);

-- Warnings that are open, with the name of what they are about.
create view security_warning_open as
  select warning.id, warning.kind, warning.subject, warning.details, warning.count, warning.first_at,
    warning.last_at, coalesce(camera.name, app_user.email) as subject_name
    from ((security_warning warning
      left join app_user on (((app_user.id)::text = warning.subject)))
      left join cameras_v_camera camera on (((camera.id)::text = warning.subject)))
   where ((warning.ended_at is null) and (warning.acknowledged_at is null));

-- Warnings, for other modules. camera_id: of the camera that it is about, while that is there.
create view activity_v_warning as
  select warning.id, warning.kind, warning.subject, warning.details, warning.count, warning.last_at,
    warning.ended_at, warning.acknowledged_at, warning.acknowledged_by, camera.id as camera_id
    from (security_warning warning
      left join cameras_v_camera camera on (((warning.kind = any (array['camera_down', 'camera_frozen',
        'camera_covered'])) and ((camera.id)::text = warning.subject) and (camera.deleted_at is null))));

-- Who did something, as the log names them.
create view activity_user as
  select id, email, trim(both from ((first_name || ' ') || last_name)) as name
    from app_user;

-- Entries of the activity log as they are read, with their notes.
create view activity_log as
  select entry.id, entry.recorded_at, entry.source, entry.is_mock, entry.user_id, coalesce(activity_user.email,
    '') as user_email, coalesce(activity_user.name, '') as user_name, entry.ip, entry.user_agent, entry.action,
    coalesce(entry.object_type, (entry.details ->> 'content_type'), 'system') as content_type, entry.object_id,
    entry.details, note.text as note, entry.sequence
    from ((audit_entry entry
      left join activity_user on ((activity_user.id = entry.user_id)))
      left join activity_note note on ((note.entry_id = entry.id)))
   where (not (exists ( select
            from activity_tombstone
           where (activity_tombstone.entry_id = entry.id))));

-- What entries can be about, with its name and whose it is.
create view activity_object as
  select 'camera' as type, camera.id, camera.name, camera.created_by as owner_id,
    (camera.deleted_at is null) as is_there
    from camera
union all
  select 'face' as type, person.id, trim(both from ((person.first_name || ' ') || person.last_name)) as name,
    person.created_by as owner_id, true as is_there
    from person
union all
  select 'unknown_face' as type, identity.id,
    trim(both from ((person.first_name || ' ') || person.last_name)) as name, person.created_by as owner_id,
    true as is_there
    from (identity
      join person on ((person.id = identity.person_id)))
union all
  select 'user' as type, app_user.id,
    coalesce(nullif(trim(both from ((app_user.first_name || ' ') || app_user.last_name)), ''),
    app_user.email) as name, app_user.id as owner_id, true as is_there
    from app_user
union all
  select 'face_category' as type, face_category.id, face_category.name, null::uuid as owner_id, true as is_there
    from face_category
union all
  select 'user_group' as type, user_group.id, user_group.name, null::uuid as owner_id, true as is_there
    from user_group
union all
  select 'camera_group' as type, camera_group.id, camera_group.name, null::uuid as owner_id, true as is_there
    from camera_group;

-- Entries of the activity log without joins: which of them a page holds is found here.
create view activity_entry as
  select id, recorded_at, is_mock, user_id, ip, action, coalesce(object_type, (details ->> 'content_type'),
    'system') as content_type, object_id, details
    from audit_entry
   where (not (exists ( select
            from activity_tombstone
           where (activity_tombstone.entry_id = audit_entry.id))));

-- The record is never changed; entries are removed only once they are too old and a checkpoint stands for them.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'audit_entry' then
    if audit_is_pruned(old.sequence, old.recorded_at) then return old; end if;
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'activity_tombstone' then
    if exists (select from audit_entry entry where entry.id = old.entry_id
                 and audit_is_pruned(entry.sequence, entry.recorded_at)) then return old; end if;
  end if;
  raise exception 'the record of who did what is never changed (% of %)', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;

-- Whether a checkpoint stands for this entry and it is 90 days older than the checkpoint.
create function audit_is_pruned(entry_sequence bigint, entry_recorded_at timestamptz)
  returns boolean language sql stable as $$
select exists (select from audit_checkpoint
                where sequence >= entry_sequence
                  and made_at - interval '90 days' > entry_recorded_at)
$$;

-- The values in the details of an entry, with the field that each belongs to.
create function activity_leaves(details json)
  returns table(field text, value text, kind text) language sql immutable parallel safe as $$
with recursive node (field, value, kind) as (
  select '', details, json_typeof(details)
  union all
  -- What a change was from and to belongs to the field that changed.
  select case when child.name in ('changes', 'from', 'to') then node.field else coalesce(child.name,
    node.field) end,
         child.value, json_typeof(child.value)
    from node cross join lateral (
      select key as name, value from json_each(case node.kind when 'object' then node.value else '{}' end)
      union all
      select null, value from json_array_elements(case node.kind when 'array' then node.value else '[]' end)
    ) as child
)
-- A list of fields names them: they are no values.
select case when field = 'fields' and kind = 'string' then value #>> '{}' else field end,
       case when field = 'fields' or kind in ('object', 'array', 'null') then null else value #>> '{}' end,
       kind
  from node where kind not in ('object', 'array') or field <> ''
$$;

-- Values that users read as they stand, for activity_detail.words.
create function activity_words(details json) returns text language sql immutable parallel safe as $$
select coalesce(left(string_agg(translate(lower(value collate "pg_c_utf8"), 'ı', 'i'), chr(10)), 4000), '')
  from activity_leaves(details) where kind in ('string', 'number') and value is not null
$$;

-- Fields and values for activity_detail.tokens.
create function activity_tokens(details json) returns text[] language sql immutable parallel safe as $$
select coalesce(array_agg(distinct token), '{}')
  from activity_leaves(details) cross join lateral (
    values (nullif(nullif(field, ''), 'fields')),
           (case when kind in ('string', 'boolean') and length(value) <= 40 then field || '=' || value end),
           (case when length(value) <= 2 then '=' || translate(lower(value collate "pg_c_utf8"), 'ı', 'i') end)
  ) as one (token)
 where token is not null
$$;

-- Counts activity_day again from the entries.
create function count_activity_days() returns void language plpgsql as $$
begin
  lock table activity_day in exclusive mode;
  delete from activity_day;
  insert into activity_day
    select (recorded_at at time zone 'UTC')::date, user_id, action,
           coalesce(object_type, details->>'content_type', 'system'), is_mock,
           count(sequence), count(entry_id)
      from audit_entry left join activity_tombstone on entry_id = id
     where sequence is not null or entry_id is not null
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
end
$$;

create trigger audit_entry_begins_unsealed before insert on audit_entry for each row
  when (new.sequence is not null)
  execute function refuse_audit_change();
create trigger audit_entry_is_final before update on audit_entry for each row
  when (
    old.sequence is not null
    or new.sequence is null
    or (old.id, old.recorded_at, old.source, old.is_mock, old.user_id, old.session_id,
        old.ip, old.user_agent, old.action, old.object_type, old.object_id, old.details::text)
      is distinct from
      (new.id, new.recorded_at, new.source, new.is_mock, new.user_id, new.session_id,
        new.ip, new.user_agent, new.action, new.object_type, new.object_id, new.details::text)
  )
  execute function refuse_audit_change();
create trigger audit_entry_is_kept before delete on audit_entry for each row
  execute function refuse_audit_change();
create trigger audit_entry_is_not_emptied before truncate on audit_entry for each statement
  execute function refuse_audit_change();
create trigger activity_tombstone_is_final before update on activity_tombstone for each row
  execute function refuse_audit_change();
create trigger activity_tombstone_is_kept before delete on activity_tombstone for each row
  execute function refuse_audit_change();
create trigger activity_tombstone_is_not_emptied before truncate on activity_tombstone for each statement
  execute function refuse_audit_change();
create trigger audit_checkpoint_is_final before delete or update on audit_checkpoint for each row
  execute function refuse_audit_change();
create trigger audit_checkpoint_is_not_emptied before truncate on audit_checkpoint for each statement
  execute function refuse_audit_change();


-- The system log and the models (system) --------------------------------------------------------------------------

-- Lines of the system log. By days of logged_at.
create table system_log (
  -- UUIDv7 of logged_at, to the millisecond: an id alone says in which partition its row is.
  id uuid not null,
  logged_at timestamptz not null,
  level text not null check (level in ('error', 'warning', 'info', 'debug')),
  -- The part of the server that wrote it, a kind of process, or 'browser'.
  source text not null check (length(source) <= 40),
  message text not null check (length(message) <= 1000),
  -- Whose request or browser it was. No foreign key: a line outlives the account.
  user_id uuid,
  -- Without secrets, addresses and names of people.
  details jsonb not null,
  -- What a search reads: the message and the values of the details, in small letters.
  words text not null check (length(words) <= 4000),
  -- How often the same line came within a minute; last_at: when last.
  repeats integer not null check (repeats >= 1),
  last_at timestamptz not null,
  -- Deleted by a user; the row goes with its day.
  deleted_at timestamptz,
  constraint system_log_pkey primary key (logged_at, id)
) partition by range (logged_at);
alter table system_log alter words set statistics 0;
create table system_log_default partition of system_log default;
create index system_log_of_level on system_log (level, logged_at, id);
create index system_log_of_source on system_log (source, logged_at, id);
create index system_log_of_user on system_log (user_id, logged_at, id) where (user_id is not null);
create index system_log_words on system_log using gin (words gin_trgm_ops);

-- Kept counts: lines of an hour.
create table system_log_hour (
  -- Start of the hour, UTC.
  hour timestamptz not null,
  source text not null,
  level text not null,
  lines integer not null check (lines >= 0),
  constraint system_log_hour_pkey primary key (hour, source, level)
);

-- Which lines of a source are kept. No row: the default.
create table system_log_level (
  source text primary key check (length(source) <= 40),
  level text not null check (level in ('error', 'warning', 'info', 'debug')),
  -- When debug ends by itself and info is kept again.
  debug_until timestamptz,
  constraint system_log_level_check1 check ((level = 'debug') = (debug_until is not null))
);

-- Which pack compares faces, and the change to another one. One row.
create table model_state (
  is_one boolean primary key default true check (is_one),
  -- Packs are written id@version. Faces are compared by vectors of this one.
  serving text not null,
  -- The one before it, while its vectors are kept.
  previous text,
  switched_at timestamptz,
  -- The one that is to serve, while its vectors are made; null: none is.
  preparing text,
  started_at timestamptz,
  started_by uuid references app_user (id) on delete set null,
  -- Faces of which vectors are made; done and failed: so far.
  total bigint not null default 0,
  done bigint not null default 0,
  failed bigint not null default 0,
  -- How many photos may stop serving.
  accepted_losses bigint not null default 0,
  -- All is tried, and more photos would stop serving than an administrator agreed to.
  is_waiting boolean not null default false,
  -- An administrator chose the pack in use, or refused another: Nazar changes nothing by itself.
  is_chosen boolean not null default false,
  -- Nazar began the change for better recognition; kept after it until administrators were informed.
  is_automatic boolean not null default false
);

-- Changes that later modules react to, written in the transaction of the change and deleted by the transaction that
-- takes them: rows become visible in another order than they are numbered, and none is skipped.
create table feed_change (
  id bigint generated always as identity primary key,
  -- visit: one was written, or is another person's, or was withdrawn. warning: one was raised, changed or is over.
  -- alert: one was raised. alert_over: one is over by itself. assignment: an alert was assigned to another user.
  -- known_visit: recognition decided that a visit shows a known person. account: something happened to the security of
  -- one. export: one is done or failed.
  kind text not null check (kind in ('visit', 'warning', 'alert', 'alert_over', 'assignment', 'known_visit',
    'account', 'export')),
  -- Id of the visit, warning, alert or export as it is now, or of the entry in the activity log about an account; of a
  -- visit that was withdrawn there is no row any more.
  subject uuid not null,
  -- When the change happened.
  at timestamptz not null
);

-- What raises alerts. Seven rules are there from the start.
create table alert_rule (
  id uuid primary key,
  kind text not null check (kind in ('unknown_person', 'returning_stranger', 'watched_person', 'known_person',
    'camera_down', 'camera_picture', 'storage_low', 'recorder_failed', 'system_warning')),
  level text not null check (level in ('info', 'warning', 'error', 'critical')),
  is_enabled boolean not null,
  -- Null: all cameras, those added later, too.
  camera_ids uuid[],
  -- Categories of people who are watched for, or who raise nothing (known_person); empty for the other kinds.
  category_ids uuid[] not null default '{}',
  -- An alert about people is over when none of them was seen for so long.
  quiet_minutes integer not null check (quiet_minutes between 1 and 1440),
  created_at timestamptz not null,
  -- Groups whose cameras count beside camera_ids, as they are when something happens; empty where that is null.
  camera_group_ids uuid[] not null default '{}',
  -- Times of a week in a zone, as the contract has them (WeekSchedule); null: at all times.
  schedule jsonb,
  -- In which modes of the house a rule about people counts; in none of them when the house is off.
  modes text[] not null default '{home,away}'
    check (cardinality(modes) > 0 and modes <@ '{home,away}'),
  -- From which visit of the same unknown person at a camera on it counts (returning_stranger).
  visits integer not null default 3 check (visits between 2 and 100),
  -- How sure recognition is of an enrolled person at least.
  confidence_percent integer not null default 0 check (confidence_percent between 0 and 100)
);

-- The mode of the house from then on; home before the first one. Visits count by the mode in which they began.
create table house_mode (
  since timestamptz primary key,
  mode text not null check (mode in ('home', 'away', 'off'))
);

insert into alert_rule (id, kind, level, is_enabled, quiet_minutes, created_at) values
  (gen_random_uuid(), 'unknown_person', 'warning', true, 10, now()),
  (gen_random_uuid(), 'watched_person', 'critical', true, 10, now()),
  (gen_random_uuid(), 'camera_down', 'error', true, 10, now()),
  (gen_random_uuid(), 'storage_low', 'warning', true, 10, now()),
  (gen_random_uuid(), 'recorder_failed', 'error', true, 10, now()),
  (gen_random_uuid(), 'system_warning', 'warning', true, 10, now()),
  (gen_random_uuid(), 'camera_picture', 'warning', true, 10, now());

-- What a rule found, and what users did about it. It names identities by its visits, never a person.
create table alert (
  id uuid primary key,
  -- Null: the rule was deleted.
  rule_id uuid references alert_rule (id) on delete set null,
  kind text not null check (kind in ('unknown_person', 'returning_stranger', 'watched_person', 'known_person',
    'camera_down', 'camera_picture', 'storage_low', 'recorder_failed', 'system_warning')),
  level text not null check (level in ('info', 'warning', 'error', 'critical')),
  -- For lists in the order of levels.
  level_rank smallint not null generated always as (
    array_position(array['info', 'warning', 'error', 'critical'], level)) stored,
  status text not null default 'new' check (status in ('new', 'in_progress', 'resolved', 'dismissed')),
  -- What it is about: a rule has one alert of a subject while that lasts. Id of a camera, of an identity at a camera,
  -- or of a warning.
  subject text not null,
  camera_id uuid references camera (id) on delete cascade,
  -- The warning that it shows; no foreign key.
  warning_id uuid,
  warning_kind text,
  -- The figures and ids of a warning.
  details jsonb not null default '{}',
  -- Visits, or repetitions of the warning.
  count integer not null default 0 check (count >= 0),
  -- Different people; null: it is about none.
  people integer check (people >= 0),
  created_at timestamptz not null,
  last_at timestamptz not null,
  -- It is over by itself; null: it lasts.
  ended_at timestamptz,
  -- No foreign keys: an alert outlives accounts.
  assigned_to uuid,
  resolved_by uuid,
  resolved_at timestamptz,
  constraint alert_check check ((status in ('resolved', 'dismissed')) = (resolved_at is not null))
);
create unique index alert_living on alert (rule_id, subject) where (ended_at is null);
create unique index alert_of_warning on alert (warning_id);
create index alert_by_time on alert (created_at desc, id desc);
create index alert_by_level on alert (level_rank desc, created_at desc, id desc);
create index alert_by_last on alert (last_at desc, id desc);
create index alert_of_camera on alert (camera_id, created_at desc, id desc);
create index alert_of_camera_by_level on alert (camera_id, level_rank desc, created_at desc, id desc);
create index alert_of_kind on alert (kind, created_at desc, id desc);
create index alert_of_kind_by_level on alert (kind, level_rank desc, created_at desc, id desc);
create index alert_of_assignee on alert (assigned_to, created_at desc, id desc) where (assigned_to is not null);
create index alert_open on alert (created_at desc, id desc) where (status in ('new', 'in_progress'));

-- The visits of an alert. No foreign key: months of visits go as a whole.
create table alert_visit (
  alert_id uuid not null references alert (id) on delete cascade,
  visit_id uuid not null,
  -- Whom it showed when it was counted.
  identity_id uuid not null,
  started_at timestamptz not null,
  primary key (alert_id, visit_id)
);
create index alert_visit_of_visit on alert_visit (visit_id);
create index alert_visit_of_identity on alert_visit (alert_id, identity_id);

-- What a user noted when they closed the alert. Apart from it, because erasing rewrites what may name a person.
create table alert_note (
  alert_id uuid primary key references alert (id) on delete cascade,
  text text not null
);
alter table alert_note alter text set statistics 0;

-- To whom an alert was assigned, by whom. No foreign keys on accounts: it outlives them.
create table alert_assignment (
  alert_id uuid not null references alert (id) on delete cascade,
  at timestamptz not null,
  assigned_to uuid not null,
  assigned_by uuid not null,
  primary key (alert_id, at)
);

-- What notifications read of alerts.
create view alerts_v_alert as
  select id, kind, level, camera_id, assigned_to, rule_id, warning_kind, count, people, created_at, last_at,
    ended_at
    from alert;
create view alerts_v_rule as
  select id, kind
    from alert_rule;
create view alerts_v_visit as
  select alert_id, visit_id, started_at
    from alert_visit;

-- What a user was notified of. It names what it is about by id: title and message are made when they are read.
create table notification (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('alert', 'known_person', 'account', 'export_done', 'export_failed')),
  -- No foreign key: rules lock alerts while they are evaluated. Rows of alerts that are gone are hidden, and removed.
  alert_id uuid,
  -- The camera of a known person or an export.
  camera_id uuid references camera (id) on delete cascade,
  -- The oldest identity of the known person: visits of one person at a camera are one notification while they go on.
  identity_id uuid,
  -- The newest of these visits. No foreign key: months of visits go as a whole.
  visit_id uuid,
  visit_started_at timestamptz,
  -- No foreign key: exports go after a day.
  export_id uuid,
  -- What happened to the account.
  event text check (event in ('signed_in_anew', 'recovery_code_used', 'password_changed', 'email_changed',
    'two_factor_on', 'two_factor_off', 'two_factor_removed', 'recovery_codes_made', 'link_issued', 'role_changed',
    'sessions_ended', 'connected', 'disconnected', 'key_created', 'key_first_used', 'session_stolen')),
  created_at timestamptz not null,
  -- When the known person was last seen, as far as was known then.
  last_at timestamptz not null,
  -- Null: unread.
  read_at timestamptz
);
create unique index notification_of_alert on notification (alert_id, user_id);
create index notification_by_time on notification (user_id, created_at desc, id desc);
create index notification_unread on notification (user_id) where (read_at is null);
create index notification_lasting on notification (camera_id, identity_id, user_id, last_at);
create index notification_by_age on notification (created_at);

-- For a while a user, or every user, gets no notification of a camera or of what a rule raises.
create table notification_snooze (
  id uuid primary key,
  -- Null: no user is notified.
  user_id uuid references app_user (id) on delete cascade,
  camera_id uuid references camera (id) on delete cascade,
  -- No foreign key: rules are locked while they are evaluated. Rows of rules that are gone are shown nowhere.
  rule_id uuid,
  until timestamptz not null,
  -- No foreign key: it outlives the account.
  created_by uuid not null,
  constraint notification_snooze_check check ((camera_id is null) <> (rule_id is null)),
  constraint notification_snooze_user_id_camera_id_rule_id_key unique nulls not distinct (user_id, camera_id, rule_id)
);

-- What a user wishes to be notified of, and how. No row: as installed.
create table notification_settings (
  user_id uuid primary key references app_user (id) on delete cascade,
  email boolean not null default true,
  push boolean not null default false,
  sms boolean not null default false,
  -- Alerts about unknown people, and visits of known ones.
  notify_on_unknown boolean not null default true,
  notify_on_known boolean not null default false,
  daily_reports boolean not null default false,
  alert_levels text[] not null default '{warning,error,critical}',
  -- False: those of notification_camera.
  all_cameras boolean not null default true,
  -- HH:MM in the zone of the user; null: no quiet hours.
  quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The days on which quiet hours begin; 1: Monday.
  quiet_days smallint[] not null default '{1,2,3,4,5,6,7}',
  constraint notification_settings_check check ((quiet_from is null) = (quiet_to is null))
);

-- Another address than the account's, to which emails about notifications go once it is confirmed.
create table notification_address (
  user_id uuid primary key references notification_settings (user_id) on delete cascade,
  address text not null,
  -- Keyed. Null: the address is confirmed.
  code_hash bytea,
  code_expires_at timestamptz not null,
  tries_left smallint not null check (tries_left >= 0)
);

-- The cameras that a user chose.
create table notification_camera (
  user_id uuid not null references notification_settings (user_id) on delete cascade,
  camera_id uuid not null references camera (id) on delete cascade,
  primary key (user_id, camera_id)
);
create index notification_camera_of_camera on notification_camera (camera_id);

-- People of whom a user never wishes to be notified.
create table notification_muted_person (
  user_id uuid not null references notification_settings (user_id) on delete cascade,
  person_id uuid not null references person (id) on delete cascade,
  primary key (user_id, person_id)
);
create index notification_muted_person_of_person on notification_muted_person (person_id);

-- What goes out of the house to a user, and what became of it: no words, and no foreign key, because it outlives what it
-- is about.
create table notification_delivery (
  notification_id uuid not null,
  user_id uuid not null references app_user (id) on delete cascade,
  channel text not null check (channel in ('email', 'push')),
  -- over: the all-clear of an alert whose first message went out.
  message text not null check (message in ('first', 'over')),
  -- summed: with others in one message.
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'summed', 'dropped')),
  -- Why it was dropped; critical: it counts for no limit.
  reason text,
  created_at timestamptz not null,
  due_at timestamptz not null,
  done_at timestamptz,
  primary key (notification_id, channel, message),
  constraint notification_delivery_check check ((done_at is null) = (state = 'waiting'))
);
create index notification_delivery_waiting on notification_delivery (due_at, user_id) where (state = 'waiting');
create index notification_delivery_of_user on notification_delivery (user_id, channel, done_at);
create index notification_delivery_by_age on notification_delivery (created_at);

-- What push messages say, and the key by which push services know this installation.
create table push_settings (
  id smallint primary key default 1 check (id = 1),
  -- event: that something happened. names: those that the user may read as well. pictures: the picture as well.
  content text not null default 'event' check (content in ('event', 'names', 'pictures')),
  -- Null until it is first needed.
  public_key text,
  sealed_private_key bytea,
  constraint push_settings_check check ((public_key is null) = (sealed_private_key is null))
);
insert into push_settings default values;

-- Browsers and phones of users that are sent push messages.
create table push_device (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- The session whose page opened last on it. The device ends with a session that its user or an administrator ended.
  session_id uuid not null,
  -- Sealed: anyone who has the address of the device and its secret can send to it.
  sealed_subscription bytea not null,
  endpoint_hash bytea not null unique check (length(endpoint_hash) = 32),
  -- Host of its push service, which its user is shown.
  service text not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  renewed_at timestamptz not null,
  delivered_at timestamptz,
  -- Tries that failed since the last one that did not.
  failures integer not null default 0,
  paused_until timestamptz,
  -- Why the last try failed; null: it did not.
  fault text
);
create index push_device_of_user on push_device (user_id);
create index push_device_of_session on push_device (session_id);

-- Messages to devices, composed when they are sent.
create table push_message (
  id uuid primary key,
  device_id uuid not null references push_device (id) on delete cascade,
  message text not null check (message in ('first', 'over', 'summary')),
  -- Null: it is a summary, of so many since then.
  notification_id uuid,
  summed integer,
  summed_from timestamptz,
  is_critical boolean not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  give_up_at timestamptz not null,
  -- A server sends it until then.
  leased_until timestamptz,
  tries integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
  -- Why it failed or was dropped.
  fault text,
  -- SHA-256 of the ticket in it, which is kept nowhere.
  ticket_hash bytea unique check (length(ticket_hash) = 32),
  -- When the ticket opened an action and a picture, each once.
  acted_at timestamptz,
  shown_at timestamptz,
  constraint push_message_check check ((notification_id is null) = (message = 'summary')),
  constraint push_message_check1 check ((summed is null) = (message <> 'summary')),
  constraint push_message_check2 check ((summed_from is null) = (message <> 'summary'))
);
create index push_message_waiting on push_message (device_id, created_at) where (state = 'waiting');
create index push_message_of_device on push_message (device_id);
create index push_message_by_age on push_message (created_at);

-- Programs of others that are sent what happens to alerts.
create table webhook (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  -- Sealed: its path and query may hold a token.
  sealed_address bytea not null,
  -- Scheme, host and port of the address, which administrators are shown.
  origin text not null,
  sealed_secret bytea not null,
  -- The secret of before, which signs as well until then; null: there is none.
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  -- event: ids and closed lists only. cameras: their names as well. people: their names and a link as well.
  content text not null check (content in ('event', 'cameras', 'people')),
  least_level text not null check (least_level in ('info', 'warning', 'error', 'critical')),
  -- Null: all kinds.
  kinds text[],
  -- Null: alerts of all cameras, and of none.
  camera_ids uuid[],
  -- Whether its address may be this machine.
  allow_loopback boolean not null,
  is_enabled boolean not null,
  -- The receiver ended it by the status 410.
  is_gone boolean not null default false,
  -- Tries that failed since the last one that did not.
  failures integer not null default 0 check (failures >= 0),
  -- After many failures nothing is sent until then.
  paused_until timestamptz,
  last_delivered_at timestamptz,
  created_at timestamptz not null,
  constraint webhook_old_secret_check check ((sealed_old_secret is null) = (old_secret_until is null))
);

-- An event for a webhook, and what became of it: no words and no content, which is made when it is sent. No foreign key
-- to alerts: it outlives them.
create table webhook_delivery (
  -- What the receiver knows it by.
  id uuid primary key,
  webhook_id uuid not null references webhook (id) on delete cascade,
  event text not null check (event in ('alert.raised', 'alert.over', 'webhook.test')),
  -- Null: a test.
  alert_id uuid,
  is_critical boolean not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null,
  -- All tries, and those since it was sent again.
  tries integer not null default 0,
  tries_of_round integer not null default 0,
  due_at timestamptz not null,
  -- It is given up then.
  give_up_at timestamptz not null,
  -- A server sends it until then; no other takes it before.
  leased_until timestamptz,
  last_tried_at timestamptz,
  -- The HTTP status of the last try; null: none came.
  status integer,
  fault text check (fault in ('status', 'gone', 'redirected', 'timeout', 'unreachable', 'name_unknown', 'address_refused',
    'certificate_refused', 'expired', 'disabled', 'alert_gone')),
  took_ms integer
);
create unique index webhook_delivery_of_alert on webhook_delivery (webhook_id, alert_id, event);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, is_critical desc, created_at, id)
  where (state = 'waiting');
create index webhook_delivery_failed on webhook_delivery (webhook_id) where (state = 'failed');
create index webhook_delivery_by_time on webhook_delivery (created_at, id);
create index webhook_delivery_of_webhook on webhook_delivery (webhook_id, created_at, id);
create index webhook_delivery_by_state on webhook_delivery (state, created_at, id);

-- How the installation reaches an MQTT broker, and what it sends there. No row: as installed, which is off.
create table mqtt_settings (
  id smallint primary key default 1 check (id = 1),
  enabled boolean not null,
  -- mqtt:// or mqtts://, with host and port and nothing else.
  url text not null,
  protocol text not null check (protocol in ('5', '3.1.1')),
  username text not null,
  -- Sealed for mqtt_settings.password. Null: there is none.
  password bytea,
  -- Certificates of authorities (PEM); empty: those that the system trusts.
  ca text not null,
  -- The broker may run on this machine.
  allow_local boolean not null,
  client_id text not null,
  prefix text not null,
  -- Whether devices are described for Home Assistant, below discovery_prefix.
  discovery boolean not null,
  discovery_prefix text not null,
  -- The categories of people whose names are sent. No foreign keys: a category that is gone has no people.
  categories uuid[] not null,
  -- By which Home Assistant knows this installation; made once.
  node text not null
);

-- Topics under which a broker keeps what we sent: written before it is sent, removed once the broker took an empty
-- message there. Topics have ids, never names.
create table mqtt_retained (
  topic text primary key
);
