import { maskedHolder } from '#commands/keys/secret.ts'
import type { Release } from '#domain/conversation/release.ts'
import { stubAnswer } from '#domain/conversation-test/answer-call.ts'
import type { TestStub } from '#domain/conversation-test/test-schema.ts'
import type {
  AskedModels,
  PathStep,
  RecordedCall,
  RecordedTurn,
  Recording,
  Standing,
} from '#domain/rehearsal/recording.ts'
import { waitingAt } from '#domain/rehearsal/walk.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { isObject, listOf } from '#schemas/json.ts'
import { foldEvent } from '../../conversation/engine/fold.ts'
import type { FoldedConversation, Words } from '../../conversation/engine/folded-conversation.ts'
import { replayTurns } from '../../conversation/engine/replay.ts'
import { occasionOf, turnInput } from '../../conversation/engine/run-turn.ts'
import { blockIn, callsOf, exampleFor } from '../kept-test/replayed-stubs.ts'

interface RecordingOf extends AskedModels {
  readonly id: string
  readonly person: string
  readonly words: Words
  /** The release that it ran. */
  readonly release: Release
}

/** Opens each text once: replay and fold read the same ones. */
const openedOnce = (words: Words): Words => {
  const opened = new Map<Json | undefined, { readonly holder: string; readonly text: Promise<Json | undefined> }>()
  return {
    ...words,
    open(holder, sealed, context) {
      const known = opened.get(sealed)
      if (known?.holder === holder) return known.text
      const text = words.open(holder, sealed, context)
      if (isObject(sealed)) opened.set(sealed, { holder, text })
      return text
    },
  }
}

const isTurn = ({ type }: StoredEvent): boolean => type === 'TurnTaken' || type === 'TurnFailed'

const stepsOf = ({ data }: StoredEvent): readonly PathStep[] =>
  listOf(data.steps)
    .filter(isObject)
    .map(({ dialog, block, out }) => ({
      dialog: String(dialog),
      block: String(block),
      out: typeof out === 'string' ? out : null,
    }))

/** The blocks of a conversation in order, which are stored in clear; undefined: it ran more than one release. */
export const recordedPath = (events: readonly StoredEvent[]): readonly PathStep[] | undefined =>
  events.some(({ type }) => type === 'ConversationMoved') ? undefined : events.filter(isTurn).flatMap(stepsOf)

/** Place of a conversation after a stored turn. */
const standingAfter = ({ data }: StoredEvent, release: Release): Standing => {
  const { status, wait } = data
  if (status === 'agent' || status === 'ended') return { status }
  if (status !== 'waiting' || !isObject(wait)) return { status: 'idle' }
  const block = String(wait.block)
  const place = listOf(data.waiting).findLast(one => isObject(one) && one.block === block)
  const dialog = isObject(place) ? String(place.dialog) : ''
  return waitingAt(release, { dialog, block, kind: String(wait.kind) })
}

const callOf = ({ kind, name, answer, block }: ReturnType<typeof callsOf>[number]): RecordedCall => {
  if (answer.run === true) return { kind: 'script', block, answer: 'run' }
  const given = stubAnswer({ kind, [kind]: name, ...answer } as unknown as TestStub)
  return { kind: given.kind as RecordedCall['kind'], block, answer: given }
}

/** Masked inputs whose key was destroyed, by revision. */
const hiddenInputs = async (
  events: readonly StoredEvent[],
  { id, words }: RecordingOf,
): Promise<ReadonlySet<number>> => {
  const masked = events.filter(({ type, data }) => type === 'MessageReceived' && data.masked === true)
  const opened = await Promise.all(
    masked.map(async ({ revision, data, stream }) =>
      (await words.open(maskedHolder(id), data.said, stream)) === undefined ? revision : undefined,
    ),
  )
  return new Set(opened.filter(revision => revision !== undefined))
}

/**
 * A conversation with its inputs and what was answered from outside, from the events of its first part; undefined if it
 * cannot be run again: it ran several releases, or its person was forgotten.
 */
export const recordConversation = async (
  events: readonly StoredEvent[],
  given: RecordingOf,
): Promise<Recording | undefined> => {
  const of = { ...given, words: openedOnce(given.words) }
  const { id, person, words, release } = of
  if (recordedPath(events) === undefined || (await words.isForgotten(person))) return undefined
  const hidden = await hiddenInputs(events, of)
  const replayed: ReplayTurn[] = []
  for await (const turn of replayTurns(events, { id, person, mayRead: true }, words)) replayed.push(turn)
  const turns: RecordedTurn[] = []
  let held: FoldedConversation | undefined
  let state: Recording['state'] | undefined
  let standing: Standing = { status: 'idle' }
  for (const event of events) {
    if (held !== undefined && isTurn(event)) {
      const now = held
      const pending = now.inbox.find(({ revision }) => revision === event.data.input)
      const replay = replayed[turns.length]
      if (pending === undefined || replay === undefined) return undefined
      state ??= now.state
      const isHidden = hidden.has(pending.revision)
      const example = exampleFor(blockIn(release, standing.block ?? null))
      turns.push({
        input: isHidden ? { kind: 'text', text: example } : turnInput(now, pending),
        ...(occasionOf(now, pending) as {
          readonly now: number
          readonly seed: number
          readonly campaign?: JsonObject
        }),
        standing,
        isHidden,
        calls: callsOf(replay, of).map(callOf),
        path: stepsOf(event),
      })
      standing = standingAfter(event, release)
    }
    held = await foldEvent(held, id, event, words)
  }
  return state === undefined ? undefined : { id, state, turns }
}
