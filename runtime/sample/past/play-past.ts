import { derivedId } from '#commands/pipeline/append.ts'
import { personaName, USUAL_CONTACTS } from '#domain/campaign/simulated-number.ts'
import { CLINIC_QUESTIONS, CLINIC_REQUESTS } from '#runtime/sample/content/clinic-questions.ts'
import { isObject, textAt } from '#schemas/json.ts'
import type { OwnDesk } from '../../agent/desk/own-desk.ts'
import type { OpenedConversations } from '../../conversation/conversation-port.ts'
import type { ChatPage, SentMessage } from '../../port.ts'
import { DAY, HOUR, isWorkingDay, MINUTE, midnightOf } from '../plan.ts'
import { type Beginning, beginnings, Chance, type PastBot } from './beginnings.ts'
import type { PastClock, PastWork } from './past-clock.ts'

/** Messages of the bot that ask, as a chat shows them. */
interface Question {
  readonly id: string
  readonly text: string
  /** Kind of the answer; empty: the bot waits for nothing. */
  readonly kind: string
  readonly actions: readonly { readonly id: string; readonly title: string; readonly value: string }[]
}

/** Reaction to a question. `leave`: the person never answers. */
type Reaction =
  | { readonly do: 'leave' }
  | { readonly do: 'press'; readonly action: string; readonly after: number }
  | { readonly do: 'write'; readonly text: string; readonly after: number }

const S = 1000

/** Questions that more people leave, by their words. */
const HARD: readonly (readonly [words: RegExp, share: number])[] = [
  [/CPF|Cartão SUS/u, 0.16],
  [/n[úu]mero da (?:<b>)?instalação/u, 0.11],
  [/chave Pix/u, 0.2],
  [/Conte em uma frase/u, 0.05],
  [/podia ter feito melhor/u, 0.35],
]
const USUALLY_LEFT = 0.035
/** Share of answers in own words where buttons are offered. */
const OWN_WORDS = 0.05

/** Options that more people choose; 1 for the others. */
const LIKED: Readonly<Record<string, number>> = {
  'Marcar consulta': 9,
  'Remarcar ou cancelar': 4,
  'Resultado de exame': 3,
  'Clínica geral': 5,
  Pediatria: 3,
  Confirmar: 9,
  Sim: 3,
  '📦 Rastrear pedido': 11,
  '🔁 Trocas e devoluções': 4,
  '💳 Pagamento': 4,
  '💬 Falar com a gente': 3,
  'Vou esperar': 4,
  'Tudo certo': 4,
  'Não, obrigado': 6,
  Pix: 5,
  'Na rua toda': 2,
}

/** Scores of a rating, and how many give each. */
const SCORES: Readonly<Record<string, number>> = { 10: 9, 9: 8, 8: 5, 7: 3, 6: 2, 5: 14, 4: 8, 3: 3, 2: 1, 1: 1, 0: 1 }
/** Number of actions of a rating with stars. */
const STARS = 5

const digits = (chance: Chance, count: number): number[] => Array.from({ length: count }, () => chance.whole(0, 9))

const cpf = (chance: Chance): string => {
  const all = digits(chance, 9)
  for (const length of [9, 10]) {
    const sum = all.slice(0, length).reduce((total, digit, place) => total + digit * (length + 1 - place), 0)
    all.push(((sum * 10) % 11) % 10)
  }
  return all.join('')
}

/** Nine digits; the last one checks the others, as the handler of the power company's bot does. */
const installation = (chance: Chance): string => {
  const all = [chance.whole(1, 9), ...digits(chance, 7)]
  const sum = all.reduce((total, digit, place) => total + digit * (9 - place), 0)
  return [...all, ((sum * 10) % 11) % 10].join('')
}

