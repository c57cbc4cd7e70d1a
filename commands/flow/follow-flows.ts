import { follow } from '../store/follow.ts'
import type { EventStore } from '../store/port.ts'
import { type LoggedEdit, readSingleEdit } from './logged-edit.ts'

export interface FlowEvent {
  readonly id: string
  readonly revision: number
  readonly hash: string
  /** The edit; undefined for a piece of a larger edit. */
  edit(): LoggedEdit | undefined
}

export interface FlowListener {
  appended(flow: string, event: FlowEvent): void
  lost(): void
  kept(): void
}

const PREFIX = 'flow-'

/** Follows all flows from now on, until the answer of this is called. */
export const followFlows = (store: EventStore, listener: FlowListener): (() => Promise<void>) => {
  let isLost = false
  const lost = () => {
    if (!isLost) listener.lost()
    isLost = true
  }
  const kept = () => {
    if (isLost) listener.kept()
    isLost = false
  }
  const following = follow(store, {
    name: 'flows',
    from: () => store.head(),
    filter: { streamPrefixes: [PREFIX] },
    event(stored) {
      const { stream, id, revision, hash } = stored
      listener.appended(stream.slice(PREFIX.length), { id, revision, hash, edit: () => readSingleEdit(stored) })
    },
    caughtUp: kept,
    recovered: kept,
    interrupted: lost,
    failed: lost,
  })
  return () => following.stop()
}
