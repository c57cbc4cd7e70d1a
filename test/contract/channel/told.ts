import type { ProviderContent, ProviderEvent } from '#runtime/channel/channel-port.ts'

const contentTold = (content: ProviderContent): string => {
  switch (content.kind) {
    case 'text':
      return `text "${content.text}"`
    case 'choice':
      return `choice ${content.value} "${content.title}"`
    case 'media': {
      const files = content.media.map(({ ref, type, name }) => [ref.slice(-24), type, name].filter(Boolean).join(' '))
      return `media ${files.join(', ')}${content.text === undefined ? '' : ` "${content.text}"`}`
    }
    case 'location':
      return `location ${content.data.latitude},${content.data.longitude}`
    case 'order':
      return `order ${Object.keys(content.data).join(',')}`
    case 'opening':
      return 'opening'
    default:
      return `contacts ${Array.isArray(content.data) ? content.data.length : 1}`
  }
}

const part = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : ` ${name} ${value.slice(-24)}`

/** An event as one line: content, sender, time and references. */
export const told = (event: ProviderEvent): string => {
  switch (event.kind) {
    case 'message': {
      const { id, from, time, content, replyTo, payload } = event
      const ends = part('id', id) + part('from', from.id) + part('name', from.name) + part('to', event.to)
      return contentTold(content) + ends + part('at', String(time)) + part('reply', replyTo) + part('payload', payload)
    }
    case 'receipt':
      return `${event.state}${part('of', event.id)}${part('at', String(event.time))}${part('code', event.code)}${part('callback', event.callback)}`
    case 'watermark':
      return `all ${event.state} of ${event.user} until ${event.until}`
    case 'account':
      return `account ${event.name}`
    case 'echo':
      return `echo ${event.id.slice(-24)}`
    case 'unknown':
      return `unknown ${event.type}`
    default:
      return `${event.kind} of ${(event.of ?? '').slice(-24)} by ${event.from.id.slice(-24)}`
  }
}
