import { createContext, use } from 'react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from './http.ts'

const requestUser = () => http.get('/auth/user')

let early: ReturnType<typeof requestUser> | undefined

/** Reads the user while the code of the first page is on its way. */
export const preloadUser = (): void => {
  early = requestUser()
  early.catch(() => {})
}

/** The user: as preloaded for the first call, else from the server. */
export const readUser = (): ReturnType<typeof requestUser> => {
  const answer = early ?? requestUser()
  early = undefined
  return answer
}

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

/** Name and theme of this installation: the remembered ones at once; a reload, or the next start, shows what changed. */
export const loadInstance = async (): Promise<Instance> => {
  const known = remembered()
  const fresh = fetchInstance().catch(() => known ?? UNKNOWN)
  if (known === undefined) return fresh
  let isTyped = false
  addEventListener('input', () => (isTyped = true), { once: true })
  void fresh.then(now => {
    const isSame = now.theme === known.theme && now.name === known.name && now.mail === known.mail
    if (!isSame && !isTyped) location.reload()
  })
  return known
}

export const InstanceContext = createContext<Instance>(UNKNOWN)
export const useInstance = (): Instance => use(InstanceContext)
