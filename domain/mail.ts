import type { MailKind } from '#schemas/events/mail.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Kind of mail that a notification of the bell gives, by its message. Others give none. */
const OF_NOTIFICATIONS: Readonly<Record<string, MailKind>> = {
  'comment.mentioned': 'mention',
  'desk.mentioned': 'mention',
  'desk.assigned': 'assignment',
  'desk.transferred': 'assignment',
  'desk.declined': 'assignment',
  'channel.error': 'service',
  'bot.runtimedown': 'service',
  'bot.nludown': 'service',
  'channel.token': 'token',
  'apitoken.expiring': 'token',
  'apitoken.expired': 'token',
  'webhook.off': 'webhook',
  'bot.week': 'report',
  'user.linked': 'credentials',
  'user.linkedanew': 'credentials',
}

export const mailKindOf = (message: string): MailKind | undefined =>
  Object.hasOwn(OF_NOTIFICATIONS, message) ? OF_NOTIFICATIONS[message] : undefined

/** Kinds that wait, and go out together unless their person reads the notifications. */
const JOINED: ReadonlySet<MailKind> = new Set(['mention', 'assignment'])
export const isJoined = (kind: MailKind): boolean => JOINED.has(kind)
/** A notification that is unread for this long is mailed. */
export const UNREAD_MS = 10 * MINUTE_MS

/** Changes of how a person signs in, by the stored event of their user. */
const CREDENTIALS = {
  UserPasswordChanged: 'password',
  UserPasswordReset: 'passwordreset',
  UserRecovered: 'passwordreset',
  UserTwoFactorVerified: 'twofactor',
  UserTwoFactorReset: 'twofactorreset',
  UserRecoveryCodesMade: 'recoverycodes',
  UserRecoveryCodeUsed: 'recoverycodeused',
  UserPasskeyAdded: 'passkeyadded',
  UserPasskeyRemoved: 'passkeyremoved',
} as const
/** The sentence of a mail about changed credentials. */
type CredentialChange = (typeof CREDENTIALS)[keyof typeof CREDENTIALS] | 'email'

/** The change of credentials that an event of a user is. `fields`: its new values. */
export const credentialChange = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
): CredentialChange | undefined => {
  if (type === 'UserChanged') {
    if ('password' in fields) return 'passwordreset'
    return 'email' in fields ? 'email' : undefined
  }
  return Object.hasOwn(CREDENTIALS, type) ? CREDENTIALS[type as keyof typeof CREDENTIALS] : undefined
}

/** Older events cause no mail: an index that is built again reads them all. Attempts end after the same time. */
export const MAIL_FRESH_MS = 24 * HOUR_MS
/** Mails of one person, and of the installation, within an hour. Further ones wait. */
export const MAX_MAILS_PERSON = 20
export const MAX_MAILS = 1_000

/** Pauses before the second and each later attempt; the last one repeats. */
const PAUSES: readonly number[] = [
  ...[10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
]

/** ms since 1970 of the next attempt after this many; undefined: there is none before the mail's end. */
export const nextMailTry = (tries: number, now: number, until: number): number | undefined => {
  const due = now + (PAUSES[tries - 1] ?? PAUSES.at(-1) ?? HOUR_MS)
  return due < until ? due : undefined
}

/** Outcome of one attempt. `code`: of the server (`550`) or of the connection (`ECONNECTION`). */
export type MailOutcome = { readonly kind: 'sent' } | { readonly kind: 'later' | 'bounced'; readonly code: string }

/** A refused address or message does not become better; a refused sign-in or a full mailbox may. */
export const outcomeOf = (error: unknown): MailOutcome => {
  const { responseCode, code, command } = error as { responseCode?: unknown; code?: unknown; command?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : 0
  const isAboutMessage = typeof command === 'string' && /^(RCPT|DATA|MAIL)/.test(command)
  if (status >= 500 && status < 600 && isAboutMessage) return { kind: 'bounced', code: String(status) }
  if (code === 'EENVELOPE' && status === 0) return { kind: 'bounced', code: 'address' }
  return { kind: 'later', code: status > 0 ? String(status) : typeof code === 'string' ? code : 'unknown' }
}

/** One address that a mail may go to: no list, no name, nothing that ends a header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(text)

/** @throws RangeError for a header that would begin another one */
export const checkedHeader = (text: string): string => {
  if (/[\r\n\0]/.test(text)) throw new RangeError('a header of a mail has a line break')
  return text
}

/** Name and address of a sender, `Name <address>` or the address alone. */
export const senderOf = (text: string): { readonly name: string; readonly address: string } => {
  const at = text.lastIndexOf('<')
  if (at === -1 || !text.endsWith('>')) return { name: '', address: text.trim() }
  return { name: text.slice(0, at).trim(), address: text.slice(at + 1, -1).trim() }
}
