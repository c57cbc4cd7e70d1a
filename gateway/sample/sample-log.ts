import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { draft } from '#commands/pipeline/author.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import { appendIfFirst } from '#runtime/log/exclusive-append.ts'
import type { StoredEvent } from '#schemas/event.ts'

const STREAM = 'sample-workspace'

/**
 * Progress of the sample workspace of a store, in its own stream: started, resumed by each start that found it
 * unfinished, finished. Of nodes that share a store the last one to resume it makes it.
 */
interface SampleLog {
  /** A start before this one began it: on another node, or here, where it was broken off. */
  readonly resumed: boolean
  /** The moment of the first start, once this node has taken it up; undefined when there is nothing (more) to do. */
  begun(): Promise<Date | undefined>
  /** Whether no other node has taken it up since. */
  isOurs(): Promise<boolean>
  finish(): Promise<void>
}

/** Marks a store in which nothing ever happened as one that gets a sample; to be asked before anything is written. */
export const openSampleLog = async (store: EventStore): Promise<SampleLog> => {
  let ours = NO_STREAM

  /** False: another node came first. */
  const write = async (tail: Tail, type: string): Promise<boolean> => {
    const id = crypto.randomUUID()
    const author = { seed: id, actor: null, time: new Date().toISOString(), correlation: id, causation: null }
    const end = await appendIfFirst(store, STREAM, tail, [draft(author, type, type, null, {})])
    ours = end ?? ours
    return end !== undefined
  }

  const takeUp = async (): Promise<Date | undefined> => {
    for (;;) {
      let first: StoredEvent | undefined
      let last: StoredEvent | undefined
      for await (const event of store.read(STREAM)) {
        first ??= event
        last = event
      }
      if (first === undefined || last === undefined || last.type === 'SampleFinished') return undefined
      if (last.revision === ours.revision || (await write(last, 'SampleTakenUp'))) return new Date(first.time)
    }
  }

  const isFirst = (await store.head()) === START && (await write(NO_STREAM, 'SampleStarted'))
  return {
    resumed: !isFirst,
    begun: takeUp,
    isOurs: async () => (await store.revision(STREAM)) === ours.revision,
    async finish() {
      await write(ours, 'SampleFinished')
    },
  }
}
