import type { StoredEvent } from '#schemas/event.ts'
import { verifyLog } from '../integrity/verify-log.ts'
import { START } from '../store/port.ts'
import { EventCursor, isSame, nameOf, readVisibleEvents } from './compare.ts'
import type { StreamMarkTable } from './copy-checkpoints.ts'
import { CopyRefused, type Patience, type Source, type Target } from './copy-port.ts'

interface Survey {
  /** Events to copy in all. */
  readonly events: number
  /** Of them, those that the target has already. */
  readonly present: number
  /** Position in the source of the last one of those. */
  readonly after: string
}

interface Options {
  readonly source: Source
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  readonly progress: (events: number) => void
}

/** Events that are too large, as many as a message names. */
const NAMED = 10

/**
 * Reads the whole source before anything is written: its chains and seals must hold, no event may be larger than the
 * target takes, and what the target has must be how the source begins.
 * @throws CopyRefused
 */
export const survey = async ({ source, target, marks, patience, progress }: Options): Promise<Survey> => {
  await using copied = new EventCursor(readVisibleEvents(target.store, marks, patience))
  let theirs = await copied.next()
  let present = 0
  let after = START
  const large: string[] = []

  const compare = async (event: StoredEvent): Promise<void> => {
    if (theirs !== undefined) {
      if (!isSame(event, theirs)) throw foreign(target, theirs)
      present += 1
      after = event.position
      theirs = await copied.next()
    }
    const size = target.sizeOf(event)
    if (size > target.most) large.push(`${nameOf(event)} (${event.type}, ${size} bytes)`)
  }

  async function* seen() {
    for await (const event of readVisibleEvents(source.store, marks, patience)) {
      await compare(event)
      yield event
    }
  }

  const { store } = source
  const found = await verifyLog({ id: store.id, read: store.read.bind(store), readAll: seen }, { progress })
  if (theirs !== undefined) throw foreign(target, theirs)
  if (found.amiss > 0) throw new CopyRefused('The chain of this log does not hold: parley verify tells where')
  if (large.length > 0) throw new CopyRefused(tooLarge(target, large))
  return { events: found.events + found.outside, present, after }
}

const foreign = ({ name }: Target, event: StoredEvent) =>
  new CopyRefused(`${name} holds something else: ${nameOf(event)} is not what comes there in this log`)

const tooLarge = ({ name, most }: Target, large: readonly string[]): string => {
  const rest = large.length > NAMED ? [`and ${large.length - NAMED} more`] : []
  return [
    `${name} takes at most ${most} bytes at once; these events are larger:`,
    ...large.slice(0, NAMED),
    ...rest,
  ].join('\n  ')
}
