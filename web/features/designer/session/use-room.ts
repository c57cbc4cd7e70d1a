import { startTransition, useCallback, useEffect, useState } from 'react'
import type { UnplacedEdit } from '#domain/flow/document/unplaced-edits.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { whenIdle } from '#web/idle.ts'
import type { Store } from '../model/store.ts'
import { type Designer, openDesigner } from './designer.ts'
import type { FlowAddress } from './room/flow-address.ts'
import { joinRoom, type Member, type RoomEnd } from './room/room.ts'

/** Why the room was left, where that matters to the person. */
type Interruption = RoomEnd['kind'] | 'back' | 'locked'

export interface RoomState {
  readonly designer: Designer | undefined
  /** Reason why editing changed or stopped. */
  readonly interruption: Interruption | undefined
  /** Work that the server did not take; offered for download. */
  readonly unsent: FlowFile | undefined
  readonly dismiss: () => void
  /** Joins again what was removed and brought back. */
  readonly again: () => void
}

interface Attempt {
  readonly count: number
  readonly mayEdit: boolean
  readonly unplaced: readonly UnplacedEdit[]
}

/** Ways that end the page; after the others a fresh copy of the flow is opened. */
const FINAL: ReadonlySet<Interruption> = new Set(['session', 'missing'])

/**
 * Keeps a person in a flow's room: joins again with a fresh copy after a refusal, as a viewer without the right to edit,
 * and as an editor when `canEdit` turns true.
 */
export const useRoom = ({ kind, id }: FlowAddress, member: Member, canEdit: boolean): RoomState => {
  const [designer, setDesigner] = useState<Designer>()
  const [attempt, setAttempt] = useState<Attempt>({ count: 0, mayEdit: member.mayEdit, unplaced: [] })
  const [interruption, setInterruption] = useState<Interruption>()
  const [unsent, setUnsent] = useState<FlowFile>()
  const { id: user, name } = member

  useEffect(() => {
    const self = { id: user, name, mayEdit: attempt.mayEdit }
    const room = joinRoom({ kind, id }, self, attempt.unplaced)
    const opened = openDesigner({ kind, id }, room, self)
    setDesigner(opened)
    const stop = room.ended.subscribe(() => {
      const end = room.ended.get()
      if (end === undefined) return
      const locked = end.kind === 'forbidden' && !attempt.mayEdit
      setInterruption(locked ? 'locked' : end.kind)
      if (end.unsent !== undefined) setUnsent(end.unsent)
      if (FINAL.has(end.kind) || locked) return
      setAttempt({
        count: attempt.count + 1,
        mayEdit: attempt.mayEdit && end.kind !== 'forbidden',
        unplaced: end.unplaced,
      })
    })
    return () => {
      stop()
      opened.leave()
      setDesigner(undefined)
    }
  }, [kind, id, user, name, attempt])

  useEffect(() => {
    if (!canEdit) return
    setAttempt(before => (before.mayEdit ? before : { ...before, count: before.count + 1, mayEdit: true }))
    setInterruption(before => (before === 'locked' ? 'forbidden' : before))
  }, [canEdit])

  const dismiss = useCallback(() => {
    setInterruption(undefined)
    setUnsent(undefined)
  }, [])
  const again = useCallback(() => {
    setInterruption(unsent === undefined ? undefined : 'back')
    setAttempt(before => ({ ...before, count: before.count + 1 }))
  }, [unsent])
  // With the right back there is nothing to say, unless work waits to be downloaded.
  const isOver = interruption === 'forbidden' && attempt.mayEdit && unsent === undefined
  return { designer, interruption: isOver ? undefined : interruption, unsent, dismiss, again }
}

/**
 * Whether the flow can be shown. A large flow was just read in one task: its view renders afterwards, in slices, so
 * that neither blocks the page for long.
 */
export const useFlowReady = (ready: Store<boolean>): boolean => {
  const [shown, setShown] = useState<Store<boolean>>()
  useEffect(() => {
    const look = () => {
      if (ready.get()) startTransition(() => setShown(ready))
    }
    look()
    return ready.subscribe(look)
  }, [ready])
  return shown === ready
}

/** False until the flow is on the screen: the surrounding parts render later, without delaying the first input. */
export const useDeferredMount = (): boolean => {
  const [after, setAfter] = useState(false)
  useEffect(() => whenIdle(() => startTransition(() => setAfter(true))), [])
  return after
}
