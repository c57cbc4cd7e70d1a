import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { type ProcessPlan, processStream } from '#schemas/events/entity.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { type Author, append, derivedId, draft, isFirstEvent, NO_STREAM, type Tail } from '../pipeline/append.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { follow } from '../store/follow.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { perform } from './perform.ts'
import {
  type Ending,
  PlanOutdated,
  type Processes,
  packPlan,
  type StepContext,
  type StepResult,
  unpackPlan,
} from './process-port.ts'

interface Open {
  readonly isOpen: true
  readonly plan: ProcessPlan
  readonly started: StoredEvent
  readonly tail: Tail
  /** Reports of the finished steps. */
  readonly done: ReadonlyMap<number, JsonObject | undefined>
}

interface Ended {
  readonly isOpen: false
  readonly result: Result<Ending>
}

const AGAIN_AFTER = 5000

export const createProcesses = (context: () => CommandContext, execute: StepContext['execute']): Processes => {
  const running = new Map<string, Promise<Result<Ending>>>()

  /** The newest process about a thing, of those that began with such an event; undefined when there is none. */
  const standOf = async (root: string, isStart = (_: string) => true): Promise<Open | Ended | undefined> => {
    let done: [number, JsonObject | undefined][] = []
    let newest: StoredEvent | undefined
    for await (const event of context().store.read(processStream(root), { direction: 'backwards' })) {
      newest ??= event
      if (event.type === 'ProcessStarted') {
        if (!isStart(event.id) || isAbandoned(newest)) {
          newest = undefined
          done = []
          continue
        }
        const inOrder = new Map(done.reverse())
        if (newest.type === 'ProcessFinished') return { isOpen: false, result: resultOf(newest, toldBy(inOrder)) }
        const tail = { revision: newest.revision, hash: newest.hash }
        return { isOpen: true, plan: await unpackPlan(event), started: event, tail, done: inOrder }
      }
      if (event.type === 'ProcessStepDone')
        done.push([Number(event.data.step), event.data.told as JsonObject | undefined])
    }
    return undefined
  }

  const tailOf = async (root: string): Promise<Tail & { readonly isOpen: boolean }> => {
    for await (const event of context().store.read(processStream(root), { direction: 'backwards', limit: 1 })) {
      return { revision: event.revision, hash: event.hash, isOpen: event.type !== 'ProcessFinished' }
    }
    return { ...NO_STREAM, isOpen: false }
  }

  const goThrough = async (root: string, resumed: boolean): Promise<Result<Ending>> => {
    const open = await standOf(root)
    if (open === undefined) return accepted({ position: '', told: [] })
    if (!open.isOpen) return open.result
    let tail = open.tail
    const how = { ids: open.plan.ids ?? {}, batch: open.plan.batch, execute }
    const mark = async (type: string, data: StoredEvent['data']) => {
      const author = authorOf(open.started, type, tail.revision)
      const event = draft(author, type, type, open.started.level, data)
      const written = await append(context().store, processStream(root), tail, [event])
      tail = written
      return written.position
    }
    const done = new Map(open.done)
    for (const [index, step] of open.plan.steps.entries()) {
      if (done.has(index)) continue
      const { refusal, told } = await retryOnConflict(again =>
        perform(context(), authorOf(open.started, 'step', index), step, { ...how, resumed: resumed || again }),
      ).catch(async error => {
        if (error instanceof PlanOutdated) await mark('ProcessFinished', { abandoned: true })
        throw error
      })
      if (refusal !== undefined) {
        await mark('ProcessFinished', { refusal: { code: refusal.code } })
        return { ok: false, refusal }
      }
      await mark('ProcessStepDone', { step: index, ...(told === undefined ? {} : { told }) })
      done.set(index, told)
    }
    return accepted({ position: await mark('ProcessFinished', {}), told: toldBy(done) })
  }

  /** Another node that resumed it continues as well: each step is done by the first to reach it. */
  const goOn = async (root: string, resumed: boolean): Promise<Result<Ending>> => {
    for (let again = resumed; ; again = true) {
      try {
        return await goThrough(root, again)
      } catch (error) {
        if (!(error instanceof WrongRevision) || error instanceof PlanOutdated) throw error
      }
    }
  }

  /** One at a time for each thing; when the store fails it is tried again later, for as long as this runs. */
  const alone = (root: string, resumed: boolean): Promise<Result<Ending>> => {
    const present = running.get(root)
    if (present !== undefined) return present
    const going = goOn(root, resumed).finally(() => running.delete(root))
    going.catch(error => void (error instanceof PlanOutdated || later(root)))
    running.set(root, going)
    return going
  }

  const later = async (root: string) => {
    await pause(AGAIN_AFTER, undefined, { ref: false })
    await alone(root, true).catch(() => undefined)
  }

  const abandon = async (author: Author, stream: string, started: Tail) => {
    const event = draft(author, `${stream}:abandoned:${started.revision}`, 'ProcessFinished', null, { abandoned: true })
    await append(context().store, stream, started, [event])
  }

  const resumed = async (root: string): Promise<void> => {
    await alone(root, true).catch(error => {
      if (!(error instanceof PlanOutdated)) throw error
    })
  }

  const begun: Processes['begun'] = async (author, root) => {
    const stand = await standOf(root, isFirstEvent(author.seed, processStream(root)))
    return stand?.isOpen ? alone(root, true) : stand?.result
  }

  return {
    begun,
    async carryOut(author, plan, isCurrent = async () => true) {
      const { root } = plan
      const { isOpen, ...tail } = await tailOf(root)
      const before = await begun(author, root)
      if (before !== undefined) return before
      if (isOpen) return refused('entity.busy')
      const stream = processStream(root)
      const event = draft(author, `${stream}:0`, 'ProcessStarted', null, await packPlan(plan))
      try {
        const started = await append(context().store, stream, tail, [event])
        if (!(await isCurrent())) {
          await abandon(author, stream, started)
          throw new PlanOutdated(stream, tail.revision, started.revision)
        }
      } catch (error) {
        if (!(error instanceof WrongRevision) || error instanceof PlanOutdated) throw error
        const earlier = await begun(author, root)
        if (earlier !== undefined) return earlier
        if ((await tailOf(root)).isOpen) return refused('entity.busy')
        throw error
      }
      return alone(root, false)
    },
    async begin(author, plan) {
      const { root } = plan
      const tail = await tailOf(root)
      const isNew = tail.revision === NO_STREAM.revision
      if (isNew) {
        const stream = processStream(root)
        const event = draft(author, `${stream}:0`, 'ProcessStarted', null, await packPlan(plan))
        await append(context().store, stream, tail, [event]).catch(error => {
          // Another node that carries the same request out has begun it.
          if (!(error instanceof WrongRevision)) throw error
        })
      }
      // A failure is tried again later.
      alone(root, !isNew).catch(() => undefined)
    },
    async isBusy(roots) {
      return (await Promise.all(roots.map(tailOf))).some(({ isOpen }) => isOpen)
    },
    async latest(root, kind) {
      let wasAbandoned = false
      for await (const event of context().store.read(processStream(root), { direction: 'backwards' })) {
        if (event.type === 'ProcessFinished') wasAbandoned = isAbandoned(event)
        if (event.type !== 'ProcessStarted' || wasAbandoned) continue
        const plan = await unpackPlan(event)
        if (plan.kind === kind) return plan
      }
      return undefined
    },
    async resume(root) {
      if (root !== undefined) return resumed(root)
      const unfinished = new Set<string>()
      const filter = { streamPrefixes: [processStream('')], types: ['ProcessStarted', 'ProcessFinished'] }
      for await (const { stream, type } of context().store.readAll({ filter })) {
        if (type === 'ProcessStarted') unfinished.add(stream.slice(processStream('').length))
        else unfinished.delete(stream.slice(processStream('').length))
      }
      for (const unended of unfinished) await resumed(unended)
    },
  }
}

