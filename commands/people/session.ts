import { hash, randomBytes } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import {
  type SESSION_ENDS,
  type SessionConfirmed,
  type SessionStarted,
  sessionLevelChangedSchema,
  sessionStartedSchema,
  sessionStream,
  sessionViewSchema,
} from '#schemas/events/session.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { upcast } from '../upcasters/upcast.ts'

/** A session that has not ended, as its stream tells it. */
interface SessionState {
  readonly user: string
  readonly home: string | null
  readonly level: string
  /** User of the shown view. */
  readonly seenAs: string | null
  readonly expires: string
  /** Position of its newest event. */
  readonly position: string
  /** HMAC of the issuer of its identity provider. */
  readonly provider: string | null
  /** ISO time at which its user proved last who they are: its beginning, or later. */
  readonly proven: string
}

/** Way of a sign-in, and HMACs of the account at the identity provider, if there is one. */
type SessionOrigin = Pick<SessionStarted, 'way' | 'provider' | 'sub' | 'sid'>

const BY_PASSWORD: SessionOrigin = { way: 'password', provider: null, sub: null, sid: null }
export const BY_PASSKEY: SessionOrigin = { ...BY_PASSWORD, way: 'passkey' }

type SessionEnd = (typeof SESSION_ENDS)[number]

interface SessionActor {
  readonly user: string
  readonly session: string
}

/** All calls that write answer the position written at; undefined when there was nothing to write. */
export interface Sessions {
  start(
    person: { readonly id: string; readonly level: string },
    token: string,
    by?: SessionOrigin,
  ): Promise<{ position: string }>
  /** Undefined: never was, has ended or expired. */
  read(session: string): Promise<SessionState | undefined>
  changeLevel(session: string, level: string): Promise<string | undefined>
  /** Shows the console as this person sees it; null ends that. */
  seeAs(session: string, person: string | null): Promise<string | undefined>
  /** Its user proved again who they are. */
  confirm(session: string, way: SessionConfirmed['way']): Promise<string | undefined>
  end(session: string, reason: SessionEnd): Promise<string | undefined>
  /** `by`: actor that ends them, if not their user. */
  endEach(sessions: readonly string[], reason: SessionEnd, by?: SessionActor): Promise<string | undefined>
  endAll(user: string, reason: SessionEnd, except?: string | null): Promise<string | undefined>
}

interface SessionOptions {
  readonly store: EventStore
  readonly lookup: Pick<Lookup, 'sessionsOf'>
  readonly now: () => Date
  readonly hours: number
}

export const newToken = (): string => randomBytes(32).toString('base64url')

/** The id of a session is the hash of its token, which the server does not keep. */
export const sessionId = (token: string): string => hash('sha256', token)

/** Writes one event of a session. */
const openWriter =
  ({ store, now }: SessionOptions) =>
  async (id: string, tail: Tail, type: string, by: SessionActor, level: string | null, data: JsonObject) => {
    const seed = crypto.randomUUID()
    const author = { seed, actor: by.user, time: now().toISOString(), correlation: seed, causation: by.session }
    const stream = sessionStream(id)
    return (await append(store, stream, tail, [draft(author, stream, type, level, data)])).position
  }

export const createSessions = (options: SessionOptions): Sessions => {
  const { store, lookup, now, hours } = options
  const write = openWriter(options)

  /** Writes what `make` says of a live session; again when it moved meanwhile. */
  const after = async (
    id: string,
    type: string,
    make: (state: SessionState) => JsonObject | undefined,
    by?: SessionActor,
  ) => {
    for (;;) {
      const folded = await fold(store, id)
      const data = folded && make(folded.state)
      if (folded === undefined || data === undefined) return undefined
      try {
        const actor = by ?? { user: folded.state.user, session: id }
        return await write(id, folded.tail, type, actor, folded.state.home, data)
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error
      }
    }
  }

  const end = (id: string, reason: SessionEnd, by?: SessionActor) =>
    after(id, 'SessionEnded', ({ user }) => ({ user, reason }), by)

  const endEach = async (sessions: readonly string[], reason: SessionEnd, by?: SessionActor) => {
    const positions = await Promise.all(sessions.map(session => end(session, reason, by)))
    return positions
      .filter(position => position !== undefined)
      .toSorted()
      .at(-1)
  }

  return {
    async start({ id: user, level }, token, by = BY_PASSWORD) {
      const expires = new Date(now().getTime() + hours * 3_600_000).toISOString()
      const data = { user, level, expires, ...by }
      const session = sessionId(token)
      return { position: await write(session, NO_STREAM, 'SessionStarted', { user, session }, level, data) }
    },
    async read(session) {
      const folded = await fold(store, session)
      return folded !== undefined && folded.state.expires > now().toISOString() ? folded.state : undefined
    },
    changeLevel: (session, level) =>
      after(session, 'SessionLevelChanged', state => (state.level === level ? undefined : { user: state.user, level })),
    seeAs: (session, person) =>
      after(session, person === null ? 'SessionViewEnded' : 'SessionViewStarted', ({ user, seenAs }) =>
        seenAs === person ? undefined : { user, as: person ?? seenAs },
      ),
    confirm: (session, way) => after(session, 'SessionConfirmed', ({ user }) => ({ user, way })),
    end: (session, reason) => end(session, reason),
    endEach,
    async endAll(user, reason, except = null) {
      const meant = (await lookup.sessionsOf(user)).filter(session => session !== except)
      return endEach(meant, reason)
    },
  }
}

const fold = async (store: EventStore, id: string): Promise<{ state: SessionState; tail: Tail } | undefined> => {
  let state: SessionState | undefined
  let tail = NO_STREAM
  for await (const event of store.read(sessionStream(id))) {
    state = evolve(state, event)
    tail = { revision: event.revision, hash: event.hash }
  }
  return state && { state, tail }
}

const evolve = (state: SessionState | undefined, event: StoredEvent): SessionState | undefined => {
  const { position } = event
  switch (event.type) {
    case 'SessionStarted': {
      const { user, level, expires, provider } = sessionStartedSchema.parse(upcast(event).data)
      return { user, level, seenAs: null, expires, home: event.level, position, provider, proven: event.time }
    }
    case 'SessionLevelChanged':
      return state && { ...state, level: sessionLevelChangedSchema.parse(event.data).level, position }
    case 'SessionConfirmed':
      return state && { ...state, proven: event.time, position }
    case 'SessionViewStarted':
      return state && { ...state, seenAs: sessionViewSchema.parse(event.data).as, position }
    case 'SessionViewEnded':
      return state && { ...state, seenAs: null, position }
    case 'SessionEnded':
      return undefined
    default:
      throw new Error(`A session does not know ${event.type}`)
  }
}
