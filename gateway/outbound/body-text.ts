import type { OutboundAnswer } from './call.ts'

/** XML may say itself what it is written in. */
const XML = /^<\?xml [^<>]{0,100}?encoding=["']([\w:.-]+)/

const charsetOf = ({ headers, body }: OutboundAnswer): string => {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const said = /;\s*charset="?([\w:.-]+)/i.exec(type)?.[1]
  return said ?? XML.exec(new TextDecoder('latin1').decode(body.subarray(0, 200)))?.[1] ?? 'utf-8'
}

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return new TextDecoder('utf-8', { fatal: true })
  }
}

/** An answer's body as text; undefined when it is none. */
export const bodyText = (answer: OutboundAnswer): string | undefined => {
  try {
    // What was cut off may end within a character.
    const text = decoderOf(charsetOf(answer)).decode(answer.body, { stream: answer.truncated })
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
