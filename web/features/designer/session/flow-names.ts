import { queryOptions, useQuery } from '@tanstack/react-query'
import { http } from '#web/api/http.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { botOf, flowOf, type Named, named, taskOf, variableOf } from './flow-entity.ts'
import type { FlowAddress, FlowKind } from './room/flow-address.ts'

/** One page; callers that need all compare with `total`. */
export const MAX_NAMES = 100

const readRow = (entity: string, id: string) => http.get('/{entity}/{id}', { params: { entity, id } })

const flowQuery = ({ kind, id }: FlowAddress) =>
  queryOptions({ queryKey: [kind, id], queryFn: async () => flowOf(await readRow(kind, id)) })

const taskQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['dialogtask', id],
    queryFn: async () => taskOf(await readRow('dialogtask', id ?? '')),
    enabled: id !== undefined,
  })

export const siblingsQuery = (kind: FlowKind, task: string | undefined) =>
  queryOptions({
    queryKey: [kind, 'list', { dialogtask: task }],
    queryFn: () => readPage(kind, { dialogtask: task ?? '', size: MAX_NAMES, sort: 'name' }, flowOf),
    enabled: task !== undefined,
  })

interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

type ListQuery = Readonly<Record<string, string | number>>

const readPage = async <T>(entity: string, query: ListQuery, itemOf: (row: Row) => T): Promise<Page<T>> => {
  const { items, total } = await http.get('/{entity}', { params: { entity }, query })
  return { items: items.map(itemOf), total }
}

/** Beyond these pages the rest of a list stays unknown. */
const MAX_PAGES = 20

/** A whole list, page by page. */
const readAll = async <T>(entity: string, query: ListQuery, itemOf: (row: Row) => T): Promise<Page<T>> => {
  const items: T[] = []
  for (let page = 1; ; page += 1) {
    const found = await readPage(entity, { ...query, size: MAX_NAMES, page }, itemOf)
    items.push(...found.items)
    if (page === MAX_PAGES || found.items.length < MAX_NAMES) return { items, total: found.total }
  }
}

/** Every variable of a bot: the lint must know whether one is missing. */
const variablesQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['variable', 'list', { bot, all: true }],
    queryFn: () => readAll('variable', { bot: bot ?? '', sort: 'name' }, variableOf),
    enabled: bot !== undefined,
  })

/** Every OAuth configuration of a bot, where they may be read: blocks may name one that stands on any page. */
const configurationsQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['oauth', 'list', { bot, all: true }],
    queryFn: () => readAll('oauth', { bot: bot ?? '', sort: 'name' }, named),
    retry: false,
    enabled: bot !== undefined,
  })

const ofBotQuery = <T extends Named>(entity: string, bot: string | undefined, itemOf: (row: Row) => T) =>
  queryOptions({
    queryKey: [entity, 'list', { bot }],
    queryFn: () => readPage(entity, { bot: bot ?? '', size: MAX_NAMES, sort: 'name' }, itemOf),
    enabled: bot !== undefined,
  })

/** Variables of the level or of one bot, for those who may read them. */
export const globalVariablesQuery = queryOptions({
  queryKey: ['globalvariable', 'list', 'names'],
  queryFn: () => readAll('globalvariable', {}, variableOf),
  retry: false,
})

/** The flow's own name and all that stands around it: task, bot, siblings, variables. */
export const useFlowNames = (address: FlowAddress) => {
  const flow = useQuery(flowQuery(address))
  const task = useQuery(taskQuery(flow.data?.dialogtask))
  const botId = task.data?.bot
  const bot = useQuery({
    queryKey: ['bot', botId],
    queryFn: async () => botOf(await readRow('bot', botId ?? '')),
    enabled: botId !== undefined,
  })
  const dialogs = useQuery(siblingsQuery('dialog', flow.data?.dialogtask))
  const handlers = useQuery(siblingsQuery('handler', flow.data?.dialogtask))
  const tasks = useQuery(ofBotQuery('dialogtask', botId, taskOf))
  const variables = useQuery(variablesQuery(botId))
  const schemas = useQuery(ofBotQuery('variableschema', botId, named))
  const configurations = useQuery(configurationsQuery(botId))
  return {
    flow: flow.data,
    missing: flow.error,
    task: task.data,
    bot: bot.data,
    dialogs: dialogs.data?.items,
    handlers: handlers.data?.items,
    tasks: tasks.data?.items,
    variables: variables.data?.items,
    /** There are no more variables than these. */
    allVariables: variables.data !== undefined && variables.data.items.length === variables.data.total,
    schemas: schemas.data?.items,
    oauths: configurations.data?.items,
    /** Why a list of the task's flows could not be read. */
    unlisted: {
      dialog: dialogs.data === undefined ? dialogs.error : null,
      handler: handlers.data === undefined ? handlers.error : null,
    },
    /** The lists are there, but for those that may not be read. */
    listed: !(dialogs.isPending || handlers.isPending || tasks.isPending || configurations.isPending),
  }
}

export type FlowNames = ReturnType<typeof useFlowNames>
