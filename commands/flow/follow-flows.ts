import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore, Subscription } from '../store/port.ts'
import { type LoggedEdit, wholeEdit } from './logged-edit.ts'

export interface FlowEvent {
  readonly id: string
  readonly revision: number
  readonly hash: string
  /** What it holds; undefined for a piece of a larger edit. */
  edit(): LoggedEdit | undefined
}

export interface FlowListener {
  appended(flow: string, event: FlowEvent): void
  lost(): void
  kept(): void
}

const PREFIX = 'flow-'
const FIRST_WAIT = 100
const MAX_WAIT_MS = 5000

/** Follows all flows from now on; a subscription that ends is made anew from where it was. */
export const followFlows = (store: EventStore, listener: FlowListener): (() => Promise<void>) => {
  const stopping = new AbortController()
  let subscription: Subscription | undefined
  let isLost = false

  const kept = () => {
    if (isLost) listener.kept()
    isLost = false
  }
  const lost = () => {
    if (!isLost) listener.lost()
    isLost = true
  }

  const subscribed = (after: string) =>
    new Promise<string>(resolve => {
      let position = after
      subscription = store.subscribe(
        after,
        {
          event(stored) {
            const { stream, id, revision, hash } = stored
            position = stored.position
            listener.appended(stream.slice(PREFIX.length), { id, revision, hash, edit: () => wholeEdit(stored) })
          },
          caughtUp(at) {
            position = at
            kept()
          },
          interrupted: lost,
          ended: () => resolve(position),
        },
        { streamPrefixes: [PREFIX] },
      )
      if (stopping.signal.aborted) void subscription.stop()
    })

  const run = async () => {
    let position: string | undefined
    for (let wait = FIRST_WAIT; !stopping.signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        position ??= await store.head()
        const reached = await subscribed(position)
        if (reached !== position) wait = FIRST_WAIT
        position = reached
      } catch {
        // The store cannot be reached: told as lost, tried again below.
      }
      if (stopping.signal.aborted) return
      lost()
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await subscription?.stop()
    await running
  }
}
