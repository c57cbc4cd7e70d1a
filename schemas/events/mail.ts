/** Kinds of mail: `reset` and `credentials` are always sent, a person may turn off the others. */
const MAIL_KINDS = [
  'reset',
  'credentials',
  'mention',
  'assignment',
  'service',
  'token',
  'webhook',
  'locked',
  'report',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Kinds that a person may turn off. */
export const OPTIONAL_MAIL_KINDS = MAIL_KINDS.filter(kind => kind !== 'reset' && kind !== 'credentials')

/**
 * A mail on its way to a person, in `mail-<event>.<user>`: the name follows from what caused it, so that of several nodes
 * one queues it. It has no address and no text: both are made when it is sent.
 * - `MailQueued` {user, kind, about, time, until}: first event. `about` depends on the kind; ms since 1970.
 * - `MailTaken` {node, until}: a node sends it, until that time.
 * - `MailTried` {tries, code, due}: `code` of the server or of the connection; `due`: the next attempt.
 * - `MailSent` {tries, sent}, `MailBounced` {tries, code}, `MailGivenUp` {tries, code}: the last event.
 * - `MailDropped` {}: nothing to send any more. The person read the notification, or turned the kind off.
 */
export const MAIL_PREFIX = 'mail-'
export const mailStream = (id: string): string => MAIL_PREFIX + id

/** Mails are kept for this long, ms. */
export const MAIL_KEPT_MS = 30 * 86_400_000
