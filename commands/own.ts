import type { Attempt } from './attempt.ts'
import { userAttempts } from './people/user-attempt.ts'

/** Commands that do more than write one stream, by `<entity>.<action>`, one line each. */
export const OWN: Readonly<Record<string, Attempt>> = {
  ...userAttempts,
}
