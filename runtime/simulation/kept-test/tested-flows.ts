import type { TestedFlows } from '#commands/conversation-test/conversation-test-port.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { FlowMoment, ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'

/** A dialog or handler of a bot. */
type BotFlow =
  | { readonly kind: 'dialog'; readonly row: RowOf<'dialog'> }
  | { readonly kind: 'handler'; readonly row: RowOf<'handler'> }

interface FlowReader {
  readonly read: ReadModels
  readonly flows: { readonly log: Pick<FlowLog, 'revision'> }
}

/** Limit of a flow's revisions that are searched backwards. */
const MAX_BACK = 400

export const flowsOfBot = async (read: ReadModels, bot: string): Promise<readonly BotFlow[]> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
  const within = async <K extends BotFlow['kind']>(kind: K) =>
    (await Promise.all(tasks.map(({ id }) => allRows(read, SYSTEM_SCOPE, kind, { dialogtask: id })))).flat()
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  return [
    ...dialogs.map(row => ({ kind: 'dialog' as const, row })),
    ...handlers.map(row => ({ kind: 'handler' as const, row })),
  ]
}

/** The last edits of a flow, oldest first; `fold`: joined as the history shows them. */
export const lastMoments = async (
  { read, flows }: FlowReader,
  flow: string,
  fold: boolean,
): Promise<readonly FlowMoment[]> => {
  const after = Math.max(0, (await flows.log.revision(flow)) - MAX_BACK)
  const found = await read.flowHistory(SYSTEM_SCOPE, flow, { after, size: MAX_BACK, fold })
  return found?.items ?? []
}

/** Revision of a flow at a time; undefined if the flow did not exist yet. */
const revisionAt = async (reader: FlowReader, flow: string, time: number): Promise<number | undefined> => {
  const moments = await lastMoments(reader, flow, false)
  const last = moments.findLast(moment => Date.parse(moment.time) <= time)
  if (last !== undefined) return last.revision
  const before = (moments[0]?.revision ?? 1) - 1
  return before > 0 ? before : undefined
}

const publishedRevision = ({ published, publishedrevision }: BotFlow['row']): number | undefined =>
  published ? (publishedrevision ?? undefined) : undefined

interface TestedMoment {
  /** `draft`, `published`, or a time. */
  readonly at: string
  /** Flows used as drawn; all others are used as published. */
  readonly publish?: { readonly dialogs: readonly string[]; readonly handlers: readonly string[] } | undefined
}

/** The revisions of a bot's flows at a moment. */
export const testedFlows = async (reader: FlowReader, bot: string, moment: TestedMoment): Promise<TestedFlows> => {
  const { at, publish } = moment
  const going = new Set(publish === undefined ? [] : [...publish.dialogs, ...publish.handlers])
  const revisionOf = async ({ row }: BotFlow): Promise<number | undefined> => {
    if (publish !== undefined && !going.has(row.id)) return publishedRevision(row)
    if (publish !== undefined || at === 'draft') return reader.flows.log.revision(row.id)
    return at === 'published' ? publishedRevision(row) : revisionAt(reader, row.id, Date.parse(at))
  }
  const all = await flowsOfBot(reader.read, bot)
  const revisions = await Promise.all(all.map(async flow => [flow, await revisionOf(flow)] as const))
  const of = (kind: BotFlow['kind']) =>
    Object.fromEntries(
      revisions.flatMap(([flow, revision]) =>
        flow.kind === kind && revision !== undefined ? [[flow.row.id, revision] as const] : [],
      ),
    )
  return { bot, dialogs: of('dialog'), handlers: of('handler') }
}
