import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import { botChatMessage } from '#runtime/conversation/engine/fold.ts'
import type { ChatMessage, ChatPage } from '#runtime/port.ts'
import { type ActiveSimulation, advance, SharedSimulations, Simulations } from '#runtime/simulation/open-simulations.ts'
import { simulationInput } from '#runtime/simulation/simulation-actions.ts'
import { chatMessageBody, MAX_CHAT_BODY, openChatBody } from '#schemas/api/chat.ts'
import { simulationBody, simulationSay } from '#schemas/api/simulation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type Language, languageOf } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { openSimulationStart, type SimulationStart } from '../routes/simulation-start.ts'
import type { Flows } from '../server-parts.ts'
import { sizeRefusal } from './accept-message.ts'
import { escaped, page, policyOf, sendPicture, TEXTS } from './chat-page.ts'
import { readChatLanguages, readChatLook } from './chat-parts.ts'

/** Letters of the signature: 128 bits. */
const SIGNATURE = 32

type DraftParts = Pick<Parts, 'keys' | 'read'>

/** Until when the link to a draft works; undefined where there is none. */
const endOf = ({ sharedraftuntil: until }: RowOf<'dialog'>): string | undefined =>
  until !== null && Date.parse(until) > Date.now() ? until : undefined

/**
 * The link is not stored: it is signed with the time of its end, which the dialog holds. A change of that time ends all
 * earlier links.
 */
const signatureOf = async ({ keys }: DraftParts, dialog: string, until: string): Promise<string> =>
  (await keys.index.hmac(JSON.stringify(['draft link', dialog, until]))).slice(0, SIGNATURE)

/** Token of the link to a dialog's draft; undefined where it has none. */
export const draftToken = async (parts: DraftParts, dialog: RowOf<'dialog'>) => {
  const until = endOf(dialog)
  return until === undefined
    ? undefined
    : { token: `${dialog.id}.${await signatureOf(parts, dialog.id, until)}`, until }
}

/** A draft that a link leads to. */
interface LinkedDraft {
  readonly dialog: RowOf<'dialog'>
  readonly bot: RowOf<'bot'>
  readonly until: string
  readonly token: string
}

/** The draft of a token whose link works. */
const linkedDraft = async (parts: DraftParts, token: string): Promise<LinkedDraft | undefined> => {
  const [id = '', signature = '', ...rest] = token.split('.')
  const dialog = rest.length > 0 ? undefined : await parts.read.detail(SYSTEM_SCOPE, 'dialog', id.toWellFormed())
  const until = dialog && endOf(dialog)
  if (dialog === undefined || until === undefined) return undefined
  if (!isSameSecret(signature, await signatureOf(parts, id, until))) return undefined
  const task = await parts.read.detail(SYSTEM_SCOPE, 'dialogtask', dialog.dialogtask)
  const bot = task && (await parts.read.detail(SYSTEM_SCOPE, 'bot', task.bot))
  return bot === undefined ? undefined : { dialog, bot, until, token }
}

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
const openDraftChats = (parts: Parts, { begin, refresh }: SimulationStart) => {
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

/** Unknown links that one address may ask for in a minute: signatures can not be found by trying. */
const MAX_MISSES = 30
/** A chat that is open asks for its end again after this time, ms: the widget's timers have a limit. */
const TOKEN_MS = 12 * 3_600_000

const BASE = '/draft/:token'
const tokenParam = z.object({ token: z.string().min(1).max(200) })
const chatParam = tokenParam.extend({ id: z.string().min(1).max(100) })
const afterQuery = z.object({ after: z.string().max(100).default('') })

const textIn = (language: Language, key: 'draft' | 'draftnote' | 'draftended'): string => TEXTS[language][key]

const dayOf = (time: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(new Date(time))

/**
 * /draft/{token}: the draft of a dialog as a web chat, for people with its link. The widget calls the same paths as for a
 * channel, below the link.
 */
export const addDraftPage = (app: FastifyInstance, parts: Parts, flows: Flows): void => {
  const { read, storage } = parts
  const drafts = requestValue<LinkedDraft>()
  const failures = { name: 'draft link', most: MAX_MISSES }
  const find = async (request: FastifyRequest) => {
    const found = await linkedDraft(parts, (request.params as z.output<typeof tokenParam>).token)
    if (found !== undefined) drafts.set(request, found)
    return found
  }
  const doorOf = (more: Partial<PublicRoute> = {}): PublicRoute => ({
    failures,
    ...more,
    async target(request) {
      const found = await find(request)
      if (found === undefined) throw new Unproven({ code: 'entity.notfound' })
      return { bot: found.bot.id }
    },
  })
  const pageDoor: PublicRoute = {
    failures,
    isLight: true,
    async target(request, reply) {
      if ((await find(request)) !== undefined) return undefined
      app.openDoor.fail(request)
      const draftended = textIn(request.language, 'draftended')
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policyOf(undefined))
        .header('referrer-policy', 'no-referrer')
        .code(404)
        .send(page(request.language, draftended, `<main><h1>${draftended}</h1></main>`))
      return undefined
    },
  }
  const lookOf = async ({ bot, dialog, token }: LinkedDraft) => {
    const base = `/draft/${token}`
    const [shown, languages] = await Promise.all([
      readChatLook(read, bot, { channel: dialog.id, base }),
      readChatLanguages(read, bot),
    ])
    return { ...shown, languages }
  }
  app.get(BASE, { config: { door: pageDoor }, schema: { params: tokenParam } }, async (request, reply) => {
    const draft = drafts.of(request)
    const { look, languages } = await lookOf(draft)
    const language = languages.find(each => each === request.language) ?? languages[0]
    const title = look.header.title || draft.bot.name
    const note = textIn(language, 'draftnote')
      .replace('{{name}}', draft.dialog.name)
      .replace('{{until}}', dayOf(draft.until, language))
    const told = `data-channel="${escaped(draft.dialog.id)}" data-router="/draft/${escaped(draft.token)}"`
    const script =
      `<script src="/chat/widget.js" ${told} data-note="${escaped(note)}"` +
      ` data-language="${language}" data-open></script>`
    const body = `<main><h1 class="quiet">${escaped(title)}</h1></main>${script}`
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyOf(undefined))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send(page(language, `${textIn(language, 'draft')} · ${title}`, body))
  })

  app.get(
    `${BASE}/chat/:id/look`,
    { config: { door: doorOf({ isLight: true }) }, schema: { params: chatParam } },
    async request => {
      const { look, languages } = await lookOf(drafts.of(request))
      return { look, languages }
    },
  )

  app.get(
    `${BASE}/chat/:id/picture/:file`,
    {
      config: { door: doorOf({ isLight: true }) },
      schema: { params: chatParam.extend({ file: z.string().max(100) }) },
    },
    async (request, reply) => {
      const { file: id } = request.params as { readonly file: string }
      const { pictures } = await lookOf(drafts.of(request))
      return sendPicture(reply, storage, { pictures, id, cache: 'private' })
    },
  )

  addDraftChat(app, { doorOf, drafts, lookOf, parts, flows })
}

