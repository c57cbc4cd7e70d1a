import { z } from 'zod'
import { named } from './common.ts'

const id = z.string().min(1).max(100)
const count = z.int().min(0)

const simulatedNumber = z.object({
  /** Id of the account. */
  id: z.string(),
  app: z.string(),
  name: z.string(),
  phone: z.string(),
  bot: z.string().nullable(),
  /** Enabled channel of the bot; null without one. */
  channel: z.string().nullable(),
})

export const simulatedNumberPage = named(
  'SimulatedNumberPage',
  z.object({
    /** SIMULATED_NUMBERS of the installation. */
    on: z.boolean(),
    items: z.array(simulatedNumber),
  }),
)

export const simulatedNumberBody = z.strictObject({ bot: id })

export const createdNumberSchema = named(
  'CreatedSimulatedNumber',
  z.object({
    app: z.string(),
    account: z.string(),
    channel: z.string(),
    /** The first template, which is being reviewed; null when the bot had a number already. */
    template: z.string().nullable(),
  }),
)

const persona = z.object({
  /** 0 to 199. */
  persona: count,
  phone: z.string(),
  name: z.string(),
  behaviour: z.string(),
  blocked: z.boolean(),
  /** Text of the newest message; empty without one. */
  last: z.string(),
  /** Time of the newest message. */
  time: z.iso.datetime().nullable(),
  unread: count,
})

export const simulatedStateSchema = named(
  'SimulatedNumber',
  simulatedNumber.extend({
    /** Always true: for exports of this answer. */
    simulated: z.literal(true),
    speed: z.int().min(1).max(100),
    clock: z.iso.datetime(),
    tier: z.string(),
    /** False at the highest tier. */
    raisable: z.boolean(),
    quality: z.enum(['GREEN', 'YELLOW', 'RED']),
    blocks: count,
    /** Invented prices of a delivered message, in BRL. */
    sampleprices: z.object({
      currency: z.literal('BRL'),
      marketing: z.number(),
      utility: z.number(),
      authentication: z.number(),
    }),
    personas: z.array(persona),
  }),
)

export const clockQuery = z.strictObject({
  speed: z
    .string()
    .regex(/^\d{1,3}$/u)
    .transform(Number)
    .pipe(z.int().min(1).max(100)),
})

export const phoneSchema = named(
  'PersonaPhone',
  persona.extend({
    simulated: z.literal(true),
    /** The bot may write freely: the persona wrote within 24 hours of the simulated clock. */
    open: z.boolean(),
    messages: z.array(
      z.object({
        id: z.string(),
        from: z.enum(['business', 'persona']),
        time: z.iso.datetime(),
        kind: z.enum(['text', 'template', 'buttons', 'list', 'picture', 'file', 'place', 'button']),
        text: z.string(),
        header: z.string().nullable(),
        footer: z.string().nullable(),
        link: z.string().nullable(),
        status: z.enum(['sent', 'delivered', 'read', 'failed']).nullable(),
        buttons: z.array(
          z.object({
            title: z.string(),
            url: z.string().nullable(),
            /** It answers when it is pressed. */
            answers: z.boolean(),
          }),
        ),
      }),
    ),
  }),
)

export const phoneActBody = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), text: z.string().trim().min(1).max(4096) }),
  z.strictObject({ do: z.literal('press'), message: z.string().max(200), button: z.int().min(0).max(20) }),
  z.strictObject({ do: z.enum(['place', 'picture', 'read', 'block', 'unblock', 'wait']) }),
])

/** `all`: also the four whose refusals pause a run (94, 95, 194, 195). */
export const personaContactsBody = z.strictObject({
  campaign: id,
  count: z.int().min(1).max(200).default(200),
  all: z.boolean().default(false),
})
export const personaContactsSchema = z.object({ added: count, duplicates: count })

export const campaignCopyBody = z.strictObject({ campaign: id, metaaccount: id })
export const campaignCopySchema = z.object({ campaign: z.string(), template: z.string() })
