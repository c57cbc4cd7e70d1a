import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { callersOf } from '#domain/flow/graph/references.ts'
import type { TextPattern } from '#domain/flow/text/find-text.ts'
import type { FlowHits } from '#schemas/api/flow-text.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { liveChildren } from '../version/capture-version.ts'
import { type BotFlow, flowsOfBot } from './bot-flow.ts'
import { expressionSettingsOf } from './existing-references.ts'
import type { FlowLog } from './flow-log.ts'
import type { FlowQuery, FlowQueryResult } from './flow-query.ts'

type LookedFlow<L extends FlowQuery> = FlowQueryResult<L> & { readonly revision: number }

/** Asks something of the texts of a flow as it is now, for at most so long. */
export const queryFlow = async <L extends FlowQuery>(
  { work, revision: revisionOf, stored }: Pick<FlowLog, 'work' | 'revision' | 'stored'>,
  flow: string,
  look: L,
  timeMs: number,
): Promise<LookedFlow<L>> => {
  const cached = await revisionOf(flow)
  const known = await work.perform({ do: 'look', flow, revision: cached, look, timeMs })
  if (known !== undefined) return { ...(known as FlowQueryResult<L>), revision: cached }
  const { state, revision } = await stored(flow)
  const looked = await work.perform({ do: 'look', flow, revision, state, look, timeMs })
  return { ...(looked as FlowQueryResult<L>), revision }
}

/** Result of a task; undefined after its timeout. */
type WaitFor = <T>(key: string, timeoutMs: number, run: () => Promise<T>) => Promise<T | undefined>

/**
 * Waits for tasks up to their timeout. An overdue task continues, and no other task of its key starts until it ends:
 * repeated calls do not queue the same work.
 */
export const createKeyedTimeout = (): WaitFor => {
  const overdue = new Set<string>()
  return async (key, timeoutMs, run) => {
    if (timeoutMs <= 0 || overdue.has(key)) return undefined
    const { promise: timeout, resolve: giveUp } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => {
      overdue.add(key)
      giveUp(undefined)
    }, timeoutMs)
    const task = run().finally(() => {
      clearTimeout(timer)
      overdue.delete(key)
    })
    // No caller waits for an overdue task: its failure is ignored.
    task.catch(() => undefined)
    return Promise.race([task, timeout])
  }
}

/** Which flows of a bot are looked through: of kinds that the caller may read. */
export interface FlowQueryScope {
  readonly bot: string
  readonly dialogtask?: string | undefined
  readonly may: (kind: BotFlow['kind']) => boolean
}

type UseOf = { readonly variable: string } | { readonly to: 'dialog' | 'handler' | 'dialogtask'; readonly id: string }

/** Looks through the live flows of a bot. */
export interface FlowReader {
  usesInFlows(asked: FlowQueryScope, of: UseOf): Promise<FlowHits>
  findInFlows(asked: FlowQueryScope, wanted: TextPattern): Promise<FlowHits>
  /** Ids of dialogs that come to run this one as a sub-dialog, itself where it runs itself. */
  callersOf(asked: FlowQueryScope, dialog: string): Promise<readonly string[]>
  unusedVariables(asked: FlowQueryScope): Promise<readonly { readonly id: string; readonly name: string }[]>
}

/** Hits that are answered; more are counted alone. */
const MAX_HITS = 2000
/** After this long a search answers what it found, and which flows it did not look through. */
const SEARCH_TIMEOUT_MS = 5000

type HitLook = Extract<FlowQuery, { readonly max: number }>

/** A flow that costs too much to read is one that was not looked through; the others of its bot still are. */
const unlessTooCostly = (error: unknown): undefined => {
  if (error instanceof TooCostly) return undefined
  throw error
}

export const flowReader = (context: CommandContext): FlowReader => {
  const waitFor = createKeyedTimeout()
  const flowsOf = async ({ bot, dialogtask, may }: FlowQueryScope): Promise<readonly BotFlow[]> =>
    (await flowsOfBot(context, bot, dialogtask)).filter(({ kind }) => may(kind))

  const collect = async (asked: FlowQueryScope, lookOf: (max: number) => HitLook): Promise<FlowHits> => {
    const items: FlowHits['items'][number][] = []
    const unfinished: NonNullable<FlowHits['unfinished']>[number][] = []
    let found = 0
    let total = 0
    const end = performance.now() + SEARCH_TIMEOUT_MS
    for (const flow of await flowsOf(asked)) {
      const { kind, id, name } = flow
      const left = end - performance.now()
      // A large flow leaves time for those behind it.
      const look = () => queryFlow(context.flows, id, lookOf(MAX_HITS - found), left / 2).catch(unlessTooCostly)
      const looked = await waitFor(id, left, look)
      if (looked === undefined || looked.isCut) unfinished.push({ kind, id, name })
      if (looked === undefined) continue
      const { answer, revision } = looked
      found += answer.hits.length
      total += answer.total
      if (answer.hits.length > 0) items.push({ ...flow, revision, hits: [...answer.hits] })
    }
    return { items, total, ...(unfinished.length === 0 ? {} : { unfinished }) }
  }

  const parserOf = async (bot: string) => (await expressionSettingsOf(context, bot)).parser

  return {
    async usesInFlows(asked, of) {
      if ('to' in of) return collect(asked, max => ({ for: 'target', targets: [of], max }))
      const parser = await parserOf(asked.bot)
      return collect(asked, max => ({ for: 'variable', name: of.variable, parser, max }))
    },

    async findInFlows(asked, wanted) {
      const parser = await parserOf(asked.bot)
      return collect(asked, max => ({ for: 'text', wanted, parser, max }))
    },

    async callersOf(asked, dialog) {
      const calls = new Map<string, readonly string[]>()
      for (const { id } of await flowsOf(asked)) {
        const looked = await queryFlow(context.flows, id, { for: 'called' }, SEARCH_TIMEOUT_MS).catch(unlessTooCostly)
        calls.set(id, looked?.answer ?? [])
      }
      return [...callersOf(calls, dialog)]
    },

    async unusedVariables(asked) {
      const variables = await liveChildren(context, 'bot', asked.bot, 'variable')
      const named = Map.groupBy(variables, ({ fields }) => String(fields.name ?? ''))
      const parser = await parserOf(asked.bot)
      for (const { id } of await flowsOf(asked)) {
        if (named.size === 0) break
        const look = { for: 'named', names: [...named.keys()], parser } as const
        const looked = await queryFlow(context.flows, id, look, SEARCH_TIMEOUT_MS).catch(unlessTooCostly)
        // Unsearched text may contain any of them.
        if (looked === undefined || looked.isCut) return []
        for (const name of looked.answer) named.delete(name)
      }
      return [...named].flatMap(([name, same]) => same.map(({ id }) => ({ id, name })))
    },
  }
}
