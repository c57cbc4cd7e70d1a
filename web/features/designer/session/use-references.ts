import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { PARSERS, PATH_PARSERS } from '#domain/expression/engine.ts'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { type FlowScope, isWithinReach, type Reference, referencesOf } from '#domain/flow/graph/references.ts'
import type { LintContext } from '#domain/flow/lint/lint-flow.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { declaredVariables } from '#domain/flow/variable/variable-fit.ts'
import { flowTemplate, type SendingChannel } from '#domain/template/sendable.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'
import { useElapsed } from '#web/timer.ts'
import { NAME, type Translate } from '../model/label.ts'
import { type Store, useStoreValue } from '../model/store.ts'
import type { Named } from './flow-entity.ts'
import { type FlowNames, globalVariablesQuery } from './flow-names.ts'

/** Questions that read all flows of the bot are asked last, after this pause. Milliseconds. */
const QUIET = 4000
/** Names and uses change seldom, and a flow may point to many: asked for again only now and then. Milliseconds. */
const FRESH = 60_000

/**
 * The variables that blocks of this flow may name, for the lint: nothing while the bot's are not all known or may not be
 * read, and only these while the global ones are not.
 */
const useVariableNames = (names: FlowNames): Pick<LintContext, 'variable' | 'declared' | 'unused'> => {
  const globals = useQuery({ ...globalVariablesQuery, enabled: names.listed }).data
  const isIdle = useElapsed(QUIET, names.listed)
  const { variables, flow, task, bot } = names
  const unsaid = useQuery({
    queryKey: ['bot', bot?.id, 'unused'],
    queryFn: ({ signal }) => http.get('/bot/{id}/flow/unused', { params: { id: bot?.id ?? '' }, signal }),
    enabled: isIdle && bot !== undefined,
    staleTime: FRESH,
    retry: false,
  }).data
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the names, these alone are read
  return useMemo(() => {
    if (variables === undefined || !names.allVariables || bot === undefined) return {}
    const declared = declaredVariables(variables, { task: task?.id, dialog: flow?.id })
    if (globals === undefined || globals.items.length < globals.total) return { declared }
    const near = [...declared].filter(([, each]) => each.some(({ inReach }) => inReach)).map(([name]) => name)
    const global = globals.items.filter(each => (each.bot ?? bot.id) === bot.id).map(({ name }) => name)
    const unused = [...new Set(unsaid?.items.map(({ name }) => name))].filter(name => near.includes(name))
    return { variable: new Set([...near, ...global]), declared, unused }
  }, [variables, names.allVariables, globals, unsaid, bot?.id, flow?.id, task?.id])
}

/** Dialogs that come to run the open one, and that one itself, for the lint; asked for where it runs any. */
const useCallers = ({ flow, bot, listed }: FlowNames, runsOthers: boolean): Pick<LintContext, 'callers'> => {
  const id = flow?.id
  const isIdle = useElapsed(QUIET, listed)
  const asked = useQuery({
    queryKey: ['bot', bot?.id, 'callers', id],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/flow/callers', { params: { id: bot?.id ?? '' }, query: { dialog: id ?? '' }, signal }),
    enabled: isIdle && runsOthers && bot !== undefined && id !== undefined,
    staleTime: FRESH,
    retry: false,
  }).data
  return useMemo(() => {
    if (id === undefined || !runsOthers) return {}
    return { callers: new Set([id, ...(asked?.items ?? [])]) }
  }, [asked, id, runsOthers])
}

type Kind = Reference['to']

/** Members of a reference's target that name its owner; of a template all of them. */
interface Target extends Named {
  readonly dialogtask?: string | undefined
  readonly bot?: string | undefined
  readonly template?: Row
}

interface References {
  /** Name of an id's entity; '' while unknown. */
  readonly nameOf: (to: string, id: string) => string
  /** Targets of the flow's references that exist. Used by lint. */
  readonly known: LintContext
}

