import type { Access, Applied } from '#projections/port.ts'

/** Entities that set a session's rights. */
const SOURCES: ReadonlySet<string> = new Set(['user', 'usergroup', 'role', 'hierarchy', 'session'])

export const mayChangeAccess = (touched: Applied['touched']): boolean =>
  touched.some(({ entity }) => SOURCES.has(entity))

/** A level that was added, renamed or moved changes the tree that everyone chooses from. */
export const changesLevels = (touched: Applied['touched']): boolean =>
  touched.some(({ entity }) => entity === 'hierarchy')

/** True when GET /auth/user answers the same rights and levels for both. */
export const isSameAccess = (one: Access, other: Access): boolean =>
  one === other ||
  (one.home === other.home &&
    one.level === other.level &&
    one.permissions.size === other.permissions.size &&
    [...one.permissions].every(permission => other.permissions.has(permission)))
