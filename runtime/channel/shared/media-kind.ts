import type { Capabilities } from '../channel-port.ts'

type MediaKind = Capabilities['media'][number]

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ mp3: 'audio/mpeg', ogg: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav', m4a: 'audio/mp4', aac: 'audio/aac' },
  ...{ mp4: 'video/mp4', mpeg: 'video/mpeg', mpg: 'video/mpeg', webm: 'video/webm', '3gp': 'video/3gpp' },
  ...{ pdf: 'application/pdf', vcf: 'text/vcard' },
}

/** Last segment of an address's path, without the query. */
export const fileNameOf = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '').slice(0, 240)
  } catch {
    return ''
  }
}

/** Media type by file name; empty when the name has no known extension. */
export const mediaTypeOf = (name: string): string => {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? '') : ''
}

/** Kind under which a file is sent: by its media type, else by its name, else document. */
export const mediaKindOf = (type: string, url: string): MediaKind => {
  const [family] = (type === '' ? mediaTypeOf(fileNameOf(url)) : type).split('/', 1)
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}