const keyOf = ({ to, id }: Reference) => `${to} ${id}`

/** All that the flow points to, each once, as one text: the same text, the same references. */
const wantedOf = (flow: FlowModel): string =>
  [...new Set([...flow.nodes.values()].flatMap(node => referencesOf(node).map(keyOf)))].sort().join('\n')

/** Titles of the blocks that jumps go to, as one text. */
const landingsOf = ({ nodes }: FlowModel): string => {
  const targets = [...nodes.values()].flatMap(({ type, properties: { destination } }) =>
    type === 'gotonodesrc' && typeof destination === 'string' ? (nodes.get(destination) ?? []) : [],
  )
  return JSON.stringify(targets.map(({ id, title, type }) => [id, isMachineTitle(title, type) ? '' : title]))
}

const listed = (names: FlowNames): ReadonlyMap<string, Target> => {
  const lists: Readonly<Record<Kind, readonly Target[] | undefined>> = {
    dialog: names.dialogs,
    handler: names.handlers,
    dialogtask: names.tasks,
    variableschema: names.schemas,
    bot: names.bot === undefined ? undefined : [names.bot],
    // A block holds the id of one or its name.
    oauth: names.oauths?.flatMap(one => [one, { ...one, id: one.name }]),
    template: undefined,
  }
  return new Map(
    Object.entries(lists).flatMap(([to, items]) => (items ?? []).map(item => [`${to} ${item.id}`, item] as const)),
  )
}

/** Owner of a target, as far as known. */
const surroundingsOf = (to: Kind, target: Target, tasks: ReadonlyMap<string, Target>): FlowScope =>
  to === 'dialog' || to === 'handler'
    ? { dialogtask: target.dialogtask, bot: tasks.get(target.dialogtask ?? '')?.bot }
    : { bot: target.bot }

const readTarget = async (entity: string, id: string): Promise<Target> => {
  const row = await http.get('/{entity}/{id}', { params: { entity, id } })
  const { dialogtask, bot, revision } = row
  const name = isEntityName(entity) ? row[entityOf(entity).title] : undefined
  return {
    ...{ id, revision, name: typeof name === 'string' ? name : '' },
    ...(entity === 'template' ? { template: row } : {}),
    dialogtask: typeof dialogtask === 'string' ? dialogtask : undefined,
    bot: typeof bot === 'string' ? bot : undefined,
  }
}

const asked = (to: string, id: string, enabled: boolean) => ({
  queryKey: [to, 'target', id],
  queryFn: () => readTarget(to, id),
  staleTime: FRESH,
  retry: false,
  enabled,
})

/** Channels of the bot, where a flow sends templates and channels may be read. */
const useSendingChannels = (bot: string | undefined, isSending: boolean): readonly SendingChannel[] | undefined =>
  useQuery({
    queryKey: ['channel', 'list', { bot, all: true, senders: true }],
    queryFn: async () =>
      (await readAll('channel', { bot: bot ?? '' })).items.map(({ id, metaaccount }) => ({
        id,
        metaaccount: metaaccount ?? '',
      })),
    staleTime: FRESH,
    retry: false,
    enabled: isSending && bot !== undefined,
  }).data

