/** `account_mode` of an account whose number is simulated: Meta has LIVE and SANDBOX. */
export const SIMULATED_MODE = 'SIMULATED'

/** Reason of a message that a real number does not send: it is for a persona. */
const SIMULATED_REASON = 'simulated'
/** Reason of a message that a simulated number does not send: it is for a person. */
export const NO_PERSONA_REASON = 'nopersona'

export const isSimulated = (account: { readonly account_mode?: unknown } | undefined): boolean =>
  account?.account_mode === SIMULATED_MODE

/** Number of personas: `+55 11 90000-0000` to `-0199`. */
export const PERSONAS = 200

const SCOPED = 'BR.SIMULATED'
/** The ninth digit is missing in ids of older WhatsApp accounts. */
const NUMBER = /^\+?55119?00000([01]\d\d)$/u
const SCOPED_ID = /^BR\.SIMULATED([01]\d\d)$/u

const threeDigits = (persona: number): string => String(persona).padStart(3, '0')

/** E.164 number of a persona. */
export const personaPhone = (persona: number): string => `+5511900000${threeDigits(persona)}`

/** Id of a persona for the business (BSUID). */
export const personaScopedId = (persona: number): string => SCOPED + threeDigits(persona)

/** Persona of a number in any spelling, or of a scoped id; undefined for everybody else. */
export const personaAt = (address: string): number | undefined => {
  const plain = address.replaceAll(/[\s()-]/gu, '')
  const found = NUMBER.exec(plain)?.[1] ?? SCOPED_ID.exec(plain)?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * Reason why a number must not write to an address: real numbers do not write to personas, and simulated numbers to
 * nobody else. Undefined when it may.
 */
export const simulationConflict = (isSimulatedNumber: boolean, address: string): string | undefined => {
  const isPersona = personaAt(address) !== undefined
  if (isPersona === isSimulatedNumber) return undefined
  return isPersona ? SIMULATED_REASON : NO_PERSONA_REASON
}

const FIRST = [
  ...['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gisele', 'Heitor', 'Inês', 'João'],
  ...['Karina', 'Lucas', 'Marina', 'Nelson', 'Olívia', 'Paulo', 'Rafaela', 'Sérgio', 'Tainá', 'Vítor'],
]
const LAST = ['Almeida', 'Barros', 'Costa', 'Duarte', 'Esteves', 'Freitas', 'Gomes', 'Lima', 'Moraes', 'Nunes']

export const personaName = (persona: number): string =>
  `${FIRST[persona % FIRST.length]} ${LAST[Math.floor(persona / FIRST.length) % LAST.length]}`

/** Behaviours of personas, by the last two digits of the number. */
type PersonaBehaviour =
  | 'usual'
  | 'undeliverable'
  | 'capped'
  | 'optedout'
  | 'experiment'
  | 'pair'
  | 'throttled'
  | 'failing'
  | 'cutbefore'
  | 'cutafter'
  | 'latedelivery'
  | 'doubled'
  | 'hidden'
  | 'oldnumber'
  | 'silent'
  | 'pausing'
  | 'badtoken'

const BEHAVIOURS: ReadonlyMap<number, PersonaBehaviour> = new Map([
  [80, 'undeliverable'],
  [81, 'capped'],
  [82, 'optedout'],
  [83, 'experiment'],
  [84, 'pair'],
  [85, 'throttled'],
  [86, 'failing'],
  [87, 'cutbefore'],
  [88, 'cutafter'],
  [89, 'latedelivery'],
  [90, 'doubled'],
  [91, 'hidden'],
  [92, 'oldnumber'],
  [93, 'silent'],
  [94, 'pausing'],
  [95, 'badtoken'],
])

export const personaBehaviour = (persona: number): PersonaBehaviour => BEHAVIOURS.get(persona % 100) ?? 'usual'

/** Personas whose refusal does not pause a whole run. */
export const USUAL_CONTACTS: readonly number[] = Array.from({ length: PERSONAS }, (_, persona) => persona).filter(
  persona => !['pausing', 'badtoken'].includes(personaBehaviour(persona)),
)

/** `wa_id` of a persona: digits of the number, of an older account without the ninth one. */
export const personaWaId = (persona: number): string => {
  const digits = personaPhone(persona).slice(1)
  return personaBehaviour(persona) === 'oldnumber' ? digits.replace('55119', '5511') : digits
}

/** Receipt or answer for a message that the double accepted; `after`: ms of the simulated clock. */
type ReactionStep =
  | {
      readonly after: number
      readonly kind: 'status'
      readonly status: 'sent' | 'delivered' | 'read' | 'failed'
      readonly code?: number
    }
  /** `button`: place of the pressed quick reply. */
  | { readonly after: number; readonly kind: 'reply'; readonly text: string; readonly button?: number }

/** Answer of the double to a send. `cut`: the connection fails before it was taken; `lost`: afterwards. */
type SendAnswer =
  | { readonly kind: 'taken' | 'cut' | 'lost' | 'failed' }
  | { readonly kind: 'refused'; readonly http: number; readonly code: number; readonly text: string }

export interface Reaction {
  readonly answer: SendAnswer
  readonly steps: readonly ReactionStep[]
}

interface ReceivedMessage {
  /** Equal seeds give equal reactions. */
  readonly seed: string
  readonly persona: number
  /** Sends to the persona so far, this one included; refused ones count. */
  readonly attempt: number
  readonly isTemplate: boolean
  readonly isBlocked: boolean
  /** Labels of its quick replies. */
  readonly replies: readonly string[]
  /** `pt_BR`, `es`, `en_US` … */
  readonly language: string
}

/** Numbers from 0 to 1 that follow from a text: FNV-1a, then mulberry32. */
export const randomOf = (text: string): (() => number) => {
  let state = 0x81_1c_9d_c5
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SENT_MS = 200
const DELIVERED_MS = 1000
const READ_FROM_MS = 3000
const READ_SPAN_MS = 27_000
const REPLY_MS = 4000
const LATE_MS = 3000
/** Shares of the personas with usual behaviour: of all, not of those who read. */
const STOPS = 0.01
const REPLIES = 0.11
const READS = 0.6

const WORDS: Readonly<Record<string, readonly string[]>> = {
  pt: ['Quero saber mais', 'Oi! Pode me explicar?', 'Obrigada!', 'Ainda está valendo?'],
  es: ['Quiero saber más', '¡Hola! ¿Me explicas?', '¡Gracias!', '¿Sigue vigente?'],
  en: ['Tell me more', 'Hi! Can you explain?', 'Thank you!', 'Is this still valid?'],
}
const STOP_WORDS: Readonly<Record<string, string>> = { pt: 'SAIR', es: 'BAJA', en: 'STOP' }

const status = (after: number, name: 'sent' | 'delivered' | 'read' | 'failed', code?: number): ReactionStep => ({
  after,
  kind: 'status',
  status: name,
  ...(code === undefined ? {} : { code }),
})

const TAKEN = { kind: 'taken' } as const
const refusedWith = (http: number, code: number, text: string): Reaction => ({
  answer: { kind: 'refused', http, code, text },
  steps: [],
})
const failedWith = (code: number): Reaction => ({
  answer: TAKEN,
  steps: [status(SENT_MS, 'sent'), status(DELIVERED_MS, 'failed', code)],
})

const usualSteps = (given: ReceivedMessage): readonly ReactionStep[] => {
  const random = randomOf(`${given.seed} ${given.persona} ${given.attempt}`)
  const [share, read, pick] = [random(), random(), random()]
  const arrived = [status(SENT_MS, 'sent'), status(DELIVERED_MS, 'delivered')]
  if (share >= READS) return arrived
  const readAt = Math.round(READ_FROM_MS + read * READ_SPAN_MS)
  const seen = [...arrived, status(readAt, 'read')]
  // A bot's answers are not answered: two machines would talk for ever.
  if (!given.isTemplate || share >= REPLIES) return seen
  const language = given.language.slice(0, 2)
  const words = WORDS[language] ?? WORDS.en ?? []
  const button = Math.floor(pick * given.replies.length)
  const reply =
    share < STOPS
      ? { text: STOP_WORDS[language] ?? 'STOP' }
      : given.replies.length > 0
        ? { text: given.replies[button] ?? '', button }
        : { text: words[Math.floor(pick * words.length)] ?? '' }
  return [...seen, { after: readAt + REPLY_MS, kind: 'reply', ...reply }]
}

/** A persona who always reads and answers a template. */
const answeringSteps = (given: ReceivedMessage): readonly ReactionStep[] => [
  status(SENT_MS, 'sent'),
  status(DELIVERED_MS, 'delivered'),
  status(READ_FROM_MS, 'read'),
  ...(given.isTemplate
    ? [
        {
          after: READ_FROM_MS + REPLY_MS,
          kind: 'reply',
          text: given.replies[0] ?? (WORDS[given.language.slice(0, 2)] ?? WORDS.en ?? [])[0] ?? '',
          ...(given.replies.length > 0 ? { button: 0 } : {}),
        } as const,
      ]
    : []),
]

/** Reaction of a persona to a message: the same for the same seed, persona and attempt. */
export const reactionOf = (given: ReceivedMessage): Reaction => {
  const { persona, attempt } = given
  if (given.isBlocked) return { answer: TAKEN, steps: [status(SENT_MS, 'sent')] }
  switch (personaBehaviour(persona)) {
    case 'undeliverable':
      return failedWith(131_026)
    case 'capped':
      return failedWith(131_049)
    case 'optedout':
      return failedWith(131_050)
    case 'experiment':
      return failedWith(130_472)
    case 'pair':
      if (attempt % 2 === 1) return refusedWith(400, 131_056, 'Pair rate limit hit')
      break
    case 'throttled':
      if (attempt % 2 === 1) return refusedWith(400, 130_429, 'Rate limit hit')
      break
    case 'failing':
      return { answer: { kind: 'failed' }, steps: usualSteps(given) }
    case 'cutbefore':
      if (attempt % 2 === 1) return { answer: { kind: 'cut' }, steps: [] }
      break
    case 'cutafter':
      return { answer: { kind: 'lost' }, steps: usualSteps(given) }
    case 'latedelivery':
      return {
        answer: TAKEN,
        steps: [status(SENT_MS, 'sent'), status(DELIVERED_MS, 'failed', 131_026), status(LATE_MS, 'delivered')],
      }
    case 'doubled':
      return {
        answer: TAKEN,
        steps: (['read', 'delivered', 'sent'] as const).flatMap((name, at) => [
          status(DELIVERED_MS + at * SENT_MS, name),
          status(LATE_MS + at * SENT_MS, name),
        ]),
      }
    case 'hidden':
    case 'oldnumber':
      return { answer: TAKEN, steps: answeringSteps(given) }
    case 'silent':
      return { answer: TAKEN, steps: [] }
    case 'pausing':
      if (attempt % 2 === 1) return refusedWith(400, 132_015, 'Template is paused')
      break
    case 'badtoken':
      if (attempt % 2 === 1) return refusedWith(401, 190, 'Error validating access token: session has expired')
      break
    default:
      break
  }
  return { answer: TAKEN, steps: usualSteps(given) }
}

/** Time of the simulated clock: it runs at `speed` from `simulated`, which it showed at `real` (ms since 1970). */
export interface SimulatedClock {
  readonly real: number
  readonly simulated: number
  readonly speed: number
}

export const MAX_SPEED = 100

export const simulatedNow = ({ real, simulated, speed }: SimulatedClock, now: number): number =>
  simulated + Math.max(0, now - real) * speed

/** The clock with another speed, without a leap. */
export const clockAt = (clock: SimulatedClock, now: number, speed: number): SimulatedClock => ({
  real: now,
  simulated: simulatedNow(clock, now),
  speed: Math.min(MAX_SPEED, Math.max(1, speed)),
})

/** Limits of a portfolio, from the first on. */
export const SIMULATED_TIERS = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const
export type SimulatedTier = (typeof SIMULATED_TIERS)[number]

/** Block reactions after which Meta's double pauses a template, and lowers the quality of the number. */
export const BLOCKS_UNTIL_PAUSE = 3

export const qualityAfter = (blocks: number): 'GREEN' | 'YELLOW' | 'RED' =>
  blocks < 2 ? 'GREEN' : blocks < 5 ? 'YELLOW' : 'RED'

/** Invented prices of one delivered message in BRL, by category: nobody charges them. */
export const SAMPLE_PRICES = { marketing: 0.35, utility: 0.05, authentication: 0.05 } as const
