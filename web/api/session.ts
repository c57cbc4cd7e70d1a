import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { followUserLanguage } from '#web/i18n/i18n.ts'
import { readUser } from './early-read.ts'

type SessionUser = AnswerOf<'GET /auth/user'>['user']

export interface Session {
  readonly user: SessionUser
  /** `readbot`, `publishdialog`, or a menu action such as `showadmin`. */
  can(permission: string): boolean
}

const sessionOf = (user: SessionUser): Session => {
  const held = new Set(user.permissions)
  return { user, can: permission => held.has(permission) }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const { user } = await readUser()
    await followUserLanguage(user.language)
    return user
  },
  select: sessionOf,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** The signed-in person; always set inside the shell. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data
