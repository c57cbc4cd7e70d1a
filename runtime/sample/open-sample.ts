import { appendIfFirst, derivedId, draft, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import { type Caller, systemCaller } from '#commands/port.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { StoredEvent } from '#schemas/event.ts'
import type { RuntimeParts } from '../parts.ts'
import { sampleIds } from './plan.ts'
import type { RemovedSample, RemoveSample } from './remove-sample.ts'
import type { SampleCampaignParts } from './sample-campaign.ts'

const STREAM = 'sample-workspace'
/** Events after which nothing more is made. */
const ENDS: ReadonlyMap<string, SampleState> = new Map([
  ['SampleFinished', 'finished'],
  ['SampleRemoved', 'removed'],
])

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
  /** The sample as the log has it now, and the moment of its first start. */
  state(): Promise<{ readonly state: SampleState; readonly since: Date | undefined }>
  /** Records that it was removed. */
  remove(): Promise<void>
}

/** `none`: the store never got a sample. */
type SampleState = 'none' | 'making' | 'finished' | 'removed'

interface ShownSample {
  /** `removing`: this node removes it. */
  readonly state: SampleState | 'removing'
  /** Share of the making or the removal that is done, 0 to 1; 1 unless this node is at it. */
  readonly share: number
  readonly removable: boolean
}

/** Marks a store in which nothing ever happened as one that gets a sample; to be asked before anything is written. */
export const openSampleLog = async (store: EventStore, isWanted = true): Promise<SampleLog> => {
  let ours = NO_STREAM

  /** False: another node came first. */
  const write = async (tail: Tail, type: string): Promise<boolean> => {
    const id = crypto.randomUUID()
    const author = { seed: id, actor: null, time: new Date().toISOString(), correlation: id, causation: null }
    const end = await appendIfFirst(store, STREAM, tail, [draft(author, type, type, null, {})])
    ours = end ?? ours
    return end !== undefined
  }

  const ends = async () => {
    let first: StoredEvent | undefined
    let last: StoredEvent | undefined
    for await (const event of store.read(STREAM)) {
      first ??= event
      last = event
    }
    return { first, last }
  }

  const takeUp = async (): Promise<Date | undefined> => {
    for (;;) {
      const { first, last } = await ends()
      if (first === undefined || last === undefined || ENDS.has(last.type)) return undefined
      if (last.revision === ours.revision || (await write(last, 'SampleTakenUp'))) return new Date(first.time)
    }
  }

  const isFirst = isWanted && (await store.head()) === START && (await write(NO_STREAM, 'SampleStarted'))
  return {
    resumed: !isFirst,
    begun: takeUp,
    isOurs: async () => (await store.revision(STREAM)) === ours.revision,
    async finish() {
      await write(ours, 'SampleFinished')
    },
    async state() {
      const { first, last } = await ends()
      const since = first && new Date(first.time)
      return { state: last === undefined ? 'none' : (ENDS.get(last.type) ?? 'making'), since }
    },
    async remove() {
      for (;;) {
        const { last } = await ends()
        if (last === undefined || last.type === 'SampleRemoved' || (await write(last, 'SampleRemoved'))) return
      }
    },
  }
}

interface SampleParts extends RuntimeParts, Pick<SampleCampaignParts, 'audiences'> {
  readonly lookup: Lookup
  readonly log: RuntimeParts['log'] & {
    info(about: object, message: string): void
    warn(about: unknown, message?: string): void
  }
  readonly conversations: RemoveSample['conversations'] & { log(): Promise<EventStore> }
}

const NOTHING: RemovedSample = { things: 0, conversations: 0, kept: [] }

/** Runs the conversation tests of a bot, so that each has a result. */
const runTests = async (
  { read, commands }: Pick<SampleParts, 'read' | 'commands'>,
  bot: string,
  signal: AbortSignal,
): Promise<void> => {
  for (const { id } of await allRows(read, SYSTEM_SCOPE, 'conversationtest', { bot })) {
    if (signal.aborted) return
    const run = { entity: 'conversationtest', action: 'run', id, input: {}, caller: systemCaller() }
    await commands.execute({ ...run, correlation: id, seed: derivedId(id, 'first run') })
  }
}

/** Share of the work that the steps of people, and the conversations, are; a campaign is the rest. */
const STEPS = 0.4
const PAST = 0.5

/** Keys of the sample's bots. */
const BOTS = ['saude', 'varejo', 'energia'] as const

interface Making {
  readonly progress: SampleLog
  /** The moment of the first start. */
  readonly now: Date
  readonly signal: AbortSignal
  /** Called with the share of the work that is done, 0 to 1. */
  readonly made: (share: number) => void
}

