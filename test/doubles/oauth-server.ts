import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface TokenCall {
  readonly headers: IncomingHttpHeaders
  readonly body: URLSearchParams
}

export interface OAuthServer {
  readonly url: string
  /** Requests in the order in which they came. */
  readonly calls: readonly TokenCall[]
  /** `/balance` takes the newest token of `/issue` alone, and none after this until another one is issued. */
  revoke(): void
  /** Tokens that `/issue` gave. */
  readonly issued: number
  close(): Promise<void>
}

/**
 * A token endpoint on the loopback (RFC 6749 §5): `/token` knows the client `parley` with the secret `s3cr:t/ção`, and
 * the paths beside it misbehave.
 */
export const startOAuthServer = async (): Promise<OAuthServer> => {
  const calls: TokenCall[] = []
  let issued = 0
  let valid = ''
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    calls.push({ headers: request.headers, body: new URLSearchParams(Buffer.concat(chunks).toString('utf8')) })
    const answer = (status: number, body: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(body)
    if (request.url === '/balance')
      return request.headers.authorization === `Bearer ${valid}` && valid !== ''
        ? answer(200, '{"balance":42}')
        : answer(401, '{"error":"invalid_token"}')
    if (request.url === '/html') return answer(200, '<html>Sign in</html>', 'text/html')
    if (request.url === '/broken') return answer(500, 'oops')
    if (request.url === '/empty') return answer(200, '{"token_type":"bearer"}')
    const [, credentials = ''] = (request.headers.authorization ?? '').split(' ')
    const [id, secret] = Buffer.from(credentials, 'base64').toString('utf8').split(':').map(decodeURIComponent)
    if (id !== 'parley' || secret !== 's3cr:t/ção')
      return answer(401, '{"error":"invalid_client","error_description":"Unknown client"}')
    if (request.url === '/issue') {
      issued += 1
      valid = `T${issued}`
      return answer(200, JSON.stringify({ access_token: valid, token_type: 'Bearer', expires_in: 3600 }))
    }
    return answer(200, '{"access_token":"TOKEN-123","token_type":"Bearer","expires_in":3600,"scope":"read"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    revoke: () => {
      valid = ''
    },
    get issued() {
      return issued
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
