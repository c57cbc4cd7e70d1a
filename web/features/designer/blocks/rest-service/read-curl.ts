import type { JsonObject } from '#schemas/event.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', "'": "'", '"': '"', '\\': '\\' }

/** One part of a word, from its quote on: its text, and the place after it. */
const quotedAt = (text: string, start: number): { readonly part: string; readonly end: number } => {
  const isAnsi = text[start] === '$'
  const open = isAnsi ? start + 1 : start
  const quote = text[open]
  let part = ''
  let at = open + 1
  while (at < text.length && text[at] !== quote) {
    const next = text[at + 1] ?? ''
    const isEscape = text[at] === '\\' && (isAnsi || (quote === '"' && /["\\$`\n]/u.test(next)))
    if (!isEscape) part += text[at]
    else if (isAnsi) part += ESCAPES[next] ?? `\\${next}`
    else if (next !== '\n') part += next
    at += isEscape ? 2 : 1
  }
  return { part, end: at + 1 }
}

/** Words of a command, as a POSIX shell splits them; a caret at the end of a line continues it as in Windows. */
const wordsOf = (command: string): readonly string[] => {
  const text = command.replace(/(?:\\|\^)\r?\n/gu, ' ')
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; ) {
    const sign = text[at] ?? ''
    if (sign === "'" || sign === '"' || (sign === '$' && text[at + 1] === "'")) {
      const { part, end } = quotedAt(text, at)
      word = (word ?? '') + part
      at = end
    } else if (/\s/u.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
    } else {
      word = (word ?? '') + (sign === '\\' ? (text[at + 1] ?? '') : sign)
      at += sign === '\\' ? 2 : 1
    }
  }
  return word === undefined ? words : [...words, word]
}

const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  G: 'get',
  m: 'max-time',
  o: 'output',
  x: 'proxy',
  w: 'write-out',
  c: 'cookie-jar',
  E: 'cert',
  K: 'config',
  T: 'upload-file',
  r: 'range',
  D: 'dump-header',
}
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...Object.values(SHORT).filter(name => name !== 'get'),
  ...['url', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json', 'form-string', 'connect-timeout'],
  ...[
    'retry',
    'retry-delay',
    'retry-max-time',
    'resolve',
    'cacert',
    'capath',
    'key',
    'cert-type',
    'ciphers',
    'interface',
  ],
])
const BODIES: ReadonlySet<string> = new Set(['data', 'data-raw', 'data-binary', 'data-ascii', 'json'])

interface Option {
  readonly name: string
  readonly value: string
}

const longOption = (word: string, next: string | undefined): { readonly option: Option; readonly used: number } => {
  const [name = '', ...rest] = word.slice(2).split('=')
  if (rest.length > 0) return { option: { name, value: rest.join('=') }, used: 1 }
  return WITH_VALUE.has(name)
    ? { option: { name, value: next ?? '' }, used: 2 }
    : { option: { name, value: '' }, used: 1 }
}

/** Short options stand together until one takes the rest, or the next word, as its value: `-sSXPOST`. */
const shortOptions = (word: string, next: string | undefined) => {
  const options: Option[] = []
  for (let at = 1; at < word.length; at += 1) {
    const name = SHORT[word[at] ?? ''] ?? ''
    if (!WITH_VALUE.has(name)) options.push({ name, value: '' })
    else {
      const rest = word.slice(at + 1)
      options.push({ name, value: rest === '' ? (next ?? '') : rest })
      return { options, used: rest === '' ? 2 : 1 }
    }
  }
  return { options, used: 1 }
}

const optionsOf = (words: readonly string[]): readonly Option[] => {
  const options: Option[] = []
  for (let at = 1; at < words.length; ) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    if (word.startsWith('--') && word.length > 2) {
      const { option, used } = longOption(word, next)
      options.push(option)
      at += used
    } else if (word.startsWith('-') && word.length > 1) {
      const { options: found, used } = shortOptions(word, next)
      options.push(...found)
      at += used
    } else {
      options.push({ name: 'url', value: word })
      at += 1
    }
  }
  return options
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete'])

const headersOf = (options: readonly Option[]): Map<string, string> => {
  const headers = new Map<string, string>()
  const put = (name: string, value: string) => {
    const known = [...headers.keys()].find(each => each.toLowerCase() === name.toLowerCase())
    headers.set(known ?? name, value)
  }
  for (const { name, value } of options) {
    const colon = value.indexOf(':')
    if (name === 'header' && colon > 0) put(value.slice(0, colon).trim(), value.slice(colon + 1).trim())
    else if (name === 'user-agent') put('User-Agent', value)
    else if (name === 'referer') put('Referer', value)
    else if (name === 'cookie' && value.includes('=')) put('Cookie', value)
    else if (name === 'user')
      put('Authorization', `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    else if (name === 'json') {
      put('Content-Type', 'application/json')
      put('Accept', 'application/json')
    }
  }
  return headers
}

/** Fields of a form: `a=1&b=2`, `-F` and `--data-urlencode`. */
const pairsOf = (text: string): readonly (readonly [string, string])[] => [...new URLSearchParams(text)]

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether a text is a command of cURL. */
export const isCurl = (text: string): boolean => /^\s*(?:\$\s+)?curl(?:\.exe)?\s/u.test(text)

/** Properties of a REST block that makes the call of a cURL command; undefined where it has no address. */
export const readCurl = (text: string): JsonObject | undefined => {
  const options = optionsOf(wordsOf(text.trim().replace(/^\$\s+/u, '')))
  const lastOf = (name: string) => options.findLast(option => option.name === name)?.value
  const url = lastOf('url')
  if (url === undefined) return undefined
  const headers = headersOf(options)
  const body = options.flatMap(({ name, value }) => (BODIES.has(name) ? [value] : [])).join('&')
  const form = options.flatMap(({ name, value }): (readonly [string, string])[] => {
    const at = value.indexOf('=')
    const isField = name === 'form' || name === 'form-string' || name === 'data-urlencode'
    return isField && at > 0 ? [[value.slice(0, at), value.slice(at + 1)]] : []
  })
  const hasBody = body !== '' || form.length > 0
  const isQuery = options.some(({ name }) => name === 'get')
  const asked = (lastOf('request') ?? (hasBody && !isQuery ? 'post' : 'get')).toLowerCase()
  const type = [...headers].find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isForm = type.includes('form-urlencoded') || (type === '' && !isJson(body) && /^[^=&\s{}]+=/u.test(body))
  const fields = [...form, ...(isForm ? pairsOf(body) : [])]
  const address = /^[a-z][a-z\d+.-]*:\/\//iu.test(url) || url.startsWith('{{') ? url : `http://${url}`
  const query = isQuery ? [body, ...form.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)] : []
  const added = query.filter(part => part !== '').join('&')
  const seconds = Number(lastOf('max-time'))
  return {
    methodType: METHODS.has(asked) ? asked : 'get',
    url: added === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${added}`,
    headers: Object.fromEntries(headers),
    input: isQuery || isForm ? '' : body,
    formData: isQuery ? {} : Object.fromEntries(fields),
    ...(seconds > 0 ? { timeout: Math.min(600_000, Math.round(seconds * 1000)) } : {}),
  }
}
