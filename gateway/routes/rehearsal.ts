import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actionsOf, pressedWords, textOfInput } from '#domain/conversation/message.ts'
import type { Release } from '#domain/conversation/release.ts'
import { dayBefore } from '#domain/metrics/conversation-fact.ts'
import { shownCount } from '#domain/metrics/shown-count.ts'
import type { PathStep } from '#domain/rehearsal/recording.ts'
import type { End, Place, WalkedTurn } from '#domain/rehearsal/walk.ts'
import type { RowOf, Scope } from '#projections/port.ts'
import { openCompiledFlows } from '#runtime/conversation/effect/compiled-flows.ts'
import { turnSettings } from '#runtime/conversation/effect/turn-settings.ts'
import { dayOf } from '#runtime/conversation/index/visit-index.ts'
import { callerOf } from '#runtime/isolation/pooled-work.ts'
import type { ConversationRecords } from '#runtime/port.ts'
import { flowsOfBot, testedFlows } from '#runtime/simulation/kept-test/replayed-test.ts'
import { Rehearsal, type RehearsalGroup, Rehearsals } from '#runtime/simulation/rehearsal/rehearsal.ts'
import { type RehearsalView, type RehearsedView, rehearsalBody } from '#schemas/api/rehearsal.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { Json } from '#schemas/event.ts'
import { botLanguage } from '#schemas/language.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import type { Flows } from '../server-parts.ts'
import { sessionOf } from './command.ts'
import { type ConversationParts, mayReadWords, recordReading } from './conversation.ts'
import { type Acts, shareActs } from './simulation.ts'

/** Editors of dialogs: nothing is stored, and nothing outside is called. */
const CONFIG = { permission: 'updatedialog', effect: 'reads' } as const
const MAX_CONVERSATIONS = 1_000
/** Days in which the conversations began. */
const MAX_DAYS = 366

/** Names of what a rehearsal leads by: the draft's, else those of what is published. */
const namer =
  ({ source: { draft, published } }: Rehearsal) =>
  ({ dialog, block }: Place): RehearsalView['groups'][number]['parts'] => {
    const blockIn = ({ dialogs }: Release) => dialogs.get(dialog)?.blocks.get(block)
    const { title = '', type = '' } = blockIn(draft) ?? blockIn(published) ?? {}
    return { dialog, block, title, type }
  }

const endOf = (
  name: ReturnType<typeof namer>,
  { kind, dialog, block }: End,
): RehearsalView['groups'][number]['today'] => ({
  kind,
  at: dialog === null || block === null ? null : name({ dialog, block }),
})

const LOST: ReadonlySet<End['kind']> = new Set(['left', 'failed'])

const orderedGroups = ({ groups }: Rehearsal): readonly RehearsalGroup[] =>
  [...groups.values()].toSorted((one, other) => other.count - one.count)

const iso = (time: number): string => new Date(time).toISOString()

const viewOf = (id: string, held: Rehearsal, words: boolean): RehearsalView => {
  const shown = shownCount(words)
  const name = namer(held)
  const { source, state, handed, unknown, began, ended = Date.now() } = held
  const [newest, oldest] = [source.conversations[0], source.conversations.at(-1)]
  return {
    rehearsal: id,
    bot: held.bot,
    state,
    total: shown(held.total),
    done: shown(held.done),
    ms: ended - began,
    from: oldest === undefined ? null : iso(oldest.started),
    to: newest === undefined ? null : iso(newest.started),
    same: shown(held.same),
    ways: shown(held.ways),
    elsewhere: shown(held.elsewhere),
    unknown: [...unknown].map(([why, count]) => ({ why, count: shown(count) })),
    handed: { today: shown(handed.today), after: shown(handed.after) },
    groups: orderedGroups(held).map(({ parts, today, after, count, conversations }, place) => ({
      n: place + 1,
      parts: name(parts),
      today: endOf(name, today),
      after: endOf(name, after),
      count: shown(count),
      lost: LOST.has(after.kind) && !LOST.has(today.kind),
      conversations: words
        ? conversations.map(({ id: conversation, started, channeltype }) => ({
            id: conversation,
            started: iso(started),
            channeltype,
          }))
        : [],
    })),
    words,
  }
}

