import { type SignInFailed, signInFailedSchema, signInStream } from '#schemas/events/signin.ts'
import { foldName } from '#schemas/fold-name.ts'
import { NO_STREAM, type Tail } from '../integrity/hash-chain.ts'
import type { Keys } from '../keys/secret.ts'
import { append } from '../pipeline/append.ts'
import { draft } from '../pipeline/author.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

/** Failed sign-ins for one typed name, whether it exists or not. */
export interface Attempts {
  readonly stream: string
  readonly count: number
  readonly tail: Tail
}

export const attemptStream = async (keys: Keys, name: string): Promise<string> =>
  signInStream(await keys.index.hmac(JSON.stringify(['signin', foldName(name)])))

export const readAttempts = async (store: EventStore, stream: string): Promise<Attempts> => {
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) {
    const { attempts } = signInFailedSchema.parse(event.data)
    return { stream, count: attempts, tail: { revision: event.revision, hash: event.hash } }
  }
  return { stream, count: 0, tail: NO_STREAM }
}

interface Failure {
  readonly person: { readonly id: string; readonly level: string } | undefined
  readonly time: string
  /** Failures under the name so far that still count. */
  readonly before: number
  /** Id under which address and browser are stored. */
  readonly origin: string
}

/** @returns the position it was written at */
export const writeFailure = async (store: EventStore, seen: Attempts, failure: Failure): Promise<string> => {
  const { person, time, origin } = failure
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time, correlation: seed, causation: origin }
  for (let attempts = seen, before = failure.before; ; ) {
    const data: SignInFailed = { user: person?.id ?? null, attempts: before + 1 }
    try {
      const failed = draft(author, seen.stream, 'SignInFailed', person?.level ?? null, data)
      return (await append(store, seen.stream, attempts.tail, [failed])).position
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
      attempts = await readAttempts(store, seen.stream)
      before = attempts.count
    }
  }
}
