import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
type Trouble = 'none' | 'hangs' | 'huge' | 'redirects' | 'incomplete'

/** An identity provider that signs anything. It gives its token for any code, once. */
export interface ForgingProvider {
  readonly issuer: string
  /** The ID token of the next code. */
  idToken: string
  /** Fault of its discovery document. */
  trouble: Trouble
  /** Requests of its discovery document, and of its keys. */
  readonly discoveries: number
  readonly keyRequests: number
  /** Forms that its token address got. */
  readonly tokenCalls: readonly URLSearchParams[]
  /** Signs with its present key. */
  sign(payload: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /** Signs with a key that it never published, under the id of the present one. */
  signElsewhere(payload: JWTPayload): Promise<string>
  /** The same, with the public key in the header of the token. */
  signWithOwnKey(payload: JWTPayload): Promise<string>
  /** Signs with HMAC and the published key as the secret. */
  signByPublicKey(payload: JWTPayload): Promise<string>
  rotate(): Promise<void>
  close(): Promise<void>
}

export const unsigned = (payload: JWTPayload): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}.`
}

const HUGE = 5_000_000

export const startForgingProvider = async (port = 0): Promise<ForgingProvider> => {
  let keys: Pair = await generateKeyPair('RS256')
  const stranger: Pair = await generateKeyPair('RS256')
  let generation = 1
  let discoveries = 0
  let keyRequests = 0
  const tokenCalls: URLSearchParams[] = []
  const spent = new Set<string>()
  const kid = () => `key-${generation}`

  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const discover = (response: ServerResponse) => {
    if (double.trouble === 'hangs') return undefined
    if (double.trouble === 'redirects') return response.writeHead(302, { location: `${double.issuer}/moved` }).end()
    const document = {
      issuer: double.issuer,
      authorization_endpoint: `${double.issuer}/authorize`,
      token_endpoint: `${double.issuer}/token`,
      ...(double.trouble === 'incomplete' ? {} : { jwks_uri: `${double.issuer}/keys` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      code_challenge_methods_supported: double.trouble === 'incomplete' ? [] : ['S256'],
      ...(double.trouble === 'huge' ? { padding: 'x'.repeat(HUGE) } : {}),
    }
    return json(response, 200, document)
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://double')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        discoveries += 1
        return discover(response)
      case '/keys':
        keyRequests += 1
        return json(response, 200, {
          keys: [{ ...(await exportJWK(keys.publicKey)), kid: kid(), alg: 'RS256', use: 'sig' }],
        })
      case '/token': {
        const form = new URLSearchParams(Buffer.concat(chunks).toString())
        tokenCalls.push(form)
        const code = form.get('code') ?? ''
        if (spent.has(code)) return json(response, 400, { error: 'invalid_grant' })
        spent.add(code)
        return json(response, 200, { access_token: 'a', token_type: 'Bearer', id_token: double.idToken })
      }
      default:
        return response.writeHead(404).end()
    }
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))

  const signed = (payload: JWTPayload, key: Pair['privateKey'], header = {}) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: kid(), typ: 'JWT', ...header }).sign(key)

  const double: ForgingProvider & { idToken: string; trouble: Trouble } = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idToken: '',
    trouble: 'none',
    get discoveries() {
      return discoveries
    },
    get keyRequests() {
      return keyRequests
    },
    tokenCalls,
    sign: (payload, header) => signed(payload, keys.privateKey, header),
    signElsewhere: payload => signed(payload, stranger.privateKey),
    signWithOwnKey: async payload => signed(payload, stranger.privateKey, { jwk: await exportJWK(stranger.publicKey) }),
    async signByPublicKey(payload) {
      const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)))
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: kid() }).sign(secret)
    },
    async rotate() {
      keys = await generateKeyPair('RS256')
      generation += 1
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return double
}