const CASES = [
  'A luminária chegou com o vidro trincado',
  'Meu pedido está atrasado faz uma semana',
  'Comprei o sofá errado e quero trocar a cor',
  'A transportadora diz que entregou, mas não recebi nada',
  'Fui cobrado duas vezes no cartão',
  'O tapete é menor do que eu esperava',
  'Preciso da nota fiscal no nome da empresa',
  'Falta uma peça na estante',
]
const COMPLAINTS = [
  'Demorou muito',
  'Tive que repetir tudo ao atendente',
  'O produto veio com defeito',
  'Preço do frete',
]
const ODD = [
  'não sei',
  'quero falar com uma pessoa',
  'isso não ajuda',
  'oi?',
  'quanto custa o frete?',
  'vocês abrem domingo?',
]

const EXAMPLES = [...CLINIC_REQUESTS, ...CLINIC_QUESTIONS].flatMap(({ statements }) => statements)

/** Wishes that the bot of the health department does not know. */
const UNKNOWN = ['quero pagar o IPTU', 'a lâmpada da minha rua queimou', 'qual a nota do ENEM?', 'tem vaga na creche?']
const UNKNOWN_SHARE = 0.2

/** A line of the training data as a person writes it, or a wish that the bot does not know. */
const ownWords = (chance: Chance): string =>
  chance.of(chance.is(UNKNOWN_SHARE) ? UNKNOWN : EXAMPLES).replaceAll(/\[([^[\]]+)\]\([^()]+\)/gu, '$1')

/** Texts by the words of their question. */
const TEXTS: readonly (readonly [words: RegExp, text: (chance: Chance) => string])[] = [
  [/CPF|Cartão SUS/u, chance => (chance.is(0.08) ? '12345' : cpf(chance))],
  [/instalação/u, chance => (chance.is(0.07) ? '12345' : installation(chance))],
  [/código da consulta/u, chance => `VC${chance.whole(4101, 4890)}`],
  [/pedido/u, chance => (chance.is(0.06) ? `PED${chance.whole(100, 999)}` : `CL${chance.whole(204_100, 209_899)}`)],
  [/CEP/u, chance => `0${chance.whole(1000, 5999)}${chance.whole(100, 899)}`],
  [/De 0 a 10/u, chance => chance.weighted(Object.keys(SCORES), score => SCORES[score] ?? 1) ?? '9'],
  [/podia ter feito melhor/u, chance => chance.of(COMPLAINTS)],
  [/Conte em uma frase|recado/u, chance => chance.of(CASES)],
  [/chave Pix/u, chance => `cliente${chance.whole(10, 99)}@exemplo.example`],
  [/e-mail/u, chance => `cliente${chance.whole(10, 99)}@exemplo.example`],
  [/telefone/u, chance => `1198${chance.whole(1_000_000, 9_999_999)}`],
]

const write = (chance: Chance, text: string): Reaction => ({ do: 'write', text, after: chance.around(14 * S) })

/** Chooses the reaction of a person to a question. `wish`: words of the option that the person wants. */
const reactionTo = ({ text, kind, actions }: Question, chance: Chance, wish: string): Reaction => {
  const wished = wish === '' ? undefined : actions.find(({ title }) => title.includes(wish))
  if (wished !== undefined) return { do: 'press', action: wished.id, after: chance.around(6 * S) }
  const hard = HARD.find(([words]) => words.test(text))?.[1] ?? USUALLY_LEFT
  if (kind !== 'rating' && chance.is(hard)) return { do: 'leave' }
  if (kind === 'rating') {
    if (chance.is(0.3)) return { do: 'leave' }
    const weightOf = ({ value }: Question['actions'][number]) =>
      (SCORES[value] ?? 1) * (actions.length === STARS && value === '5' ? 2 : 1)
    const action = chance.weighted(actions, weightOf)
    return action === undefined ? { do: 'leave' } : { do: 'press', action: action.id, after: chance.around(8 * S) }
  }
  if (kind === 'comment') return chance.is(0.5) ? write(chance, chance.of(COMPLAINTS)) : { do: 'leave' }
  if (actions.length === 0)
    return write(chance, TEXTS.find(([words]) => words.test(text))?.[1](chance) ?? chance.of(ODD))
  if (chance.is(OWN_WORDS)) return write(chance, chance.of(ODD))
  const action = chance.weighted(actions, ({ title }) => LIKED[title] ?? 1)
  return { do: 'press', action: action?.id ?? '', after: chance.around(6 * S) }
}

