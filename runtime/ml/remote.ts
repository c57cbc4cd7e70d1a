import type { Json } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { askToken, type MlCheck, type MlTalk, type OpenMlSystem } from './ml-port.ts'
import { readRasaParse } from './rasa/rasa.ts'

/** Text of the connection test. */
const TEST_TEXT = 'oi'

/**
 * The remote service of the NLU settings: a token from `authurl` (OAuth 2, client credentials) authorizes requests to
 * `parseurl`, in the format of Rasa's parsers. Results below `minscore` are dropped.
 */
export const openRemote: OpenMlSystem = (fields, wire) => {
  const [authurl, parseurl] = [fieldText(fields, 'authurl'), fieldText(fields, 'parseurl')]
  const [project, model] = [fieldText(fields, 'project'), fieldText(fields, 'model')]
  const least = typeof fields.minscore === 'number' ? fields.minscore / 100 : 0

  const token = (stale?: string): Promise<Result<string>> =>
    wire.remember(
      'token',
      async () => {
        const body = new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: project,
          client_secret: fieldText(fields, 'clientsecret'),
        })
        return askToken(wire, authurl, body)
      },
      stale,
    )
  const parse = async ({ session, text, locale }: MlTalk, stale?: string): Promise<Result<Json>> => {
    const held = await token(stale)
    if (!held.ok) return held
    const answer = await wire.ask({
      method: 'POST',
      url: parseurl,
      headers: [['authorization', `Bearer ${held.value}`]],
      // The first versions of Rasa NLU read `q`.
      body: { text, q: text, project, model, locale, message_id: session },
    })
    const isStale = !answer.ok && answer.refusal.code === 'ml.unauthorized' && answer.refusal.params?.status === 401
    return isStale && stale === undefined ? parse({ session, text, locale }, held.value) : answer
  }
  return {
    send: async () => refused('ml.unsupported'),
    async understand(talk) {
      const read = readRasaParse(await parse(talk))
      if (!read.ok) return read
      const isSure = ({ confidence }: { readonly confidence: number }) => confidence >= least
      return accepted({ intents: read.value.intents.filter(isSure), entities: read.value.entities.filter(isSure) })
    },
    async check() {
      const held = await token()
      if (!held.ok) return [{ part: 'credentials', result: held }]
      const parsed = readRasaParse(await parse({ session: 'connection-test', text: TEST_TEXT, locale: 'pt' }))
      const checks: MlCheck[] = [{ part: 'credentials', result: accepted('') }]
      checks.push({ part: 'understanding', result: parsed.ok ? accepted(`${project} · ${model}`) : parsed })
      return checks
    },
  }
}
