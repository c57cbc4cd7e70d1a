import { randomUUID } from 'node:crypto'
import { MAX_HELD } from '#domain/desk/place.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { channelWindow, type FoldedConversation, streamOf } from '../../conversation/engine/folded-conversation.ts'
import { queueOf, usualQueue } from './desk-directory.ts'
import { deskRevision } from './desk-index.ts'
import type { DeskParts } from './desk-parts.ts'
import { deskTextFor } from './desk-writer.ts'
import type { Places } from './places.ts'

/** Result of a write: `position` is that of the last message. */
export interface DeskWritten {
  readonly revision: number
  readonly position: string
}

export const time = (ms: number): string => new Date(ms).toISOString()

export const writtenOf = (held: FoldedConversation): DeskWritten => ({
  revision: deskRevision(held.bases.length, held.tail.revision),
  position: held.messages.at(-1)?.position ?? '',
})

/** A user asks for a conversation that the bot has: the turn after the running one gives it to them. */
export const takeFromBot = async (
  parts: DeskParts & { readonly places: Places },
  held: FoldedConversation,
  user: string,
  queue: string | undefined,
): Promise<Result<DeskWritten>> => {
  const { log, channelOf, now, engine, words, places, directory, tell } = parts
  const { id: conversation } = held
  const channel = await channelOf(held.bot)
  if (channel === undefined) return refused('desk.off')
  const found = queue === undefined ? await usualQueue(parts, held.bot, user) : await queueOf(parts, held.bot, queue)
  if (queue !== undefined && found === undefined)
    return refused('validation.failed', { errors: [{ path: 'queue', code: 'reference' }] })
  const known = held.inbox.some(({ from }) => from.kind === 'takeover' && from.by.user === user)
  if (known) return accepted(writtenOf(held))
  const { name, avatar, capacity } = await directory.profile(user)
  const slot = randomUUID()
  // Its turn has the next number: a turn that runs meanwhile takes that one, and the sweep corrects the place.
  const n = held.state.turns + 1 + held.inbox.length
  const refusal = await places.take(user, { slot, conversation, n, auto: false, capacity })
  if (refusal === 'full') return refused('desk.full', { params: { agent: name, max: MAX_HELD } })
  const window = channelWindow(held)
  const isOver = window !== undefined && window < now()
  const greeting = isOver
    ? undefined
    : await deskTextFor(parts, held, 'joined', found, { agent: name, queue: found?.name })
  const joined = greeting ?? ''
  let answer: Result<DeskWritten> | undefined
  const written = await log.write(conversation, async latest => {
    answer = undefined
    if (latest === undefined || latest.ended !== undefined) {
      answer = refused('conversation.ended')
      return []
    }
    // Another user asked first, or their turn has run.
    const first = latest.inbox.find(({ from }) => from.kind === 'takeover')
    const rival = first?.from.kind === 'takeover' ? { ...first.from.by, at: first.time } : latest.agent?.desk?.holder
    if (rival !== undefined) {
      answer =
        rival.user === user
          ? accepted(writtenOf(latest))
          : refused('desk.notyours', { params: { agent: rival.name, since: time(rival.at) } })
      return []
    }
    const sealed = await words.seal(latest.person, { name, avatar, joined }, streamOf(latest))
    const data = { user, queue: found?.id ?? '', channel, slot, sealed }
    const claim = engine.isFree(latest) ? { claim: { ...engine.claim() } } : {}
    const cause = `${conversation} takeover ${slot}`
    return [{ type: 'TakeoverAsked' as const, cause, time: now(), data: { ...data, ...claim } }]
  })
  if (written === undefined || answer !== undefined) {
    await places.free(user, slot)
    return answer ?? refused('entity.notfound')
  }
  tell(written)
  void engine.run(conversation)
  return accepted(writtenOf(written))
}
