import { randomUUID } from 'node:crypto'
import { derivedId } from '#commands/pipeline/append.ts'
import { MAX_HELD } from '#domain/desk/place.ts'
import { isPushed } from '#schemas/channel-type.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { type FoldedConversation, lastSpoken, windowAfter } from '../../conversation/engine/folded-conversation.ts'
import type { Assigned } from '../../conversation/store/log.ts'
import { isStarted } from '../../release/releases.ts'
import { queueOf, usualQueue } from './desk-directory.ts'
import type { DeskParts } from './desk-parts.ts'
import { type AgentWords, type DeskActor, type DeskWork, type DeskWritten, faultIn } from './desk-work.ts'
import type { Places } from './places.ts'

/** State of a conversation to whose person a user may write first. */
interface FirstWordsState {
  readonly held: FoldedConversation
  readonly newest: Assigned
  /** ms since 1970 of the person's last word. */
  readonly spoke: number
  /** End of the time in which the channel takes free words; undefined: at any time. */
  readonly window: number | undefined
  /** The conversation that is open with them already. */
  readonly live?: FoldedConversation
  /** Id of the next conversation, if it was assigned and not opened. */
  readonly unbegun: string | undefined
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

/** Agents who write first to the person of an ended conversation (D36). */
export class FirstWords {
  readonly #parts: FirstWordsParts

  constructor(parts: FirstWordsParts) {
    this.#parts = parts
  }

  /** Whether a user may write first to the person of a conversation, and how (D36). */
  async may(conversation: string): Promise<Result<FirstWordsState>> {
    const { log, newestWith } = this.#parts
    const held = await log.refresh(conversation)
    if (held === undefined) return refused('entity.notfound')
    // The page of a web chat shows its own conversation alone.
    if (!isPushed(held.channelType) || held.user.id === '') return refused('conversation.unreachable')
    const { newest, held: last = held, unbegun } = await newestWith(held)
    const spoke = Math.max(lastSpoken(held), lastSpoken(last))
    const window = windowAfter(held.channelType, spoke)
    const live = [held, last].find(({ ended }) => ended === undefined)
    return accepted({ held, newest, spoke, window, unbegun, ...(live === undefined ? {} : { live }) })
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
    { user }: DeskActor,
    { id: request, template }: AgentWords,
    queue: string | undefined,
  ): Promise<Result<string>> {
    const { bot, channelOf, now, words, places, directory, beginWith, engine } = this.#parts
    const may = await this.may(conversation)
    if (!may.ok) return may
    const { held, newest, spoke, window, live, unbegun } = may.value
    if (live !== undefined && isBegunBy(live, user, request)) return accepted(live.id)
    if (live !== undefined) return refused('conversation.open', { params: { conversation: live.id } })
    if (!isStarted(await bot(held.bot))) return refused('bot.stopped')
    const channel = await channelOf(held.bot)
    if (channel === undefined) return refused('desk.off')
    if (window !== undefined && window < now() && template === undefined)
      return refused('desk.window', { params: { until: time(window) } })
    const found =
      queue === undefined ? await usualQueue(this.#parts, held.bot, user) : await queueOf(this.#parts, held.bot, queue)
    if (queue !== undefined && found === undefined)
      return refused('validation.failed', { errors: [{ path: 'queue', code: 'reference' }] })
    const id = unbegun ?? derivedId(conversation, `written ${request}`)
    const { name, avatar, capacity } = await directory.profile(user)
    const slot = randomUUID()
    const refusal = await places.take(user, { slot, conversation: id, n: 1, auto: false, capacity })
    if (refusal === 'held') return refused('desk.taken', { params: { agent: name, since: time(now()) } })
    if (refusal !== undefined) return refused('desk.full', { params: { agent: name, max: MAX_HELD } })
    const sealed = await words.seal(held.person, { name, avatar, joined: '' }, conversationStream(id))
    const data = { user, how: 'begun', queue: found?.id ?? '', channel, slot, sealed, claim: { ...engine.claim() } }
    const first = { type: 'TakeoverAsked' as const, cause: `${id} takeover ${slot}`, time: now(), data }
    const begun = await beginWith(held, { newest, id, spoke, first })
    if (begun.ok && begun.value?.agent?.desk?.holder?.user === user) return accepted(id)
    await places.free(user, slot)
    if (!begun.ok) return begun
    // The person wrote at that moment.
    const latest = await this.may(conversation)
    return latest.ok ? refused('conversation.open', { params: { conversation: latest.value.live?.id ?? id } }) : latest
  }
}
