import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

/** A mail as a server takes it. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header fields, unfolded, names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The part of each type, decoded. */
  readonly text: string
  readonly html: string
  readonly raw: string
}

const decoded = (body: string, encoding: string): string => {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

const headersOf = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const),
  )

const split = (raw: string): readonly [string, string] => {
  const end = raw.indexOf('\r\n\r\n')
  return [raw.slice(0, end), raw.slice(end + 4)]
}

/** Words that are not ASCII, in a header. */
const unworded = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64').toString()
        : decoded(words.replaceAll('_', ' '), 'quoted-printable'),
    )

const readMail = (raw: string, from: string, to: readonly string[]): TakenMail => {
  const [head, body] = split(raw)
  const headers = new Map([...headersOf(head)].map(([name, value]) => [name, unworded(value)]))
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map(part => {
    const [partHead, content] = split(part.replace(/^\r\n/, ''))
    const of = headersOf(partHead)
    return { type: of.get('content-type') ?? '', content: decoded(content, of.get('content-transfer-encoding') ?? '') }
  })
  const part = (type: string) =>
    (parts.find(one => one.type.startsWith(type))?.content ?? '').replaceAll('\r\n', '\n').trim()
  return { from, to, headers, text: part('text/plain'), html: part('text/html'), raw }
}

/** Answer to a mail: an SMTP status for its recipient, or `hangup` after the whole mail. */
type MailAnswer = number | 'hangup'

/** A mail server on a loopback address, made of the package `smtp-server`. */
export interface MailServer {
  readonly url: string
  readonly mails: TakenMail[]
  /** Answers to the next recipients, in their order; 250 when there are none. */
  readonly answers: MailAnswer[]
  close(): Promise<void>
}

export const startMailServer = async ({
  login,
}: {
  readonly login?: { user: string; pass: string }
} = {}): Promise<MailServer> => {
  const mails: TakenMail[] = []
  const answers: MailAnswer[] = []
  const refusal = (status: number) => Object.assign(new Error(`answer ${status}`), { responseCode: status })
  const server = new SMTPServer({
    hideSTARTTLS: true,
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.pass
      return isRight ? done(null, { user: username }) : done(refusal(535))
    },
    onRcptTo(_address, _session, done) {
      const answer = answers[0]
      if (typeof answer !== 'number') return done()
      answers.shift()
      return done(refusal(answer))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '')
        mails.push(
          readMail(
            Buffer.concat(pieces).toString(),
            from,
            rcptTo.map(({ address }) => address),
          ),
        )
        if (answers[0] !== 'hangup') return done()
        answers.shift()
        return done(refusal(421))
      })
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as { port: number }
  const by = login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@`
  return {
    url: `smtp://${by}127.0.0.1:${port}`,
    mails,
    answers,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