/** Words of an agent at the desk and of the person, in turn. */
const DESK_TALKS: readonly (readonly string[])[] = [
  [
    'Oi! Aqui é da equipe da Casa Lume. Já li o seu caso, um instante que eu confiro.',
    'Obrigada, fico no aguardo',
    'Encontrei: a transportadora marcou a entrega para amanhã, até as 18h. Posso avisar por aqui quando sair?',
    'Pode sim, obrigada!',
    'Combinado! Qualquer coisa é só chamar.',
  ],
  [
    'Olá! Sinto muito pelo transtorno. Pode me enviar uma foto do produto e da embalagem, por favor?',
    'Não estou em casa agora, mas o vidro veio trincado',
    'Sem problema. Já deixei a troca aprovada: é só levar a caixa aos Correios com o código que vai por e-mail.',
    'Perfeito, muito obrigado',
  ],
  [
    'Oi, tudo bem? Vi aqui as duas cobranças.',
    'Isso, veio duas vezes na fatura',
    'A segunda já foi estornada hoje. Cai em até 5 dias úteis na sua fatura.',
  ],
  [
    'Bom dia! Para a nota em nome da empresa, me passa o CNPJ, por favor?',
    '11.222.333/0001-81',
    'Nota emitida de novo. Enviei o PDF para o seu e-mail. Ajudo em algo mais?',
    'Era só isso',
  ],
]

/** Number of people of one bot, who talk to it again and again. */
const PEOPLE = 170
/** Messages that are looked at for the newest question. */
const LOOKED_AT = 12
/** Longest turn, ms of real time: only after a fault. */
const TURN_MS = 30_000
/** Steps of one conversation: a flow that leads back ends. */
const MAX_STEPS = 40

interface PlayPast {
  readonly seed: string
  readonly clock: PastClock
  readonly work: Pick<PastWork, 'finished'>
  readonly bots: readonly PastBot[]
  readonly conversations: OpenedConversations
  /** Users who answer at the desk. */
  readonly agents: readonly string[]
  /** ms since 1970: nothing happens after it. */
  readonly until: number
  readonly signal: AbortSignal
  readonly made: (share: number) => void
}

interface Talk {
  readonly id: string
  readonly bot: PastBot
  readonly chance: Chance
  readonly wish: string
  steps: number
  isGone: boolean
  /** Lines of the chat at the desk that are still to be said; undefined: there is none. */
  lines: string[] | undefined
}

/** Plays what people, bots and agents did, one moment after the other. */
export class PastPlay {
  readonly #given: PlayPast
  #desk: OwnDesk | undefined
  #atDesk = 0
  #nextId = ''

  constructor(given: PlayPast) {
    this.#given = given
  }

  /** Id of the conversation that begins next. */
  newId(): string {
    return this.#nextId
  }

