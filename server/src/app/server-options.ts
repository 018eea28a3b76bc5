/** What a server must know of its installation before it is built. */
import type { HashCost, ProviderOptions } from '#accounts/accounts.ts';
import type { Database } from '#db/database.ts';
import type { Certificate } from '#http/certificate.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log, LogLines } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { PeerPorts } from '#media/protocol/messages.ts';
import type { DevicesOptions } from '#media/server/onvif/devices.ts';
import type { RecordingFolder, RecordingsOptions } from '#recordings/recordings.ts';
import type { MailRoute } from '#mail/mail.ts';
import type { DemoFiles } from './demo-files.ts';

export interface ServerOptions {
  readonly version: string;
  /** What the environment decides, for the support bundle: no address, path or name; absent: unknown. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** The version of the code that host processes run: a host of another version is not adopted. */
  readonly hostVersion: string;
  readonly db: Database;
  readonly master: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** What `log` writes, for the system log; absent: it keeps only what browsers report. */
  readonly logLines?: LogLines;
  /** The folder of our processes' sockets (0700). */
  readonly runDir: string;
  readonly logsDir: string;
  /** How long the activity log is kept. */
  readonly auditDays: number;
  /** How many whole days the system log is kept before today. */
  readonly systemLogDays: number;
  /** The folder of the chain's anchors, outside the database. */
  readonly auditDir: string;
  /** Folders of recordings; the first is the default. */
  readonly recordingFolders: readonly RecordingFolder[];
  /** Tests read recording folders in their own process; absent: each has a process of its own. */
  readonly openRecordingFolder?: RecordingsOptions['openFolder'];
  /** The folder of the ids of erased people, outside the database. */
  readonly privacyDir: string;
  /** Built web application; null: none is served. */
  readonly webDir: string | null;
  /** What the demo camera plays; null where it could not be made. */
  readonly demo: DemoFiles | null;
  /** The addresses where cameras are discovered; absent: this network. */
  readonly discovery?: DevicesOptions['discovery'];
  /** Folders that video files may be played from. */
  readonly fileRoots: readonly string[];
  /** Names this installation answers to. */
  readonly hosts: readonly string[];
  readonly trustProxy: readonly string[];
  /** For TLS of our own; absent: plain HTTP. */
  readonly certificate?: Certificate | null;
  /** The limit of one account; absent: no limit, for tests. */
  readonly requestsPerMinute?: number | null;
  /** Who may register; null: as the first-run wizard was answered. */
  readonly registration: 'open' | 'approval' | 'closed' | null;
  /** Lets every user make mock entries of the activity log. */
  readonly development: boolean;
  /** How emails are sent; absent: none are. */
  readonly mail?: MailRoute | null;
  /** The cost of new password hashes; absent: the full cost. */
  readonly hashCost?: HashCost | undefined;
  /** The public address of this installation; absent: unknown. */
  readonly publicUrl?: string | null;
  /** Where else people may sign in; absent: nowhere. */
  readonly provider?: ProviderOptions | null;
  /** The folder of added model packs; absent: there are none. */
  readonly addedModelsDir?: string;
  /**
   * The pack that a new installation uses where it is installed, and to which one that never chose changes by itself;
   * absent: the shipped one.
   */
  readonly preferredPackId?: string;
  /** 0: nothing is recognised, for tests. */
  readonly visionHosts: number;
  /** Where browsers reach low-latency views. */
  readonly peerPorts: PeerPorts;
  readonly allowLoopbackCameras: boolean;
  /** Networks that cameras may be in beside the private ones, as CIDR. */
  readonly cameraNetworks: readonly string[];
  /** Networks of push services, beside public ones. */
  readonly pushNetworks: readonly string[];
  /** Ports of ours, which are never a camera's. */
  readonly ownPorts: readonly number[];
}
