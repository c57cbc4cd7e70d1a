import { z } from 'zod'
import type { Understood } from '#domain/conversation/effect.ts'
import type { Json } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { baseOf } from '../../outbound/system-wire.ts'
import {
  confidenceOf,
  type MlCheck,
  type MlTalk,
  type OpenMlSystem,
  optionOf,
  readAnswer,
  textsOf,
} from '../ml-port.ts'

/** Rasa's intent for texts that it did not understand. */
const FALLBACK = 'nlu_fallback'

const share = z.number().nullish()

/** POST /model/parse of the Rasa HTTP API 3.x; older versions call the confidence of an entity `confidence`. */
const parseAnswer = z.object({
  intent: z.object({ name: z.string().nullable(), confidence: share }).nullable(),
  entities: z
    .array(z.object({ entity: z.string(), value: z.json(), confidence_entity: share, confidence: share }))
    .default([]),
  intent_ranking: z.array(z.object({ name: z.string(), confidence: z.number() })).default([]),
})

/** Intents and entities of a response in Rasa's format. */
export const readRasaParse = (answer: Result<Json>): Result<Understood> => {
  const read = readAnswer(parseAnswer, answer)
  if (!read.ok) return read
  const { intent, entities, intent_ranking: ranking } = read.value
  const named =
    typeof intent?.name === 'string' ? [{ name: intent.name, confidence: confidenceOf(intent.confidence) }] : []
  const all = ranking.length > 0 ? ranking : named
  const isFallback = intent?.name === FALLBACK || named.length === 0
  return accepted({
    intents: isFallback
      ? []
      : all
          .filter(({ name }) => name !== FALLBACK)
          .map(({ name, confidence }) => ({ name, confidence: confidenceOf(confidence) })),
    entities: entities.map(({ entity: name, value, confidence_entity: certain, confidence }) => ({
      name,
      value: value as Json,
      confidence: confidenceOf(certain ?? confidence ?? 1),
    })),
  })
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u

/** POST /webhooks/rest/webhook: messages in order. */
const restAnswer = z.array(
  z.looseObject({
    text: z.string().nullish(),
    image: z.string().nullish(),
    attachment: z.json().optional(),
    buttons: z
      .array(z.looseObject({ title: z.string(), payload: z.string().nullish(), url: z.string().nullish() }))
      .nullish(),
  }),
)

const saidIn = (messages: z.output<typeof restAnswer>) =>
  textsOf(
    messages.flatMap(({ text, image, buttons }) => {
      const options = (buttons ?? []).flatMap(({ title, payload, url }) => optionOf(title, payload, url))
      return [{ text: text ?? '', options }, { text: image ?? '' }]
    }),
  )

/** Rasa reads a leading slash as an intent: only an option that it offered chooses one, users cannot type one. */
const spoken = ({ text, chosen }: Pick<MlTalk, 'text' | 'chosen'>): string => chosen ?? text.replace(/^[\s/]+/u, '')

/** Health address of an action server, derived from its webhook. */
const healthOf = (endpoint: string): string =>
  `${endpoint.replace(/(?<!\/)\/+$/u, '').replace(/\/webhook$/u, '')}/health`

const NOTHING: Understood = { intents: [], entities: [] }
/** Errors of a server without --enable-api. */
const WITHOUT_API: ReadonlySet<string> = new Set(['ml.notfound', 'ml.unauthorized'])

/** Rasa Open Source and Pro 3.x: the REST channel answers, the HTTP API (--enable-api) understands. */
export const openRasa: OpenMlSystem = (fields, wire) => {
  const base = baseOf(fields.url)
  const password = fieldText(fields, 'channel_password')
  const token = password === '' || JWT.test(password) ? '' : `?token=${encodeURIComponent(password)}`
  const headers = JWT.test(password) ? [['authorization', `Bearer ${password}`] as const] : []

  const parse = async (said: MlTalk): Promise<Result<Understood>> => {
    const body = { text: spoken(said) }
    return readRasaParse(await wire.ask({ method: 'POST', url: `${base}/model/parse${token}`, headers, body }))
  }
  const talk = ({ session, locale, ...said }: MlTalk) =>
    wire.ask({
      method: 'POST',
      url: `${base}/webhooks/rest/webhook${token}`,
      headers,
      body: { sender: session, message: spoken(said), metadata: { locale } },
    })

  return {
    async send(said) {
      if (spoken(said) === '') return accepted({ texts: [], ...NOTHING, payload: [] })
      const [answer, understood] = await Promise.all([talk(said), parse(said)])
      const read = readAnswer(restAnswer, answer)
      if (!read.ok) return read
      // Answers do not need the HTTP API.
      if (!understood.ok && !WITHOUT_API.has(understood.refusal.code)) return understood
      const meaning = understood.ok ? understood.value : NOTHING
      return accepted({ texts: saidIn(read.value), ...meaning, payload: answer.ok ? answer.value : [] })
    },
    understand: async said => (spoken(said) === '' ? accepted(NOTHING) : parse(said)),
    async check() {
      const version = readAnswer(
        z.object({ version: z.string() }),
        await wire.ask({ method: 'GET', url: `${base}/version${token}`, headers }),
      )
      const checks: MlCheck[] = [{ part: 'system', result: version.ok ? accepted(version.value.version) : version }]
      if (!version.ok) return checks
      const status = readAnswer(
        z.object({ model_file: z.string().nullish() }),
        await wire.ask({ method: 'GET', url: `${base}/status${token}`, headers }),
      )
      checks.push({ part: 'understanding', result: status.ok ? accepted(status.value.model_file ?? '') : status })
      const actions = fieldText(fields, 'custom_action_endpoint')
      if (actions !== '')
        checks.push({ part: 'actions', result: await wire.reach({ method: 'GET', url: healthOf(actions) }, [200]) })
      const models = fieldText(fields, 'model_server')
      const known = [['if-none-match', '*'] as const]
      if (models !== '') {
        const request = { method: 'GET' as const, url: models, headers: known }
        checks.push({ part: 'models', result: await wire.reach(request, [200, 204, 304]) })
      }
      return checks
    },
  }
}