  /** False when interrupted. */
  async run(): Promise<boolean> {
    const { clock, conversations, agents, until, signal, made } = this.#given
    this.#desk = await conversations.desk()
    const begun = beginnings(this.#given)
    for (const one of begun) clock.at(one.at, () => this.#begin(one))
    this.#planShifts()
    const first = begun[0]?.at ?? until
    for (let count = 0; ; count += 1) {
      if (signal.aborted) return false
      const moment = clock.next()
      if (moment === undefined || moment.at > until) return true
      if (this.#atDesk > 0) for (const agent of agents) this.#desk?.presence.seen(agent, false)
      await moment.act()
      await this.#finished()
      if (count % 50 === 0) made((moment.at - first) / (until - first))
    }
  }

  /** Waits for all that follows from what happened. */
  #finished(): Promise<void> {
    const { work, conversations } = this.#given
    return work.finished(() => this.#desk?.isQuiet !== false && conversations.turnsWaiting() === 0)
  }

  #after(ms: number, act: () => Promise<void>): void {
    this.#given.clock.after(ms, act)
  }

  /** Agents come, have lunch and go, on each working day since the desk was opened. */
  #planShifts(): void {
    const { bots, agents, until, seed, clock } = this.#given
    const since = Math.min(...bots.map(bot => bot.since))
    for (let midnight = midnightOf(since); midnight < until; midnight += DAY) {
      if (!isWorkingDay(midnight)) continue
      for (const [place, user] of agents.entries()) {
        const chance = new Chance(`${seed} shift ${user} ${midnight}`)
        const state = (time: number, chosen: Parameters<OwnDesk['places']['setState']>[1]) =>
          clock.at(midnight + time, async () => this.#desk?.places.setState(user, chosen, 'self'))
        const lunch = (12 + place * 0.5) * HOUR
        state(8 * HOUR + chance.whole(0, 9) * MINUTE, { state: 'available' })
        state(lunch, { state: 'paused', reason: 'lunch', until: midnight + lunch + 40 * MINUTE })
        state(lunch + 40 * MINUTE, { state: 'available' })
        state(20 * HOUR + chance.whole(0, 9) * MINUTE, { state: 'offline' })
      }
    }
  }

  async #begin({ bot, seed, wish }: Beginning): Promise<void> {
    const chance = new Chance(seed)
    const number = chance.whole(0, PEOPLE - 1)
    this.#nextId = derivedId(seed, 'conversation')
    const name = personaName(USUAL_CONTACTS[number % USUAL_CONTACTS.length] ?? 0)
    const user = { id: derivedId(this.#given.seed, `visitor ${bot.bot} ${number}`), name }
    const { conversations } = this.#given
    const opened = await conversations.open({ channel: bot.channel, user, locale: 'pt', begins: true })
    if (!opened.ok) return
    const talk: Talk = { id: this.#nextId, bot, chance, wish, steps: 0, isGone: false, lines: undefined }
    await this.#settled(talk)
    if (bot.understands && chance.is(0.35))
      this.#after(chance.around(9000), () => this.#send(talk, { type: 'text', text: ownWords(chance) }))
    else await this.#next(talk)
  }

  async #settled({ id }: Talk): Promise<void> {
    await this.#given.conversations.settled(id, TURN_MS)
    await this.#finished()
  }

  async #send(talk: Talk, message: Omit<SentMessage, 'id'>): Promise<void> {
    const id = derivedId(talk.id, `message ${talk.steps}`)
    await this.#given.conversations.accept(talk.id, { id, ...message })
    await this.#settled(talk)
    await this.#next(talk)
  }

  /** Plans the next moment of a conversation after a turn. */
  async #next(talk: Talk): Promise<void> {
    const { conversations, clock, until } = this.#given
    talk.steps += 1
    const [page, held] = await Promise.all([conversations.newest(talk.id, LOOKED_AT), conversations.load(talk.id)])
    if (page === undefined || held === undefined || page.state === 'ended') return
    if (page.state === 'agent') return this.#handedOver(talk)
    const question = questionOf(page)
    const reaction =
      talk.isGone || talk.steps > MAX_STEPS || question === undefined
        ? ({ do: 'leave' } as const)
        : reactionTo(question, talk.chance, talk.wish)
    const { due = Number.POSITIVE_INFINITY } = held
    if (reaction.do === 'leave' || clock.now() + reaction.after > due) {
      talk.isGone ||= reaction.do === 'leave'
      if (due < until) clock.at(due, () => this.#fire(talk))
      return
    }
    this.#after(reaction.after, () =>
      reaction.do === 'write'
        ? this.#send(talk, { type: 'text', text: reaction.text })
        : this.#send(talk, { type: 'choice', of: question?.id ?? '', value: reaction.action }),
    )
  }

  async #fire(talk: Talk): Promise<void> {
    await this.#given.conversations.fire(talk.id)
    await this.#settled(talk)
    await this.#next(talk)
  }

