import type { Release } from '#domain/conversation/release.ts'
import { type RecordedEvent, type RecordedMessage, writeTestFile } from '#domain/conversation-test/test-file.ts'
import type { TestStub } from '#domain/conversation-test/test-schema.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { blockIn, exampleFor, isOfLinkedBot, replayedStubs, textOnlyMessage } from './replayed-stubs.ts'

/** Shown in the replay in place of a masked answer (RUNTIME 85). */
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
  if (kind === 'open') return []
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

/** Creates a test file from a stored conversation (RUNTIME 82, 91). */
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
