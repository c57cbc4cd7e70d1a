import { append } from '#commands/append.ts'
import { draft } from '#commands/author.ts'
import { NO_STREAM, type Tail } from '#commands/seal.ts'
import { type EventStore, START } from '#commands/store/port.ts'

const STREAM = 'sample-workspace'

/** How far the sample workspace of a store is: `SampleStarted` and `SampleFinished` in a stream of its own. */
export interface SampleLog {
  /** A first start that was broken off made this log. */
  readonly resumed: boolean
  /** The moment of the first start, or undefined when there is nothing (more) to do. */
  begun(): Promise<Date | undefined>
  finish(): Promise<void>
}

/** Marks a store in which nothing ever happened as one that gets a sample; to be asked before anything is written. */
export const openSampleLog = async (store: EventStore): Promise<SampleLog> => {
  const write = async (tail: Tail, type: string) => {
    const time = new Date().toISOString()
    const author = { seed: store.id, actor: null, time, correlation: crypto.randomUUID(), causation: null }
    await append(store, STREAM, tail, [draft(author, type, type, null, {})])
  }
  const last = async () => {
    for await (const event of store.read(STREAM, { direction: 'backwards', limit: 1 })) return event
    return undefined
  }

  const isFirst = (await store.head()) === START
  if (isFirst) await write(NO_STREAM, 'SampleStarted')
  return {
    resumed: !isFirst,
    async begun() {
      const event = await last()
      return event?.type === 'SampleStarted' ? new Date(event.time) : undefined
    },
    async finish() {
      const event = await last()
      if (event?.type === 'SampleStarted') await write(event, 'SampleFinished')
    },
  }
}
