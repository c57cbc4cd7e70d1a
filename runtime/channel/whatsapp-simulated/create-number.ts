import { createHash, randomBytes } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import { type Caller, type Outcome, systemCaller } from '#commands/port.ts'
import { SIMULATED_MODE, SIMULATED_TIERS } from '#domain/campaign/simulated-number.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

interface SimulatedNumberText {
  /** Name of the number, its account and its channel. */
  readonly name: string
  /** Fields of the first template. */
  readonly template: JsonObject
}

const template = (
  templateName: string,
  language: string,
  body: string,
  example: string,
  replies: readonly string[],
) => ({
  templateName,
  language,
  category: 'utility',
  templateType: 'TEXT',
  body,
  params: [{ name: '1', example }],
  buttons: replies.map(text => ({ type: 'QUICK_REPLY', text })),
})

const TEXTS: Readonly<Record<Language, SimulatedNumberText>> = {
  en: {
    name: 'Simulated number',
    template: template(
      'order_ready',
      'en',
      'Hi, {{1}}! Your order is ready to be picked up. Can we help you with anything else?',
      'Ana',
      ['I have a question', 'All good'],
    ),
  },
  pt: {
    name: 'Número simulado',
    template: template(
      'pedido_pronto',
      'pt_BR',
      'Oi, {{1}}! Seu pedido está pronto para retirada. Podemos ajudar em mais alguma coisa?',
      'Ana',
      ['Tenho uma dúvida', 'Está tudo certo'],
    ),
  },
  es: {
    name: 'Número simulado',
    template: template(
      'pedido_listo',
      'es',
      'Hola, {{1}}. Tu pedido está listo para retirar. ¿Podemos ayudarte con algo más?',
      'Ana',
      ['Tengo una duda', 'Todo bien'],
    ),
  },
}

const simulatedNumberText = (language: Language): SimulatedNumberText => TEXTS[language]

/** Ids of a created number. */
interface CreatedNumber {
  readonly app: string
  readonly account: string
  readonly channel: string
  /** A template that is submitted next; null when the number was there already. */
  readonly template: string | null
}

interface NumberParts {
  readonly commands: Pick<Commands, 'execute'>
  readonly read: Pick<ReadModels, 'list' | 'detail' | 'reached'>
}

interface NumberOrder {
  readonly bot: RowOf<'bot'>
  readonly caller: Caller
  /** All ids follow from it, so that a repeated request makes nothing twice. */
  readonly seed: string
  readonly correlation: string
  readonly language: Language
}

const NEEDED = ['createmetaapp', 'createmetaaccount', 'createchannel', 'createtemplate'] as const

const ID_DIGITS = 15

/** A number of Meta's form: ids of the double begin with 999. */
const digitsOf = (text: string): string => {
  const value = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  return `999${String(value)
    .padStart(ID_DIGITS, '0')
    .slice(-(ID_DIGITS - 3))}`
}

const secretText = (): string => randomBytes(24).toString('base64url')

/** The simulated number of a bot; undefined without one. */
const numberOf = async ({ read }: NumberParts, bot: string): Promise<CreatedNumber | undefined> => {
  const [channel] = await allRows(read, SYSTEM_SCOPE, 'channel', { bot, type: SIMULATED_TYPE })
  const account =
    channel?.metaaccount == null ? undefined : await read.detail(SYSTEM_SCOPE, 'metaaccount', channel.metaaccount)
  if (channel === undefined || account === undefined) return undefined
  return { app: account.metaapp, account: account.id, channel: channel.id, template: null }
}

/** Makes an app, an account, a channel and a template of a simulated number for a bot; the present one if it has one. */
export const createSimulatedNumber = async (
  parts: NumberParts,
  { bot, caller, seed, correlation, language }: NumberOrder,
): Promise<Result<CreatedNumber>> => {
  const known = await numberOf(parts, bot.id)
  if (known !== undefined) return accepted(known)
  if (NEEDED.some(permission => !caller.permits(permission))) return refused('access.forbidden')
  const text = simulatedNumberText(language)
  const run = async (
    entity: string,
    action: string,
    input: JsonObject,
    { id = '', by = caller }: { readonly id?: string; readonly by?: Caller } = {},
  ): Promise<Outcome> => {
    const own = derivedId(seed, `${action} ${entity}`)
    const outcome = await parts.commands.execute({ entity, action, id, input, caller: by, correlation, seed: own })
    if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
    return outcome
  }
  const app = await run('metaapp', 'create', {
    hierarchylevel: bot.hierarchylevel,
    name: `${text.name} · ${bot.name}`,
    app_id: digitsOf(`${seed} app`),
    app_client_secret: secretText(),
    verify_token: secretText(),
    bot_assigned: bot.id,
  })
  if (!app.ok) return app
  const phone = digitsOf(`${seed} phone`)
  const account = await run('metaaccount', 'create', {
    metaapp: app.id,
    name: text.name,
    bot: bot.id,
    waba_id: digitsOf(`${seed} waba`),
    business_id: digitsOf(`${seed} business`),
    phone_number_id: phone,
    access_token: `SIMULATED-${secretText()}`,
  })
  if (!account.ok) return account
  const fields = {
    account_mode: SIMULATED_MODE,
    // Outside of the personas' range; four digits tell the numbers of several bots apart.
    display_phone_number: `+55 11 90001-${phone.slice(-4)}`,
    verified_name: text.name,
    quality_rating: 'GREEN',
    messaging_limit: SIMULATED_TIERS[0],
    throughput: 'STANDARD',
    account_verified: true,
    number_verified: true,
    name_verified: true,
    webhook_subscribed: true,
    checked_at: new Date().toISOString(),
  }
  const recorded = await run('metaaccount', 'record', { fields }, { id: account.id, by: systemCaller() })
  if (!recorded.ok) return recorded
  const channel = await run('channel', 'create', {
    bot: bot.id,
    type: SIMULATED_TYPE,
    name: text.name,
    metaaccount: account.id,
  })
  if (!channel.ok) return channel
  const template = await run('template', 'create', { metaaccount: account.id, ...text.template })
  if (!template.ok) return template
  return accepted({ app: app.id, account: account.id, channel: channel.id, template: template.id })
}