/** Makes the whole sample. Returns false when interrupted. */
const makeSample = async (given: SampleParts, { progress, now, signal, made }: Making): Promise<boolean> => {
  const { store, keys, lookup, log, read, nlu, releases } = given
  const { resumed, isOurs } = progress
  // A sample is made once in the life of a store.
  const [{ createSample }, { sendSampleCampaign }, { makeSamplePast }] = await Promise.all([
    import('./create-sample.ts'),
    import('./sample-campaign.ts'),
    import('./past/sample-past.ts'),
  ])
  const idOf = sampleIds(store)
  const project = idOf('nluproject', 'saude')
  const started = performance.now()
  const lasted = () => ({ ms: Math.round(performance.now() - started) })
  nlu.setApart(project, true)
  const isCreated = await createSample({
    ...{ store, keys, lookup, now, resumed, signal, isOurs },
    made: part => made(part * STEPS),
    async release(bot, time) {
      const of = { entity: 'bot', action: 'restart', id: bot, input: {}, actor: null, correlation: bot }
      await read.reached(await store.head())
      await releases.made({ ...of, time })
    },
    train: (id, at) => nlu.trainApart(id, at),
  }).finally(() => nlu.setApart(project, false))
  if (!isCreated) return false
  log.info(lasted(), 'the people, bots and drawings of the sample are there')
  await read.reached(await store.head())
  const campaign = { bot: idOf('bot', 'varejo'), seed: idOf('campaign', 'pedidos'), signal }
  const past = {
    ...{ parts: given, idOf, now, signal, isOurs },
    made: (part: number) => made(STEPS + part * PAST),
  }
  // Tests wait for their two processes most of the time.
  const finished = await Promise.all([
    sendSampleCampaign({ ...given, ...campaign }),
    given.conversations.log().then(conversationLog => makeSamplePast({ ...past, log: conversationLog })),
    ...BOTS.map(bot => runTests(given, idOf('bot', bot), signal)),
  ])
  if (finished.includes(false) || signal.aborted) return false
  log.info(lasted(), 'the sample workspace is there')
  return true
}

/** The sample workspace of a store, made in the background once the gateway is ready. */
export interface Sample {
  begin(parts: SampleParts): void
  state(caller: Caller): Promise<ShownSample>
  /** Removes all that was made, on behalf of a user; nothing where they can reach no sample. */
  remove(caller: Caller): Promise<RemovedSample>
  /** Releases the store; the next start resumes. */
  stop(): Promise<void>
}

/** To be called before anything is written: a store that holds nothing yet gets a sample, and no other. */
export const openSample = async (store: EventStore, isWanted: boolean): Promise<Sample> => {
  const progress = await openSampleLog(store, isWanted)
  let stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let parts: SampleParts | undefined
  let share = 0
  let removing: Promise<RemovedSample> | undefined
  const idOf = sampleIds(store)
  const reaches = ({ level, subtree }: Caller) =>
    // All levels of the sample are under this one.
    level === idOf('hierarchy', 'root') || subtree.has(idOf('hierarchy', 'aurora'))

  const made = (part: number) => {
    share = part
  }

  const run = async (given: SampleParts): Promise<void> => {
    const now = isWanted ? await progress.begun() : undefined
    if (now === undefined) return
    const { SampleRefused } = await import('./create-sample.ts')
    try {
      const { signal } = stopping
      if (!(await makeSample({ ...given, store }, { progress, now, signal, made }))) return
    } catch (error) {
      if (!(error instanceof SampleRefused)) throw error
      given.log.warn(error, 'the sample workspace is not complete')
    }
    await progress.finish()
  }

  const removeAll = async (caller: Caller): Promise<RemovedSample> => {
    const { state, since } = await progress.state()
    if (parts === undefined || since === undefined || state === 'none' || state === 'removed') return NOTHING
    stopping.abort()
    await running
    stopping = new AbortController()
    // Another node that makes it stops.
    if (state === 'making') await progress.begun()
    const { removeSample } = await import('./remove-sample.ts')
    const removed = await removeSample({ ...parts, store, caller, now: since, made })
    await progress.remove()
    return removed
  }

  return {
    begin(given) {
      parts = given
      running = run(given).catch(error => {
        given.log.warn('the sample workspace goes on at the next start')
        given.log.error(error)
      })
    },
    async state(caller) {
      const { state } = await progress.state()
      if (!reaches(caller)) return { state: 'none', share: 1, removable: false }
      if (removing !== undefined) return { state: 'removing', share, removable: false }
      const isThere = state === 'making' || state === 'finished'
      const removable = isThere && caller.permits('deletehierarchy')
      return { state, share: state === 'making' ? share : 1, removable }
    },
    remove(caller) {
      if (!reaches(caller)) return Promise.resolve(NOTHING)
      if (removing === undefined) share = 0
      removing ??= removeAll(caller).finally(() => {
        removing = undefined
      })
      return removing
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
