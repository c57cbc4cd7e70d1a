import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { NamedRow } from '#schemas/row.ts'
import { readRow } from '#web/entity/entity-query.ts'
import { flowsQuery, type Rows, readAll } from '#web/entity/read-all.ts'
import {
  botOf,
  type FlowEntity,
  flowOf,
  globalVariableOf,
  type Named,
  named,
  taskOf,
  variableOf,
} from './flow-entity.ts'
import type { FlowAddress, FlowKind } from './room/flow-address.ts'

const flowQuery = ({ kind, id }: FlowAddress) =>
  queryOptions({ queryKey: [kind, id], queryFn: async () => flowOf(await readRow(kind, id)) })

const taskQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['dialogtask', id],
    queryFn: async () => taskOf(await readRow('dialogtask', id ?? '')),
    enabled: id !== undefined,
  })

const flowsOf = ({ items }: Rows<FlowKind>): readonly FlowEntity[] => items.map(flowOf)

/** The dialogs or handlers of a task, from the list that the panel shows. */
export const siblingsQuery = (kind: FlowKind, task: string | undefined) =>
  queryOptions({ ...flowsQuery(kind, task), select: flowsOf })

interface Items<T> {
  readonly items: readonly T[]
  readonly total: number
}

const readItems = async <N extends string, T>(
  entity: N,
  query: Readonly<Record<string, string>>,
  itemOf: (row: NamedRow<N>) => T,
): Promise<Items<T>> => {
  const { items, total } = await readAll(entity, query)
  return { items: items.map(itemOf), total }
}

/** Every variable of a bot: the lint must know whether one is missing. */
const variablesQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['variable', 'list', { bot, all: true }],
    queryFn: () => readItems('variable', { bot: bot ?? '', sort: 'name' }, variableOf),
    enabled: bot !== undefined,
  })

/** Every OAuth configuration of a bot, where they may be read: blocks may name one that stands on any page. */
const configurationsQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['oauth', 'list', { bot, all: true }],
    queryFn: () => readItems('oauth', { bot: bot ?? '', sort: 'name' }, named),
    retry: false,
    enabled: bot !== undefined,
  })

const ofBotQuery = <N extends string, T extends Named>(
  entity: N,
  bot: string | undefined,
  itemOf: (row: NamedRow<N>) => T,
) =>
  queryOptions({
    queryKey: [entity, 'list', { bot }],
    queryFn: () => readItems(entity, { bot: bot ?? '', sort: 'name' }, itemOf),
    enabled: bot !== undefined,
  })

/** Variables of the level or of one bot, for those who may read them. */
export const globalVariablesQuery = queryOptions({
  queryKey: ['globalvariable', 'list', 'names'],
  queryFn: () => readItems('globalvariable', {}, globalVariableOf),
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
    dialogs: dialogs.data,
    handlers: handlers.data,
    tasks: tasks.data?.items,
    variables: variables.data?.items,
    /** There are no more variables than these. */
    allVariables: variables.data !== undefined && variables.data.items.length === variables.data.total,
    schemas: schemas.data?.items,
    oauths: configurations.data?.items,
    /** The lists are there, but for those that may not be read. */
    listed: !(dialogs.isPending || handlers.isPending || tasks.isPending || configurations.isPending),
  }
}

export type FlowNames = ReturnType<typeof useFlowNames>

export const NamesContext = createContext<FlowNames | undefined>(undefined)

/** Names of what a block can point to: dialogs, handlers, tasks, variables. */
export const useNames = (): FlowNames => {
  const names = use(NamesContext)
  if (names === undefined) throw new Error('outside of the designer')
  return names
}
