/** Emails about notifications, to the address of the account. */
import type { Mail } from '#mail/mail.ts';
import type { Channel } from './channel.ts';
import { noticeOf, summaryOf } from './notice.ts';

export interface EmailChannelOptions {
  readonly mail: Pick<Mail, 'isAvailable' | 'queue'>;
  /** The public address of this installation, for links; null: there is none. */
  readonly publicUrl: string | null;
}

export function emailChannel({ mail, publicUrl }: EmailChannelOptions): Channel {
  return {
    name: 'email',
    isWished: ({ email }) => email,
    isAvailable: () => mail.isAvailable && publicUrl !== null,
    async send(tx, noticed, to) {
      await mail.queue(tx, noticeOf(noticed, { ...to, publicUrl: publicUrl! }));
    },
    async sendSummary(tx, noticed, to) {
      await mail.queue(tx, summaryOf(noticed, { ...to, publicUrl: publicUrl! }));
    },
  };
}
