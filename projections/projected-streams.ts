/** Streams that read models are built from, beside those of entities, by the prefix of their names. */
const PREFIXES = ['flow', 'session', 'signin', 'visits', 'audit', 'notification', 'notice', 'origin'] as const

type ShownPrefix = (typeof PREFIXES)[number]

/** Prefixes of all streams that read models are built from, given the names of entities. */
export const shownPrefixes = (entities: Iterable<string>): readonly string[] =>
  [...entities, ...PREFIXES].map(prefix => `${prefix}-`)

export const isProjectedPrefix = (prefix: string): prefix is ShownPrefix =>
  (PREFIXES as readonly string[]).includes(prefix)
