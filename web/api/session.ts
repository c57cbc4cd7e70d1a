import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { followUserLanguage } from '#web/i18n/i18n.ts'
import { http } from './http.ts'

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

const readUser = () => http.get('/auth/user')

let early: ReturnType<typeof readUser> | undefined

/** Reads the user while the program starts. */
export const preloadSession = (): void => {
  early = readUser()
  early.catch(() => {})
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const answer = early ?? readUser()
    early = undefined
    const { user } = await answer
    await followUserLanguage(user.language)
    return user
  },
  select: sessionOf,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** The signed-in person; always set inside the shell. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data

/** The part that is needed before anyone signs in. */
type Instance = Pick<AnswerOf<'GET /instance'>, 'name' | 'theme' | 'version' | 'mail'>

const KEY = 'parley.instance'
const UNKNOWN: Instance = { name: 'production', theme: 'production', version: '', mail: false }

const remembered = (): Instance | undefined => {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === null ? undefined : (JSON.parse(stored) as Instance)
  } catch {
    return undefined
  }
}

const fetchInstance = async (): Promise<Instance> => {
  const instance = await http.get('/instance')
  localStorage.setItem(KEY, JSON.stringify(instance))
  return instance
}

/** Name and theme of this installation: the remembered ones at once, corrected for the next start when they changed. */
export const loadInstance = async (): Promise<Instance> => {
  const known = remembered()
  const fresh = fetchInstance().catch(() => known ?? UNKNOWN)
  if (known === undefined) return fresh
  void fresh.then(now => {
    if (now.theme !== known.theme || now.name !== known.name || now.mail !== known.mail) location.reload()
  })
  return known
}

export const InstanceContext = createContext<Instance>(UNKNOWN)
export const useInstance = (): Instance => use(InstanceContext)
