import type { JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderMedia } from '../port.ts'
import { coordinates, group, groups, text } from '../shared/member.ts'

const MEDIA = new Set([
  'image',
  'audio',
  'video',
  'file',
  'share',
  'story_mention',
  'ig_reel',
  'reel',
  'ig_story',
  'ig_post',
])

const mediaOf = (attachments: readonly JsonObject[]): readonly ProviderMedia[] =>
  attachments.flatMap(({ type, payload }) => {
    const ref = text(group(payload).url)
    return MEDIA.has(text(type)) && ref !== '' ? [{ ref, type: '' }] : []
  })

const placeOf = (attachments: readonly JsonObject[]): ProviderContent | undefined => {
  const found = attachments.find(({ type }) => type === 'location')
  const { lat, long } = group(group(found?.payload).coordinates)
  const place = coordinates(lat, long)
  return place === undefined ? undefined : { kind: 'location', data: place }
}

/** A link that a person shared. */
const linkOf = (attachments: readonly JsonObject[]): string => {
  const found = attachments.find(({ type }) => type === 'fallback')
  return text(group(found?.payload).url) || text(found?.url)
}

/** Content of a Messenger or Instagram message; undefined for unknown types. */
export const readContent = (message: JsonObject): ProviderContent | undefined => {
  const words = text(message.text)
  const value = text(group(message.quick_reply ?? message.quickReply).payload)
  if (value !== '') return { kind: 'choice', value, title: words || value }
  const attachments = groups(message.attachments)
  const place = placeOf(attachments)
  if (place !== undefined) return place
  const media = mediaOf(attachments)
  if (media.length > 0) return { kind: 'media', media, ...(words === '' ? {} : { text: words }) }
  const said = words || linkOf(attachments)
  return said === '' ? undefined : { kind: 'text', text: said }
}
