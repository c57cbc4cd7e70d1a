import { randomUUID } from 'node:crypto'
import { derivedId } from '#commands/pipeline/append.ts'
import { MAX_HELD } from '#domain/desk/place.ts'
import { isPushed } from '#schemas/channel-type.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { type FoldedConversation, lastSpoken, windowAfter } from '../../conversation/engine/folded-conversation.ts'
import type { Unclaimed } from '../../conversation/store/person-conversations.ts'
import { isStarted } from '../../release/releases.ts'
import { queueOf, usualQueue } from './desk-directory.ts'
import type { DeskParts } from './desk-parts.ts'
import { type AgentWords, type DeskActor, type DeskWork, type DeskWritten, faultIn } from './desk-work.ts'
import type { Places } from './places.ts'

/** State of a conversation to whose person a user may write first. */
interface FirstWordsState {
  readonly held: FoldedConversation
  /** The person's newest conversation, or the one that is open with them already. */
  readonly newest: Unclaimed | { readonly kind: 'live'; readonly held: FoldedConversation }
  /** ms since 1970 of the person's last word. */
  readonly spoke: number
  /** End of the time in which the channel takes free words; undefined: at any time. */
  readonly window: number | undefined
}

interface FirstWordsParts extends DeskParts {
  readonly places: Places
  readonly say: DeskWork['say']
}

const time = (ms: number): string => new Date(ms).toISOString()

/** Whether an earlier request with this id began a conversation, in which its words may still be missing. */
const isBegunBy = ({ agent }: FoldedConversation, user: string, request: string): boolean => {
  const { holder } = agent?.desk ?? {}
  if (agent === undefined || holder?.user !== user || holder.how !== 'begun') return false
  return agent.agentSaid === undefined || agent.seen.has(request)
}

/** Agents who write first to the person of an ended conversation. */
export class FirstWords {
  readonly #parts: FirstWordsParts

  constructor(parts: FirstWordsParts) {
    this.#parts = parts
  }

  /** Whether a user may write first to the person of a conversation, and how. */
  async may(conversation: string): Promise<Result<FirstWordsState>> {
    const { log, persons } = this.#parts
    const held = await log.refresh(conversation)
    if (held === undefined) return refused('entity.notfound')
    // The page of a web chat shows its own conversation alone.
    if (!isPushed(held.channelType) || held.user.id === '') return refused('conversation.unreachable')
    const newest = held.ended === undefined ? ({ kind: 'live', held } as const) : await persons.newest(held)
    const last = newest.kind === 'live' ? newest.held : newest.ended
    const spoke = Math.max(lastSpoken(held), last === undefined ? 0 : lastSpoken(last))
    return accepted({ held, newest, spoke, window: windowAfter(held.channelType, spoke) })
  }

  /**
   * A user writes first to the person of an ended conversation: the next one begins with them as its holder. A repeated
   * request continues where the one before stopped.
   */
  async write(
    conversation: string,
    by: DeskActor,
    words: AgentWords,
    queue: string | undefined,
  ): Promise<Result<DeskWritten & { readonly conversation: string }>> {
    const fault = faultIn(words)
    if (fault !== undefined) return fault
    const begun = await this.#begin(conversation, by, words, queue)
    if (!begun.ok) return begun
    const said = await this.#parts.say(begun.value, by, words)
    return said.ok ? accepted({ ...said.value, conversation: begun.value }) : said
  }

  /** The conversation in which a user writes first. */
  async #begin(
    conversation: string,
    by: DeskActor,
    words: AgentWords,
    queue: string | undefined,
  ): Promise<Result<string>> {
    const id = derivedId(conversation, `written ${words.id}`)
    for (;;) {
      const may = await this.may(conversation)
      if (!may.ok) return may
      const { newest } = may.value
      if (newest.kind === 'live') {
        const { held } = newest
        if (isBegunBy(held, by.user, words.id)) return accepted(held.id)
        return refused('conversation.open', { params: { conversation: held.id } })
      }
      // An earlier request with this id began it.
      if (newest.ended?.id === id) return accepted(id)
      const { unopened = id } = newest
      const begun = await this.#claim(unopened, may.value, newest, by.user, { words, queue })
      if (!begun.ok) return begun
      if (begun.value) return accepted(unopened)
    }
  }

  /** False: the person, or another agent, began a conversation at that moment. */
  async #claim(
    id: string,
    { held, spoke, window }: FirstWordsState,
    newest: Unclaimed,
    user: string,
    { words: { template }, queue }: { readonly words: AgentWords; readonly queue: string | undefined },
  ): Promise<Result<boolean>> {
    const { bot, channelOf, now, words, places, directory, persons, begin, engine } = this.#parts
    if (!isStarted(await bot(held.bot))) return refused('bot.stopped')
    const channel = await channelOf(held.bot)
    if (channel === undefined) return refused('desk.off')
    if (window !== undefined && window < now() && template === undefined)
      return refused('desk.window', { params: { until: time(window) } })
    const found =
      queue === undefined ? await usualQueue(this.#parts, held.bot, user) : await queueOf(this.#parts, held.bot, queue)
    if (queue !== undefined && found === undefined)
      return refused('validation.failed', { errors: [{ path: 'queue', code: 'reference' }] })
    const { name, avatar, capacity } = await directory.profile(user)
    const slot = randomUUID()
    const refusal = await places.take(user, { slot, conversation: id, n: 1, auto: false, capacity })
    if (refusal === 'held') return refused('desk.taken', { params: { agent: name, since: time(now()) } })
    if (refusal !== undefined) return refused('desk.full', { params: { agent: name, max: MAX_HELD } })
    const sealed = await words.seal(held.person, { name, avatar, joined: '' }, conversationStream(id))
    const data = { user, how: 'begun', queue: found?.id ?? '', channel, slot, sealed, claim: { ...engine.claim() } }
    const first = { type: 'TakeoverAsked' as const, cause: `${id} takeover ${slot}`, time: now(), data }
    const isClaimed = await persons.claim(held, newest, id)
    const opened = isClaimed ? await begin(held, { id, spoke, first }) : accepted({ isNew: false })
    if (opened.ok && opened.value.isNew) return accepted(true)
    await places.free(user, slot)
    return opened.ok ? accepted(false) : opened
  }
}