interface DraftRoutes {
  readonly doorOf: (more?: Partial<PublicRoute>) => PublicRoute
  readonly drafts: ReturnType<typeof requestValue<LinkedDraft>>
  readonly lookOf: (draft: LinkedDraft) => Promise<Awaited<ReturnType<typeof readChatLook>>>
  readonly parts: Parts
  readonly flows: Flows
}

/** Calls of the widget on the page of a draft. */
function addDraftChat(app: FastifyInstance, { doorOf, drafts, lookOf, parts, flows }: DraftRoutes): void {
  const chats = openDraftChats(parts, openSimulationStart(parts, flows))
  const tokenOf = ({ until, token }: LinkedDraft) => ({
    token,
    expires: new Date(Math.min(Date.parse(until), Date.now() + TOKEN_MS)).toISOString(),
  })
  app.post(
    `${BASE}/chat/:id/conversations`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: doorOf({ counts: 'conversation' }) },
      schema: { params: chatParam, body: openChatBody },
    },
    async (request, reply) => {
      const draft = drafts.of(request)
      const { resume, locale } = request.body as z.output<typeof openChatBody>
      // A chat with a draft always begins with what is drawn now.
      if (resume !== undefined) return refuse(reply, { code: 'entity.notfound' })
      const spoken = locale ?? languageOf(request.headers['accept-language'])
      const opened = await chats.open(draft.token, { ...(spoken === undefined ? {} : { locale: spoken }) })
      if (!opened.ok) return refuse(reply, opened.refusal)
      const { look, menu } = await lookOf(draft)
      return reply
        .code(201)
        .send({ ...(opened.value as JsonObject), ...tokenOf(draft), stream: null, theme: look, menu, resumed: false })
    },
  )

  app.post(
    `${BASE}/chat/conversations/:id/messages`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: doorOf({ counts: 'message' }) },
      schema: { params: chatParam, querystring: afterQuery, body: chatMessageBody },
    },
    async (request, reply) => {
      const body = request.body as z.output<typeof chatMessageBody>
      const large = sizeRefusal(body)
      if (large !== undefined) throw new RequestRefused(large.refusal)
      const { id } = request.params as z.output<typeof chatParam>
      const { after } = request.query as z.output<typeof afterQuery>
      const said = await chats.say(drafts.of(request).token, id, { ...body } as JsonObject, after)
      if (!said.ok) return refuse(reply, said.refusal)
      return reply.code(202).send({ id: body.id, page: said.value })
    },
  )

  app.post(
    `${BASE}/chat/conversations/:id/token`,
    { bodyLimit: MAX_CHAT_BODY, config: { door: doorOf() }, schema: { params: chatParam } },
    async request => tokenOf(drafts.of(request)),
  )

  app.post(
    `${BASE}/chat/conversations/:id/end`,
    { bodyLimit: MAX_CHAT_BODY, config: { door: doorOf() }, schema: { params: chatParam } },
    async (request, reply) => {
      await chats.end(drafts.of(request).token, (request.params as z.output<typeof chatParam>).id)
      return reply.code(204).send()
    },
  )
}
