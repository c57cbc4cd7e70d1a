import type { Commands } from '#commands/command-handler.ts'
import { draft, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import { systemCaller } from '#commands/port.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { appendIfFirst } from '../log/stream-aggregate.ts'
import type { Nlu } from '../nlu/open-nlu.ts'
import type { RuntimeParts } from '../parts.ts'
import type { SampleCampaignParts } from './sample-campaign.ts'

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

interface TrainSample {
  readonly commands: Pick<Commands, 'execute'>
  readonly read: ReadModels
  readonly nlu: Pick<Nlu, 'admit'>
  /** Id of the sample's NLU project. */
  readonly project: string
  readonly signal: AbortSignal
}

const ENTITY = 'nluproject'

/** The project when no training of it runs; undefined if it was removed or `signal` is aborted. */
const untilTrained = (
  read: ReadModels,
  project: string,
  signal: AbortSignal,
): Promise<RowOf<'nluproject'> | undefined> =>
  new Promise((resolve, reject) => {
    const end = (row: RowOf<'nluproject'> | undefined) => {
      stop()
      signal.removeEventListener('abort', abort)
      resolve(row)
    }
    const abort = () => end(undefined)
    const look = async () => {
      const row = await read.detail(SYSTEM_SCOPE, ENTITY, project)
      if (row?.training_status !== 'started') end(row)
    }
    const stop = read.onTouched([ENTITY], touched => {
      if (touched.some(({ id }) => id === project)) look().catch(reject)
    })
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else look().catch(reject)
  })

/**
 * Trains the sample's NLU project as from the console, and sets its model for production. May be interrupted and
 * repeated. Returns false when interrupted; keeps other users' changes of the project.
 */
const trainSample = async ({ commands, read, nlu, project, signal }: TrainSample): Promise<boolean> => {
  const act = async (action: string, input: JsonObject) => {
    const correlation = crypto.randomUUID()
    const outcome = await commands.execute({
      entity: ENTITY,
      action,
      id: project,
      input,
      caller: systemCaller(),
      correlation,
    })
    if (outcome.ok && outcome.position !== undefined) await read.reached(outcome.position)
  }
  const before = await untilTrained(read, project, signal)
  const isUntrained = before !== undefined && modelsOf(before.models).length === 0
  if (isUntrained && before.training_status === 'none' && nlu.admit(project)) await act('train', {})
  const row = await untilTrained(read, project, signal)
  const models = modelsOf(row?.models)
  const [newest] = models
  if (newest !== undefined && !models.some(({ production }) => production))
    await act('setproduction', { model: newest.id })
  return !signal.aborted
}

interface SampleParts extends Pick<RuntimeParts, 'keys' | 'commands' | 'read' | 'nlu'>, SampleCampaignParts {
  readonly commands: Commands
  readonly read: ReadModels
  readonly lookup: Lookup
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (about: unknown, message: string) => void>>
}

/** The sample workspace of a store, made in the background once the gateway is ready. */
interface Sample {
  begin(parts: SampleParts): void
  /** Releases the store; the next start resumes. */
  stop(): Promise<void>
}

/** To be called before anything is written: a store that holds nothing yet gets a sample, and no other. */
export const openSample = async (store: EventStore, isWanted: boolean): Promise<Sample> => {
  const progress = isWanted ? await openSampleLog(store) : undefined
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const run = async ({ keys, lookup, log, ...parts }: SampleParts): Promise<void> => {
    const now = await progress?.begun()
    if (progress === undefined || now === undefined) return
    // A sample is made once in the life of a store.
    const [{ createSample, SampleRefused, sampleIds }, { sendSampleCampaign }] = await Promise.all([
      import('./create-sample.ts'),
      import('./sample-campaign.ts'),
    ])
    const started = performance.now()
    try {
      const { resumed, isOurs } = progress
      const { signal } = stopping
      if (!(await createSample({ store, keys, lookup, now, resumed, signal, isOurs }))) return
      log.info({ ms: Math.round(performance.now() - started) }, 'the sample workspace is there')
      const idOf = sampleIds(store)
      const project = idOf('nluproject', 'saude')
      if (!(await trainSample({ ...parts, project, signal }))) return
      const campaign = { bot: idOf('bot', 'varejo'), seed: idOf('campaign', 'pedidos'), signal }
      if (!(await sendSampleCampaign({ ...parts, ...campaign }))) return
    } catch (error) {
      if (!(error instanceof SampleRefused)) throw error
      log.warn(error, 'the sample workspace is not complete')
    }
    await progress.finish()
  }

  return {
    begin(parts) {
      running = run(parts).catch(error => parts.log.error(error, 'the sample workspace goes on at the next start'))
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