/** Names and existence of what a flow points to, in this task and in the bot's others. */
export const useReferences = (store: Store<FlowModel>, names: FlowNames): References => {
  const wanted = useStoreValue(store, wantedOf)
  const landings = useStoreValue(store, landingsOf)
  const near = useMemo(() => listed(names), [names])
  const ready = names.flow !== undefined && names.task !== undefined
  const far = useMemo(() => (wanted === '' ? [] : wanted.split('\n')).filter(key => !near.has(key)), [wanted, near])
  const found = useQueries({
    queries: far.map(key => {
      const at = key.indexOf(' ')
      return asked(key.slice(0, at), key.slice(at + 1), ready && names.listed)
    }),
  })
  const tasksOfFar = [...new Set(found.flatMap(({ data }) => data?.dialogtask ?? []))].filter(
    id => !near.has(`dialogtask ${id}`),
  )
  const foundTasks = useQueries({ queries: tasksOfFar.map(id => asked('dialogtask', id, true)) })

  const variables = useVariableNames(names)
  const callers = useCallers(names, wanted.includes('dialog '))
  const channels = useSendingChannels(names.bot?.id, wanted.includes('template '))
  const around = { dialogtask: names.flow?.dialogtask, bot: names.task?.bot }
  const named = JSON.stringify([
    ...[...near].map(([key, { name }]) => [key, name]),
    ...far.map((key, index) => [key, found[index]?.data?.name ?? '']),
  ])
  // All that is drawn has its words from here: another function only where a name is another.
  const nameOf = useMemo<References['nameOf']>(() => {
    const blocks = new Map<string, string>(JSON.parse(landings))
    const others = new Map<string, string>(JSON.parse(named))
    return (to, id) => (to === 'block' ? blocks.get(id) : others.get(`${to} ${id}`)) ?? ''
  }, [landings, named])
  const state = JSON.stringify([
    wanted,
    around,
    far.map((key, index) => {
      const { data, error } = found[index] ?? {}
      return [key, data?.dialogtask, data?.bot, data?.template?.revision, isProblem(error, 404)]
    }),
    foundTasks.map(({ data }) => data?.bot),
    channels,
    [names.bot?.expressionparser, names.bot?.jsonpathparser],
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says all that is used of them
  const known = useMemo<LintContext>(() => {
    const tasks = new Map<string, Target>()
    for (const item of names.tasks ?? []) tasks.set(item.id, item)
    for (const [index, id] of tasksOfFar.entries()) {
      const data = foundTasks[index]?.data
      if (data !== undefined) tasks.set(id, data)
    }
    const missing = new Set<string>()
    for (const [index, key] of far.entries()) {
      const { data, error } = found[index] ?? {}
      const to = key.slice(0, key.indexOf(' ')) as Kind
      if (isProblem(error, 404) || (data !== undefined && !isWithinReach(to, surroundingsOf(to, data, tasks), around)))
        missing.add(key)
    }
    const existing = new Map<Kind, Set<string>>()
    for (const key of wanted === '' ? [] : wanted.split('\n')) {
      const at = key.indexOf(' ')
      const to = key.slice(0, at) as Kind
      const ids = existing.get(to) ?? new Set()
      existing.set(to, missing.has(key) ? ids : ids.add(key.slice(at + 1)))
    }
    const templates = new Map(
      far.flatMap((key, index) => {
        const template = found[index]?.data?.template
        if (template === undefined || channels === undefined) return []
        return [[key.slice(key.indexOf(' ') + 1), flowTemplate(template, channels)] as const]
      }),
    )
    const { bot } = names
    const expressions = {
      parser: bot?.expressionparser ?? PARSERS[0],
      pathParser: bot?.jsonpathparser ?? PATH_PARSERS[0],
    }
    return {
      ...(Object.fromEntries(existing) as LintContext),
      templates,
      ...(bot === undefined ? {} : { expressions }),
      ...variables,
      ...callers,
    }
  }, [state, variables, callers])
  return useMemo(() => ({ nameOf, known }), [nameOf, known])
}

const isPlain = (values: Readonly<Record<string, unknown>> | undefined): boolean =>
  values === undefined || Object.keys(values).every(name => name === 'defaultValue')

/** Caches texts without parameters: i18next resolves each on every call, too slow for a thousand blocks and links. */
export const translatorOf = (t: Translate, nameOf: References['nameOf']): Translate => {
  const known = new Map<string, string>()
  return (key, values) => {
    if (key.startsWith(NAME)) return nameOf(key.slice(NAME.length), String(values?.id))
    if (!isPlain(values)) return t(key, values)
    const place = `${key}\n${values?.defaultValue}`
    const held = known.get(place) ?? t(key, values ?? {})
    known.set(place, held)
    return held
  }
}
