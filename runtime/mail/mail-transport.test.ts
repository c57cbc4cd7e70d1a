import { afterAll, expect, test } from 'vitest'
import { startMailServer } from '#test/doubles/mail-server.ts'
import { connectionOf, type Mail, openMailTransport } from './mail-transport.ts'

const LOGIN = { user: 'par@ley', pass: 'a:b/c?d' }
const MAIL: Mail = {
  id: 'one',
  to: 'ana@aurora.example',
  subject: 'Olá, João',
  text: 'Ação\n.\nfim',
  html: '<p>Ação</p>',
}
const server = await startMailServer({ login: LOGIN })
afterAll(() => server.close())

test('signs in to the server and sends text and HTML [P-2781]', async () => {
  const transport = openMailTransport(server.url, 'Parley <p@aurora.example>')
  expect(await transport.send({ ...MAIL, unsubscribe: 'https://parley.example/botadmin/account/mail' })).toEqual({
    kind: 'sent',
  })
  const [mail] = server.mails
  expect(mail).toMatchObject({ from: 'p@aurora.example', to: ['ana@aurora.example'], text: 'Ação\n.\nfim' })
  expect(mail?.headers.get('subject')).toBe('Olá, João')
  expect(mail?.headers.get('message-id')).toBe('<one@aurora.example>')
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.headers.get('list-unsubscribe')).toBe('<https://parley.example/botadmin/account/mail>')
})

test('distinguishes a refused sign-in, a refused recipient and a refused message [P-2782]', async () => {
  const wrong = openMailTransport(server.url.replace('par%40ley', 'other'), 'p@aurora.example')
  expect(await wrong.send(MAIL)).toEqual({ kind: 'later', code: '535' })
  const transport = openMailTransport(server.url, 'p@aurora.example')
  server.answers.push(550, 451)
  expect(await transport.send(MAIL)).toEqual({ kind: 'bounced', code: '550' })
  expect(await transport.send(MAIL)).toEqual({ kind: 'later', code: '451' })
  server.answers.push('hangup')
  expect(await transport.send(MAIL)).toEqual({ kind: 'later', code: '421' })
  const closed = openMailTransport('smtp://127.0.0.1:9', 'p@aurora.example')
  expect(await closed.send(MAIL)).toMatchObject({ kind: 'later' })
})

test('sends nothing with a second address or header', async () => {
  const transport = openMailTransport(server.url, 'p@aurora.example')
  const before = server.mails.length
  expect(await transport.send({ ...MAIL, to: 'a@b.example, c@d.example' })).toEqual({
    kind: 'bounced',
    code: 'address',
  })
  await expect(transport.send({ ...MAIL, subject: 'a\r\nBcc: x@y.example' })).rejects.toThrow(RangeError)
  expect(server.mails).toHaveLength(before)
})

test('demands TLS of every server that is not on a loopback address', () => {
  const secured = (url: string) => {
    const { host, port, secure, requireTLS } = connectionOf(url)
    return { host, port, isTls: secure || requireTLS }
  }
  expect(secured('smtp://mail.example')).toEqual({ host: 'mail.example', port: 587, isTls: true })
  expect(secured('smtps://mail.example')).toEqual({ host: 'mail.example', port: 465, isTls: true })
  expect(secured('smtp://127.0.0.1.evil.example:25')).toEqual({ host: '127.0.0.1.evil.example', port: 25, isTls: true })
  expect(secured('smtp://[::1]:25')).toEqual({ host: '::1', port: 25, isTls: false })
  expect(secured('smtp://localhost:25')).toEqual({ host: 'localhost', port: 25, isTls: false })
})
