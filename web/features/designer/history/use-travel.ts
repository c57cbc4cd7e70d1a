import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type RefObject, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { http } from '#web/api/http.ts'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { type FetchMoments, indexAt, type Moment, readMoments } from '#web/entity/flow/read-revisions.ts'
import { type Session, sessionAt, sessionsOf } from '../session/edit-history/edit-session.ts'
import { useRefreshAfterEdits } from '../session/edit-history/use-recent-edits.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

/** Baseline of the comparison: before the session, the previous edit, the present, or any other moment. */
type View = 'session' | 'edit' | 'now' | 'between'

export interface Travel {
  readonly address: FlowAddress
  readonly moments: readonly Moment[]
  readonly sessions: readonly Session[]
  /** False while older moments are still on their way. */
  readonly complete: boolean
  readonly at: Moment
  readonly index: number
  readonly session: Session
  readonly head: Moment
  /** Edits that others made since one came here. */
  readonly fresh: number
  readonly view: View
  /** The other moment of a comparison. */
  readonly other: Moment
  /** The two revisions that are compared; 0 is the empty flow. */
  readonly from: number
  readonly to: number
  go(revision: number): void
  step(by: number): void
  stepSession(by: number): void
  look(view: View): void
  compareWith(revision: number): void
}

const momentAt = (moments: readonly Moment[], index: number): Moment | undefined =>
  moments[Math.min(Math.max(0, index), moments.length - 1)]

const compared = (
  view: View,
  {
    at,
    before,
    session,
    head,
    other,
  }: Readonly<Record<'at' | 'head' | 'other', Moment>> & {
    readonly before: Moment | undefined
    readonly session: Session
  },
): [number, number] => {
  if (view === 'now') return [at.revision, head.revision]
  if (view === 'edit') return [before?.revision ?? 0, at.revision]
  if (view === 'session') return [session.base, at.revision]
  return other.revision <= at.revision ? [other.revision, at.revision] : [at.revision, other.revision]
}

/** The address follows once one rests: browsers take only so many in a minute. Milliseconds. */
const REST = 300

/** A moment and its comparison, as the address names them. */
interface NamedMoment {
  /** Revision; undefined for the newest. */
  readonly at: number | undefined
  readonly view: View
  /** The other revision of a comparison. */
  readonly against: number | undefined
}

const revisionOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/u.test(text) ? Number(text) : undefined

const momentIn = (search: URLSearchParams): NamedMoment => {
  const compare = search.get(DESIGNER_QUERY.compare)
  const against = revisionOf(compare)
  const view = against !== undefined ? 'between' : compare === 'now' || compare === 'edit' ? compare : 'session'
  return { at: revisionOf(search.get(DESIGNER_QUERY.at)), view, against }
}

/** The address without a moment means the newest one. */
const putMoment = (url: URL, { at, view, against }: NamedMoment, newest: number): void => {
  const put = (name: string, value: string | undefined) =>
    value === undefined ? url.searchParams.delete(name) : url.searchParams.set(name, value)
  put(DESIGNER_QUERY.at, at === undefined || at === newest ? undefined : String(at))
  const compare = view === 'between' ? against : view === 'session' ? undefined : view
  put(DESIGNER_QUERY.compare, compare === undefined ? undefined : String(compare))
}

const isSame = (one: NamedMoment, other: NamedMoment): boolean =>
  one.at === other.at && one.view === other.view && one.against === other.against

/** Keeps the moment in the address, in place of the one before. `known` follows it. */
const useMomentAddress = (
  { at, view, against }: NamedMoment,
  newest: number | undefined,
  known: RefObject<NamedMoment>,
): void => {
  useEffect(() => {
    if (newest === undefined) return
    const { pathname } = location
    const timer = setTimeout(() => {
      const url = new URL(location.href)
      if (url.pathname !== pathname) return
      putMoment(url, { at, view, against }, newest)
      known.current = momentIn(url.searchParams)
      if (url.href !== location.href) history.replaceState(history.state, '', url)
    }, REST)
    return () => clearTimeout(timer)
  }, [at, view, against, newest, known])
}

/** The moment that was chosen; an address that names another one takes its place. */
const useChosenMoment = () => {
  const { key } = useLocation()
  const [followed, follow] = useState(key)
  const [start] = useState(() => momentIn(new URLSearchParams(location.search)))
  /** The moment in the address, as it was read or written here last. */
  const known = useRef(start)
  const [chosen, setChosen] = useState(start.at)
  const [view, setView] = useState<View>(start.view)
  const [against, setAgainst] = useState(start.against)
  if (followed !== key) {
    follow(key)
    const named = momentIn(new URLSearchParams(location.search))
    // The router draws an address late under load: a moment can be chosen before.
    if (!isSame(named, known.current)) {
      known.current = named
      setChosen(named.at)
      setView(named.view)
      setAgainst(named.against)
    }
  }
  const compareWith = useCallback((revision: number) => {
    setAgainst(revision)
    setView('between')
  }, [])
  return { known, chosen, view, against, setChosen, setView, compareWith }
}

