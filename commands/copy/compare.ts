import type { StoredEvent } from '#schemas/event.ts'
import { type Verification, verifyLog } from '../integrity/verify-log.ts'
import { isSame, Lockstep, nameOf } from './lockstep.ts'
import type { MarkBook } from './mark-book.ts'
import { CopyRefused, type Patience, type Source, type Target } from './place.ts'
import { visible } from './visible.ts'

interface Options {
  readonly source: Source
  readonly target: Target
  readonly marks: MarkBook
  readonly patience: Patience
  readonly progress: (events: number) => void
}

/**
 * Verifies the chains and seals of a copy, and that it holds the same events as its source in the same order.
 * @throws CopyRefused naming the first event that differs
 */
export const compare = async ({ source, target, marks, patience, progress }: Options): Promise<Verification> => {
  await using original = new Lockstep(visible(source.store, marks, patience))

  async function* compared() {
    for await (const event of visible(target.store, marks, patience)) {
      const wanted = await original.next()
      if (wanted === undefined || !isSame(event, wanted)) throw different(target, event, wanted)
      yield event
    }
    const missing = await original.next()
    if (missing !== undefined) throw new CopyRefused(`${nameOf(missing)} is not in ${target.name}`)
  }

  const { store } = target
  // Awaited here: until then the original is read.
  return await verifyLog({ id: store.id, read: store.read.bind(store), readAll: compared }, { progress })
}

const different = ({ name }: Target, event: StoredEvent, wanted: StoredEvent | undefined) => {
  const expected = wanted === undefined ? 'nothing' : nameOf(wanted)
  return new CopyRefused(`${name} differs: ${nameOf(event)} stands where this log has ${expected}`)
}
