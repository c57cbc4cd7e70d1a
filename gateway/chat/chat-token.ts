import { isSameSecret } from '#runtime/same-secret.ts'

/** A token opens its conversation this long, s. */
export const TOKEN_SECONDS = 1_800
/** A kept token is renewed, or continues its conversation, this long after it was issued, s. */
const RENEWAL_SECONDS = 86_400
/** The address of a Direct Line stream is good this long, s. */
const TICKET_SECONDS = 60
const MAX_TOKEN = 1_000

export interface TokenContent {
  readonly conversation: string
  readonly channel: string
}

type Purpose = 'chat' | 'stream'

/**
 * Tokens of conversations. They are not stored: any node believes one for its HMAC, and it says the conversation and
 * channel that it opens.
 */
export interface ChatTokens {
  issue(content: TokenContent): Promise<{ readonly token: string; readonly expires: string }>
  /** What a token opens now. */
  read(token: string | undefined): Promise<TokenContent | undefined>
  /** What a token may be renewed for. */
  readKept(token: string | undefined): Promise<TokenContent | undefined>
  /** Whether a token is one of ours, however old. */
  isSigned(token: string | undefined): Promise<boolean>
  /** Stands for a token in an address, where a token would be written into logs. */
  ticket(content: TokenContent): Promise<string>
  readTicket(ticket: string | undefined): Promise<TokenContent | undefined>
}

type Parsed = readonly [conversation: string, channel: string, issued: number]

export const createChatTokens = (
  hmac: (text: string) => Promise<string> | string,
  now: () => number = Date.now,
): ChatTokens => {
  const seconds = () => Math.floor(now() / 1000)
  const sign = async (purpose: Purpose, content: string) => hmac(JSON.stringify([purpose, content]))

  const make = async (purpose: Purpose, { conversation, channel }: TokenContent, issued: number) => {
    const content = Buffer.from(JSON.stringify([conversation, channel, issued] satisfies Parsed)).toString('base64url')
    return `${content}.${await sign(purpose, content)}`
  }

  const open = async (purpose: Purpose, token: string | undefined, life: number) => {
    if (token === undefined || token.length > MAX_TOKEN) return undefined
    const [content = '', given = '', ...rest] = token.split('.')
    if (rest.length > 0 || !isSameSecret(given, await sign(purpose, content))) return undefined
    const [conversation, channel, issued] = JSON.parse(Buffer.from(content, 'base64url').toString()) as Parsed
    return issued + life > seconds() ? { conversation, channel } : undefined
  }

  return {
    async issue(content) {
      const issued = seconds()
      const expires = new Date((issued + TOKEN_SECONDS) * 1000).toISOString()
      return { token: await make('chat', content, issued), expires }
    },
    read: token => open('chat', token, TOKEN_SECONDS),
    readKept: token => open('chat', token, RENEWAL_SECONDS),
    isSigned: async token => (await open('chat', token, Number.POSITIVE_INFINITY)) !== undefined,
    ticket: content => make('stream', content, seconds()),
    readTicket: ticket => open('stream', ticket, TICKET_SECONDS),
  }
}
