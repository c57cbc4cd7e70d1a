import { NEWS_SEEN } from '#web/shell/storage-keys.ts'

/** News for users, newest first. Texts: `item.<id>` of help.json; `topic` explains it. */
export const NEWS = [
  { id: 'provisioning', day: '2026-11-30', topic: 'provisioning' },
  { id: 'passkeys', day: '2026-11-30', topic: 'account' },
  { id: 'tokens', day: '2026-11-29', topic: 'access' },
  { id: 'signin', day: '2026-11-29', topic: 'entity:identityprovider' },
  { id: 'help', day: '2026-11-29', topic: 'start' },
  { id: 'rehearsal', day: '2026-11-28', topic: 'rehearsal' },
  { id: 'templates', day: '2026-11-27', topic: 'newbot' },
  { id: 'alerts', day: '2026-11-26', topic: 'entity:metricalert' },
  { id: 'sample', day: '2026-11-25', topic: 'start' },
  { id: 'simulatednumber', day: '2026-11-24', topic: 'simulatednumber' },
] as const

const [{ day: NEWEST }] = NEWS

/** The newest day whose news this user has seen in this browser; '' before the first time. */
export const seenNews = (user: string): string => localStorage.getItem(NEWS_SEEN + user) ?? ''

export const hasUnseenNews = (user: string): boolean => seenNews(user) < NEWEST

export const markNewsSeen = (user: string): void => localStorage.setItem(NEWS_SEEN + user, NEWEST)