  /** The person waits for an agent. */
  async #handedOver(talk: Talk): Promise<void> {
    this.#atDesk += 1
    for (const agent of this.#given.agents) this.#desk?.presence.seen(agent, false)
    talk.lines = [...talk.chance.of(DESK_TALKS)]
    const since = this.#given.clock.now()
    await this.#wait(talk, since)
  }

  async #wait(talk: Talk, since: number): Promise<void> {
    const { chance } = talk
    const holder = this.#holder(talk)
    if (holder !== undefined) return this.#after(chance.around(35_000), () => this.#speak(talk))
    if (this.#given.clock.now() - since < 6 * MINUTE) return this.#after(30_000, () => this.#wait(talk, since))
    this.#leftDesk(talk)
    return this.#send(talk, { type: 'menu', value: 'bot' })
  }

  #leftDesk(talk: Talk): void {
    if (talk.lines === undefined) return
    talk.lines = undefined
    this.#atDesk -= 1
  }

  /** User id of the agent with the chat. */
  #holder({ id }: Talk): string | undefined {
    const row = this.#desk?.index.get(id)
    return row?.status === 'held' ? (row.holder ?? undefined) : undefined
  }

  /** The agent says their next line, and the person answers it. */
  async #speak(talk: Talk): Promise<void> {
    const { chance, id } = talk
    const user = this.#holder(talk)
    const line = talk.lines?.shift()
    if (user === undefined || line === undefined || this.#desk === undefined) {
      this.#leftDesk(talk)
      return this.#next(talk)
    }
    const by = { user, isBoss: false }
    talk.steps += 1
    await this.#desk.work.say(id, by, { id: derivedId(id, `line ${talk.steps}`), text: line, files: [], seen: '' })
    const answer = talk.lines?.shift()
    if (answer === undefined) return this.#after(chance.around(25_000), () => this.#close(talk, user))
    this.#after(chance.around(22_000), async () => {
      await this.#given.conversations.accept(id, {
        id: derivedId(id, `answer ${talk.steps}`),
        type: 'text',
        text: answer,
      })
      const next = (talk.lines?.length ?? 0) > 0 ? () => this.#speak(talk) : () => this.#close(talk, user)
      this.#after(chance.around(30_000), next)
    })
  }

  async #close(talk: Talk, user: string): Promise<void> {
    const { chance, id } = talk
    const by = { user, isBoss: false }
    if (chance.is(0.25)) await this.#desk?.work.tag(id, [chance.of(['entrega', 'troca', 'pagamento'])], by)
    const note = chance.is(0.2) ? { note: 'Cliente avisado por e-mail.' } : {}
    const reason = chance.weighted(['resolvido', 'troca', 'sem-resposta'], one => (one === 'resolvido' ? 6 : 2)) ?? ''
    await this.#desk?.work.close(id, by, { reason, ...note })
    this.#leftDesk(talk)
    await this.#settled(talk)
    await this.#next(talk)
  }
}

/** Kinds of questions that are still open when the flow has ended. */
const RATINGS: ReadonlySet<string> = new Set(['rating', 'comment'])

/** The newest message that asks; undefined: the bot waits for nothing. */
const questionOf = ({ messages, state }: ChatPage): Question | undefined => {
  const asked = messages.findLast(({ from, wait }) => from === 'user' || (from === 'bot' && wait !== undefined))
  if (asked?.from !== 'bot' || !isObject(asked.wait)) return undefined
  const kind = textAt(asked.wait, 'kind')
  if (state !== 'waiting' && !RATINGS.has(kind)) return undefined
  const actions = (Array.isArray(asked.actions) ? asked.actions : []).filter(isObject)
  return {
    ...{ id: asked.id, text: textAt(asked, 'text'), kind },
    actions: actions.map(action => ({
      id: textAt(action, 'id'),
      title: textAt(action, 'title'),
      value: textAt(action, 'value'),
    })),
  }
}
