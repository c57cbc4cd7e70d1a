import { randomUUID } from 'node:crypto'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { createLoader } from '#commands/pipeline/load.ts'
import { listReleases, makeRelease, newestRelease, releaseNumber } from '#commands/release/make-release.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Release } from '#domain/conversation/release.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import { type ReleaseContent, releaseContent } from '#domain/release.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { handler as handlerEntity } from '#schemas/entities/handler.ts'
import { openCompiledFlows } from '../conversation/effect/compiled-flows.ts'
import type { ReleaseRecord, Releases } from '../port.ts'
import { followReleases, type ReleaseCause } from './follow-releases.ts'

/** Whether a bot runs: every status but `stopped` (RUNTIME 7). */
export const isStarted = (row: RowOf<'bot'> | undefined): row is RowOf<'bot'> =>
  row !== undefined && row.runningstatus !== 'stopped'

/** Content of a bot that is published now. */
const publishedContent = async (read: ReadModels, bot: RowOf<'bot'>): Promise<ReleaseContent> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id })
  const within = async (entity: 'dialog' | 'handler') => {
    const rows = await Promise.all(tasks.map(task => allRows(read, SYSTEM_SCOPE, entity, { dialogtask: task.id })))
    return rows.flat().map(row => ({ id: row.id, fields: row }))
  }
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  const project = bot.nluproject ? await read.detail(SYSTEM_SCOPE, 'nluproject', bot.nluproject) : undefined
  const production = modelsOf(project?.models).find(model => model.production)
  return releaseContent(bot.id, bot, dialogs, handlers, production?.hash ?? null)
}

interface OpenReleases {
  readonly store: EventStore
  readonly flows: FlowLog
  readonly read: ReadModels
  readonly failed: (error: unknown) => void
}

const FLOW_ACTIONS: ReadonlySet<string> = new Set(['publish', 'publishuntested', 'unpublish', 'remove', 'restore'])

/** Actions that may change the content of running bots, by entity: their answer waits for the releases. */
const LEADING: Readonly<Record<string, ReadonlySet<string>>> = {
  bot: new Set(['start', 'restart', 'fix', 'change', 'restore']),
  dialog: FLOW_ACTIONS,
  handler: FLOW_ACTIONS,
  dialogtask: new Set(['publishall', 'publishuntested', 'remove', 'restore']),
  version: new Set(['apply', 'publishuntested']),
  nluproject: new Set(['setproduction']),
}

/** Bots whose content an action may have changed. The thing itself may have been removed by it. */
const botsOf = async (read: ReadModels, entity: string, id: string): Promise<readonly string[]> => {
  if (entity === 'bot') return [id]
  if (entity === 'nluproject') return (await allRows(read, SYSTEM_SCOPE, 'bot', { nluproject: id })).map(bot => bot.id)
  const row = await read.detail(SYSTEM_SCOPE, entity, id, { removed: true })
  const task = typeof row?.dialogtask === 'string' ? row.dialogtask : undefined
  const holder = task === undefined ? row : await read.detail(SYSTEM_SCOPE, 'dialogtask', task, { removed: true })
  return typeof holder?.bot === 'string' ? [holder.bot] : []
}

/** Limit of complete compiled releases in memory; their flows are cached for longer. */
const MAX_KEPT = 100

type CompiledFlows = ReturnType<typeof openCompiledFlows>

/** Reads releases by number and caches the last used ones, compiled. */
const openCompiled = (store: EventStore, flows: CompiledFlows): Releases['compiled'] => {
  const loader = createLoader(store)
  const kept = new Map<string, Promise<Release>>()
  const nameOf = async (id: string) => {
    const { state } = await loader.load(handlerEntity, id)
    const fields = state.status === 'live' || state.status === 'removed' ? state.fields : {}
    return { name: typeof fields.name === 'string' ? fields.name : '', slow: fields.slow === true }
  }
  const compile = async (bot: string, number: number): Promise<Release> => {
    const release = await releaseNumber(store, bot, number)
    if (release === undefined) throw new Error(`bot ${bot} has no release ${number}`)
    const handlers = Object.entries(release.handlers).map(async ([id, revision]) => ({
      id,
      revision,
      ...(await nameOf(id)),
    }))
    return { ...(await flows.at(release.dialogs, await Promise.all(handlers))), nlumodel: release.nlumodel }
  }
  return (bot, number) => {
    const key = `${bot} ${number}`
    const known = kept.get(key) ?? compile(bot, number)
    kept.delete(key)
    kept.set(key, known)
    known.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return known
  }
}

/** Releases of running bots: made while this node runs, read at exact revisions (RUNTIME 1, 2, 6). */
export const openReleases = ({
  store,
  flows,
  read,
  failed,
}: OpenReleases): { readonly releases: Releases; close(): Promise<void> } => {
  /** Makes the current release of a started bot; nothing for a stopped bot. */
  const make = async (
    bot: string,
    cause: Omit<ReleaseCause, 'position'>,
    isCurrent: (bot: string) => Promise<boolean> = async () => true,
  ): Promise<ReleaseRecord | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'bot', bot)
    if (!isStarted(row)) return undefined
    const content = async () => {
      const now = await read.detail(SYSTEM_SCOPE, 'bot', bot)
      const published = isStarted(now) ? await publishedContent(read, now) : undefined
      return (await isCurrent(bot)) ? published : undefined
    }
    const { id: causation, actor, correlation } = cause
    const author = { time: new Date().toISOString(), actor, correlation, causation }
    return makeRelease(store, row.hierarchylevel, content, author)
  }
  const close = followReleases({
    store,
    read,
    failed,
    make: async (one, cause, isCurrent) => {
      if (one !== undefined) return void (await make(one, cause, isCurrent))
      for (const bot of await allRows(read, SYSTEM_SCOPE, 'bot'))
        if (isStarted(bot)) await make(bot.id, cause, isCurrent)
    },
  })

  return {
    releases: {
      newest: async bot =>
        (await newestRelease(store, bot)) ?? (await make(bot, { id: null, actor: null, correlation: randomUUID() })),
      async at(bot, moment) {
        const until = (await listReleases(store, bot)).findLast(({ time }) => Date.parse(time) <= moment)
        return until?.number ?? 0
      },
      compiled: openCompiled(store, openCompiledFlows(flows, read)),
      async made({ entity, action, id, actor, correlation }) {
        if (LEADING[entity]?.has(action) !== true) return
        for (const bot of await botsOf(read, entity, id)) await make(bot, { id: null, actor, correlation })
      },
    },
    close,
  }
}
