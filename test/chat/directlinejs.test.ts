import { ConnectionStatus, DirectLine } from 'botframework-directlinejs'
import { afterAll, expect, test, vi } from 'vitest'
import { bearer, SITE, startChatServer, VERIFY_TOKEN } from '../doubles/chat-server.ts'
import { fetchXhr } from '../doubles/fetch-xhr.ts'
import type { Script } from '../doubles/memory-conversations.ts'

const script: Script = said => {
  if (said?.type === 'attachment') return { say: [{ text: `got ${said.attachments?.[0]?.name}` }] }
  if (said?.type === 'choice') return { say: [{ text: `pressed ${said.value}` }] }
  const actions = [{ id: '7', type: 'affirm', title: 'Sim', value: 'true' }]
  return { say: [{ text: `Eco ${said?.text}`, actions }] }
}

interface Seen {
  readonly type: string
  readonly id?: string
  readonly text?: string
  readonly suggestedActions?: { readonly actions: readonly { readonly value: unknown }[] }
}

vi.stubGlobal('XMLHttpRequest', fetchXhr(SITE))
const server = await startChatServer(script)
afterAll(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

/** A web chat of another maker, as a page of an allowed origin runs it. */
const connect = async (options: { readonly webSocket: boolean }, withSecret = false) => {
  const domain = `${server.url}/directline/web`
  const generated = await server.send(
    'POST',
    '/directline/web/tokens/generate',
    { user: { id: 'u1' } },
    bearer(VERIFY_TOKEN),
  )
  const credential = withSecret ? { secret: VERIFY_TOKEN } : { token: String(generated.body.token) }
  const line = new DirectLine({ domain, ...credential, ...options, pollingInterval: 200 })
  const seen: Seen[] = []
  const statuses: ConnectionStatus[] = []
  line.connectionStatus$.subscribe(status => statuses.push(status))
  const following = line.activity$.subscribe(activity => seen.push(activity as Seen))
  const post = (activity: object) =>
    new Promise<string>((resolve, reject) => {
      line.postActivity({ from: { id: 'u1' }, ...activity } as never).subscribe(resolve, reject)
    })
  const end = () => {
    following.unsubscribe()
    line.end()
  }
  return { seen, statuses, post, end }
}
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

test.each([
  ['a socket and a token', true, false],
  ['polling and a token', false, false],
  ['polling and the secret', false, true],
])('talks to botframework-directlinejs over %s [R-78]', async (_how, webSocket, withSecret) => {
  const { seen, statuses, post, end } = await connect({ webSocket }, withSecret)
  try {
    await soon(() => expect(statuses).toContain(ConnectionStatus.Online))
    const id = await post({ type: 'message', text: 'oi', channelData: { clientActivityID: `x-${webSocket}` } })
    const texts = () => seen.flatMap(({ type, text }) => (type === 'message' ? [text] : []))
    await soon(() => expect(texts()).toEqual(['oi', 'Eco oi']))
    expect(seen.filter(activity => activity.id === id)).toHaveLength(1)
    const value = seen.find(({ suggestedActions }) => suggestedActions)?.suggestedActions?.actions[0]?.value
    await post({ type: 'message', value, channelData: { postBack: true } })
    await soon(() => expect(texts().at(-1)).toBe('pressed 7'))
    const file = { contentType: 'text/plain', contentUrl: 'data:text/plain;base64,b2zDoQ==', name: 'nota.txt' }
    await post({ type: 'message', attachments: [file] })
    await soon(() => expect(texts().at(-1)).toBe('got nota.txt'))
    expect(await post({ type: 'typing' })).toEqual(expect.any(String))
  } finally {
    end()
  }
})
