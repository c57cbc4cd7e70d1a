import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { OutgoingMessage, ProviderRequest, ProviderValues } from '../port.ts'
import { filled, group, text } from '../shared/member.ts'

const CONTENT_URL = 'https://content.twilio.com/v1/Content'
/** Cache time of a resource's id; the resource itself exists until it is deleted. */
const REMEMBERED_SECONDS = 30 * 86_400

type Choices = Extract<OutgoingMessage, { kind: 'buttons' | 'list' }>

/** A content resource with texts and ids as variables, so that messages of the same form share it. */
interface RichContent {
  readonly types: JsonObject
  readonly variables: Readonly<Record<string, string>>
}

/** Collects values and returns a placeholder for each. */
const collectVariables = () => {
  const variables: Record<string, string> = {}
  const place = (value: string): string => {
    const name = String(Object.keys(variables).length + 1)
    variables[name] = value
    return `{{${name}}}`
  }
  return { variables, place }
}

/** Titles stay in the resource: Twilio accepts variables in the ids and texts of both forms, but not in all titles. */
export const richContent = (message: Choices): RichContent => {
  const { variables, place } = collectVariables()
  const body = place(message.text)
  if (message.kind === 'list') {
    const items = message.options.map(({ id, title, description }) =>
      filled({ item: title, id: place(id), description: description === undefined ? '' : place(description) }),
    )
    return { types: { 'twilio/list-picker': { body, button: message.button, items } }, variables }
  }
  const actions: Json[] = message.options.map(({ id, title }) => ({ type: 'QUICK_REPLY', title, id: place(id) }))
  return { types: { 'twilio/quick-reply': { body, actions } }, variables }
}

/** The resource id of a message form, created once per form. `authorize` adds the credentials. */
export const contentSid = async (
  { types, variables }: RichContent,
  values: ProviderValues,
  authorize: (request: ProviderRequest) => ProviderRequest,
  url = CONTENT_URL,
): Promise<Result<string>> => {
  const hash = createHash('sha256').update(JSON.stringify(types)).digest('hex').slice(0, 32)
  return values.remember(`content ${hash}`, async () => {
    const body: JsonObject = { friendly_name: `parley_${hash}`, language: 'en', variables, types }
    const made = await values.ask(authorize({ method: 'POST', url, headers: [], body }))
    if (!made.ok) return made
    const sid = text(group(made.value.body).sid)
    return sid === ''
      ? refused('channel.answer', { params: { error: '—' } })
      : accepted({ value: sid, seconds: REMEMBERED_SECONDS })
  })
}