/** Position in a flow's history. Undefined while there are no moments. */
export const useTravel = (address: FlowAddress, moments: readonly Moment[], complete: boolean): Travel | undefined => {
  const { known, chosen, view, against, setChosen, setView, compareWith } = useChosenMoment()
  const arrived = useRef<number>(undefined)
  const folded = useRef<readonly Session[]>([])
  const sessions = useMemo(() => {
    folded.current = sessionsOf(moments, folded.current)
    return folded.current
  }, [moments])

  const head = moments.at(-1)
  useMomentAddress({ at: chosen, view, against }, head?.revision, known)
  if (head !== undefined) arrived.current ??= head.revision
  const wanted = chosen ?? arrived.current ?? 0
  if (arrived.current !== undefined && wanted > arrived.current) arrived.current = wanted
  const index = Math.max(0, indexAt(moments, wanted))
  const at = momentAt(moments, index)
  const place = sessionAt(sessions, at?.revision ?? 0)
  const session = sessions[place]

  const go = useCallback((revision: number) => setChosen(revision), [setChosen])
  const step = (by: number) => {
    const next = momentAt(moments, index + by)
    if (next !== undefined) setChosen(next.revision)
  }
  const stepSession = (by: number) => {
    const within = session !== undefined && at !== session.last
    const next = sessions[Math.min(Math.max(0, place + (within && by > 0 ? by - 1 : by)), sessions.length - 1)]
    if (next !== undefined) setChosen(next.last.revision)
  }
  const before = sessions[Math.max(0, place - 1)]?.last
  const look = (next: View) => {
    if (next === 'between' && against === undefined && before !== undefined) compareWith(before.revision)
    else setView(next)
  }
  if (at === undefined || session === undefined || head === undefined) return undefined
  const other = momentAt(moments, indexAt(moments, against ?? before?.revision ?? 0)) ?? at
  const [from, to] = compared(view, { at, before: moments[index - 1], session, head, other })
  const fresh = moments.length - 1 - indexAt(moments, arrived.current ?? head.revision)
  return {
    address,
    moments,
    sessions,
    complete,
    at,
    index,
    session,
    head,
    fresh,
    view,
    other,
    from,
    to,
    go,
    step,
    stepSession,
    look,
    compareWith,
  }
}

export const TravelContext = createContext<Travel | undefined>(undefined)

export const useTravelling = (): Travel => {
  const travel = use(TravelContext)
  if (travel === undefined) throw new Error('outside of the history')
  return travel
}

/** Between two pictures. Milliseconds. */
const BEAT = 450
/** However long a history is, playing all of it takes about a minute. */
const BEATS = 130

/** Plays forward, waiting for each picture; stops at the present. */
export const usePlay = (travel: Travel | undefined, late: boolean) => {
  const [playing, setPlaying] = useState(false)
  const { index = 0, moments = [], go } = travel ?? {}
  const last = moments.length - 1
  useEffect(() => {
    if (!playing || late) return
    const timer = setTimeout(() => {
      const next = moments[Math.min(last, index + Math.max(1, Math.ceil(moments.length / BEATS)))]
      if (index >= last || next === undefined) setPlaying(false)
      else go?.(next.revision)
    }, BEAT)
    return () => clearTimeout(timer)
  }, [playing, late, index, last, moments, go])
  const toggle = () => {
    const first = moments[0]
    if (!playing && index >= last && first !== undefined) go?.(first.revision)
    setPlaying(!playing)
  }
  return { playing, toggle, stop: () => setPlaying(false) }
}

interface MomentCache {
  readonly moments: readonly Moment[]
  /** False while older moments are still on their way. */
  readonly complete: boolean
}

/** Edits that came by another way than the room are seen at the latest after this. */
const POLL = 15_000

export const momentsKey = ({ kind, id }: FlowAddress) => ['flow-moments', kind, id] as const

/** All moments of a flow, updated while others edit: fetches only new ones. */
export const useMoments = (address: FlowAddress) => {
  const client = useQueryClient()
  const { kind, id } = address
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after, size } })
  const query = useQuery({
    queryKey: momentsKey(address),
    queryFn: async (): Promise<MomentCache> => {
      const known = client.getQueryData<MomentCache>(momentsKey(address))
      const held = known?.complete ? known.moments : []
      const moments = await readMoments(fetchPage, held, part =>
        client.setQueryData<MomentCache>(momentsKey(address), { moments: part, complete: false }),
      )
      return known?.complete && moments === held ? known : { moments, complete: true }
    },
    refetchInterval: POLL,
    staleTime: 0,
    structuralSharing: false,
  })
  useRefreshAfterEdits(query.refetch)
  return query
}
