import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIXES } from '../integrity/verify-chains.ts'
import type { Verification } from '../integrity/verify-log.ts'
import type { EventStore, Mark, ReadAll } from '../store/port.ts'
import { compare, readVisibleEvents } from './compare.ts'
import { applyStreamMarks, findMarkMismatches, retryUntilAvailable, StreamMarkTable } from './copy-checkpoints.ts'
import { CopyRefused, type KeyCopy, type Patience, type Source, type Target } from './copy-port.ts'
import { survey } from './validate-source.ts'
import { writeLog } from './write-log.ts'

export type Step = 'reading' | 'copying' | 'removing' | 'verifying'

interface Options {
  readonly source: Source
  readonly target: Target
  readonly keys: KeyCopy
  readonly patience: Patience
  readonly progress?: (step: Step, done: number, total?: number) => void
}

interface Copied {
  /** Events that the target had from an earlier, interrupted copy. */
  readonly present: number
  /** Streams of which something is removed or limited. */
  readonly marks: number
  readonly found: Verification
}

/**
 * Copies a log with its store's stream metadata and verifies the copy. Skips events the target already has, so an
 * interrupted copy resumes. No other process may write to either. @throws CopyRefused and the stores' errors, each with
 * a printable message
 */
export const copyStore = async ({
  source,
  target,
  keys,
  patience,
  progress = () => undefined,
}: Options): Promise<Copied> => {
  const { store } = target
  const head = await source.store.head()
  using marks = await StreamMarkTable.of(whole(source))
  const given = { source, target, marks, patience }
  const { events, present, after } = await survey({ ...given, progress: done => progress('reading', done) })
  await keys.begin()
  await writeLog(readVisibleEvents(source.store, marks, patience, after), {
    ...given,
    progress: written => progress('copying', present + written, events),
  })
  await applyStreamMarks({ store, marks, patience, progress: done => progress('removing', done, marks.size) })
  const found = await compare({ ...given, progress: done => progress('verifying', done, events) })
  const [other] = await findMarkMismatches({ store, marks, patience, progress: () => undefined })
  if (other !== undefined) throw new CopyRefused(`${target.name} shows more or less of ${other} than this log`)
  if ((await retryUntilAvailable(() => source.store.head(), patience)) !== head)
    throw new CopyRefused('Something was written while it was copied: stop every gateway, then go on with the copy')
  if (found.amiss === 0) await keys.finish()
  return { present, marks: marks.size, found }
}

/** Events beyond `maxCount` are removed: a server shows them until it is scavenged. */
async function* whole({ store, marks }: Source): AsyncGenerator<Mark> {
  for await (const mark of marks()) {
    if (mark.maxCount === undefined) yield mark
    else yield { ...mark, removed: Math.max(mark.removed, (await store.revision(mark.stream)) - mark.maxCount) }
  }
}

type LogPart = 'console' | 'conversations'

/** On a server, conversations share the console's store; in a folder they have a separate store (docs/adr/0022). */
const isIn = (part: LogPart, stream: string): boolean =>
  CONVERSATION_PREFIXES.some(prefix => stream.startsWith(prefix)) === (part === 'conversations')

/** A store that reads only the streams of one part; writes are not filtered. */
const storePart = (store: EventStore, part: LogPart): EventStore => {
  async function* readAll(options?: ReadAll): AsyncGenerator<StoredEvent> {
    for await (const event of store.readAll(options)) if (isIn(part, event.stream)) yield event
  }
  return {
    id: store.id,
    append: store.append.bind(store),
    read: store.read.bind(store),
    readAll,
    revision: store.revision.bind(store),
    head: store.head.bind(store),
    countAfter: store.countAfter.bind(store),
    subscribe: store.subscribe.bind(store),
    delete: store.delete.bind(store),
    tombstone: store.tombstone.bind(store),
    setMetadata: store.setMetadata.bind(store),
    metadata: store.metadata.bind(store),
    probe: store.probe.bind(store),
    close: store.close.bind(store),
  }
}

export const sourcePart = ({ store, marks }: Source, part: LogPart): Source => ({
  store: storePart(store, part),
  async *marks() {
    for await (const mark of marks()) if (isIn(part, mark.stream)) yield mark
  },
})

export const targetPart = (target: Target, part: LogPart): Target => ({
  ...target,
  store: storePart(target.store, part),
})