const shownTurns = (turns: readonly WalkedTurn[]): RehearsedView['today']['turns'] =>
  turns.map(({ input, said }) => {
    const text = input.kind === 'choice' ? pressedWords(input.action) : textOfInput(input)
    return {
      input: text === '' ? null : text,
      kind: input.kind,
      said: said.map(message => ({
        block: message.block,
        content: message.content as unknown as Json,
        actions: actionsOf(message).map(({ title }) => title),
      })),
    }
  })

const pathOf = (path: readonly PathStep[]) => path.map(({ dialog, block, out }) => ({ dialog, block, out }))

/** In a time zone ahead of the console's the next day has begun. */
export const rehearsedDays = (now: number): { readonly from: string; readonly to: string } => {
  const today = dayOf(now)
  return { from: dayBefore(today, MAX_DAYS), to: dayBefore(today, -1) }
}

/** The newest conversations of persons with a bot, without those of agents, schedules and simulated numbers. */
const newestOf = (records: ConversationRecords | undefined, bot: string) => {
  const figure = { measure: 'engaged', ...rehearsedDays(Date.now()) }
  return records?.list([bot], { figure }, 1, MAX_CONVERSATIONS).items ?? []
}

type Parts = ConversationParts['parts']

/** Loads all that a rehearsal of a bot needs. */
const openRehearsalStart = ({ parts, conversations }: ConversationParts, flows: Flows) => {
  const { read, releases, work } = parts
  const compiled = openCompiledFlows(flows.log, read)
  const releaseAt = async (bot: string, moment: Parameters<typeof testedFlows>[2]): Promise<Release> => {
    const { dialogs, handlers } = await testedFlows({ read, flows }, bot, moment)
    const rows = new Map((await flowsOfBot(read, bot)).map(({ row }) => [row.id, row]))
    const scripts = Object.entries(handlers).map(([id, revision]) => {
      const row = rows.get(id) as RowOf<'handler'> | undefined
      return { id, revision, name: row?.name ?? '', slow: row?.slow === true }
    })
    return compiled.at(dialogs, scripts)
  }
  return async (bot: RowOf<'bot'>, body: unknown, user: string): Promise<Rehearsal> => {
    const { dialogs, handlers } = rehearsalBody.parse(body)
    const all = dialogs === undefined && handlers === undefined
    const going = { at: 'draft', publish: { dialogs: dialogs ?? [], handlers: handlers ?? [] } }
    const [published, draft, settings, records] = await Promise.all([
      releaseAt(bot.id, { at: 'published' }),
      releaseAt(bot.id, all ? { at: 'draft' } : going),
      turnSettings(parts, bot, botLanguage(bot)),
      conversations.records(),
    ])
    const models = { nlu: bot.nluenabled === true, brain: bot.brainenabled === true }
    const source = {
      conversations: newestOf(records, bot.id),
      published,
      draft,
      settings,
      releaseOf: (number: number) => releases.compiled(bot.id, number),
      models,
      recorded: async (id: string) => records?.recorded(id),
    }
    return new Rehearsal({ bot: bot.id, user, source }, work, callerOf(bot, bot.id))
  }
}

/** Conversations of a group by the output of each block, without small numbers for callers who may not read words. */
const waysOf = (held: Rehearsal, place: number, words: boolean): AnswerOf<'GET /rehearsal/{id}/ways'> | undefined => {
  const group = orderedGroups(held)[place - 1]
  if (group === undefined) return undefined
  const shown = (count: number) => shownCount(words)(count) ?? 0
  const ways = [...group.ways.values()].map(({ step: { dialog, block, out }, today, after }) => ({
    ...{ dialog, block, out, today: shown(today), after: shown(after) },
  }))
  return { ways: ways.filter(({ today, after }) => today + after > 0) }
}

/** One conversation of a rehearsal, run again with its words; undefined for another one, and for one that cannot run. */
const conversationOf = async (held: Rehearsal, id: string): Promise<RehearsedView | undefined> => {
  const record = held.source.conversations.find(one => one.id === id)
  const found = record && (await held.open(record))
  if (record === undefined || found?.turns === undefined) return undefined
  const { outcome, today, after, turns } = found
  const parts = 'parts' in outcome ? outcome.parts : null
  return {
    bot: held.bot,
    conversation: record.id,
    started: iso(record.started),
    channeltype: record.channeltype,
    outcome: outcome.kind,
    why: outcome.kind === 'unknown' ? outcome.why : null,
    parts: parts === null ? null : namer(held)(parts),
    today: { path: pathOf(today), turns: shownTurns(turns.today) },
    after: { path: pathOf(after), turns: shownTurns(turns.after) },
  }
}

