/** Streams that read models are built from, beside those of entities, by the prefix of their names. */
const PREFIXES = ['flow', 'session', 'signin', 'visits', 'audit', 'notification', 'notice', 'origin'] as const

type ShownPrefix = (typeof PREFIXES)[number]

export const isShownPrefix = (prefix: string): prefix is ShownPrefix => (PREFIXES as readonly string[]).includes(prefix)
