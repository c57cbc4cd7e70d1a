import { ownCaller, systemCaller } from '#commands/people/system.ts'
import type { Caller } from '#commands/port.ts'
import { grantedBy } from '#domain/people/permission.ts'
import { LEVELS, PEOPLE_OF_SAMPLE, ROLES } from './content/people.ts'
import type { IdOf } from './plan.ts'

/** The sample's people as callers, with what their roles let them do in the levels that they reach. */
export const rosterOf =
  (idOf: IdOf) =>
  (key: string | null, action: string): Caller => {
    const person = key === null ? undefined : PEOPLE_OF_SAMPLE[key]
    if (key === null || person === undefined) return systemCaller(idOf('hierarchy', 'root'))
    const user = idOf('user', key)
    const level = idOf('hierarchy', person.level)
    // A step of one's own sign-in needs no permission.
    if (action === 'signin') return ownCaller({ id: user, level })
    const role = ROLES[person.role]
    const granted = role === undefined ? new Set<string>() : grantedBy(role)
    const subtree = new Set(below(person.level).map(below => idOf('hierarchy', below)))
    return { user, session: null, level, subtree, permits: permission => granted.has(permission) }
  }

const below = (key: string): string[] => [
  key,
  ...LEVELS.filter(({ parent }) => parent === key).flatMap(level => below(level.key)),
]
