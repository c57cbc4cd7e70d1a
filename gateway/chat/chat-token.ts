import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import type { ChatChannel } from './chat-port.ts'

/** A token opens its conversation this long, s. */
export const TOKEN_SECONDS = 1_800
/** A kept token is renewed, or continues its conversation, this long after it was issued, s. */
const RENEWAL_SECONDS = 86_400
/** The address of a Direct Line stream is good this long, s. */
const TICKET_SECONDS = 60
const MAX_TOKEN = 1_000

/** However often it is renewed, a token ends this long after the first one of its chain, s. */
const LONGEST_SECONDS = 30 * 86_400
const MARK_LENGTH = 16

export interface TokenContent {
  readonly conversation: string
  readonly channel: string
  /** Time of the first token of the chain that was renewed to this one, s. */
  readonly first: number
  /** Of the secret that the channel had. */
  readonly mark: string
  /** A server with the channel's secret opened the conversation: it calls for many people from one address. */
  readonly isShared: boolean
}

/** A conversation for which a token is issued. */
interface Issued {
  readonly conversation: string
  readonly channel: Pick<ChatChannel, 'id' | 'verifyToken'>
  /** Of the token that is renewed. */
  readonly first?: number | undefined
  readonly isShared?: boolean | undefined
}

type Purpose = 'chat' | 'stream'

/** Tokens of conversations: signed, not stored, valid on each node. A token names the conversation that it opens. */
export interface ChatTokens {
  issue(of: Issued): Promise<{ readonly token: string; readonly expires: string }>
  /** Content of a valid token. */
  read(token: string | undefined): Promise<TokenContent | undefined>
  /** Content of a renewable token. */
  readKept(token: string | undefined): Promise<TokenContent | undefined>
  /** Whether a token has a valid signature, also after its end. */
  isSigned(token: string | undefined): Promise<boolean>
  /** Whether the channel still has the secret under which a token was issued. */
  isCurrent(content: TokenContent, channel: Pick<ChatChannel, 'id' | 'verifyToken'>): Promise<boolean>
  /** Replaces a token in a URL, since URLs are logged. */
  ticket(of: Issued): Promise<string>
  readTicket(ticket: string | undefined): Promise<TokenContent | undefined>
}

type Parsed = readonly [
  conversation: string,
  channel: string,
  issued: number,
  first: number,
  mark: string,
  isShared?: boolean,
]

export const createChatTokens = (
  hmac: (text: string) => Promise<string> | string,
  now: () => number = Date.now,
): ChatTokens => {
  const seconds = () => Math.floor(now() / 1000)
  const sign = async (purpose: Purpose, content: string) => hmac(JSON.stringify([purpose, content]))
  const markOf = async ({ id, verifyToken }: Issued['channel']) =>
    (await hmac(JSON.stringify(['secret', id, verifyToken]))).slice(0, MARK_LENGTH)

  const make = async (purpose: Purpose, { conversation, channel, first, isShared }: Issued, issued: number) => {
    const own = [conversation, channel.id, issued, first ?? issued, await markOf(channel)] as const
    const parts: Parsed = isShared === true ? [...own, true] : own
    const content = Buffer.from(JSON.stringify(parts)).toString('base64url')
    return `${content}.${await sign(purpose, content)}`
  }

  const parsed = async (purpose: Purpose, token: string | undefined): Promise<Parsed | undefined> => {
    if (token === undefined || token.length > MAX_TOKEN) return undefined
    const [content = '', given = '', ...rest] = token.split('.')
    if (rest.length > 0 || !isSameSecret(given, await sign(purpose, content))) return undefined
    return JSON.parse(Buffer.from(content, 'base64url').toString()) as Parsed
  }

  const open = async (purpose: Purpose, token: string | undefined, life: number) => {
    const [conversation, channel, issued, first, mark, isShared = false] = (await parsed(purpose, token)) ?? []
    if (conversation === undefined || channel === undefined || issued === undefined) return undefined
    // Tokens of earlier versions have neither: they end with the update.
    if (first === undefined || mark === undefined) return undefined
    const time = seconds()
    if (issued + life <= time || first + LONGEST_SECONDS <= time) return undefined
    return { conversation, channel, first, mark, isShared }
  }

  return {
    async issue(of) {
      const issued = seconds()
      const end = Math.min(issued + TOKEN_SECONDS, (of.first ?? issued) + LONGEST_SECONDS)
      return { token: await make('chat', of, issued), expires: new Date(end * 1000).toISOString() }
    },
    read: token => open('chat', token, TOKEN_SECONDS),
    readKept: token => open('chat', token, RENEWAL_SECONDS),
    isSigned: async token => (await parsed('chat', token)) !== undefined,
    isCurrent: async ({ mark }, channel) => isSameSecret(mark, await markOf(channel)),
    ticket: of => make('stream', of, seconds()),
    readTicket: ticket => open('stream', ticket, TICKET_SECONDS),
  }
}
