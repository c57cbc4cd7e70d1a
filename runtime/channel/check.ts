import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderAnswer } from './channel-port.ts'
import { group, groups, text } from './shared/json-reader.ts'

const MAX_ERROR = 300

/** The error message of a response, from the members that providers use. */
const toldError = (body: Json | undefined): string => {
  const held = group(body)
  const error = group(held.error)
  const service = group(group(held.requestError).serviceException)
  const told = [error.message, held.message, held.error_description, service.text, group(held.meta).developer_message]
  const [first = ''] = [...told, groups(held.errors)[0]?.message].map(text).filter(words => words !== '')
  return first.slice(0, MAX_ERROR)
}

/** Result of a connection test: the account's name, or an error of the credentials or of something else. */
export const checked = (asked: Result<ProviderAnswer>, nameOf: (body: Json | undefined) => string): Result<string> => {
  if (!asked.ok) return asked
  const { status, body } = asked.value
  if (status >= 200 && status < 300) return accepted(nameOf(body))
  const params = { status, error: toldError(body) || '—' }
  return refused(status === 401 || status === 403 ? 'channel.token' : 'channel.answer', { params })
}
