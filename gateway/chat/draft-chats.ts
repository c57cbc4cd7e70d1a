import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { botChatMessage } from '#runtime/conversation/engine/fold.ts'
import type { ChatMessage, ChatPage } from '#runtime/port.ts'
import { type ActiveSimulation, advance, Simulations } from '#runtime/simulation/open-simulations.ts'
import { SharedSimulations } from '#runtime/simulation/shared-simulations.ts'
import { simulationInput } from '#runtime/simulation/simulation-actions.ts'
import { chatMessageBody } from '#schemas/api/chat.ts'
import { simulationBody, simulationSay } from '#schemas/api/simulation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import type { SimulationStart } from '../routes/simulation-start.ts'
import { linkedDraft } from './draft-link.ts'

/** Chats of one link. A further one ends the oldest. */
const MAX_CHATS_OF_LINK = 20
/** Chats of a node. */
const MAX_CHATS = 500

interface DraftChat {
  readonly held: ActiveSimulation
  /** Messages that were taken, for a client that sends one again. */
  readonly taken: Set<string>
  /** The last turn: turns run one after another. */
  turn: Promise<unknown>
}

const positionOf = (turn: number, place: number): string =>
  `${String(turn).padStart(4, '0')}.${String(place).padStart(3, '0')}`

const messagesOf = ({ simulation }: ActiveSimulation): readonly ChatMessage[] => {
  const time = new Date(simulation.now).toISOString()
  return simulation.turns.flatMap(({ said }, turn) =>
    said.flatMap((message, place) =>
      message.destination === undefined ? [botChatMessage(message, positionOf(turn + 1, place + 1), time)] : [],
    ),
  )
}

const pageOf = ({ held }: DraftChat, after: string): ChatPage => {
  const all = messagesOf(held)
  const { status } = held.simulation.state
  return {
    messages: all.filter(({ position }) => position > after),
    watermark: all.at(-1)?.position ?? after,
    // No agent joins a chat with a draft.
    state: status === 'agent' || status === 'active' ? 'idle' : status,
    wait: status === 'waiting' ? ((all.at(-1)?.wait ?? null) as JsonObject | null) : null,
    agent: null,
  }
}

const beginBody = simulationBody.pick({ locale: true })

/**
 * Chats with drafts, in memory of the node that began them. The store of conversations has none of them. Calls to services
 * are real, as those of a published flow.
 */
export const openDraftChats = (parts: Parts, { begin, refresh }: SimulationStart) => {
  const simulations = new Simulations(MAX_CHATS_OF_LINK)
  const chats = new Map<string, DraftChat>()

  const forgetEnded = () => {
    for (const [id, { held }] of chats) if (simulations.get(id, held.user, held.used) === undefined) chats.delete(id)
  }

  const open = async (token: string, body: Json): Promise<Result<Json>> => {
    const draft = await linkedDraft(parts, token)
    if (draft === undefined) return refused('entity.notfound')
    forgetEnded()
    if (chats.size >= MAX_CHATS) return refused('request.toomany', { params: { retryAfter: 60 } })
    const asked = simulationBody.parse({
      ...beginBody.parse(body),
      dialog: draft.dialog.id,
      effects: { rest: 'real' },
    })
    const id = shared.newId()
    const held = await begin(draft.bot, asked, {
      id,
      user: draft.dialog.id,
      person: `visitor-${randomUUID()}`,
      samples: new Map(),
      mayChange: true,
    })
    simulations.add(held, Date.now())
    const chat: DraftChat = { held, taken: new Set(), turn: Promise.resolve() }
    chats.set(id, chat)
    return accepted({ conversation: id, ...pageOf(chat, '') } as unknown as Json)
  }

  const say = async (chat: DraftChat, token: string, body: z.output<typeof chatMessageBody>) => {
    const draft = await linkedDraft(parts, token)
    if (draft === undefined || draft.dialog.id !== chat.held.user) return refused('entity.notfound')
    const { held } = chat
    const { id, of, attachments: _none, ...said } = body
    if (chat.taken.has(id)) return accepted(null)
    await refresh(held, draft.bot)
    const input = simulationInput(
      held.simulation,
      simulationSay.parse({ ...said, ...(of === undefined ? {} : { of: Number(of) }) }),
    )
    if (!input.ok) return input
    if (!held.simulation.begin(input.value)) return refused('chat.ended')
    chat.taken.add(id)
    await advance(held, { kind: 'end', at: [] }, true)
    return accepted(null)
  }

  const shared = new SharedSimulations({
    about: 'draft',
    questions: parts.questions,
    async perform({ act, id, session: token, body }): Promise<Result<Json>> {
      if (act === 'open') return open(token, body)
      const chat = chats.get(id)
      if (chat === undefined || simulations.get(id, chat.held.user, Date.now()) === undefined)
        return refused('entity.notfound')
      if (act === 'end') {
        simulations.remove(id, chat.held.user)
        chats.delete(id)
        return accepted(null)
      }
      const { after, message } = body as { readonly after: string; readonly message: Json }
      const turn = chat.turn.then(() => say(chat, token, chatMessageBody.parse(message)))
      chat.turn = turn.catch(() => undefined)
      const done = await turn
      return done.ok ? accepted({ ...pageOf(chat, after) } as unknown as Json) : done
    },
  })

  return {
    open: (token: string, body: JsonObject) => shared.act({ act: 'open', id: '', session: token, body }),
    say: (token: string, id: string, message: JsonObject, after: string) =>
      shared.act({ act: 'say', id, session: token, body: { message, after } }),
    end: (token: string, id: string) => shared.act({ act: 'end', id, session: token, body: null }),
  }
}