/** Acts on the rehearsals of this node. */
const rehearsalActs = (
  { read, log }: Parts,
  begin: ReturnType<typeof openRehearsalStart>,
  newId: () => string,
): Acts => {
  const rehearsals = new Rehearsals()
  /** A rehearsal of the caller, of a bot that they may see. */
  const heldBy = async (id: string, user: string, scope: Scope): Promise<Rehearsal | undefined> => {
    const held = rehearsals.get(id, user)
    const bot = held && (await read.detail(scope, 'bot', held.bot))
    return bot === undefined ? undefined : held
  }
  const acts: Acts = new Map()
  acts.set('begin', async ({ id, user, scope, body }) => {
    const bot = await read.detail(scope, 'bot', id)
    if (bot === undefined) return refused('entity.notfound')
    const held = await begin(bot, body, user)
    const rehearsal = newId()
    rehearsals.add(rehearsal, held)
    void held.run(error => log.error({ err: error }, 'a rehearsal failed'))
    return accepted(viewOf(rehearsal, held, mayReadWords(scope)))
  })
  for (const act of ['view', 'stop'])
    acts.set(act, async ({ id, user, scope }) => {
      const held = await heldBy(id, user, scope)
      if (held === undefined) return refused('entity.notfound')
      if (act === 'stop') held.stop()
      return accepted(viewOf(id, held, mayReadWords(scope)))
    })
  acts.set('ways', async ({ id, user, scope, body }) => {
    const held = await heldBy(id, user, scope)
    const { group } = body as { readonly group: number }
    const ways = held && waysOf(held, group, mayReadWords(scope))
    return ways === undefined ? refused('entity.notfound') : accepted(ways)
  })
  acts.set('conversation', async ({ id, user, scope, body }) => {
    const held = mayReadWords(scope) ? await heldBy(id, user, scope) : undefined
    const { conversation } = body as { readonly conversation: string }
    const found = held && (await conversationOf(held, conversation))
    return found === undefined ? refused('entity.notfound') : accepted(found)
  })
  return acts
}

/** Runs recorded conversations of a bot through its drawings (docs/what-would-change.md). */
export const addRehearsals = (app: FastifyInstance, given: ConversationParts, flows: Flows): void => {
  const { parts } = given
  const acts = rehearsalActs(parts, openRehearsalStart(given, flows), () => shared.newId())
  const shared = shareActs(parts, acts, { permission: CONFIG.permission, subject: 'rehearsal' })
  const act = async (request: FastifyRequest, name: string, id: string, body: Json = {}) =>
    shared.act({ act: name, id, session: sessionOf(request).access.session, body })

  handle(app, 'POST /bot/{id}/rehearsal', CONFIG, async (request, reply) => {
    const { session } = sessionOf(request).access
    const { dialogs, handlers } = request.body
    const body = { ...(dialogs && { dialogs }), ...(handlers && { handlers }) }
    const begun = await shared.begin({ act: 'begin', id: request.params.id, session, body }, undefined)
    return begun.ok ? reply.send(begun.value) : refuse(reply, begun.refusal)
  })
  handle(app, 'GET /rehearsal/{id}', CONFIG, async (request, reply) => {
    const done = await act(request, 'view', request.params.id)
    return done.ok ? reply.send(done.value) : refuse(reply, done.refusal)
  })
  handle(app, 'POST /rehearsal/{id}/stop', CONFIG, async (request, reply) => {
    const done = await act(request, 'stop', request.params.id)
    return done.ok ? reply.send(done.value) : refuse(reply, done.refusal)
  })
  handle(app, 'GET /rehearsal/{id}/ways', CONFIG, async (request, reply) => {
    const done = await act(request, 'ways', request.params.id, { group: request.query.group })
    return done.ok ? reply.send(done.value) : refuse(reply, done.refusal)
  })
  handle(
    app,
    'GET /rehearsal/{id}/conversation',
    { ...CONFIG, permission: 'readconversation' },
    async (request, reply) => {
      const done = await act(request, 'conversation', request.params.id, { conversation: request.query.conversation })
      if (!done.ok) return refuse(reply, done.refusal)
      const { bot, conversation } = done.value as RehearsedView
      const level = (await parts.read.detail(sessionOf(request).scope, 'bot', bot))?.hierarchylevel ?? null
      await recordReading(parts, request, { verb: 'opened', conversation, bot, level })
      return reply.send(done.value)
    },
  )
}