/** Nothing of its plan was carried out. */
const isAbandoned = ({ data }: StoredEvent): boolean => data.abandoned === true

const toldBy = (done: Open['done']): readonly JsonObject[] =>
  [...done.values()].flatMap(told => (told === undefined ? [] : [told]))

const resultOf = ({ data, position }: StoredEvent, told: readonly JsonObject[]): Result<Ending> =>
  data.refusal === undefined
    ? accepted({ position, told })
    : { ok: false, refusal: { code: (data.refusal as unknown as Refusal).code } }

/** Everything a step writes gets ids that follow from the process and the step alone. */
const authorOf = ({ id, actor, correlation, causation, time }: StoredEvent, what: string, index: number): Author => ({
  seed: derivedId(id, `${what}:${index}`),
  actor,
  time,
  correlation,
  causation: causation ?? id,
})

/** After a conflict another node may have taken the step. */
const retryOnConflict = async (attempt: (again: boolean) => Promise<StepResult>): Promise<StepResult> => {
  for (let again = false; ; again = true) {
    try {
      return await attempt(again)
    } catch (error) {
      if (!(error instanceof WrongRevision) || error instanceof PlanOutdated) throw error
    }
  }
}

interface WatchProcesses {
  readonly store: EventStore
  readonly resume: (root: string) => Promise<void>
  readonly failed: (error: unknown) => void
  /** A process that did not move for so long is taken up, ms. */
  readonly still?: number
}

const STILL_MS = 30_000
const PREFIX = processStream('')

/**
 * Resumes processes left by a killed node. A merely slow node continues in parallel: each step is written by the first
 * to reach it. Returns a stop function.
 */
export const watchProcesses = ({ store, resume, failed, still = STILL_MS }: WatchProcesses): (() => Promise<void>) => {
  const moved = new Map<string, number>()
  const following = follow(store, {
    name: 'processes',
    from: () => store.head(),
    filter: { streamPrefixes: [PREFIX] },
    event({ stream, type }) {
      const root = stream.slice(PREFIX.length)
      if (type === 'ProcessFinished') moved.delete(root)
      else moved.set(root, performance.now())
    },
    failed,
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const [root, at] of moved) {
      if (now - at < still) continue
      moved.set(root, now)
      resume(root).catch(failed)
    }
  }, still / 4).unref()
  return async () => {
    clearInterval(look)
    await following.stop()
  }
}

const RESUME_AGAIN_AFTER = 60_000

/** Ends what crashes left unfinished; while the store cannot tell all of it, it is asked again, ms later. */
export const resumeAll = async (
  resume: () => Promise<void>,
  failed: (error: unknown) => void,
  again = RESUME_AGAIN_AFTER,
): Promise<void> => {
  for (;;) {
    try {
      return await resume()
    } catch (error) {
      failed(error)
      await pause(again, undefined, { ref: false })
    }
  }
}
