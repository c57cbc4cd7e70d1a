import { useEffect } from 'react'
import { DESK_VIEWS } from '#schemas/api/desk.ts'
import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'
import { LIST } from '#web/shell/storage-keys.ts'
import type { DeskFilter } from './desk-query.ts'

export const VIEWS = ['waiting', 'mine', 'all'] as const
/** Kept for the next visit. */
const REMEMBERED = ['view', 'bot', 'channeltype', 'queue'] as const
const SIZE = 50

/** The list's filter and the open chat, in the address. */
export const useDeskFilter = () => {
  const { user } = useSession()
  const { params, put, addressOf } = useAddress()
  const key = `${LIST}${user.id}.desk`
  const given = (name: string): string => params.get(name) ?? ''
  const view = DESK_VIEWS.find(one => one === params.get('view')) ?? 'all'
  const page = Math.max(1, Number(params.get('page')) || 1)
  const kept = REMEMBERED.map(name => given(name)).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, before the first choice
  useEffect(() => {
    if (REMEMBERED.some(name => params.has(name))) return
    const values = (localStorage.getItem(key) ?? '').split('\n')
    put(Object.fromEntries(REMEMBERED.map((name, at) => [name, values[at]])))
  }, [])
  useEffect(() => {
    if (kept.trim() === '') localStorage.removeItem(key)
    else localStorage.setItem(key, kept)
  }, [key, kept])
  const query: DeskFilter = { view, page, size: SIZE }
  for (const name of ['bot', 'channeltype', 'queue', 'search'] as const)
    if (given(name) !== '') Object.assign(query, { [name]: given(name) })
  return { query, view, page, size: SIZE, open: params.get('open') ?? undefined, put, addressOf }
}

export type DeskAddress = ReturnType<typeof useDeskFilter>
