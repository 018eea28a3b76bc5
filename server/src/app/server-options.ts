/** What a server is told about its installation before it is built. */
import type { ProviderOptions } from '#accounts/accounts.ts';
import type { Database } from '#db/database.ts';
import type { Certificate } from '#http/certificate.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { PeerPorts } from '#media/media.ts';
import type { DevicesOptions } from '#media/onvif/devices.ts';
import type { RecordingFolder } from '#recordings/recordings.ts';
import type { MailRoute } from '#mail/mail.ts';
import type { DemoFiles } from './demo-files.ts';

export interface ServerOptions {
  readonly version: string;
  /** The version of the code that host processes run: a host of another version is not adopted. */
  readonly hostVersion: string;
  readonly db: Database;
  readonly master: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Sockets of our processes lie here (0700). */
  readonly runDir: string;
  readonly logsDir: string;
  /** How long the record is kept (C-804). */
  readonly auditDays: number;
  /** Anchors of the record lie here, outside the database (C-802). */
  readonly auditDir: string;
  /** Folders that recordings lie in; the first is the usual one. */
  readonly recordingFolders: readonly RecordingFolder[];
  /** Ids of who was erased lie here, outside the database (C-1005). */
  readonly privacyDir: string;
  /** Built web application; null: none is served. */
  readonly webDir: string | null;
  /** What the demo camera plays; null where it could not be made. */
  readonly demo: DemoFiles | null;
  /** Where it is asked which cameras there are; absent: this network. */
  readonly discovery?: DevicesOptions['discovery'];
  /** Folders that films may be played from. */
  readonly fileRoots: readonly string[];
  /** Names this installation answers to (C-704). */
  readonly hosts: readonly string[];
  readonly trustProxy: readonly string[];
  /** For TLS of our own; absent: plain HTTP. */
  readonly certificate?: Certificate | null;
  /** The limit of one account (C-714); absent: there is none, which only tests want. */
  readonly requestsPerMinute?: number | null;
  /** Who may register; null: what the first-run wizard was told. */
  readonly registration: 'open' | 'approval' | 'closed' | null;
  /** Lets everybody make mock entries of the activity log. */
  readonly development: boolean;
  /** How emails leave; absent: none do. */
  readonly mail?: MailRoute | null;
  /** Where people reach this installation; absent: nobody said. */
  readonly publicUrl?: string | null;
  /** Where else people may sign in; absent: nowhere. */
  readonly provider?: ProviderOptions | null;
  /** Where packs of models lie that somebody added; absent: nobody did. */
  readonly addedModelsDir?: string;
  /** 0: nothing is recognised, which only tests want. */
  readonly visionHosts: number;
  /** Where browsers reach low-latency views. */
  readonly peerPorts: PeerPorts;
  readonly allowLoopbackCameras: boolean;
  /** Ports of ours, which are never a camera's. */
  readonly ownPorts: readonly number[];
}
