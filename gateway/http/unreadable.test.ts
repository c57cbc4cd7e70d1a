import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refuseUnreadable } from './failure.ts'

describe('a connection that sends no whole request', () => {
  const server = createServer(
    { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 },
    (_, reply) => reply.end('answered'),
  ).on('clientError', refuseUnreadable)
  beforeAll(() => new Promise<void>(done => server.listen(0, '127.0.0.1', done)))
  afterAll(() => new Promise(done => server.close(done)))

  /** Response until the connection closes. */
  const answerTo = (sent: string) =>
    new Promise<string>(done => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(sent))
      let answer = ''
      socket.on('data', data => {
        answer += data
      })
      socket.on('error', () => {}).on('close', () => done(answer))
    })

  test('is ended without an answer when it was opened ahead and never used [P-597]', async () => {
    expect(await answerTo('')).toBe('')
  })

  test('gets 408, which browsers repeat, when a request came too slowly [P-597]', async () => {
    expect(await answerTo('GET / HTTP/1.1\r\nHost: par')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/u)
  })

  test('gets 400 when it is no HTTP [P-597]', async () => {
    const answer = await answerTo('hello\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u)
    expect(answer).toContain('"code":"request.unreadable"')
  })
})
