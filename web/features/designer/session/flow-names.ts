import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ParserName, PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import { api } from '#web/api/client.ts'
import type { FlowAddress, FlowKind } from './room/flow-address.ts'

/** The fields of dialogs, handlers, tasks and bots that the designer shows. */
export interface Named {
  readonly id: string
  readonly name: string
}
export interface FlowEntity extends Named {
  readonly dialogtask: string
  readonly published: boolean
  readonly publishedrevision: number | null
  readonly published_at: string | null
  readonly global?: boolean
}
export interface Task extends Named {
  readonly bot: string
  readonly principaldialog: string | null
}
export interface Variable extends Named {
  readonly datatype?: string
  readonly schema?: string | null
  readonly scope?: string
  /** Where it belongs, if not to the whole bot. */
  readonly task?: string | null
  readonly dialog?: string | null
  /** An example of its value. */
  readonly customdata?: Json
}
/** What expressions of a bot are written in. */
export interface Bot extends Named {
  readonly expressionparser?: ParserName
  readonly jsonpathparser?: PathParserName
}
interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** One page: whoever needs all of them must see whether there are more. */
export const MAX_NAMES = 100

export const flowQuery = ({ kind, id }: FlowAddress) =>
  queryOptions({ queryKey: [kind, id], queryFn: () => api.get<FlowEntity>(`/${kind}/${id}`) })

export const taskQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['dialogtask', id],
    queryFn: () => api.get<Task>(`/dialogtask/${id}`),
    enabled: id !== undefined,
  })

export const siblingsQuery = (kind: FlowKind, task: string | undefined) =>
  queryOptions({
    queryKey: [kind, 'list', { dialogtask: task }],
    queryFn: () => api.get<Page<FlowEntity>>(`/${kind}`, { dialogtask: task ?? '', size: MAX_NAMES, sort: 'name' }),
    enabled: task !== undefined,
  })

/** More pages than any bot has; beyond them the rest is not known. */
const MOST_PAGES = 20

/** All of a list, page by page. */
const readAll = async <T>(path: string, query: Readonly<Record<string, string | number>>): Promise<Page<T>> => {
  const items: T[] = []
  for (let page = 1; ; page += 1) {
    const found = await api.get<Page<T>>(path, { ...query, size: MAX_NAMES, page })
    items.push(...found.items)
    if (page === MOST_PAGES || found.items.length < MAX_NAMES) return { items, total: found.total }
  }
}

/** Every variable of a bot: the lint must know whether one is missing. */
export const variablesQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['variable', 'list', { bot, all: true }],
    queryFn: () => readAll<Variable>('/variable', { bot: bot ?? '', sort: 'name' }),
    enabled: bot !== undefined,
  })

const ofBotQuery = <T extends Named>(entity: string, bot: string | undefined) =>
  queryOptions({
    queryKey: [entity, 'list', { bot }],
    queryFn: () => api.get<Page<T>>(`/${entity}`, { bot: bot ?? '', size: MAX_NAMES, sort: 'name' }),
    enabled: bot !== undefined,
  })

/** Variables of the level or of one bot, for those who may read them. */
export const globalVariablesQuery = queryOptions({
  queryKey: ['globalvariable', 'list', 'names'],
  queryFn: () => readAll<Named & { readonly bot?: string | null }>('/globalvariable', {}),
  retry: false,
})

/** The flow's own name and all that stands around it: task, bot, siblings, variables. */
export const useFlowNames = (address: FlowAddress) => {
  const flow = useQuery(flowQuery(address))
  const task = useQuery(taskQuery(flow.data?.dialogtask))
  const botId = task.data?.bot
  const bot = useQuery({
    queryKey: ['bot', botId],
    queryFn: () => api.get<Bot>(`/bot/${botId}`),
    enabled: botId !== undefined,
  })
  const dialogs = useQuery(siblingsQuery('dialog', flow.data?.dialogtask))
  const handlers = useQuery(siblingsQuery('handler', flow.data?.dialogtask))
  const tasks = useQuery(ofBotQuery<Task>('dialogtask', botId))
  const variables = useQuery(variablesQuery(botId))
  const schemas = useQuery(ofBotQuery('variableschema', botId))
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
    /** Why a list of the task's flows could not be read. */
    unlisted: {
      dialog: dialogs.data === undefined ? dialogs.error : null,
      handler: handlers.data === undefined ? handlers.error : null,
    },
    /** The lists are there, but for those that may not be read. */
    listed: !(dialogs.isPending || handlers.isPending || tasks.isPending),
  }
}

export type FlowNames = ReturnType<typeof useFlowNames>
