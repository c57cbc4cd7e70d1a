import { setImmediate as breath } from 'node:timers/promises'
import * as Y from 'yjs'
import { createCommandHandler } from '#commands/command-handler.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { Keys } from '#commands/keys/secret.ts'
import { randomPassword } from '#commands/people/password.ts'
import { derivedId, firstEventId, isFirstEvent, type Tail } from '#commands/pipeline/append.ts'
import { type Caller, ownCaller, systemCaller } from '#commands/port.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import { setScript } from '#domain/flow/document/edit.ts'
import { patchFlow } from '#domain/flow/document/patch-flow.ts'
import type { Lookup } from '#domain/lookup.ts'
import { grantedBy } from '#domain/people/permission.ts'
import type { JsonObject } from '#schemas/event.ts'
import { entityStream, processStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { LEVELS, PEOPLE_OF_SAMPLE, ROLES } from './content/people.ts'
import { type IdOf, sampleIds } from './plan.ts'
import { type Step, schedule } from './schedule.ts'

/** On whose behalf and when an edit is made; its event's id comes from `seed`. */
interface Stroke {
  readonly seed: string
  readonly time: string
  readonly user: string
}

interface Open {
  readonly doc: Y.Doc
  readonly clients: Map<string, number>
  tail: Tail
}

/** Draws in flows as people in a room do: every person with a Yjs client of their own, one event for each edit. */
class DrawingHand {
  readonly #log: FlowLog
  readonly #flows = new Map<string, Open>()

  constructor(log: FlowLog) {
    this.#log = log
  }

  /**
   * Returns the position of the write; undefined when the flow had the content already, or another node drew it. Throws
   * WrongRevision when another writer drew meanwhile.
   */
  async draw(flow: string, { seed, time, user }: Stroke, mutate: (doc: Y.Doc) => void): Promise<string | undefined> {
    const known = this.#flows.get(flow)
    const open = known ?? (await this.#open(flow))
    if (known === undefined && (await this.#log.written(flow, seed)) !== undefined) return undefined
    const { doc, clients, tail } = open
    const mine = clients.get(user)
    const client = mine ?? newClient()
    doc.clientID = client
    const from = Y.getState(doc.store, client)
    const captured = captureEdit(doc, () => mutate(doc))
    if (captured === null) return undefined
    const edit = {
      ...captured,
      // The first edit carries the empty flow it was made on.
      update: tail.revision === 0 ? Y.encodeStateAsUpdate(doc) : captured.update,
      actor: user,
      authors: [user],
      bindings: mine === undefined ? [{ client, user }] : [],
      ranges: [{ client, from, to: Y.getState(doc.store, client) }],
    }
    const author = { seed, actor: user, time, correlation: seed, causation: null }
    try {
      const written = await this.#log.append(flow, tail, edit, firstEventId(seed, flowStream(flow)), author)
      clients.set(user, client)
      open.tail = written
      return written.position
    } catch (error) {
      this.leave(flow)
      throw error
    }
  }

  /** Call when another writer may have changed the flow. */
  leave(flow: string): void {
    this.#flows.get(flow)?.doc.destroy()
    this.#flows.delete(flow)
  }

  async #open(flow: string): Promise<Open> {
    const { doc, revision, hash } = await this.#log.load(flow)
    const open = { doc, clients: new Map<string, number>(), tail: { revision, hash } }
    this.#flows.set(flow, open)
    return open
  }
}

const newClient = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

/** The sample's people as callers, with what their roles let them do in the levels that they reach. */
const rosterOf =
  (idOf: IdOf) =>
  (key: string | null, action: string): Caller => {
    const person = key === null ? undefined : PEOPLE_OF_SAMPLE[key]
    if (key === null || person === undefined) return systemCaller(idOf('hierarchy', 'root'))
    const user = idOf('user', key)
    const level = idOf('hierarchy', person.level)
    // A step of one's own sign-in needs no permission.
    if (action === 'signin') return ownCaller({ id: user, level })
    const role = ROLES[person.role]
    const granted = role === undefined ? new Set<string>() : grantedBy(role)
    const subtree = new Set(below(person.level).map(below => idOf('hierarchy', below)))
    return { user, session: null, level, subtree, permits: permission => granted.has(permission) }
  }

const below = (key: string): string[] => [
  key,
  ...LEVELS.filter(({ parent }) => parent === key).flatMap(level => below(level.key)),
]

/** A command of the sample was refused: it can not be completed. */
export class SampleRefused extends Error {
  override readonly name = 'SampleRefused'
}

interface SampleOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly lookup: Lookup
  /** The moment of the first start. */
  readonly now: Date
  /** An earlier start was broken off. */
  readonly resumed: boolean
  readonly signal: AbortSignal
  /** Whether it is still for this node to make it. */
  readonly isOurs: () => Promise<boolean>
  /** Makes the release of a bot as of a moment. Default: none is made. */
  readonly release?: (bot: string, time: string) => Promise<void>
  /** Trains an NLU project. Returns the input that finishes its training. Default: none is trained. */
  readonly train?: (project: string, started: string) => Promise<JsonObject | undefined>
  /** Called with the share of the steps that are taken, 0 to 1. */
  readonly made?: (share: number) => void
}

interface TrainParts extends Pick<SampleOptions, 'lookup'> {
  readonly train: NonNullable<SampleOptions['train']> | undefined
  readonly commands: ReturnType<typeof createCommandHandler>
  readonly idOf: IdOf
  readonly clock: { time: Date }
}

/** ms until a training has ended, and until its model is set for production. */
const TRAINED_MS = 48_000
const CHOSEN_MS = 150_000

/** Trains a project as its person does in the console, at the time of the step. */
const trainStep = async (
  { commands, lookup, idOf, clock, train }: TrainParts,
  { project, by, time }: Extract<Step, { do: 'train' }>,
  seed: string,
): Promise<undefined> => {
  if (train === undefined) return undefined
  const subtree = new Set(LEVELS.map(({ key }) => idOf('hierarchy', key)))
  const caller = { ...systemCaller(), subtree, user: idOf('user', by ?? '') }
  const run = async (action: string, input: JsonObject, after: number) => {
    clock.time = new Date(time.getTime() + after)
    const to = { entity: 'nluproject', action, id: project, input, caller }
    const outcome = await commands.execute({ ...to, correlation: seed, seed: derivedId(seed, action) })
    if (outcome.ok && outcome.position !== undefined) await lookup.reached(outcome.position)
  }
  await run('train', {}, 0)
  const finished = await train(project, time.toISOString())
  if (finished === undefined) return undefined
  await run('finishtraining', finished, TRAINED_MS)
  await run('setproduction', { model: finished.hash ?? '' }, CHOSEN_MS)
  return undefined
}

/** Whether a step was written, if only in part. */
const isBegun = (step: Step, seed: string, ids: ReadonlyMap<string, readonly string[]>): boolean => {
  if (step.do === 'release' || step.do === 'train') return false
  const streams =
    step.do === 'command'
      ? [entityStream(step.entity, step.id), flowStream(step.id), processStream(step.id)]
      : [flowStream(step.flow)]
  return streams.some(stream => ids.get(stream)?.some(isFirstEvent(seed, stream)) === true)
}

/**
 * Creates the sample's history through the normal commands, each at its own time and by its own person. May be
 * interrupted and repeated at any point: written steps are skipped. Returns whether it is complete: false when it was
 * interrupted or another node resumed it. @throws SampleRefused when other users' work conflicts, and the store's
 * errors
 */
export const createSample = async ({
  store,
  keys,
  lookup,
  now,
  resumed,
  signal,
  isOurs,
  release,
  train,
  made,
}: SampleOptions): Promise<boolean> => {
  const idOf = sampleIds(store)
  const callerOf = rosterOf(idOf)
  const seedOf = (name: string) => derivedId(store.id, `sample step ${name}`)
  // A dialog's start block has its id from the command that made the dialog.
  const startOf = (dialog: string) => derivedId(seedOf(`create dialog ${dialog}`), 'start')
  const clock = { time: now }
  const commands = createCommandHandler({ store, keys, lookup, now: () => clock.time })
  const hand = new DrawingHand(commands.flows)
  const steps = schedule({ now, idOf, startOf, passwordOf: randomPassword })

  /** Index of the next step. Steps run one after the other: only the newest can be incomplete. */
  const reached = async (): Promise<number> => {
    const ids = await eventIds(store)
    const index = steps.findLastIndex(step => isBegun(step, seedOf(step.name), ids))
    const newest = steps[index]
    return newest !== undefined && isDrawing(newest) ? index : index + 1
  }

  const command = async (step: Extract<Step, { do: 'command' }>, seed: string): Promise<string | undefined> => {
    const { entity, action, id } = step
    hand.leave(id)
    clock.time = step.time
    const input = { ...step.input, ...(await revisionBefore(store, action, entity, id)) }
    const caller = callerOf(step.by, action)
    const outcome = await commands.execute({ entity, action, id, input, caller, correlation: seed, seed })
    if (outcome.ok) return outcome.position
    throw new SampleRefused(`${step.name} (${entity} ${action}): ${JSON.stringify(outcome.refusal)}`)
  }

  const take = async (step: Step, seed: string): Promise<string | undefined> => {
    switch (step.do) {
      case 'command':
        return command(step, seed)
      case 'draw':
        return hand.draw(step.flow, strokeOf(step, seed), doc => patchFlow(doc, step.file, seed))
      case 'write':
        return hand.draw(step.flow, strokeOf(step, seed), doc => setScript(doc, step.code, seed))
      case 'release':
        await release?.(step.bot, step.time.toISOString())
        return undefined
      case 'train':
        return trainStep({ commands, lookup, idOf, clock, train }, step, seed)
      default:
        return step satisfies never
    }
  }
  const strokeOf = ({ time, by }: Step, seed: string) => ({
    seed,
    time: time.toISOString(),
    user: idOf('user', by ?? ''),
  })

  const from = async (): Promise<number> => {
    if (!resumed) return 0
    const index = await reached()
    // A step that is a process counts as taken once it began.
    await commands.resumeProcesses()
    await lookup.reached(await store.head())
    return index
  }

  /** False: it is for this node no more. */
  const isTaken = async (step: Step): Promise<boolean> => {
    while (!signal.aborted && (await isOurs())) {
      try {
        const position = await take(step, seedOf(step.name))
        // Deciding looks things up in the read models; drawing does not.
        if (position !== undefined && step.do === 'command') await lookup.reached(position)
        return true
      } catch (error) {
        // In the way may be what another node has made since it took the sample up.
        if (!(error instanceof WrongRevision) && (await isOurs())) throw error
      }
    }
    return false
  }

  for (let place = await from(); place < steps.length; place += 1) {
    const step = steps[place]
    if (step !== undefined && !(await isTaken(step))) return false
    made?.(place / steps.length)
    await breath()
  }
  return true
}

/** Ids by stream, of one read of the log: a read of every stream of every step takes far longer. */
const eventIds = async (store: EventStore): Promise<ReadonlyMap<string, readonly string[]>> => {
  const ids = new Map<string, string[]>()
  for await (const { stream, id } of store.readAll()) {
    const known = ids.get(stream)
    if (known === undefined) ids.set(stream, [id])
    else known.push(id)
  }
  return ids
}

/** Making a dialog or a handler writes two streams; making it again writes what is missing. */
const isDrawing = (step: Step): boolean =>
  step.do === 'command' && step.action === 'create' && (step.entity === 'dialog' || step.entity === 'handler')

/** Restoring brings back what was before the newest event. */
const revisionBefore = async (store: EventStore, action: string, entity: string, id: string): Promise<JsonObject> => {
  if (action !== 'restore' && action !== 'restoreflow') return {}
  const stream = action === 'restore' ? entityStream(entity, id) : flowStream(id)
  return { revision: (await store.revision(stream)) - 1 }
}
