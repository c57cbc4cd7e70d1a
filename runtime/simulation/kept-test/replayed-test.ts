import type { TestedFlows } from '#commands/conversation-test/conversation-test-port.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { Release } from '#domain/conversation/release.ts'
import { type RecordedEvent, type RecordedMessage, writeTestFile } from '#domain/conversation-test/test-file.ts'
import type { TestStub } from '#domain/conversation-test/test-schema.ts'
import type { FlowMoment, ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { blockIn, exampleFor, isOfLinkedBot, replayedStubs, textOnlyMessage } from './replayed-stubs.ts'

/** Shown in the replay in place of a masked answer. */
const DOTS = '••••••'

interface Replayed {
  readonly name: string
  readonly channel: string
  readonly turns: readonly ReplayTurn[]
  /** Release that the conversation ran. */
  readonly release: Release
  readonly tasks: ReadonlyMap<string, string>
  /** Models that the bot asks about a text. */
  readonly nlu: boolean
  readonly brain: boolean
}

const titlesOf = (turn: ReplayTurn | undefined, release: Release): readonly string[] =>
  (turn?.said ?? []).flatMap(({ actions, block }) =>
    Array.isArray(actions) && !isOfLinkedBot(release, block)
      ? actions.map(action => textOf((action as JsonObject).title))
      : [],
  )

/** Input of the person, or of the clock, at the beginning of a turn. */
const inputOf = (turn: ReplayTurn, before: ReplayTurn | undefined, of: Replayed): readonly RecordedEvent[] => {
  const { kind, said, menu } = turn.input
  const time = Date.parse(turn.input.time)
  // Chats with agents are not part of a test.
  if (kind === 'open' || kind === 'agent' || kind === 'takeover') return []
  if (kind !== 'message') return [{ kind: 'clock', time }]
  if (menu !== undefined) return [{ kind: 'menu', command: of.tasks.get(menu) ?? menu, time }]
  const text = textOf(said?.text)
  if (said === null || text === DOTS) {
    const asked = isObject(before?.wait) ? textOf(before.wait.block) : null
    return [{ kind: 'masked', example: exampleFor(blockIn(of.release, asked)), time }]
  }
  if (said.type === 'location' && isObject(said.data as Json))
    return [{ kind: 'location', location: said.data as JsonObject, time }]
  if (said.type === 'attachment' && Array.isArray(said.attachments))
    return [{ kind: 'attachment', attachments: said.attachments as readonly JsonObject[], time }]
  return [
    titlesOf(before, of.release).includes(text) ? { kind: 'choice', title: text, time } : { kind: 'text', text, time },
  ]
}

const messageOf = (said: ReplayTurn['said'][number], release: Release): RecordedMessage => {
  const message = { type: 'text', ...said, text: said.text ?? null } as unknown as RecordedMessage
  return isOfLinkedBot(release, said.block) ? textOnlyMessage(message) : message
}

/** Creates a test file from a stored conversation. */
export const replayedTest = (of: Replayed): string => {
  const { name, channel, turns, release } = of
  const events = turns.flatMap((turn, place): readonly RecordedEvent[] => [
    ...inputOf(turn, turns[place - 1], of),
    ...turn.said.map(said => ({ kind: 'bot', message: messageOf(said, release) }) as const),
  ])
  const last = turns.at(-1)
  const waits = isObject(last?.wait) ? blockIn(release, textOf(last.wait.block)) : undefined
  const at = waits === undefined ? {} : { at: waits.title === '' ? waits.id : waits.title }
  return writeTestFile({
    name,
    began: Date.parse(turns[0]?.input.time ?? turns[0]?.time ?? new Date(0).toISOString()),
    given: { channel },
    stubs: replayedStubs(of) as unknown as readonly TestStub[],
    events,
    end: last?.status === 'ended' ? { ended: true } : at,
  })
}

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
